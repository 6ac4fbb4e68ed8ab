//! Tests of implicit steps, static equilibrium and contact dynamics at walls that are not planes.

use crate::contact_dynamics::support::pgs;
use crate::prelude::*;
use crate::walls::support::{block, floor};

fn walls() -> [Wall; 3] {
    let bowl = [[0.0, -1.0], [0.8, -0.7], [1.6, 0.6], [1.6, 3.0]];
    [
        Wall::new(Revolution::new(DVec3::Z, bowl).unwrap(), DVec3::ZERO).rotating(DVec3::Z * 1.0),
        Wall::new(Cylinder::outside(DVec3::Y, 0.2).unwrap(), DVec3::new(0.1, 0.0, 0.3)),
        Wall::new(block(DVec3::new(-1.5, -0.2, -0.4), DVec3::new(-0.8, 0.3, 0.1)), DVec3::ZERO).oscillating(
            DVec3::Z * 0.05,
            1.0,
            0.0,
        ),
    ]
}

fn dropped() -> (Bodies, State) {
    let places = [[0.3, 0.2, 1.1], [-0.5, 0.1, 0.9], [0.2, -0.6, 1.0], [-0.3, -0.4, 2.0]];
    let (bodies, mut state) = spheres(&places.map(DVec3::from_array));
    (0..4).for_each(|i| state.velocity_mut().set(i, DVec3::new(0.3, -0.1 * i as f64, -2.0)));
    (bodies, state)
}

/// Implicit steps tend to the explicit solution, at a handful of Newton iterations.
#[test]
fn implicit_steps_feel_curved_and_moving_walls() {
    let law = Hooke::new(500.0, Damping::coefficient(2.0).unwrap()).unwrap();
    let make = || open(law, Viscous::new(5.0).unwrap()).with_walls(walls()).unwrap();
    let gravity = || Gravity { acceleration: DVec3::NEG_Z * 2.0 };
    let (bodies, mut reference) = dropped();
    advance(&bodies, &mut Both(gravity(), make()), &mut reference, 2e-5, 20_000);
    let far = |dt: f64, form: DiscreteForm, linear: LinearMethod| {
        let (_, mut state) = dropped();
        let mut map = ImplicitDem::new(make(), dt).unwrap().with_form(form).unwrap();
        map = map.with_options(NewtonOptions::default().with_linear(linear)).unwrap();
        let mut field = gravity();
        let mut iterations = 0;
        let steps = (0.4 / dt).round() as usize;
        for _ in 0..steps {
            map.step(&bodies, &mut field, &mut state).unwrap();
            iterations += map.last_report().newton_iterations;
        }
        assert!(map.contacts().wall_loads().iter().any(|load| load.contacts > 0));
        (apart(state.position(), reference.position()), iterations as f64 / steps as f64)
    };
    let paper = DiscreteForm::Paper { alpha: 0.5 };
    for (form, linear) in [
        (DiscreteForm::SECOND_ORDER, LinearMethod::BySize),
        (DiscreteForm::SECOND_ORDER, LinearMethod::Lu),
        (DiscreteForm::SECOND_ORDER, LinearMethod::ConjugateGradient),
        (paper, LinearMethod::Lu),
    ] {
        let ((coarse, many), (fine, few)) = (far(4e-3, form, linear), far(5e-4, form, linear));
        println!("{form:?}, {linear:?}: {coarse:e} {fine:e}, {many:.2} {few:.2} iterations");
        assert!(fine < 2e-3 && coarse / fine > 6.0, "{form:?}, {linear:?}: {coarse:e} {fine:e}");
        // Such short steps use fixed-point iterations, unless a linear solver is requested; then they use Newton's.
        let newton = linear != LinearMethod::BySize;
        assert!(many < 4.0 && few < 4.0 && newton == (few > 0.5), "{form:?}, {linear:?}: {many} {few}");
    }
}

#[test]
fn what_steps_of_exact_energy_do_not_know_they_refuse() {
    let law = Hooke::new(500.0, Damping::NONE).unwrap();
    let turning = Wall::plane(DVec3::NEG_Z * 9.0, DVec3::Z).rotating(DVec3::Z);
    for wall in walls().into_iter().chain([turning]) {
        let plane = Wall::plane(DVec3::NEG_Z * 9.0, DVec3::Z).moving(DVec3::Z);
        let contacts = open(law, Frictionless).with_walls([plane, wall]).unwrap();
        let mut map = ImplicitDem::new(contacts, 1e-3).unwrap().with_form(DiscreteForm::ExactEnergy).unwrap();
        let (bodies, mut state) = dropped();
        let error = cause(map.step(&bodies, &mut NoForce, &mut state).unwrap_err());
        assert_matches!(error, DemError::Wall(WallError::WallNotSupported { wall: 1, .. }));
    }
}

/// Spheres rest at the bottom of a pipe, in a funnel beside a rod, and in the corner of a tilted mesh.
#[test]
fn static_equilibrium_against_closed_forms() {
    let law = Hooke::new(1e4, Damping::NONE).unwrap();
    let rest = |walls: Vec<Wall>, at: &[DVec3]| {
        let (bodies, mut state) = spheres(at);
        let contacts = open(law, Frictionless).with_walls(walls).unwrap();
        let load = gravity_load(&bodies, DVec3::NEG_Z * 10.0);
        let found = EnergyMinimizer::default().minimize(&bodies, &contacts, &load, &mut state).unwrap();
        assert!(found.residual <= 1e-12 && found.iterations < 40, "{found:?}");
        (state, found)
    };
    // In a pipe the sphere rests straight below the axis, pressed in by m g/k.
    let ends = [-1.0, 1.0].map(|side| Wall::plane(DVec3::Y * side, DVec3::Y * -side));
    let mut pipe = vec![Wall::new(Cylinder::inside(DVec3::Y, 2.0).unwrap(), DVec3::ZERO)];
    pipe.extend(ends);
    let (state, _) = rest(pipe, &[DVec3::new(0.6, 0.1, -1.2)]);
    let expected = -(1.5 + 1e-3);
    let at = state.position().get(0);
    assert!((at.z - expected).abs() < 1e-10 && at.x.abs() < 1e-9, "{at}");
    // Between a funnel of 45 degrees and a rod in its middle, N cos 45° = m g, and N sin 45° is on the rod.
    let cone = Revolution::cone_inside(DVec3::Z, [0.05, 0.05], [4.0, 4.0]).unwrap();
    let rod = Cylinder::outside(DVec3::Z, 0.3).unwrap();
    let walls = vec![Wall::new(cone, DVec3::ZERO), Wall::new(rod, DVec3::ZERO)];
    let (state, found) = rest(walls, &[DVec3::new(1.0, 0.2, 2.0)]);
    let forces: Vec<f64> = found.contacts.iter().map(|c| c.normal_force).collect();
    assert!((forces[0] - 10.0 * 2.0_f64.sqrt()).abs() < 1e-8 && (forces[1] - 10.0).abs() < 1e-8, "{forces:?}");
    let from_axis = state.position().get(0).truncate().length();
    assert!((from_axis - (0.8 - 1e-3)).abs() < 1e-10, "{from_axis}");
    // In the corner of a room of triangles that stands on its point, each side bears m g/√3.
    let room = block(DVec3::ZERO, DVec3::splat(3.0)).flipped();
    let axis = DVec3::ONE.normalize();
    let turn = rrp_geom::glam::DQuat::from_rotation_arc(axis, DVec3::Z);
    let points = room.points().iter().map(|&point| turn * point).collect();
    let room = dem_contact::wall::TriangleMesh::open(points, room.triangles().to_vec()).unwrap();
    let (_, found) = rest(vec![Wall::new(room, DVec3::ZERO)], &[DVec3::new(0.1, -0.2, 1.1)]);
    let forces: Vec<f64> = found.contacts.iter().map(|c| c.normal_force).collect();
    assert!(forces.len() == 3 && forces.iter().all(|f| (f - 10.0 / 3.0_f64.sqrt()).abs() < 1e-8), "{forces:?}");
}

fn dynamics(dt: f64, walls: impl IntoIterator<Item = Wall>) -> ContactDynamics<ProjectedGaussSeidel> {
    ContactDynamics::new(dt, open_list(0.2), pgs(1e-10)).unwrap().with_walls(walls).unwrap()
}

#[test]
fn contact_dynamics_feels_curved_and_moving_walls() {
    // At the bottom of a bowl that rises, forces are the weight, and the bowl lifts the spheres.
    let bowl = [[0.0, -1.0], [0.8, -0.7], [1.6, 0.6], [1.6, 5.0]];
    let bowl =
        Wall::new(Revolution::new(DVec3::Z, bowl).unwrap(), DVec3::ZERO).moving(DVec3::Z * 0.5).rotating(DVec3::Z);
    let mut steps = dynamics(0.01, [bowl]);
    let (bodies, mut state) = dropped();
    let mut gravity = Gravity { acceleration: DVec3::NEG_Z * 10.0 };
    let mut pushed = 0.0;
    for step in 0..400 {
        steps.step(&bodies, &mut gravity, &mut state).unwrap();
        pushed += if step < 200 { 0.0 } else { steps.wall_loads()[0].force.z / 200.0 };
    }
    // The spheres slosh to and fro, so only the mean force is the weight.
    assert!((pushed + 40.0).abs() < 1.0, "{pushed}");
    // Overlaps are of second order in the distance travelled in a step.
    let deepest = (0..4)
        .filter_map(|i| steps.walls()[0].distance(state.position().get(i), state.time(), 0.5))
        .fold(0.5, f64::min);
    assert!(deepest > 0.5 - 1e-3, "{deepest}");
    let lowest = (0..4).map(|i| state.position().get(i).z).fold(f64::INFINITY, f64::min);
    assert!((lowest - 2.0 - -0.5).abs() < 0.3, "{lowest}");
    // A floor of triangles is a plane in static equilibrium, too.
    let run = |wall: Wall| {
        let (bodies, mut state) = moving(&[
            [DVec3::new(0.0, 0.0, 0.5), DVec3::new(1.0, 0.4, 0.0)],
            [DVec3::new(0.3, -1.2, 0.7), DVec3::new(-0.3, 0.9, -1.0)],
        ]);
        let mut steps = dynamics(0.01, [wall]);
        for _ in 0..200 {
            steps.step(&bodies, &mut Gravity { acceleration: DVec3::NEG_Z * 10.0 }, &mut state).unwrap();
        }
        [0, 1].map(|i| state.position().get(i))
    };
    let plane = run(Wall::plane(DVec3::ZERO, DVec3::Z));
    let mesh = run(Wall::new(floor(6.0, 40), DVec3::ZERO));
    assert!((0..2).all(|i| (plane[i] - mesh[i]).length() < 1e-8), "{plane:?} {mesh:?}");
}

#[test]
fn cuboids_beside_walls_that_they_do_not_know_are_refused() {
    let rows = [Cuboid::homogeneous(1.0, DVec3::ONE), Body::sphere(1.0, 0.5)];
    let (bodies, mut state) = placed(rows, [DVec3::ZERO, DVec3::Z * 9.0]);
    let cuboid = Cuboid { body: 0, half_extents: DVec3::ONE };
    let pipe = Wall::new(Cylinder::inside(DVec3::Y, 20.0).unwrap(), DVec3::ZERO);
    let mut steps = dynamics(0.01, [pipe]).with_cuboids([cuboid]).unwrap();
    let error = cause(steps.step(&bodies, &mut NoForce, &mut state).unwrap_err());
    assert_matches!(error, DemError::Wall(WallError::WallNotSupported { wall: 0, .. }));
}

/// A paddle reaches a body that was far from it when the walls near bodies were found.
#[test]
fn nothing_is_missed_when_a_wall_comes_to_a_body() {
    let law = Hooke::new(1e4, Damping::coefficient(20.0).unwrap()).unwrap();
    let paddle =
        Wall::new(block(DVec3::new(0.2, -0.1, -0.5), DVec3::new(5.0, 0.1, 0.5)), DVec3::ZERO).rotating(DVec3::Z * 3.0);
    let mut field: ContactForce = open(law, Frictionless).with_walls([paddle]).unwrap();
    let (bodies, mut state) = spheres(&[DVec3::new(0.0, 3.0, 0.0)]);
    advance(&bodies, &mut field, &mut state, 2e-4, 4000);
    // The body was at rest and far from the paddle, which struck it at nine metres a second.
    assert!(state.velocity().get(0).length() > 9.0, "{}", state.velocity().get(0));
}
