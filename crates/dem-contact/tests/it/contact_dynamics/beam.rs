//! Tests of the platform of [OK18] section 8.1: a cuboid of weight 10 that is dropped onto three fixed spheres.

use cd_solve::pgs::SweepOrder;

use crate::contact_dynamics::support::{advance, classic, distance, pgs};
use crate::prelude::*;

const RADIUS: f64 = 0.1;
const HALF: DVec3 = DVec3::new(1.2, 0.15, 0.05);
const WEIGHT: f64 = 10.0;

/// Three supports along x and the platform, body 3, a hundredth of a radius above them.
pub(crate) fn scene() -> (Bodies, State, Cuboid) {
    // The inertia m L²/12 of a thin rod from the first support to the last.
    let platform = Body::rigid(1.0, DVec3::new(0.01, 1.0 / 3.0, 1.0 / 3.0));
    let rows = [Body::fixed(RADIUS), Body::fixed(RADIUS), Body::fixed(RADIUS), platform];
    let bodies = Bodies::new(rows).unwrap();
    let mut state = State::at_rest(4);
    for (i, x) in [-1.0, 0.0, 1.0].into_iter().enumerate() {
        state.position_mut().set(i, DVec3::new(x, 0.0, 0.0));
    }
    state.position_mut().set(3, DVec3::new(0.0, 0.0, 1.01 * RADIUS + HALF.z));
    (bodies, state, Cuboid { body: 3, half_extents: HALF })
}

fn weight() -> Gravity {
    Gravity { acceleration: DVec3::NEG_Z * WEIGHT }
}

/// Returns the forces at the end of a drop, classic and compatible, and the final state.
fn drop<S: LcpSolver>(dynamics: ContactDynamics<S>) -> ([Vec<f64>; 2], State) {
    let (bodies, mut state, cuboid) = scene();
    let mut dynamics = dynamics.with_cuboids([cuboid]).unwrap();
    advance(&mut dynamics, &bodies, &mut weight(), &mut state, 60);
    let contacts = dynamics.contacts();
    assert_eq!(contacts.iter().map(|contact| (contact.a, contact.b)).collect::<Vec<_>>(), [(0, 3), (1, 3), (2, 3)]);
    let classic = contacts.iter().map(|contact| contact.force).collect();
    let compatible = contacts.iter().filter_map(|contact| contact.compatible_force).collect();
    ([classic, compatible], state)
}

fn stiff_middle(exponent: f64) -> CompatibleLaw {
    CompatibleLaw::new(exponent, |contact| if contact.a == 1 { 3.0 } else { 1.0 })
}

#[test]
fn compatible_forces_of_the_dropped_platform() {
    for exponent in [2.0, 2.5] {
        let third = [10.0 / 3.0; 3];
        for (law, expected) in
            [(CompatibleLaw::new(exponent, |_| 1.0), third), (stiff_middle(exponent), [2.0, 6.0, 2.0])]
        {
            for (name, solver) in classic(1e-12) {
                let dynamics = ContactDynamics::new(1e-3, open_list(0.01), solver).unwrap();
                let ([_, compatible], state) = drop(dynamics.with_compatible(law.clone()));
                assert!(distance(&compatible, &expected) < 1e-8, "{name}, p = {exponent}: {compatible:?}");
                let height = state.position().get(3).z - RADIUS - HALF.z;
                assert!(height.abs() < 1e-12 && state.velocity().get(3).length() < 1e-10, "{height}");
            }
            let dynamics = ContactDynamics::new(1e-3, open_list(0.01), pgs(1e-12)).unwrap();
            let ([compliant_step, _], _) = drop(dynamics.with_compliant_step(law, 1e-9).unwrap());
            assert!(distance(&compliant_step, &expected) < 1e-7, "one step, p = {exponent}: {compliant_step:?}");
        }
    }
}

/// Orders of Gauss-Seidel sweeps give three different answers; projected descent happens to find the even one.
#[test]
fn classic_forces_depend_on_solver_and_order() {
    let cases = [
        ([0, 1, 2], [5.0 / 3.0, 20.0 / 3.0, 5.0 / 3.0]),
        ([0, 2, 1], [10.0 / 3.0; 3]),
        ([1, 0, 2], [0.0, 10.0, 0.0]),
        ([1, 2, 0], [0.0, 10.0, 0.0]),
        ([2, 0, 1], [10.0 / 3.0; 3]),
        ([2, 1, 0], [5.0 / 3.0, 20.0 / 3.0, 5.0 / 3.0]),
    ];
    let options = Options::new(1e-10, 100_000);
    for (order, expected) in cases {
        let solver = ProjectedGaussSeidel::new(options).with_order(SweepOrder::Explicit(order.into()));
        let dynamics = ContactDynamics::new(1e-3, open_list(0.01), solver).unwrap().with_warm_start(false);
        let ([classic, _], _) = drop(dynamics);
        assert!(distance(&classic, &expected) < 1e-8, "{order:?}: {classic:?}");
    }
    let dynamics = ContactDynamics::new(1e-3, open_list(0.01), Apgd::new(options)).unwrap().with_warm_start(false);
    let ([classic, _], _) = drop(dynamics);
    assert!(distance(&classic, &[10.0 / 3.0; 3]) < 1e-8, "{classic:?}");
}

/// A planar motion stays exactly in its plane, as two dimensions are a special case of three.
#[test]
fn a_planar_scene_stays_planar() {
    let (bodies, mut state, cuboid) = scene();
    state.set_spin(&bodies, 3, DVec3::Y * 0.2);
    let mut dynamics = ContactDynamics::new(1e-3, open_list(0.01), pgs(1e-10)).unwrap().with_cuboids([cuboid]).unwrap();
    let mut turned = 0.0_f64;
    for _ in 0..200 {
        dynamics.step(&bodies, &mut weight(), &mut state).unwrap();
        let turn = state.attitude().get(3).to_rotation_vector();
        assert!(state.position().get(3).y.abs() <= 0.0 && turn.x.abs() <= 0.0 && turn.z.abs() <= 0.0);
        turned = turned.max(turn.y.abs());
    }
    assert!(turned > 1e-4, "{turned}");
}

/// With the middle support three times as stiff, penalty forces come from two fields with a law each.
#[test]
fn penalty_forces_of_the_platform_tend_to_the_compatible_ones() {
    let (bodies, mut state, cuboid) = scene();
    let stiffness = 1e6;
    let law = |stiffness: f64| Hooke::new(stiffness, Damping::coefficient(1e3).unwrap()).unwrap();
    let outer = CuboidForce::new(Domain::OPEN, [cuboid], law(stiffness)).unwrap().touching([0, 2]);
    let middle = CuboidForce::new(Domain::OPEN, [cuboid], law(3.0 * stiffness)).unwrap().touching([1]);
    let mut field = Both(Both(outer, middle), weight());
    let mut map = Explicit::new(Map::MoserVeselov, 1e-5).unwrap();
    for _ in 0..30_000 {
        map.step(&bodies, &mut field, &mut state).unwrap();
    }
    let outer = field.0.0.contacts(&bodies, &state).unwrap();
    let middle = field.0.1.contacts(&bodies, &state).unwrap();
    let force = [outer[0].normal_force, middle[0].normal_force, outer[1].normal_force];
    println!("penalty forces {force:?}");
    assert!(distance(&force, &[2.0, 6.0, 2.0]) < 1e-4, "{force:?}");
}
