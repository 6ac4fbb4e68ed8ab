//! Each integrator has the order, symplecticity and reversibility that its [`Scheme`] claims, on problems that are
//! nonlinear in all variables.

use rrp_geom::RodriguesVector;
use rrp_geom::glam::DMat3;

use crate::methods::MOSER_VESELOV;
use crate::prelude::*;

/// Largest difference of two one-body states in position, velocity, Rodrigues vector or momentum.
fn distance(a: &State, b: &State) -> f64 {
    let columns = [
        a.position().get(0) - b.position().get(0),
        a.velocity().get(0) - b.velocity().get(0),
        a.angular_momentum().get(0) - b.angular_momentum().get(0),
    ];
    let angle = a.attitude().get(0).angle_to(b.attitude().get(0));
    columns.into_iter().map(|d| d.abs().max_element()).fold(angle, f64::max)
}

/// Test systems for a method: a sphere, and a body of any shape if the method can turn one.
fn trials(method: Method) -> Vec<System<Tether>> {
    let shapes: &[bool] = if method.takes_any_shape() { &[true, false] } else { &[true] };
    shapes.iter().map(|&spherical| tethered(spherical)).collect()
}

#[test]
fn every_method_has_the_order_it_claims() {
    for method in ALL {
        for trial in trials(method) {
            let end = |rung: usize| trial.clone().after(method, 0.01 / (1 << rung) as f64, 200 << rung);
            let coarse = end(0);
            let middle = end(1);
            let fine = end(2);
            let order = (distance(&coarse, &middle) / distance(&middle, &fine)).log2();
            let claimed = f64::from(method.with_step(0.01).scheme().order);
            assert!((order - claimed).abs() < 0.05, "{method:?}: {order}");
        }
    }
}

#[test]
fn every_method_is_reversible_exactly_if_it_says_so() {
    for method in ALL {
        for mut trial in trials(method) {
            let start = trial.state.clone();
            for _ in 0..2 {
                trial.run(method, 0.05, 100, |_, _| ());
                trial.state.reverse();
            }
            let distance = distance(&trial.state, &start);
            let reversible = method.with_step(0.05).scheme().reversible;
            assert!(if reversible { distance < 1e-12 } else { distance > 1e-3 }, "{method:?}: {distance:e}");
        }
    }
}

#[test]
fn every_method_is_symplectic_exactly_if_it_says_so() {
    for method in ALL {
        for trial in trials(method) {
            let (defect, volume) =
                Canonical { system: &trial, method, h: 0.3, origin: trial.state.attitude().get(0) }.defect();
            let symplectic = method.with_step(0.3).scheme().symplectic;
            let good = if symplectic { defect < 1e-9 && close(volume, 1.0, 1e-9) } else { defect > 1e-3 };
            assert!(good, "{method:?}: defect {defect:e}, volume {volume}");
        }
    }
}

/// Map (26) changes the volume of phase space by 1/det(I − h²(1−φ)/J K T), since the new torque acts on the momentum: η
/// = T dP h is the change of attitude, and dτ = K η that of the torque τ = (R ρ) × e₃.
#[test]
fn implicit_26_changes_volumes_by_its_closed_form() {
    for weight in [0.5, 0.0] {
        let system = pendulum();
        let h = 0.3;
        let method = Method::Implicit(weight);
        let (defect, volume) =
            Canonical { system: &system, method, h, origin: system.state.attitude().get(0) }.defect();
        let end = system.clone().after(method, h, 1);
        let arm = end.attitude().get(0).rotate(DVec3::Z);
        let p = end.angular_momentum().get(0);
        let turn = RodriguesVector::new(h * p).unwrap().tangent();
        let column = |axis: DVec3| axis - h * h * (1.0 - weight) * (turn * axis).cross(arm).cross(DVec3::Z);
        let expected = DMat3::from_cols(column(DVec3::X), column(DVec3::Y), column(DVec3::Z)).determinant().recip();
        assert!(close(volume, expected, 1e-9), "φ={weight}: {volume}, not {expected}");
        assert!((volume - 1.0).abs() > 1e-2 && defect > 1e-2, "φ={weight}: {volume}, {defect}");
    }
}

/// The other tests here need a tether that couples x and R, and so both moves and turns the body.
#[test]
fn the_tether_moves_and_turns() {
    for method in [RODRIGUES_23, MOSER_VESELOV] {
        let start = tethered(true);
        let end = start.clone().after(method, 0.01, 200);
        assert!(end.attitude().get(0).angle_to(start.state.attitude().get(0)) > 0.5);
        assert!((end.velocity().get(0) - start.state.velocity().get(0)).length() > 0.5);
    }
}

/// One step of a map in the canonical coordinates `(x, α; mv, p)` about a state: `R = R(α) R₀`, `p = TᵀL`, `Ω = T α̇`.
struct Canonical<'a, F> {
    system: &'a System<F>,
    method: Method,
    h: f64,
    origin: Attitude,
}

impl<'a, F: ForceField + Clone> Canonical<'a, F> {
    fn coordinates(&self, state: &State) -> [f64; 12] {
        let alpha = self.origin.inverse().then(state.attitude().get(0)).to_rodrigues().unwrap();
        let momentum = self.system.bodies.mass()[0] * state.velocity().get(0);
        let p = alpha.tangent().transpose() * state.angular_momentum().get(0);
        let columns = [state.position().get(0), alpha.vector(), momentum, p];
        std::array::from_fn(|i| columns[i / 3][i % 3])
    }

    fn step(&self, coordinates: [f64; 12]) -> [f64; 12] {
        let mut system = self.system.clone();
        let [x, alpha, momentum, p] =
            [0, 3, 6, 9].map(|c| DVec3::new(coordinates[c], coordinates[c + 1], coordinates[c + 2]));
        let alpha = RodriguesVector::new(alpha).unwrap();
        system.state.position_mut().set(0, x);
        system.state.attitude_mut().set(0, self.origin.then(alpha.attitude()));
        system.state.velocity_mut().set(0, momentum / system.bodies.mass()[0]);
        system.state.angular_momentum_mut().set(0, alpha.tangent_inverse().transpose() * p);
        system.run(self.method, self.h, 1, |_, _| ());
        self.coordinates(&system.state)
    }

    fn column(&self, c: usize) -> [f64; 12] {
        const STEP: f64 = 1e-3;
        let start = self.coordinates(&self.system.state);
        let at = |offset: f64| {
            let mut moved = start;
            moved[c] += offset * STEP;
            self.step(moved)
        };
        let ends = [at(-2.0), at(-1.0), at(1.0), at(2.0)];
        std::array::from_fn(|i| (ends[0][i] - ends[3][i] + 8.0 * (ends[2][i] - ends[1][i])) / (12.0 * STEP))
    }

    fn defect(&self) -> (f64, f64) {
        let columns: [[f64; 12]; 12] = std::array::from_fn(|c| self.column(c));
        let form = |a: [f64; 12], b: [f64; 12]| (0..6).map(|i| a[i] * b[i + 6] - a[i + 6] * b[i]).sum::<f64>();
        let mut worst = 0.0_f64;
        for (i, &a) in columns.iter().enumerate() {
            for (j, &b) in columns.iter().enumerate() {
                let expected = if j == i + 6 { 1.0 } else { -f64::from(u8::from(i == j + 6)) };
                worst = worst.max((form(a, b) - expected).abs());
            }
        }
        (worst, determinant(columns))
    }
}

fn determinant(mut columns: [[f64; 12]; 12]) -> f64 {
    let mut product = 1.0;
    for row in 0..12 {
        let pivot = (row..12).max_by(|&a, &b| columns[a][row].abs().total_cmp(&columns[b][row].abs())).unwrap();
        if pivot != row {
            columns.swap(pivot, row);
            product = -product;
        }
        let lead = columns[row];
        product *= lead[row];
        for column in &mut columns[row + 1..] {
            let factor = column[row] / lead[row];
            column.iter_mut().zip(lead).for_each(|(entry, lead)| *entry -= factor * lead);
        }
    }
    product
}
