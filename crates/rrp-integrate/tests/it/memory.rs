//! The contract between integrators and fields with memory: a failed step leaves no trace.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::prelude::*;

/// The way in which a field fails.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Fault {
    ForceNan,
    TorqueInfinite,
    Refusal,
    /// A panic after forces and torques were written.
    Panic,
    /// A panic when memory is committed, after a good step.
    PanicInCommit,
}

const FAULTS: [Fault; 5] = [Fault::ForceNan, Fault::TorqueInfinite, Fault::Refusal, Fault::Panic, Fault::PanicInCommit];

#[derive(Debug, thiserror::Error)]
#[error("refused call {call}")]
struct Refused {
    call: usize,
}

/// A tether that remembers how much time and work it has seen, and can be broken.
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

/// Three bodies, so that the one at fault is not the first.
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
        // The time that was committed is that of the steps, however many trials each took.
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
                    // The Moser-Veselov map is found by Newton's method, without forces.
                    let has_newton = matches!(method, Method::Explicit(rrp_integrate::Map::MoserVeselov));
                    assert_eq!((report.iterations > 0, report.evaluations), (has_newton, explicit), "{method:?}");
                }
            }
        }
    }
}

/// Compares the first three steps of an undisturbed run with those of one that fails on the way, before step `at`.
/// Pending memory of the failed step is discarded, or the memory of the two runs would differ.
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
            // Twice, so that no trace of the first failure can let the second pass.
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
