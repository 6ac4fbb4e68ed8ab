//! The contract between integrators and fields with history: a failed step leaves no trace. Integrators of other crates
//! obey it too.

use std::panic::{AssertUnwindSafe, catch_unwind};

use rrp_integrate::step::take_step;
use rrp_integrate::{Scheme, StepReport};

use crate::prelude::*;

/// The way in which a field fails.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Fault {
    ForceNan,
    TorqueInfinite,
    Refusal,
    /// The field panics after it has written forces and torques.
    Panic,
    /// The field panics in `commit`, after a successful step.
    PanicInCommit,
}

const FAULTS: [Fault; 5] = [Fault::ForceNan, Fault::TorqueInfinite, Fault::Refusal, Fault::Panic, Fault::PanicInCommit];

#[derive(Debug, thiserror::Error)]
#[error("refused call {call}")]
struct Refused {
    call: usize,
}

/// A tether that records time and work in its history, and fails on demand.
#[derive(Debug, Clone)]
struct Recorder {
    tether: Tether,
    fault: Option<Fault>,
    calls: Vec<f64>,
    commits: usize,
    committed: [f64; 2],
    pending: [f64; 2],
}

impl Recorder {
    fn new() -> Self {
        Self { tether: Tether::TEST, fault: None, calls: vec![], commits: 0, committed: [0.0; 2], pending: [0.0; 2] }
    }

    fn memory(&self) -> (usize, [u64; 2]) {
        (self.commits, self.committed.map(f64::to_bits))
    }
}

impl ForceField for Recorder {
    fn accumulate(&mut self, bodies: &Bodies, state: &State, h: f64, out: &mut Wrenches) -> Result<(), FieldError> {
        self.calls.push(h);
        self.tether.accumulate(bodies, state, h, out)?;
        let power: f64 = (0..state.len()).map(|i| out.force.get(i).dot(state.velocity().get(i))).sum();
        self.pending = [self.committed[0] + h, self.committed[1] + h * power];
        let last = state.len() - 1;
        match self.fault {
            None | Some(Fault::PanicInCommit) => {}
            Some(Fault::Panic) => panic!("as it is to be"),
            Some(Fault::ForceNan) => out.force.slices_mut()[1][last] = f64::NAN,
            Some(Fault::TorqueInfinite) => out.torque.slices_mut()[2][last] = f64::INFINITY,
            Some(Fault::Refusal) => return Err(Box::new(Refused { call: self.calls.len() })),
        }
        Ok(())
    }

    fn commit(&mut self) {
        assert!(self.fault != Some(Fault::PanicInCommit), "as it is to be");
        self.commits += 1;
        self.committed = self.pending;
    }
}

const H: f64 = 0.05;

/// Three bodies, of which the failing one is not the first.
fn recorded(method: Method) -> System<Recorder> {
    let body = Vec::from(tethered(!method.takes_any_shape()).bodies)[0];
    System { bodies: Bodies::new([body; 3]).unwrap(), field: Recorder::new(), state: Random(17).state(3) }
}

impl System<Recorder> {
    fn step(&mut self, integrator: &mut dyn Integrator) -> Result<(), IntegrateError> {
        integrator.step(&self.bodies, &mut self.field, &mut self.state).map(|_| ())
    }
}

#[test]
fn accepted_steps_commit_once_and_trials_do_not_add_up() {
    for method in ALL {
        let mut system = recorded(method);
        system.run(method, H, 20, |_, _| ());
        let field = &system.field;
        assert_eq!(field.commits, 20, "{method:?}");
        // Committed times add up to the time of the steps, whatever the number of rejected evaluations.
        assert!((field.committed[0] - system.state.time()).abs() < 1e-14, "{method:?}: {}", field.committed[0]);
        assert!(field.calls[0].to_bits() == 0, "{method:?}: the first call is at the start");
        assert!(field.calls[1..].iter().all(|h| h.to_bits() == H.to_bits()), "{method:?}: {:?}", field.calls);
    }
}

#[test]
fn explicit_steps_evaluate_once_and_implicit_ones_say_how_often() {
    for method in ALL {
        let mut system = recorded(method);
        let mut integrator = method.with_step(H);
        for step in 0..5 {
            let before = system.field.calls.len();
            let report = integrator.step(&system.bodies, &mut system.field, &mut system.state).unwrap();
            assert_eq!(report.evaluations, system.field.calls.len() - before, "{method:?}");
            let explicit = 1 + usize::from(step == 0);
            match method {
                Method::Implicit(weight) if weight < 1.0 => {
                    assert!(report.iterations > 1 && report.evaluations > explicit)
                }
                _ => {
                    // Newton's method of the Moser-Veselov map needs no force evaluations.
                    let has_newton = matches!(method, Method::Explicit(rrp_integrate::Map::MoserVeselov));
                    assert_eq!((report.iterations > 0, report.evaluations), (has_newton, explicit), "{method:?}");
                }
            }
        }
    }
}

/// Compares the first three steps of a run with those of a run in which step `at` first fails. Histories would differ
/// if the pending history of the failed step were kept.
fn assert_recovers(method: Method, fault: Fault, at: usize) {
    let mut good = recorded(method);
    let mut good_integrator = method.with_step(H);
    let mut bad = recorded(method);
    let mut bad_integrator = method.with_step(H);
    for step in 0..3 {
        if step == at {
            let state = bits(&bad.state);
            let wrenches = wrench_bits(&bad.state);
            let memory = bad.field.memory();
            assert_eq!(wrenches.is_some(), at > 0);
            bad.field.fault = Some(fault);
            // The step fails twice, in case the first failure leaves a trace that lets the second attempt pass.
            for _ in 0..2 {
                match catch_unwind(AssertUnwindSafe(|| bad.step(&mut *bad_integrator))) {
                    Ok(outcome) => assert_names(&outcome.unwrap_err(), fault, bad.field.calls.len()),
                    Err(_) => assert!(matches!(fault, Fault::Panic | Fault::PanicInCommit), "{method:?}, {fault:?}"),
                }
                assert!(bits(&bad.state) == state && bad.field.memory() == memory, "{method:?}, {fault:?} at {at}");
                assert!(wrench_bits(&bad.state) == wrenches, "{method:?}, {fault:?} at {at}: other wrenches");
            }
            bad.field.fault = None;
        }
        good.step(&mut *good_integrator).unwrap();
        bad.step(&mut *bad_integrator)
            .unwrap_or_else(|error| panic!("{method:?} after {fault:?} at {at} does not go on: {error}"));
    }
    assert!(bits(&good.state) == bits(&bad.state), "{method:?}, {fault:?} at {at}");
    assert!(wrench_bits(&good.state) == wrench_bits(&bad.state), "{method:?}, {fault:?} at {at}");
    assert_eq!(good.field.memory(), bad.field.memory(), "{method:?}, {fault:?} at {at}");
}

fn assert_names(error: &IntegrateError, fault: Fault, call: usize) {
    match (fault, error) {
        (Fault::ForceNan, IntegrateError::ForceNotFinite { body: 2, force, torque }) => {
            assert!(force.y.is_nan() && torque.is_finite());
        }
        (Fault::TorqueInfinite, IntegrateError::ForceNotFinite { body: 2, force, torque }) => {
            assert!(force.is_finite() && torque.z.is_infinite());
        }
        (Fault::Refusal, IntegrateError::Field(source)) => {
            assert_eq!(source.downcast_ref::<Refused>().expect("the field's own error").call, call);
            assert!(source.to_string().contains("refused call"), "{source}");
        }
        _ => panic!("{fault:?} gave {error}"),
    }
}

#[test]
fn failed_steps_leave_no_trace() {
    for method in ALL {
        for fault in FAULTS {
            for at in [0, 1, 2] {
                assert_recovers(method, fault, at);
            }
        }
    }
}

/// Symplectic Euler for translation alone. A step fails above a height, and panics if the height is −∞.
struct Euler {
    dt: f64,
    ceiling: f64,
    next: State,
}

impl Integrator for Euler {
    fn scheme(&self) -> Scheme {
        Scheme { dt: self.dt, order: 1, symplectic: true, reversible: false }
    }

    fn step(
        &mut self,
        bodies: &Bodies,
        field: &mut dyn ForceField,
        state: &mut State,
    ) -> Result<StepReport, IntegrateError> {
        let dt = self.dt;
        let ceiling = self.ceiling;
        take_step(bodies, field, state, &mut self.next, dt, |state, next| {
            let wrenches = state.wrenches().expect("they were evaluated");
            for i in 0..bodies.len() {
                let velocity = state.velocity().get(i) + dt * bodies.inverse_mass()[i] * wrenches.force.get(i);
                next.velocity_mut().set(i, velocity);
                next.position_mut().set(i, state.position().get(i) + dt * velocity);
                next.attitude_mut().set(i, state.attitude().get(i));
                next.angular_momentum_mut().set(i, state.angular_momentum().get(i));
                assert!(ceiling > f64::NEG_INFINITY, "no ceiling");
                if next.position().get(i).z > ceiling {
                    return Err(IntegrateError::Method("through the ceiling".into()));
                }
            }
            Ok(3)
        })
    }
}

struct Counted(Gravity, usize, usize);

impl ForceField for Counted {
    fn accumulate(&mut self, bodies: &Bodies, state: &State, dt: f64, out: &mut Wrenches) -> Result<(), FieldError> {
        self.1 += 1;
        self.0.accumulate(bodies, state, dt, out)
    }

    fn commit(&mut self) {
        self.2 += 1;
    }
}

#[test]
fn it_steps_like_one_of_ours_and_fails_without_a_trace() {
    let bodies = Bodies::new([Body::sphere(2.0, 0.5), Body::fixed(0.5)]).unwrap();
    let mut state = State::at_rest(2);
    state.velocity_mut().set(0, DVec3::new(1.0, 0.0, 5.0));
    let mut twin = state.clone();
    let mut field = Counted(Gravity { acceleration: DVec3::NEG_Z }, 0, 0);
    let mut own = Euler { dt: 0.1, ceiling: 10.0, next: State::at_rest(0) };
    let mut ours = Explicit::new(Map::Rodrigues27, 0.1).unwrap();
    for step in 0..25 {
        let report = own.step(&bodies, &mut field, &mut state).unwrap();
        assert_eq!((report.evaluations, report.iterations), (if step == 0 { 2 } else { 1 }, 3));
        ours.step(&bodies, &mut Gravity { acceleration: DVec3::NEG_Z }, &mut twin).unwrap();
        assert!((state.position().get(0) - twin.position().get(0)).length() < 1e-13 && state.wrenches().is_some());
        assert!((state.time() - twin.time()).abs() <= 0.0);
    }
    assert_eq!((field.1, field.2), (26, 25));
    let before = state.clone();
    own.ceiling = 0.0;
    assert!(matches!(own.step(&bodies, &mut field, &mut state), Err(IntegrateError::Method(_))));
    assert!(state == before && state.wrenches().is_some() && state.wrenches() == before.wrenches() && field.2 == 25);
    own.ceiling = f64::NEG_INFINITY;
    let step = AssertUnwindSafe(|| own.step(&bodies, &mut field, &mut state));
    assert!(catch_unwind(step).is_err());
    assert!(state == before && state.wrenches().is_some() && state.wrenches() == before.wrenches() && field.2 == 25);
    own.ceiling = 10.0;
    own.step(&bodies, &mut field, &mut state).unwrap();
    ours.step(&bodies, &mut Gravity { acceleration: DVec3::NEG_Z }, &mut twin).unwrap();
    assert!((state.position().get(0) - twin.position().get(0)).length() < 1e-13);
    let mut broken = Euler { dt: 0.1, ceiling: f64::INFINITY, next: State::at_rest(0) };
    state.velocity_mut().set(0, DVec3::splat(1.7e308));
    let mut field = Gravity { acceleration: DVec3::splat(1e308) };
    assert!(matches!(
        broken.step(&bodies, &mut field, &mut state),
        Err(IntegrateError::ForceNotFinite { body: 0, .. })
    ));
}
