//! Tests of a user's own laws: a normal law with a range and a memory, a tangential law with a history, and an object
//! for whole batches that may fail.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use dem_contact::contact_history;
use dem_contact::law::{Contacts, Forces, LawTraits, Memory, PairLaw, Sum};

use crate::prelude::*;

/// A spring between surfaces that have touched, which pulls up to a gap, where it breaks for good. The memory is zero
/// before surfaces touch, then [`HOLDS`](Self::HOLDS), then [`BROKEN`](Self::BROKEN).
#[derive(Debug, Clone, Copy)]
struct Breaking;

impl Breaking {
    const STIFFNESS: f64 = 1e4;
    /// Gap in m at which the spring breaks.
    const GAP: f64 = 0.02;
    /// Gap in m up to which the contact remembers that the spring broke.
    const RANGE: f64 = 0.05;
    const HOLDS: f64 = 1.0;
    const BROKEN: f64 = 2.0;
}

impl ContactLaw for Breaking {
    fn energy(&self, overlap: f64, _: f64) -> f64 {
        0.5 * Self::STIFFNESS * overlap * overlap
    }

    fn force(&self, overlap: f64, _: f64) -> f64 {
        Self::STIFFNESS * overlap
    }

    fn stiffness(&self, _: f64, _: f64) -> f64 {
        Self::STIFFNESS
    }

    fn is_damped(&self) -> bool {
        false
    }

    fn range(&self, _: f64) -> f64 {
        Self::RANGE
    }

    fn is_hysteretic(&self) -> bool {
        true
    }

    fn remember(&self, overlap: f64, _: f64, before: f64) -> Memory {
        let is_new = before < Self::HOLDS;
        let number = if !is_new {
            if overlap < -Self::GAP { Self::BROKEN } else { before }
        } else if overlap > 0.0 {
            Self::HOLDS
        } else {
            0.0
        };
        let holds = number > 0.0 && number < Self::BROKEN;
        Memory { number, acts: holds || overlap > 0.0 }
    }

    fn contact_radius(&self, overlap: f64, radius: f64) -> f64 {
        (radius * overlap.max(0.0)).sqrt()
    }
}

/// The history of [`Wearing`].
#[derive(Debug, Clone, Copy, Default)]
struct Wear {
    spring: DVec3,
    way: Sum,
}

contact_history!(Wear { spring: DVec3, way: Sum });

/// A friction spring whose limit falls with the length that the surfaces have slipped.
#[derive(Debug, Clone, Copy)]
struct Wearing;

impl TangentialLaw for Wearing {
    type History = Wear;

    fn force(&self, contact: &ContactKinematics, history: &mut Wear) -> DVec3 {
        let step = contact.velocity * contact.elapsed;
        history.way.0 += step.length();
        let spring = history.spring + step;
        let spring = spring - contact.normal * contact.normal.dot(spring);
        let limit = 0.5 * (-history.way.0 / 0.01).exp() * contact.normal_force.max(0.0) / 3e3;
        history.spring = spring * (limit / spring.length().max(1e-300)).min(1.0);
        -3e3 * history.spring
    }
}

/// Returns the force on a sphere above a fixed sphere or a floor at each gap (m).
fn approach(mut field: ContactForce, has_floor: bool, gaps: &[f64]) -> Vec<f64> {
    let below = if has_floor { vec![] } else { vec![Body::fixed(0.5)] };
    let bodies = Bodies::new(below.into_iter().chain([Body::sphere(1.0, 0.5)])).unwrap();
    let upper = bodies.len() - 1;
    let height = if has_floor { 0.5 } else { 1.0 };
    let mut state = State::at_rest(bodies.len());
    let mut at = |gap: &f64| {
        state.position_mut().set(upper, DVec3::Z * (height + gap));
        let out = wrenches_after(&bodies, &mut field, &state, 1e-3);
        field.commit();
        out.force.get(upper).z
    };
    gaps.iter().map(&mut at).collect()
}

#[test]
fn a_contact_remembers_while_its_surfaces_do_not_act_on_each_other() {
    // The sphere is near, then touches; the spring holds, breaks and stays broken until the sphere is out of range.
    let way = [(0.01, 0.0), (-0.01, 100.0), (0.01, -100.0), (0.019, -190.0), (0.03, 0.0), (0.01, 0.0), (0.03, 0.0)];
    let again = [(-0.01, 100.0), (0.01, 0.0), (0.06, 0.0), (0.01, 0.0), (-0.01, 100.0), (0.01, -100.0)];
    let all = [&way[..], &again[..]].concat();
    let gaps: Vec<f64> = all.iter().map(|(gap, _)| *gap).collect();
    for has_floor in [false, true] {
        let field = open(Breaking, Wearing);
        let floor = has_floor.then(|| Wall::plane(DVec3::ZERO, DVec3::Z));
        let found = approach(field.with_walls(floor).unwrap(), has_floor, &gaps);
        for ((gap, expected), found) in all.iter().zip(found) {
            assert!((found - expected).abs() < 1e-9, "{found}, not {expected} at {gap}; floor: {has_floor}");
        }
    }
}

#[test]
fn laws_of_ones_own_have_the_same_bits_on_any_number_of_threads_and_after_a_restart() {
    let outcome = |threads: usize| {
        on_threads(threads, || {
            let (bodies, mut state, mut field) = grains(Laws::of(Breaking, Wearing), 2000, 0.08);
            advance(&bodies, &mut field, &mut state, 1e-3, 20);
            // Stretched contacts remain only as long as the law remembers that they touched.
            let contacts = field.contacts(&bodies, &state).unwrap();
            let stretched = contacts.iter().filter(|contact| contact.overlap < 0.0).count();
            assert!(stretched > 20 && contacts.iter().any(|contact| contact.tangential_force.length() > 0.0));
            #[cfg(feature = "serde")]
            if threads == 2 {
                (state, field) = restored(&state, &field);
            }
            advance(&bodies, &mut field, &mut state, 1e-3, 20);
            assert!(threads == 2 || field.list().builds() > 1);
            (bits(&state), energies(&bodies, &field, &state))
        })
    };
    let expected = outcome(1);
    assert!(outcome(2) == expected && outcome(3) == expected);
}

/// Laws that fail in the call in which the counter goes from one to zero.
struct Failing {
    laws: Laws,
    calls: Arc<AtomicUsize>,
}

impl PairLaw for Failing {
    fn traits(&self) -> &LawTraits {
        self.laws.traits()
    }

    fn apply(
        &self,
        contacts: &Contacts,
        before: &[f64],
        after: &mut [f64],
        forces: &mut Forces,
    ) -> Result<(), LawError> {
        let countdown = |calls: usize| (calls > 0).then(|| calls - 1);
        let calls = self.calls.fetch_update(Ordering::Relaxed, Ordering::Relaxed, countdown);
        if calls == Ok(1) {
            return Err(LawError::Failed { law: "mine".to_owned(), reason: "it was told to".to_owned() });
        }
        self.laws.apply(contacts, before, after, forces)
    }
}

/// Steps that fail in the first, second, … call of the law change nothing, and the run continues.
#[test]
fn a_step_in_which_a_law_fails_changes_nothing() {
    let hooke = Hooke::new(1e4, Damping::coefficient(20.0).unwrap()).unwrap();
    let resistance = SpringSlider::new(1e3, 1.0, 0.05).unwrap();
    let spring = FrictionSpring::matching_hooke(&hooke, 0.4).unwrap();
    let springs = CoRotating::new(Rolling::new(spring, resistance).with_twisting(resistance));
    for laws in [Laws::of(hooke, springs), Laws::of(Breaking, Wearing), Laws::of(hooke, Frictionless)] {
        fails_and_goes_on(&laws);
    }
}

fn fails_and_goes_on(laws: &Laws) {
    let run = |threads: usize, fails: bool| {
        on_threads(threads, || {
            let calls = Arc::new(AtomicUsize::new(0));
            let failing: Arc<dyn PairLaw> = Arc::new(Failing { laws: laws.clone(), calls: Arc::clone(&calls) });
            // The list is made anew in many steps, so that some fail with a new list.
            let (bodies, mut state, mut field) = grains(failing, 1200, 0.01);
            let mut map = Explicit::new(Map::Rodrigues25, 5e-4).unwrap();
            let mut failed = 0;
            let mut lists = 0;
            for step in 0..40 {
                if fails && step % 3 == 1 {
                    let before = bits(&state);
                    let contacts = field.contacts(&bodies, &state).unwrap();
                    calls.store(1 + step % 8, Ordering::Relaxed);
                    let error = cause(map.step(&bodies, &mut field, &mut state).unwrap_err());
                    calls.store(0, Ordering::Relaxed);
                    assert_matches!(&error, DemError::Law(LawError::Failed { law, .. }) if law == "mine");
                    assert!(bits(&state) == before);
                    assert!(field.contacts(&bodies, &state).unwrap() == contacts);
                    failed += 1;
                }
                let before = field.list().builds();
                map.step(&bodies, &mut field, &mut state).unwrap();
                lists += field.list().builds() - before;
            }
            assert!(lists > 5 && (!fails || failed == 13), "{lists} lists, {failed} steps failed");
            (
                bits(&state),
                energies(&bodies, &field, &state),
                field.contacts(&bodies, &state).unwrap(),
                field.wall_loads().to_vec(),
            )
        })
    };
    let expected = run(1, false);
    assert!(expected.2.len() > 400, "{}", expected.2.len());
    for threads in [1, 3] {
        assert!(run(threads, true) == expected, "{threads} threads, {laws:?}");
    }
}
