//! Tests of steps that fail, problems without solution, and bad input.

use cd_solve::{Lcp, Report, SolveError, Status};
use dem_contact::error::StepError;

use crate::contact_dynamics::support::{gravity, pgs};
use crate::prelude::*;

const DT: f64 = 1e-3;

fn dynamics() -> ContactDynamics<ProjectedGaussSeidel> {
    ContactDynamics::new(DT, open_list(0.01), pgs(1e-10)).unwrap()
}

/// Takes a step that must fail without a change of the state, and returns the error inside its error.
fn refusal<S: LcpSolver>(mut dynamics: ContactDynamics<S>, bodies: &Bodies, state: &State) -> DemError {
    let mut after = state.clone();
    let error = dynamics.step(bodies, &mut gravity(), &mut after).unwrap_err();
    assert!(bits(&after) == bits(state), "{error}");
    cause(error)
}

/// Solver that gives up in the calls with these numbers, after writing forces.
struct Flaky {
    solver: ProjectedGaussSeidel,
    call: usize,
    bad: &'static [usize],
}

impl LcpSolver for Flaky {
    fn solve(&mut self, problem: &Lcp<'_>, z: &mut [f64]) -> Result<Report, SolveError> {
        self.call += 1;
        if self.bad.contains(&self.call) {
            z.fill(123.0);
            return Ok(Report { status: Status::IterationLimit, iterations: 7, inner_iterations: 0, residual: 0.5 });
        }
        self.solver.solve(problem, z)
    }
}

/// Gravity that fails in these evaluations.
struct Failing {
    call: usize,
    bad: &'static [usize],
}

impl ForceField for Failing {
    fn accumulate(&mut self, bodies: &Bodies, state: &State, dt: f64, out: &mut Wrenches) -> Result<(), FieldError> {
        self.call += 1;
        if self.bad.contains(&self.call) {
            return Err("the field is out of order".into());
        }
        gravity().accumulate(bodies, state, dt, out)
    }
}

#[test]
fn a_failed_step_leaves_no_trace() {
    let (bodies, start) = CannonballPyramid::new(3, 1e-2, 1e-3).unwrap().lifted(0.05).unwrap().scene().unwrap();
    let run = |solver: &'static [usize], field: &'static [usize]| {
        let flaky = Flaky { solver: pgs(1e-10), call: 0, bad: solver };
        let mut dynamics =
            ContactDynamics::new(DT, open_list(1e-3), flaky).unwrap().with_compatible(CompatibleLaw::hooke());
        let mut state = start.clone();
        let mut field = Failing { call: 0, bad: field };
        let mut failures = 0;
        while state.time() < 40.5 * DT {
            let before = (bits(&state), dynamics.contacts().to_vec(), *dynamics.report(), state.time());
            if let Err(error) = dynamics.step(&bodies, &mut field, &mut state) {
                failures += 1;
                assert!(before == (bits(&state), dynamics.contacts().to_vec(), *dynamics.report(), state.time()));
                if let IntegrateError::Method(_) = error {
                    assert_matches!(cause(error), DemError::Step(StepError::ContactsNotSolved { iterations: 7, .. }));
                }
            }
        }
        (bits(&state), dynamics.contacts().to_vec(), failures)
    };
    let sound = run(&[], &[]);
    assert_eq!(sound.2, 0);
    let flawed = run(&[3, 11, 12], &[]);
    assert!(flawed.2 == 3 && (flawed.0, flawed.1) == (sound.0.clone(), sound.1.clone()));
    let flawed = run(&[20], &[5, 9, 30]);
    assert!(flawed.2 == 4 && (flawed.0, flawed.1) == (sound.0, sound.1));
}

/// Solver that reports convergence with forces of zero.
struct Liar;

impl LcpSolver for Liar {
    fn solve(&mut self, _: &Lcp<'_>, z: &mut [f64]) -> Result<Report, SolveError> {
        z.fill(0.0);
        Ok(Report { status: Status::Converged, iterations: 0, inner_iterations: 0, residual: 0.0 })
    }
}

#[test]
fn an_answer_that_is_not_one_is_refused() {
    let (bodies, state) = spheres(&[DVec3::Z * 0.5]);
    let dynamics = ContactDynamics::new(DT, open_list(0.01), Liar).unwrap();
    let dynamics = dynamics.with_walls([Wall::plane(DVec3::ZERO, DVec3::Z)]).unwrap();
    let error = refusal(dynamics, &bodies, &state);
    assert_matches!(error, DemError::Step(StepError::AnswerRefused { found, .. }) if found > 0.1);
}

/// A boulder rests on a grain of the same density, a billion times lighter.
#[test]
fn a_boulder_rests_on_a_grain() {
    let mass = |radius: f64| 2600.0 * 4.0 / 3.0 * std::f64::consts::PI * radius.powi(3);
    let radii = [0.0005, 0.5];
    let weight = radii.map(|radius| 9.81 * mass(radius));
    let expected = [weight[0] + weight[1], weight[1]];
    let solvers: [Box<dyn LcpSolver + Send>; 2] = [Box::new(pgs(1e-10)), Box::new(cd_solve::Apgd::default())];
    for solver in solvers {
        let rows = radii.map(|radius| Body::sphere(mass(radius), radius));
        let (bodies, mut state) = placed(rows, [0.0005, 0.501].map(|z| DVec3::Z * z));
        let mut dynamics = ContactDynamics::new(DT, open_list(1e-3), solver)
            .unwrap()
            .with_compatible(CompatibleLaw::hooke())
            .with_walls([Wall::plane(DVec3::ZERO, DVec3::Z)])
            .unwrap();
        for _ in 0..3 {
            let _ = dynamics.step(&bodies, &mut Gravity { acceleration: DVec3::Z * -9.81 }, &mut state).unwrap();
            for contact in dynamics.contacts() {
                let expected = expected[usize::from(!contact.with_wall)];
                for force in [Some(contact.force), contact.compatible_force].into_iter().flatten() {
                    assert!((force / expected - 1.0).abs() < 1e-8, "{contact:?} for {expected}");
                }
            }
        }
        assert_eq!(dynamics.contacts().len(), 2);
    }
}

#[test]
fn no_room_is_infeasible() {
    // A sphere is between two fixed ones, or two walls, that leave it less than its diameter.
    let fixed = [Body::fixed(1.0), Body::sphere(1.0, 0.5), Body::fixed(1.0)];
    let between_spheres = placed(fixed, [0.0, 1.45, 2.9].map(|x| DVec3::X * x));
    let walls = [Wall::plane(DVec3::Z * -0.4, DVec3::Z), Wall::plane(DVec3::Z * 0.4, DVec3::NEG_Z)];
    for ((bodies, state), walls) in [(between_spheres, vec![]), (spheres(&[DVec3::ZERO]), walls.to_vec())] {
        let error = refusal(dynamics().with_walls(walls).unwrap(), &bodies, &state);
        assert!(error.to_string().contains("leave no room"), "{error}");
        assert_matches!(error, DemError::Step(StepError::ContactsNotSolved { status: Status::Infeasible, .. }));
    }
}

#[test]
fn parameters_out_of_range_are_refused() {
    for dt in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let error = ContactDynamics::new(dt, open_list(0.1), pgs(1e-10)).unwrap_err();
        assert_matches!(error, DemError::InvalidParameter { parameter: "the time step", .. });
    }
    for restitution in [-0.1, 1.1, f64::NAN] {
        assert_matches!(dynamics().with_restitution(restitution), Err(DemError::InvalidParameter { .. }));
    }
    for compliance in [0.0, -1.0, f64::NAN] {
        let refused = dynamics().with_compliant_step(CompatibleLaw::hooke(), compliance);
        assert_matches!(refused, Err(DemError::InvalidParameter { .. }));
    }
    let wall = Wall::plane(DVec3::ZERO, DVec3::ZERO);
    assert_matches!(dynamics().with_walls([wall]), Err(DemError::Wall(WallError::InvalidWall { wall: 0, .. })));
    let cuboid = |body, x| Cuboid { body, half_extents: DVec3::new(x, 1.0, 1.0) };
    for cuboids in [vec![cuboid(0, 0.0)], vec![cuboid(0, f64::NAN)], vec![cuboid(1, 1.0), cuboid(1, 2.0)]] {
        let error = dynamics().with_cuboids(cuboids.clone()).unwrap_err();
        assert_matches!(error, DemError::Step(StepError::InvalidCuboid { .. }));
        let law = Hooke::new(1.0, Damping::NONE).unwrap();
        assert_matches!(
            CuboidForce::new(Domain::OPEN, cuboids, law),
            Err(DemError::Step(StepError::InvalidCuboid { .. }))
        );
    }
    assert!(CannonballPyramid::new(usize::MAX, 1.0, 1.0).is_err());
    assert!(CannonballPyramid::new(3, 0.0, 1.0).is_err() && CannonballPyramid::new(3, 1.0, f64::NAN).is_err());
    assert!(CannonballPyramid::new(3, 1.0, 1.0).unwrap().lifted(-0.1).is_err());
    assert!(CannonballPyramid::new(0, 1.0, 1.0).unwrap().is_empty());
}

#[test]
fn scenes_that_do_not_fit_are_refused() {
    let bodies = Bodies::new([Body::sphere(1.0, 0.5), Body::rigid(1.0, DVec3::new(1.0, 1.5, 2.0))]).unwrap();
    let cuboid = |body| Cuboid { body, half_extents: DVec3::ONE };
    for (body, problem) in [(0, "radius"), (2, "no such body")] {
        let error = refusal(dynamics().with_cuboids([cuboid(body)]).unwrap(), &bodies, &State::at_rest(2));
        assert!(error.to_string().contains(problem), "{error:?}");
    }
    let law = Hooke::new(1.0, Damping::NONE).unwrap();
    let penalty = |body| CuboidForce::new(Domain::OPEN, [cuboid(body)], law).unwrap();
    let contacts = |body, state: &State| penalty(body).contacts(&bodies, state).unwrap_err();
    let two = State::at_rest(2);
    let three = State::at_rest(3);
    let bare = State::at_rest(2).without_attitudes();
    assert_matches!(contacts(2, &two), DemError::Step(StepError::InvalidCuboid { .. }));
    assert_matches!(contacts(1, &three), DemError::Integrate(IntegrateError::LengthMismatch { .. }));
    assert_matches!(contacts(1, &two), DemError::Contact(ContactError::OverlapTooLarge { .. }));
    assert_matches!(contacts(1, &bare), DemError::Integrate(IntegrateError::NoAttitudes));
    assert!(penalty(1).accumulate(&bodies, &bare, 0.0, &mut Wrenches::zeros(2)).is_err());
    let mut lost = State::at_rest(2);
    lost.position_mut().set(0, DVec3::NAN);
    let step = |state: &State| dynamics().step(&bodies, &mut gravity(), &mut state.clone()).unwrap_err();
    assert_matches!(step(&bare), IntegrateError::NoAttitudes);
    assert_matches!(step(&three), IntegrateError::LengthMismatch { .. });
    assert_matches!(step(&lost), IntegrateError::StateNotFinite { body: 0, .. });
    let (bodies, met) = spheres(&[DVec3::ZERO; 2]);
    let error = refusal(dynamics(), &bodies, &met);
    assert_matches!(error, DemError::Contact(ContactError::OverlapTooLarge { .. }));
    // The load overflows.
    let mut huge = Gravity { acceleration: DVec3::splat(1e308) };
    let (bodies, mut state) = spheres(&[DVec3::ZERO, DVec3::X]);
    assert!(dynamics().step(&bodies, &mut huge, &mut state).is_err());
}

#[test]
fn laws_that_are_none_are_refused() {
    for law in
        [CompatibleLaw::new(1.5, |_| 1.0), CompatibleLaw::new(2.0, |_| 0.0), CompatibleLaw::new(2.0, |_| f64::NAN)]
    {
        let (bodies, mut state) = spheres(&[DVec3::ZERO, DVec3::X]);
        let error = refusal(dynamics().with_compatible(law.clone()), &bodies, &state);
        assert_matches!(error, DemError::Solve(_));
        let mut plain = dynamics();
        plain.step(&bodies, &mut gravity(), &mut state).unwrap();
        assert_matches!(plain.compatible_forces(&law), Err(DemError::Solve(_)));
        refusal(dynamics().with_compliant_step(law, 1e-6).unwrap(), &bodies, &state);
    }
}

/// Far from the origin positions are rounded to 1e-7 m: separation leaves overlaps, which the report has.
#[test]
fn overlaps_that_are_left_are_told() {
    let normal = DVec3::new(0.6, 0.0, 0.8);
    let mut told = 0;
    for place in 0..20 {
        let foot = 1e9 * DVec3::new(1.0, 0.0, -0.75) + 0.01 * f64::from(place) * DVec3::X;
        let (bodies, mut state) = spheres(&[foot + 0.4 * normal]);
        let mut dynamics = dynamics().with_walls([Wall::plane(foot, normal)]).unwrap();
        dynamics.step(&bodies, &mut gravity(), &mut state).unwrap();
        let report = dynamics.report();
        let [contact] = dynamics.contacts() else { panic!("{:?}", dynamics.contacts()) };
        let left = if contact.gap < -1e-9 * contact.radius { -contact.gap } else { 0.0 };
        assert!((report.overlap_left - left).abs() < 1e-15, "{place}: {report:?}, {contact:?}");
        told += usize::from(left > 0.0);
    }
    assert!(told > 0);
}
