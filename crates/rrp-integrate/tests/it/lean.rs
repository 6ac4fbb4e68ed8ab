//! States without attitudes, steps without torques, and bodies at rest.

use std::cell::Cell;

use rrp_integrate::linear_momentum;

use crate::prelude::*;

const SPHERICAL: [Map; 4] = [Map::Rodrigues23, Map::Rodrigues25, Map::Rodrigues27, Map::Verlet];

/// A field with a central force, and with a torque against the spin in every other evaluation.
#[derive(Default)]
struct Brake {
    evaluations: Cell<usize>,
    /// Whether the field writes zero torques in the other evaluations.
    always: bool,
    /// Number of the evaluation in which a force is not finite.
    broken: Option<usize>,
}

impl ForceField for Brake {
    fn accumulate(&mut self, bodies: &Bodies, state: &State, _: f64, out: &mut Wrenches) -> Result<(), FieldError> {
        let count = self.evaluations.get();
        self.evaluations.set(count + 1);
        for i in 0..bodies.len() {
            out.force.add(i, -state.position().get(i));
            if count % 2 == 1 {
                out.torque.add(i, -0.1 * state.spin(bodies, i));
            } else if self.always {
                out.torque.add(i, DVec3::ZERO);
            }
        }
        if self.broken == Some(count) {
            out.force.set(bodies.len() - 1, DVec3::NAN);
        }
        Ok(())
    }
}

fn spheres(count: usize) -> (Bodies, State) {
    let bodies = Bodies::new((0..count).map(|i| Body::sphere(1.0 + (i % 3) as f64, 0.5))).unwrap();
    (bodies, Random(7).state(count))
}

fn motion(state: &State) -> Vec<u64> {
    let columns: [&VectorColumn; 3] = [state.position(), state.velocity(), state.angular_momentum()];
    columns.into_iter().flat_map(|column| column.slices()).flatten().map(|value| value.to_bits()).collect()
}

fn after(map: Map, bodies: &Bodies, mut state: State, mut field: Brake, steps: usize) -> State {
    let mut map = Explicit::new(map, 0.05).unwrap();
    (0..steps).for_each(|_| {
        map.step(bodies, &mut field, &mut state).unwrap();
    });
    state
}

#[test]
fn spheres_move_and_spin_the_same_without_attitudes() {
    for count in [5, 20_011] {
        let (bodies, state) = spheres(count);
        for map in SPHERICAL {
            let with = after(map, &bodies, state.clone(), Brake::default(), 6);
            let without = after(map, &bodies, state.clone().without_attitudes(), Brake::default(), 6);
            assert!(with.has_attitudes() && !without.has_attitudes() && without.attitude().is_empty());
            assert!(motion(&with) == motion(&without), "{map:?}");
            assert!(without.check(&bodies).is_ok());
        }
    }
}

#[test]
fn torques_that_come_and_go_are_torques_that_are_zero_at_times() {
    let (bodies, state) = spheres(7);
    for map in SPHERICAL {
        let sparse = after(map, &bodies, state.clone(), Brake::default(), 9);
        let dense = after(map, &bodies, state.clone(), Brake { always: true, ..Brake::default() }, 9);
        assert!(bits(&sparse) == bits(&dense), "{map:?}");
        assert!(motion(&sparse) != motion(&state));
    }
}

#[test]
fn a_failed_step_gives_back_the_momenta_that_it_borrowed() {
    let (bodies, start) = spheres(4);
    for map in SPHERICAL {
        // The failing steps begin with or without torques, and end with or without torques.
        for broken in 1..8 {
            let mut field = Brake { broken: Some(broken), ..Brake::default() };
            let mut map = Explicit::new(map, 0.05).unwrap();
            let mut state = start.clone();
            let error = loop {
                let before = state.clone();
                if let Err(error) = map.step(&bodies, &mut field, &mut state) {
                    assert!(bits(&before) == bits(&state) && wrench_bits(&before) == wrench_bits(&state));
                    goes_on_the_same(map.clone(), &bodies, [before, state.clone()], field.evaluations.get());
                    break error;
                }
            };
            assert!(matches!(error, IntegrateError::ForceNotFinite { body: 3, .. }), "{error}");
            assert!(map.step(&bodies, &mut field, &mut state).is_ok());
        }
        // Forces are finite but overflow the state: the first half of a step finds the error.
        let mut map = Explicit::new(map, 0.05).unwrap();
        let mut state = start.clone();
        state.velocity_mut().set(2, DVec3::splat(f64::MAX));
        state.position_mut().set(2, DVec3::splat(f64::MAX));
        let before = bits(&state);
        assert!(matches!(
            map.step(&bodies, &mut Gravity { acceleration: DVec3::Z }, &mut state),
            Err(IntegrateError::StateNotFinite { body: 2, .. })
        ));
        assert!(bits(&state) == before);
    }
    // This step fails before it evaluates forces.
    let mut state = after(Map::Rodrigues25, &bodies, start.clone(), Brake::default(), 2);
    let before = state.clone();
    assert!(Explicit::new(Map::Rodrigues25, 1e300).unwrap().step(&bodies, &mut Brake::default(), &mut state).is_err());
    assert!(bits(&state) == bits(&before) && state.wrenches().is_some());
    assert!(wrench_bits(&state) == wrench_bits(&before));
}

#[test]
fn half_written_forces_of_a_field_that_fails_leave_no_trace() {
    let (bodies, start) = spheres(3);
    // The steps begin with or without torques.
    for (map, steps) in SPHERICAL.into_iter().flat_map(|map| [1, 2].map(|steps| (map, steps))) {
        for (force, torque) in [(false, false), (false, true), (true, false), (true, true)] {
            let before = after(map, &bodies, start.clone(), Brake::default(), steps);
            let mut map = Explicit::new(map, 0.05).unwrap();
            let mut state = before.clone();
            let mut stops = field(|_, _, out| {
                for (_, column) in [(force, &mut out.force), (torque, &mut out.torque)].into_iter().filter(|one| one.0)
                {
                    column.add(1, DVec3::X);
                }
                Err("it stops".into())
            });
            assert!(map.step(&bodies, &mut stops, &mut state).is_err());
            assert!(bits(&before) == bits(&state) && wrench_bits(&before) == wrench_bits(&state));
            goes_on_the_same(map, &bodies, [before, state], steps + 1);
        }
    }
}

/// Checks that a run after a failed step has the same bits as a run without the failure.
fn goes_on_the_same(mut map: Explicit, bodies: &Bodies, states: [State; 2], evaluations: usize) {
    let [before, after] = states.map(|mut state| {
        let mut field = Brake { evaluations: Cell::new(evaluations), ..Brake::default() };
        map.run(bodies, &mut field, &mut state, 3).unwrap();
        bits(&state)
    });
    assert!(before == after);
}

#[test]
fn whatever_needs_attitudes_says_so() {
    let (bodies, state) = spheres(3);
    let mut state = state.without_attitudes();
    let before = motion(&state);
    let mut others: [Box<dyn Integrator>; 2] =
        [Box::new(ImplicitRodrigues::new(0.5, 0.1).unwrap()), Box::new(BodyFrameRodrigues::new(0.1).unwrap())];
    for integrator in &mut others {
        assert!(matches!(integrator.step(&bodies, &mut NoForce, &mut state), Err(IntegrateError::NoAttitudes)));
    }
    let shapes = Bodies::new([Body::rigid(1.0, DVec3::new(1.0, 1.4, 1.8)); 3]).unwrap();
    for map in [Map::MoserVeselov, Map::CayleySplitting] {
        let mut map = Explicit::new(map, 0.1).unwrap();
        assert!(matches!(map.step(&shapes, &mut NoForce, &mut state), Err(IntegrateError::NoAttitudes)));
    }
    let mut weight = PivotedWeight { arm: DVec3::X, weight: DVec3::Z };
    let error = Explicit::new(Map::Rodrigues25, 0.1).unwrap().step(&bodies, &mut weight, &mut state).unwrap_err();
    let IntegrateError::Field(source) = error else { panic!("{error}") };
    assert!(matches!(source.downcast_ref(), Some(IntegrateError::NoAttitudes)));
    assert!(
        Turn::Cayley
            .advance(0.1, &bodies, state.angular_momentum(), state.attitude(), &mut Default::default())
            .is_err()
    );
    assert!(motion(&state) == before);
}

#[test]
fn nothing_moves_a_fixed_body() {
    for method in ALL {
        let shape = if method.takes_any_shape() { DVec3::new(0.5, 0.7, 0.9) } else { DVec3::splat(0.7) };
        let last = 1;
        let bodies = Bodies::new([Body::rigid(1.5, shape), Body::fixed(0.5)]).unwrap();
        let mut system = System { bodies, field: Tether::TEST, state: Random(3).state(2) };
        system.state.set_spin(&system.bodies, last, DVec3::ONE);
        system.state.velocity_mut().set(last, DVec3::ZERO);
        let start = system.state.clone();
        system.run(method, 0.05, 20, |_, _| ());
        let row = |state: &State| {
            let x = state.position().get(last);
            let q = state.attitude().get(last).to_quaternion();
            (x, q, state.velocity().get(last), state.spin(&system.bodies, last))
        };
        let ((x, q, v, w), (x0, q0, ..)) = (row(&system.state), row(&start));
        assert!((x, v, w) == (x0, DVec3::ZERO, DVec3::ZERO), "{method:?}");
        assert!((q - q0).length() < 1e-15, "{method:?}");
        assert!(kinetic_energy(&system.bodies, &system.state).total().is_finite());
        assert!(linear_momentum(&system.bodies, &system.state).is_finite());
        assert!(system.state.position().get(0) != start.position().get(0));
    }
}

#[cfg(feature = "serde")]
#[test]
fn states_without_attitudes_can_be_stored() {
    let (bodies, state) = spheres(3);
    let state = after(Map::Rodrigues25, &bodies, state.without_attitudes(), Brake::default(), 3);
    let stored: State = serde_json::from_str(&serde_json::to_string(&state).unwrap()).unwrap();
    assert!(stored == state && !stored.has_attitudes() && motion(&stored) == motion(&state));
    assert_eq!(stored.wrenches(), state.wrenches());
}
