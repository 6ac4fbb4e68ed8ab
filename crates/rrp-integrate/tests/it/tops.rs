//! Bodies of any shape: the free and the heavy asymmetric top.

use rrp_verify::PeriodMeter;

use crate::methods::{MOSER_VESELOV, SPLITTING};
use crate::prelude::*;
use crate::problems::heavy_top;
use crate::reference::attitude_difference;

fn tops() -> Reference {
    reference("tops")
}

/// A top with J = (1, 2, 3) that spins nearly about its unstable middle axis.
fn free_top() -> System<NoForce> {
    let bodies = Bodies::new([Body::rigid(1.0, tops().at("setup").at("J_body").vector())]).unwrap();
    let mut state = State::at_rest(1);
    state.set_spin(&bodies, 0, DVec3::new(0.01, 1.0, 0.0));
    System { bodies, field: NoForce, state }
}

fn body_spin(bodies: &Bodies, state: &State) -> DVec3 {
    state.attitude().get(0).rotate_inverse(state.spin(bodies, 0))
}

#[test]
fn newton_finds_the_increments_of_the_discrete_moser_veselov_equations() {
    for row in tops().at("oracle_alpha_body").rows() {
        let bodies = Bodies::new([Body::rigid(1.0, row.at("J").vector())]).unwrap();
        let momentum: VectorColumn = [row.at("J").vector() * row.at("w").vector()].into_iter().collect();
        let mut turned = AttitudeColumn::identity(1);
        let from = AttitudeColumn::identity(1);
        Turn::MoserVeselov.advance(row.at("h").number(), &bodies, &momentum, &from, &mut turned).unwrap();
        let error = difference(turned.get(0).to_rodrigues().unwrap().vector(), row.at("alpha_body").vector());
        assert!(error <= 1e-13, "{error:e}");
    }
}

/// Period of ω₃, which starts at zero, by the root of a quintic through six samples around each return to zero.
fn period(method: Method, h: f64) -> f64 {
    let mut top = free_top();
    let mut meter = PeriodMeter::new(h).unwrap();
    meter.push(body_spin(&top.bodies, &top.state).z);
    top.run(method, h, (90.0 / h) as usize, |bodies, state| meter.push(body_spin(bodies, state).z));
    meter.measured().unwrap().period
}

#[test]
fn periods_of_the_tumbling_top_are_those_of_the_reference_and_of_order_two() {
    let exact = tops().at("period_exact").number();
    for (scheme, method) in [("DMV-Newton", MOSER_VESELOV), ("explicit split 12321", SPLITTING)] {
        let mut errors = vec![];
        for row in tops().at("free_top").rows().filter(|row| row.at("scheme").text() == scheme) {
            let h = row.at("h").number();
            let expected = row.at("T").number();
            let value = period(method, h);
            assert!(close(value, expected, 1e-9), "{scheme} h={h}: {value}, not {expected}");
            errors.push((value - exact).abs() / exact);
        }
        assert_eq!(errors.len(), 5);
        for pair in errors.windows(2) {
            let order = (pair[0] / pair[1]).log2();
            assert!((order - 2.0).abs() < 0.01, "{scheme}: {order}");
        }
    }
}

/// Largest drift of energy and of the world-frame angular momentum over 1e6 steps of the free top.
fn free_drift(method: Method) -> (f64, f64) {
    let mut top = free_top();
    let energy = kinetic_energy(&top.bodies, &top.state).rotation;
    let momentum = top.state.angular_momentum().get(0);
    let mut of_energy = 0.0_f64;
    let mut of_momentum = 0.0_f64;
    top.run(method, 0.1, 1_000_000, |bodies, state| {
        of_energy = of_energy.max((kinetic_energy(bodies, state).rotation - energy).abs());
        of_momentum = of_momentum.max(difference(state.angular_momentum().get(0), momentum));
    });
    (of_energy, of_momentum)
}

#[test]
fn newton_keeps_energy_and_momentum_of_a_free_top() {
    let (energy, momentum) = free_drift(MOSER_VESELOV);
    assert!(energy <= 5e-13 && momentum <= 0.0, "energy {energy:e}, momentum {momentum:e}");
}

#[test]
fn splitting_keeps_the_momentum_of_a_free_top_and_bounds_its_energy() {
    let (energy, momentum) = free_drift(SPLITTING);
    let tabulated = tops().at("free_top").rows().find(|row| row.at("scheme").text() == "explicit split 12321");
    assert!(energy <= 1.01 * tabulated.unwrap().at("dE").number() && momentum <= 0.0, "{energy:e}, {momentum:e}");
}

#[test]
fn heavy_tops_end_where_the_reference_does() {
    for (scheme, method) in [("heavy scheme0", MOSER_VESELOV), ("heavy scheme1", SPLITTING)] {
        let mut errors = vec![];
        for h in ["0.1", "0.025", "0.00625"] {
            let row = tops().at(&format!("{scheme} h={h}"));
            let h: f64 = h.parse().unwrap();
            let end = heavy_top().after(method, h, (10.0 / h).round() as usize);
            let attitude = end.attitude().get(0);
            let momentum = attitude.rotate_inverse(end.angular_momentum().get(0));
            let error = attitude_difference(attitude, row.at("q_end").attitude())
                .max(difference(momentum, row.at("p_end").vector()));
            assert!(error <= 1e-12, "{scheme} h={h}: {error:e}");
            errors.push(row.at("err").number());
        }
        // The runs agree with the tabulated states, so the tabulated errors are those of the runs.
        for pair in errors.windows(2) {
            assert!(((pair[0] / pair[1]).log(4.0) - 2.0).abs() < 0.01, "{scheme}: {errors:?}");
        }
    }
}

#[test]
fn heavy_tops_keep_the_momentum_about_the_vertical() {
    for method in [MOSER_VESELOV, SPLITTING] {
        let mut top = heavy_top();
        let start = top.state.angular_momentum().get(0).z;
        let mut worst = 0.0_f64;
        top.run(method, 0.1, 100_000, |_, state| worst = worst.max((state.angular_momentum().get(0).z - start).abs()));
        assert!(worst <= 0.0, "{method:?}: {worst:e}");
    }
}

#[test]
fn heavy_tops_run_backwards() {
    for method in [MOSER_VESELOV, SPLITTING] {
        let mut top = heavy_top();
        let start = top.state.clone();
        for _ in 0..2 {
            top.run(method, 0.1, 1000, |_, _| ());
            top.state.reverse();
        }
        let error = attitude_difference(top.state.attitude().get(0), start.attitude().get(0))
            .max(difference(top.state.angular_momentum().get(0), start.angular_momentum().get(0)));
        assert!(error <= 1e-12, "{method:?}: {error:e}");
    }
}

#[test]
fn newton_on_a_sphere_is_23() {
    let [newton, legendre] = [MOSER_VESELOV, RODRIGUES_23].map(|method| pendulum().path(method, 0.1, 100));
    let distance =
        |(a, b): (&(Attitude, DVec3), &(Attitude, DVec3))| attitude_difference(a.0, b.0).max(difference(a.1, b.1));
    let worst = newton.iter().zip(&legendre).map(distance).fold(0.0, f64::max);
    assert!(worst <= 3e-14, "{worst:e}");
}

/// For bodies of any shape the turns differ by terms of order h³, from the series of the angular velocity.
#[test]
fn turns_of_any_shape_agree_to_second_order() {
    let mut random = Random(3);
    let bodies = Bodies::new([Body::rigid(1.0, DVec3::new(0.5, 0.7, 0.9))]).unwrap();
    let momentum: VectorColumn = [random.vector()].into_iter().collect();
    let from: AttitudeColumn = [random.attitude()].into_iter().collect();
    let gap = |h: f64| {
        let turned = |turn: Turn| {
            let mut to = AttitudeColumn::identity(1);
            turn.advance(h, &bodies, &momentum, &from, &mut to).unwrap();
            to.get(0)
        };
        turned(Turn::MoserVeselov).angle_to(turned(Turn::CayleySplitting))
    };
    let order = (gap(0.02) / gap(0.01)).log2();
    assert!((order - 3.0).abs() < 0.05, "{order}");
}

#[test]
fn a_step_reports_the_newton_iterations_of_its_turn() {
    let System { bodies, state, .. } = free_top();
    let iterations = |map: Map, h: f64| {
        Explicit::new(map, h).unwrap().step(&bodies, &mut NoForce, &mut state.clone()).unwrap().iterations
    };
    let newton = [1e-3, 0.1, 0.5].map(|h| iterations(Map::MoserVeselov, h));
    assert!(newton[0] >= 1 && newton[0] <= newton[2] && newton[2] <= 6, "{newton:?}");
    assert_eq!(iterations(Map::CayleySplitting, 0.1), 0);
    let both =
        Explicit::new(Map::MoserVeselov, 0.1).unwrap().run(&bodies, &mut NoForce, &mut state.clone(), 2).unwrap();
    assert!(both.iterations > newton[1] && both.evaluations >= 2, "{both:?}");
}
