//! Runs of many steps against single steps: the same bits, and the same errors.

use crate::prelude::*;

/// An event in a field that pulls and turns as a tether does.
#[derive(Debug, Clone, Copy)]
enum Event {
    None,
    Fails,
    Panics,
    /// A force on the last body.
    Push(f64),
    /// A torque on the last body.
    Twist(f64),
}

/// A field that acts as a tether from one evaluation on, with an event at another evaluation. Its history is the number
/// of accepted steps.
struct Course {
    tether_from: usize,
    event: (usize, Event),
    evaluations: usize,
    commits: usize,
}

impl Course {
    fn new(tether_from: usize, event: (usize, Event)) -> Self {
        Self { tether_from, event, evaluations: 0, commits: 0 }
    }
}

impl ForceField for Course {
    fn accumulate(&mut self, bodies: &Bodies, state: &State, dt: f64, out: &mut Wrenches) -> Result<(), FieldError> {
        self.evaluations += 1;
        if self.evaluations >= self.tether_from {
            let mut tether = Tether::TEST;
            tether.accumulate(bodies, state, dt, out)?;
        }
        match self.event {
            (at, Event::Fails) if at == self.evaluations => return Err("as it is to be".into()),
            (at, Event::Panics) if at == self.evaluations => panic!("as it is to be"),
            (at, Event::Push(size)) if at == self.evaluations => out.force.add(bodies.len() - 1, size * DVec3::X),
            (at, Event::Twist(size)) if at == self.evaluations => out.torque.add(bodies.len() - 1, size * DVec3::Y),
            _ => {}
        }
        Ok(())
    }

    fn commit(&mut self) {
        self.commits += 1;
    }
}

/// Result of a number of steps: bits of the state, accepted steps and evaluations, error.
type End = (Vec<u64>, [usize; 2], Option<String>);

fn system(count: usize) -> (Bodies, State) {
    let mut random = Random(5);
    let mut rows: Vec<Body> = (0..count).map(|_| Body::spherical(1.5 + random.number(), 0.7)).collect();
    rows[0] = Body::fixed(0.5);
    let bodies = Bodies::new(rows).unwrap();
    let mut state = random.state(count);
    for column in [State::velocity_mut, State::angular_momentum_mut] {
        column(&mut state).set(0, DVec3::ZERO);
    }
    (bodies, state)
}

fn end(map: Map, (count, steps): (usize, usize), mut course: Course, stretches: &[usize]) -> End {
    let (bodies, mut state) = system(count);
    let mut map = Explicit::new(map, 0.05).unwrap();
    let mut left = steps;
    let mut error = None;
    let mut taken = 0;
    for &stretch in stretches.iter().cycle() {
        if left == 0 || error.is_some() {
            break;
        }
        let stretch = stretch.min(left);
        left -= stretch;
        match map.run(&bodies, &mut course, &mut state, stretch) {
            Ok(report) => taken += report.evaluations,
            Err(found) => error = Some(format!("{found:?}")),
        }
    }
    assert!(error.is_some() || taken == course.evaluations);
    (bits(&state), [course.commits, course.evaluations], error)
}

/// Compares a run with single steps, and a failed run with as many single steps as succeed; returns the error.
fn compare(map: Map, size: (usize, usize), course: impl Fn() -> Course) -> Option<String> {
    let single = end(map, size, course(), &[1]);
    if single.2.is_some() {
        let (bits, [commits, _], error) = end(map, (size.0, single.1[0]), course(), &[1]);
        assert!((bits, commits) == (single.0.clone(), single.1[0]) && error.is_none(), "{map:?}, {size:?}");
    }
    for stretches in [&[size.1][..], &[2], &[3, 1, 4]] {
        assert!(end(map, size, course(), stretches) == single, "{map:?}, {size:?}, in stretches of {stretches:?}");
    }
    single.2
}

#[test]
fn a_run_has_the_bits_of_its_steps() {
    for map in MAPS {
        for (size, tether_from) in [((3, 11), 0), ((3, 11), 5), ((2100, 4), 0), ((2100, 4), 3)] {
            for event in [Event::None, Event::Twist(0.1), Event::Push(0.1)] {
                assert_eq!(compare(map, size, || Course::new(tether_from, (4, event))), None);
            }
        }
    }
}

#[test]
fn a_run_that_cannot_go_on_ends_where_single_steps_do() {
    let mut errors = 0;
    for map in MAPS {
        for at in 1..8 {
            let events = [
                Event::Fails,
                Event::Push(f64::NAN),
                Event::Push(f64::INFINITY),
                Event::Push(-f64::MAX),
                // The force is finite, but overflows the next state.
                Event::Push(1e308),
                Event::Push(1e300),
                Event::Twist(f64::NAN),
                Event::Twist(f64::MAX),
                Event::Twist(1e290),
                Event::Twist(5.0),
            ];
            for (event, tether_from) in events.into_iter().flat_map(|event| [0, 4, 100].map(|from| (event, from))) {
                let error = compare(map, (3, 9), || Course::new(tether_from, (at, event)));
                assert!(error.is_some() || !matches!(event, Event::Fails | Event::Push(f64::INFINITY)), "{event:?}");
                errors += usize::from(error.is_some());
            }
        }
    }
    assert!(errors > 500, "{errors}");
}

/// The field panics in a later step of a run. Without a tether there are no torques, so the step has lent the angular
/// momenta.
#[test]
fn after_a_panic_of_the_field_the_state_is_the_last_one() {
    for (map, tether_from) in MAPS.into_iter().flat_map(|map| [0, usize::MAX].map(|from| (map, from))) {
        let (bodies, start) = system(5);
        let mut state = start.clone();
        let mut expected = start;
        let mut good = Course::new(tether_from, (0, Event::None));
        Explicit::new(map, 0.05).unwrap().run(&bodies, &mut good, &mut expected, 3).unwrap();
        let mut course = Course::new(tether_from, (5, Event::Panics));
        let mut stepper = Explicit::new(map, 0.05).unwrap();
        let run = std::panic::AssertUnwindSafe(|| stepper.run(&bodies, &mut course, &mut state, 9));
        assert!(std::panic::catch_unwind(run).is_err());
        assert_eq!((course.commits, bits(&state)), (good.commits, bits(&expected)), "{map:?}");
        assert!(wrench_bits(&state).is_some() && wrench_bits(&state) == wrench_bits(&expected), "{map:?}");
        // The integrator that failed goes on as a new one does.
        stepper.run(&bodies, &mut course, &mut state, 9).unwrap();
        Explicit::new(map, 0.05).unwrap().run(&bodies, &mut good, &mut expected, 9).unwrap();
        assert_eq!(bits(&state), bits(&expected), "{map:?}");
    }
}

#[test]
fn a_step_of_many_bodies_fails_as_one_of_few() {
    for threads in [1, 3] {
        on_threads(threads, || {
            for (map, at) in MAPS.into_iter().flat_map(|map| [2, 4].map(|at| (map, at))) {
                for event in [Event::Fails, Event::Push(f64::NAN), Event::Twist(f64::INFINITY)] {
                    assert!(compare(map, (5000, 5), || Course::new(0, (at, event))).is_some());
                }
            }
        });
    }
}

#[test]
fn no_step_is_no_evaluation() {
    let bodies = Bodies::new([Body::sphere(1.0, 0.5)]).unwrap();
    let mut state = State::at_rest(1);
    let mut course = Course::new(0, (0, Event::None));
    let mut map = Explicit::new(Map::Rodrigues25, 0.1).unwrap();
    let report = map.run(&bodies, &mut course, &mut state, 0).unwrap();
    assert_eq!((report.evaluations, course.evaluations, state == State::at_rest(1)), (0, 0, true));
    // A run of zero steps refuses what a step refuses.
    let top = Bodies::new([Body::rigid(1.0, DVec3::new(1.0, 2.0, 2.5))]).unwrap();
    assert!(map.run(&top, &mut course, &mut state, 0).is_err());
    assert!(map.step(&top, &mut course, &mut state).is_err());
}

/// Without torques and attitudes no step reads the angular momenta. The first step with torques must refuse momenta
/// that are not finite, in single steps and in runs.
#[test]
fn torques_that_appear_find_momenta_that_are_no_numbers() {
    let bodies = Bodies::new([Body::sphere(1.0, 0.5)]).unwrap();
    for stretch in [1, 6] {
        let mut state = State::at_rest(1).without_attitudes();
        state.angular_momentum_mut().set(0, DVec3::new(f64::NAN, 0.0, 0.0));
        let mut course = Course::new(usize::MAX, (4, Event::Twist(1.0)));
        let mut map = Explicit::new(Map::Rodrigues25, 0.1).unwrap();
        let failed = (0..6 / stretch).any(|_| map.run(&bodies, &mut course, &mut state, stretch).is_err());
        assert!(failed);
        assert_eq!((course.commits, course.evaluations), (2, 4), "in stretches of {stretch}");
    }
}
