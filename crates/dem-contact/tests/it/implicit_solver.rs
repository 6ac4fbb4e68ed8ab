//! Tests of the solver of implicit steps: convergence, failure, threads, restart, long steps.

use dem_contact::implicit::ImplicitReport;

use crate::prelude::*;
#[cfg(feature = "serde")]
use dem_contact::implicit::StoredImplicitDem;

pub(crate) type Map = ImplicitDem;

/// Makes a heap of overlapping spheres of different sizes on a floor, in a box that is periodic in x.
pub(crate) fn heap(
    count: usize,
    law: impl ContactLaw + 'static,
    tangential: impl TangentialLaw + 'static,
    dt: f64,
) -> (Bodies, State, ImplicitDem) {
    heap_of_seed(9, count, law, tangential, dt)
}

/// Makes the heap of a crowd with this seed.
fn heap_of_seed(
    seed: u64,
    count: usize,
    law: impl ContactLaw + 'static,
    tangential: impl TangentialLaw + 'static,
    dt: f64,
) -> (Bodies, State, ImplicitDem) {
    let side = 1.07 * (count as f64).cbrt();
    let (bodies, mut state) = crowd(count, side, seed);
    state.velocity_mut().slices_mut()[0].iter_mut().for_each(|vx| *vx *= 3.0);
    let boundary = [Boundary::Periodic, Boundary::Open, Boundary::Open];
    let domain = Domain::new(DVec3::ZERO, DVec3::splat(side), boundary).unwrap();
    let list = NeighborList::new(domain, 0.05).unwrap();
    let floor = Wall::plane(DVec3::ZERO, DVec3::Z);
    let contacts = contacts(list, law, tangential).with_walls([floor]).unwrap();
    (bodies, state, ImplicitDem::new(contacts, dt).unwrap())
}

pub(crate) fn hooke(gamma: f64) -> Hooke {
    Hooke::new(2e4, Damping::coefficient(gamma).unwrap()).unwrap()
}

/// Residuals after 0, 1, 2, ... Newton iterations of the first step of a heap.
fn residuals(options: NewtonOptions, form: DiscreteForm) -> Vec<f64> {
    let mut residuals = Vec::new();
    for max_iterations in 0..8 {
        // With this seed the set of contacts stops changing while the residual is still above rounding.
        let (bodies, mut state, map) = heap_of_seed(10, 60, hooke(6.0), Viscous::new(3.0).unwrap(), 5e-3);
        let mut map = map.with_form(form).unwrap().with_options(NewtonOptions { max_iterations, ..options }).unwrap();
        let outcome = map.step(&bodies, &mut NoForce, &mut state);
        residuals.push(map.last_report().residual);
        if outcome.is_ok() {
            return residuals;
        }
    }
    panic!("not solved: {residuals:?}");
}

#[test]
fn newton_converges_quadratically_with_the_exact_jacobian() {
    for form in [DiscreteForm::SECOND_ORDER, DiscreteForm::ExactEnergy] {
        let exact = residuals(NewtonOptions::default().with_linear(LinearMethod::Lu), form);
        let quasi = residuals(NewtonOptions::default().with_linear(LinearMethod::Cholesky), form);
        println!("{form:?}: exact {exact:?}, symmetric {quasi:?}");
        // Once the set of contacts is constant, each residual is the square of the previous one, up to a factor.
        let tail: Vec<f64> = exact.iter().copied().filter(|r| *r > 1e-12).collect();
        let [.., a, b, c] = tail[..] else { panic!("{exact:?}") };
        let order = (c / b).ln() / (b / a).ln();
        assert!(order > 1.6, "{form:?}: order {order}, {exact:?}");
        assert!(quasi.len() <= 8);
    }
}

#[test]
fn all_solvers_find_the_same_step() {
    for form in [DiscreteForm::Paper { alpha: 0.3 }, DiscreteForm::SECOND_ORDER, DiscreteForm::ExactEnergy] {
        let outcome = |linear: LinearMethod| {
            let options = NewtonOptions::default().with_tolerance(1e-13).with_linear(linear);
            let damping = Damping::restitution(0.7).unwrap();
            let law = Hertz::new(5e4, damping).unwrap();
            let (bodies, mut state, map) = heap(60, law, CoulombViscous::new(10.0, 0.3).unwrap(), 4e-3);
            let mut map = map.with_form(form).unwrap().with_options(options).unwrap();
            run(&mut map, &bodies, &mut NoForce, &mut state, 5, |_| ()).unwrap();
            state
        };
        let reference = outcome(LinearMethod::Lu);
        for linear in [LinearMethod::Cholesky, LinearMethod::ConjugateGradient, LinearMethod::BiCgStab] {
            let difference = apart(outcome(linear).velocity(), reference.velocity());
            assert!(difference < 1e-9, "{form:?} {linear:?}: {difference:e}");
        }
    }
}

/// Where forces hardly change within a step, fixed-point iterations solve the same equations without a matrix.
#[test]
fn short_steps_need_no_matrix() {
    for (form, plain) in [
        (DiscreteForm::Paper { alpha: 0.3 }, true),
        (DiscreteForm::SECOND_ORDER, true),
        // This form conserves energy only as well as the residual is small.
        (DiscreteForm::ExactEnergy, false),
    ] {
        let outcome = |linear: LinearMethod, dt: f64| {
            let options = NewtonOptions::default().with_linear(linear);
            let (bodies, mut state, map) = heap(60, hooke(6.0), CoulombViscous::new(10.0, 0.3).unwrap(), dt);
            let mut map = map.with_form(form).unwrap().with_options(options).unwrap();
            let mut iterations = 0;
            for _ in 0..20 {
                map.step(&bodies, &mut NoForce, &mut state).unwrap();
                let report = map.last_report();
                assert!(report.residual <= 1e-11 * report.scale && report.evaluations > 1, "{report:?}");
                iterations += report.newton_iterations;
            }
            (state, iterations)
        };
        let (found, none) = outcome(LinearMethod::BySize, 2e-4);
        let (expected, some) = outcome(LinearMethod::ConjugateGradient, 2e-4);
        let off = apart(found.velocity(), expected.velocity());
        assert!((none == 0) == plain && some > 0 && off < 1e-9, "{form:?}: {none} and {some} iterations, {off:e}");
        // In longer steps Newton's method takes over.
        assert!(outcome(LinearMethod::BySize, 1e-2).1 > 0);
    }
}

/// In a step as long as a contact the first system is solved to two digits, and the start costs two or three
/// evaluations. Later steps of this heap have contacts of many lengths, and are left out.
#[test]
fn linear_systems_are_solved_as_far_as_newton_can_use() {
    let (bodies, mut state, mut map) = heap(2000, hooke(0.0), Frictionless, 1.1e-2);
    for _ in 0..3 {
        let first = NewtonOptions { max_iterations: 1, ..NewtonOptions::default() };
        let mut first = map.clone().with_options(first).unwrap();
        first.step(&bodies, &mut NoForce, &mut state.clone()).unwrap_err();
        map.step(&bodies, &mut NoForce, &mut state).unwrap();
        let report = map.last_report();
        let ImplicitReport { newton_iterations, evaluations, halvings, .. } = *report;
        assert!(first.last_report().linear_iterations <= 6, "{:?}", first.last_report());
        assert!((3..=6).contains(&newton_iterations), "{report:?}");
        assert!(evaluations <= newton_iterations + halvings + 4, "{report:?}");
    }
}

/// Newton steps are computed in single precision, but units outside its range give the same result.
#[test]
fn any_unit_of_mass() {
    let outcome = |unit: f64| {
        let law = Hooke::new(2e4 * unit, Damping::NONE).unwrap();
        let (bodies, mut state, mut map) = heap(300, law, Frictionless, 1e-2);
        let bodies = (0..300).map(|i| Body::sphere(unit * bodies.mass()[i], bodies.radius()[i]));
        let bodies = Bodies::new(bodies).unwrap();
        for _ in 0..5 {
            map.step(&bodies, &mut NoForce, &mut state).unwrap();
            assert!(map.last_report().linear_iterations > 0);
        }
        state
    };
    let reference = outcome(1.0);
    for unit in [1e-60, 1e-30, 1e-6, 1e30, 1e60] {
        let off = apart(outcome(unit).velocity(), reference.velocity());
        assert!(off < 1e-8, "{unit:e}: {off:e}");
    }
}

/// Double precision takes over if pairs are too stiff for single precision.
#[test]
fn stiff_ties_cost_no_iterations() {
    for stiffness in [2e6, 2e10, 2e13] {
        let run = |linear: LinearMethod| {
            // A row of dumb-bells that push each other.
            let place = |k: usize| 1.99 * (k / 2) as f64 * DVec3::X + (k % 2) as f64 * DVec3::X;
            let (bodies, mut state) = spheres(&(0..64).map(place).collect::<Vec<_>>());
            (0..64).for_each(|k| state.velocity_mut().set(k, 0.1 * (k as f64).sin() * DVec3::X));
            let ties = Ties::new(Domain::OPEN, 64, (0..32).map(|k| [2 * k, 2 * k + 1]), stiffness).unwrap();
            let options = NewtonOptions::default().with_linear(linear);
            let map = Map::new(open(hooke(0.0), Frictionless), 1e-2).unwrap().with_ties(ties);
            let mut map = map.with_options(options).unwrap();
            let mut iterations = 0;
            for _ in 0..3 {
                map.step(&bodies, &mut NoForce, &mut state).unwrap();
                iterations += map.last_report().newton_iterations;
            }
            (iterations, state)
        };
        let (expected, reference) = run(LinearMethod::BiCgStab);
        let (found, state) = run(LinearMethod::ConjugateGradient);
        let off = apart(state.velocity(), reference.velocity());
        // The allowance is for rounded separations.
        let allowed = 1e-9_f64.max(5e-18 * stiffness);
        assert!(found <= expected + 4 && off < allowed, "{stiffness:e}: {found} and {expected} iterations, {off:e}");
    }
}

#[test]
fn any_number_of_threads() {
    same_on_threads(&[2, 3], || {
        let (bodies, mut state, mut map) = heap(6000, hooke(4.0), Frictionless, 5e-3);
        let lists = map.contacts().list().builds();
        run(&mut map, &bodies, &mut NoForce, &mut state, 8, |_| ()).unwrap();
        assert!(map.contacts().list().builds() > lists + 1);
        let (bodies, mut turning, mut other) = heap(5000, hooke(4.0), CoulombViscous::new(5.0, 0.4).unwrap(), 5e-3);
        run(&mut other, &bodies, &mut NoForce, &mut turning, 3, |_| ()).unwrap();
        (bits(&state), bits(&turning))
    });
}

/// Spheres dropped on a floor and on each other: with the exact form energy only falls, however long the steps, and with
/// steps shorter than a contact they come to rest.
#[test]
fn long_steps_settle() {
    for dt in [0.002, 0.01, 0.05] {
        let law = Hooke::new(195_000.0, Damping::coefficient(60.0).unwrap()).unwrap();
        let contacts = open(law, Frictionless).with_walls([Wall::plane(DVec3::ZERO, DVec3::Z)]).unwrap();
        let (bodies, mut state) = spheres(&[DVec3::Z * 0.7, DVec3::Z * 2.0, DVec3::Z * 3.1]);
        let mut map = Map::new(contacts, dt).unwrap().with_form(DiscreteForm::ExactEnergy).unwrap();
        let mut gravity = Gravity { acceleration: DVec3::NEG_Z };
        let mut most = 0;
        let energy = |map: &Map, gravity: &Gravity, state: &State| {
            let elastic = map.elastic_energy(&bodies, state).unwrap();
            kinetic_energy(&bodies, state).total() + elastic + gravity.energy(&bodies, state)
        };
        let mut last = energy(&map, &gravity, &state);
        let start = last;
        for _ in 0..(30.0 / dt) as usize {
            map.step(&bodies, &mut gravity, &mut state).unwrap();
            most = most.max(map.last_report().newton_iterations);
            let now = energy(&map, &gravity, &state);
            assert!(now <= last + 1e-10, "{dt}: {now} after {last}");
            last = now;
        }
        let kinetic = kinetic_energy(&bodies, &state).total();
        println!("h = {dt}: {kinetic:e} J left, at most {most} iterations, energy from {start} to {last}");
        // A step of ten contact times contains a whole impact; its mean velocity is nearly zero, so nothing is damped.
        assert!(last < start - if dt < 0.02 { 0.3 } else { 0.0 }, "{dt}: {last} of {start}");
        if dt < 0.005 {
            assert!(kinetic < 1e-14, "{dt}: {kinetic:e}");
            // The lowest sphere bears three weights.
            assert!((0.5 - state.position().get(0).z - 3.0 / 195_000.0).abs() < 1e-12);
            assert!((map.contacts().wall_loads()[0].force.z + 3.0).abs() < 1e-9);
        }
    }
}

#[cfg(feature = "serde")]
#[test]
fn a_restart_goes_on_with_the_same_bits() {
    for steps in [1, 7, 20] {
        let (bodies, mut state, mut map) = heap(300, hooke(4.0), CoulombViscous::new(5.0, 0.4).unwrap(), 1e-2);
        run(&mut map, &bodies, &mut NoForce, &mut state, steps, |_| ()).unwrap();
        let laws = map.contacts().laws().clone();
        let stored = serde_json::to_string(&(&state, map.stored())).unwrap();
        let read = |text: &str| serde_json::from_str::<(State, StoredImplicitDem)>(text);
        let (mut restored, again) = read(&stored).unwrap();
        let mut again = again.restore(laws.clone()).unwrap();
        for _ in 0..15 {
            map.step(&bodies, &mut NoForce, &mut state).unwrap();
            again.step(&bodies, &mut NoForce, &mut restored).unwrap();
        }
        assert!(bits(&state) == bits(&restored), "stopped after {steps} steps");
        let text = stored.replace("\"alpha\":0.5", "\"alpha\":1.5");
        assert!(text != stored && read(&text).is_err());
    }
}

/// Spheres graze another one or a floor at the moment at which forces are evaluated, with hardly any overlap and hardly
/// any normal velocity, on which the tangential force depends.
#[test]
fn grazing_spheres_are_solved() {
    fn graze(
        tangential: impl TangentialLaw + Copy + 'static,
        linear: LinearMethod,
        form: DiscreteForm,
        floor: bool,
    ) -> usize {
        const STEP: f64 = 1.6e-4;
        let mut unsolved = 0;
        for (speed, exponent) in
            [1e-2, 1.0].into_iter().flat_map(|speed| (7..16).map(move |exponent| (speed, exponent)))
        {
            for side in -4..=4 {
                let overlap = 10.0_f64.powi(-exponent);
                let x = 0.4 * f64::from(side) * overlap.sqrt() - 0.5 * STEP * speed;
                let at = if floor { DVec3::Z * (0.5 - overlap) } else { DVec3::new(x, 1.0 - overlap, 2.0) };
                let (bodies, mut state) = moving(&[[DVec3::Z * 2.0, DVec3::ZERO], [at, speed * DVec3::X]]);
                let law = Hooke::new(195_000.0, Damping::coefficient(30.0).unwrap()).unwrap();
                let contacts = open(law, tangential).with_walls([Wall::plane(DVec3::ZERO, DVec3::Z)]).unwrap();
                let options = NewtonOptions::default().with_linear(linear);
                let map = ImplicitDem::new(contacts, STEP).unwrap().with_options(options).unwrap();
                let mut map = map.with_form(form).unwrap();
                let outcome = map.step(&bodies, &mut NoForce, &mut state);
                if let Err(error) = outcome {
                    println!("{linear:?}, {form:?}, {speed}, 1e-{exponent}, {side}, {floor}: {error}");
                    unsolved += 1;
                }
            }
        }
        unsolved
    }
    let count = |linear: LinearMethod| {
        let forms = [DiscreteForm::SECOND_ORDER, DiscreteForm::Paper { alpha: 0.5 }];
        let cases = forms.into_iter().flat_map(|form| [(form, false), (form, true)]);
        cases.fold(0, |unsolved, (form, floor)| {
            let coulomb = CoulombViscous::new(15.0, 0.5).unwrap();
            unsolved + graze(Viscous::new(15.0).unwrap(), linear, form, floor) + graze(coulomb, linear, form, floor)
        })
    };
    for linear in [LinearMethod::BySize, LinearMethod::ConjugateGradient, LinearMethod::Cholesky, LinearMethod::Lu] {
        assert_eq!(count(linear), 0, "{linear:?}");
    }
    // A few of the 1296 steps stay unsolved: inexact steps miss the onset of the tangential force.
    let unsolved = count(LinearMethod::BiCgStab);
    assert!((1..=10).contains(&unsolved), "{unsolved}");
}
