//! Tests of concave folds of surfaces, however shallow: forces come from one potential, and facets bear as the smooth
//! surface that they stand for; and of the work of friction there.

use dem_contact::contact_history;
use dem_contact::law::Sum;
use proptest::prelude::*;

use crate::prelude::*;

fn hooke() -> Hooke {
    Hooke::new(1e4, Damping::NONE).unwrap()
}

fn gravity() -> Gravity {
    Gravity { acceleration: DVec3::NEG_Z * 9.81 }
}

/// Returns the largest error of the energy, in J, over a time of frictionless motion.
fn imbalance(walls: Vec<Wall>, (bodies, mut state): (Bodies, State), dt: f64, time: f64) -> f64 {
    let mut field = Both(open(hooke(), Frictionless).with_walls(walls).unwrap().with_ledger(), gravity());
    let mut worst = 0.0_f64;
    let mut start = None;
    for _ in 0..(time / dt).round() as usize {
        advance(&bodies, &mut field, &mut state, dt, 1);
        let balance = Ledger::read(&field.0, &field.1, &bodies, &state).unwrap().balance();
        worst = worst.max((balance - *start.get_or_insert(balance)).abs());
    }
    worst
}

fn one_sphere(at: DVec3, velocity: DVec3) -> (Bodies, State) {
    moving(&[[at, velocity]])
}

/// A valley whose sides rise by `slope`.
fn valley(slope: f64) -> TriangleMesh {
    let point = |x: f64, y: f64| DVec3::new(x, y, slope * x.abs());
    let points = [-2.0, 2.0].into_iter().flat_map(|y| [-2.0, 0.0, 2.0].map(|x| point(x, y))).collect();
    TriangleMesh::open(points, vec![[0, 1, 4], [0, 4, 3], [1, 2, 5], [1, 5, 4]]).unwrap()
}

#[test]
fn energy_is_kept_through_valleys_of_any_slope() {
    let shallow = [1e-4, 1e-3, 5e-3, 0.015, 0.05].map(|slope| (slope, 1e-6));
    for (slope, most) in shallow.into_iter().chain([(0.15, 5e-5), (0.5, 1e-3)]) {
        let run = |dt: f64| {
            let start = one_sphere(DVec3::new(-1.0, 0.3, slope + 0.499), DVec3::new(1.0, 0.0, -slope));
            imbalance(vec![Wall::new(valley(slope), DVec3::ZERO)], start, dt, 2.0)
        };
        let coarse = run(4e-4);
        let fine = run(1e-4);
        println!("slope {slope}: the balance is off by {coarse:e} and {fine:e} J");
        assert!(fine < most && coarse / fine > 6.0, "slope {slope}: {coarse:e} {fine:e}");
    }
    // Energy is also kept in a profile that is turned about an axis.
    for angle in [5e-3, 0.05] {
        let profile = [[0.5, 3.0 * angle], [2.0, 0.0], [4.0, 2.0 * angle]];
        let bowl = Revolution::new(DVec3::Z, profile).unwrap();
        let run = |dt: f64| {
            let start = one_sphere(DVec3::new(1.2, 0.0, 0.499 + 1.6 * angle), DVec3::new(1.0, 0.1, 0.0));
            imbalance(vec![Wall::new(bowl.clone(), DVec3::ZERO)], start, dt, 2.0)
        };
        let coarse = run(4e-4);
        let fine = run(1e-4);
        println!("a bowl, {angle}: {coarse:e} and {fine:e} J");
        assert!(fine < 5e-5 && coarse / fine > 6.0, "a bowl, {angle}: {coarse:e} {fine:e}");
    }
}

/// A silo of few facets and of many keeps the energy of three spheres that fall into it and bounce about.
#[test]
fn energy_is_kept_in_a_silo_of_facets() {
    let silo = Revolution::new(DVec3::Z, [[0.2, 0.0], [1.5, 1.5], [1.5, 6.0]]).unwrap();
    let fall = || {
        let (bodies, mut state) =
            spheres(&[[0.3, 0.2, 2.5], [-0.5, 0.4, 3.6], [0.1, -0.6, 4.7]].map(DVec3::from_array));
        state.velocity_mut().set(1, DVec3::new(0.4, 0.7, 0.0));
        (bodies, state)
    };
    for facets in [24, 512] {
        let mesh = silo.mesh(facets).unwrap();
        let plug = || Wall::plane(DVec3::Z * 0.05, DVec3::Z);
        let run = |dt: f64| imbalance(vec![Wall::new(mesh.clone(), DVec3::ZERO), plug()], fall(), dt, 2.0);
        let coarse = run(2e-4);
        let fine = run(5e-5);
        println!("{facets} facets: {coarse:e} and {fine:e} J");
        assert!(fine < 1e-3 && coarse / fine > 8.0, "{facets} facets: {coarse:e} {fine:e}");
    }
}

/// Ground with random heights, steep or shallow by `height`, with faces of all sizes.
fn ground(seed: u64, height: f64) -> TriangleMesh {
    let mut random = Random::new(seed);
    let cells = 8_usize;
    let point = |k: usize, random: &mut Random| {
        let [i, j] = [k % (cells + 1), k / (cells + 1)].map(|n| n as f64 - 0.5 * cells as f64);
        let [x, y, z] = [random.next(), random.next(), random.next()];
        DVec3::new(0.3 * i + 0.2 * x, 0.3 * j + 0.2 * y, height * (z - 0.5))
    };
    let points = (0..(cells + 1) * (cells + 1)).map(|k| point(k, &mut random)).collect();
    let cell = |k: usize| {
        let a = k / cells * (cells + 1) + k % cells;
        let [a, b, c, d] = [a, a + 1, a + cells + 2, a + cells + 1].map(|k| k as u32);
        if k.is_multiple_of(3) { [[a, b, d], [b, c, d]] } else { [[a, b, c], [a, c, d]] }
    };
    TriangleMesh::open(points, (0..cells * cells).flat_map(cell).collect()).unwrap()
}

/// Returns energy, force on the body and the sum of the forces of its contacts.
fn read(field: &mut ContactForce, at: DVec3) -> (f64, DVec3, DVec3) {
    let (bodies, state) = spheres(&[at]);
    let out = wrenches(&bodies, field, &state);
    let contacts = field.contacts(&bodies, &state).unwrap();
    let sum = contacts.iter().map(|c| -c.normal * c.normal_force - c.tangential_force).sum();
    let energy: f64 = contacts.iter().map(|contact| contact.elastic_energy).sum();
    let whole = field.elastic_energy(&bodies, &state).unwrap();
    assert!((energy - whole).abs() <= 1e-12 * whole.abs(), "{energy} {whole}");
    (whole, out.force.get(0), sum)
}

proptest! {
    #[test]
    fn the_force_of_any_ground_is_the_slope_of_its_energy(
        seed in 0..1000_u64,
        height in prop::sample::select(vec![1e-3, 1e-2, 0.1, 0.4]),
        [x, y, depth] in prop::array::uniform3(0.0..1.0_f64),
        sides in prop::sample::select(vec![Sidedness::Front, Sidedness::Both]),
    ) {
        let mesh = ground(seed, height).with_sides(sides);
        let across = DVec3::new(x - 0.5, y - 0.5, 0.0);
        // The sphere comes from above, down to an overlap of up to a twentieth of the radius.
        let touches = |z: &f64| !crate::walls::support::patches(&mesh, across + DVec3::Z * *z, 0.5).is_empty();
        let high = (0..3000).map(|k| 1.5 - 1e-3 * f64::from(k)).find(touches).unwrap();
        let at = across + DVec3::Z * (high - 0.025 * depth);
        let hertz = Hertz::new(1e6, Damping::NONE).unwrap();
        let mut field = open(hertz, Frictionless).with_walls([Wall::new(mesh, DVec3::ZERO)]).unwrap();
        let (_, force, sum) = read(&mut field, at);
        prop_assert!((force - sum).length() <= 1e-12 * force.length());
        prop_assert!((field.wall_loads()[0].force + force).length() <= 1e-12 * force.length());
        // At the end of a face the slope may be that of either side.
        let h = 1e-7;
        for c in 0..3 {
            let [up, down] = [h, -h].map(|by| read(&mut field, at + DVec3::AXES[c] * by));
            let slope = -(up.0 - down.0) / (2.0 * h);
            let spread = (up.1[c] - down.1[c]).abs();
            prop_assert!((slope - force[c]).abs() <= 1e-6 * force.length() + 2.0 * spread, "{c}: {slope} {force}");
        }
    }
}

/// Inside a cylinder of facets a sphere feels the force of a smooth cylinder, with many facets more exactly.
#[test]
fn a_hollow_surface_of_facets_bears_as_the_smooth_one() {
    let mut random = Random::new(11);
    for (radius, facets) in [(2.0, 256), (1.0, 512), (1.0, 4000), (0.6, 1000)] {
        let pipe = Revolution::tube(DVec3::Z, radius, [-2.0, 2.0]).unwrap().mesh(facets).unwrap();
        let mut field = open(hooke(), Frictionless).with_walls([Wall::new(pipe, DVec3::ZERO)]).unwrap();
        let samples = 1000;
        let overlap = 1e-3;
        let mut mean = 0.0;
        let mut least = f64::INFINITY;
        let mut most = 0.0_f64;
        for _ in 0..samples {
            let angle = random.next();
            let height = random.next();
            let out = DVec3::new((7.0 * angle).cos(), (7.0 * angle).sin(), 0.0);
            let (bodies, state) = spheres(&[out * (radius - 0.5 + overlap) + DVec3::Z * (height - 0.5)]);
            let wrenches = wrenches(&bodies, &mut field, &state);
            let force = -wrenches.force.get(0).dot(out) / (1e4 * overlap);
            mean += force / f64::from(samples);
            (least, most) = (least.min(force), most.max(force));
        }
        // Facets are nearer to the axis than the cylinder, by its radius times half the square of half their angle.
        let sagitta = radius * (1.0 - (std::f64::consts::PI / f64::from(facets as u32)).cos()) / overlap;
        println!("R {radius}, {facets} facets: {least:.4} to {most:.4}, {mean:.4} in the mean, sagitta {sagitta:.4}");
        assert!(least > 0.999 - sagitta && most < 1.001 + 2.0 * sagitta, "{least} {most} {sagitta}");
        assert!((mean - 1.0).abs() < 1e-3 + 3.0 * sagitta, "{mean} {sagitta}");
    }
}

/// A sphere that rolls to and fro with friction moves in a drum of facets as in a smooth one.
#[test]
fn friction_goes_on_over_shallow_folds() {
    let run = |wall: Wall, slip: f64| {
        let (bodies, mut state) = spheres(&[DVec3::new(0.9, 0.1, -(2.5_f64.powi(2) - 0.81).sqrt())]);
        let law = Hooke::new(1e5, Damping::restitution(0.5).unwrap()).unwrap();
        let friction = FrictionSpring::new(3e4, 0.0, slip).unwrap();
        let mut field = Both(open(law, friction).with_walls([wall]).unwrap().with_ledger(), gravity());
        advance(&bodies, &mut field, &mut state, 1e-4, 20_000);
        (state.position().get(0), state.spin(&bodies, 0))
    };
    let tube = Revolution::tube(DVec3::Y, 3.0, [-2.0, 2.0]).unwrap();
    for slip in [0.5, 0.05] {
        let smooth = run(Wall::new(Cylinder::inside(DVec3::Y, 3.0).unwrap(), DVec3::ZERO), slip);
        let off = |facets: usize| {
            let (at, spin) = run(Wall::new(tube.mesh(facets).unwrap(), DVec3::ZERO), slip);
            (at - smooth.0).length() + (spin - smooth.1).length()
        };
        let coarse = off(250);
        let fine = off(1000);
        println!("friction {slip}: off by {coarse:e} and {fine:e}");
        assert!(fine < 1e-2 && coarse / fine > 4.0, "friction {slip}: {coarse:e} {fine:e}");
    }
}

/// A step across the middle of a fold begins with the second facet, to which the spring is transferred.
#[test]
fn a_spring_goes_on_where_a_step_goes_over_a_fold() {
    for slope in [1e-3, 1e-2] {
        // Within this distance of the middle the centre has a foot on both facets.
        let zone = 0.5 * slope;
        for land in [-0.25, 0.25, 0.75, 1.5] {
            let friction = FrictionSpring::new(3e3, 0.0, 10.0).unwrap();
            let mut field = open(hooke(), friction).with_walls([Wall::new(valley(slope), DVec3::ZERO)]).unwrap();
            let (bodies, mut state) = one_sphere(DVec3::new(-3.0 * zone, 0.3, 0.49), DVec3::ZERO);
            let stretch = |field: &ContactForce, state: &State| {
                let contacts = field.contacts(&bodies, state).unwrap();
                contacts.iter().map(|contact| contact.tangential_force.y).sum::<f64>()
            };
            for step in 0..20 {
                state.velocity_mut().set(0, DVec3::Y);
                advance(&bodies, &mut field, &mut state, 1e-4, 1);
                state.position_mut().set(0, DVec3::new(-3.0 * zone, 0.3 + 1e-4 * f64::from(step), 0.49));
            }
            let before = stretch(&field, &state);
            state.velocity_mut().set(0, DVec3::X * ((3.0 + land) * zone / 1e-4));
            advance(&bodies, &mut field, &mut state, 1e-4, 1);
            let after = stretch(&field, &state);
            assert!(before > 5.0 && (after / before - 1.0).abs() < 0.01, "slope {slope}, {land}: {before} {after}");
        }
    }
}

/// Force and torque on a sphere by two facets of a turning wall are opposite to those on the wall.
#[test]
fn forces_and_torques_at_a_fold_balance() {
    let law = Hooke::new(1e4, Damping::coefficient(20.0).unwrap()).unwrap();
    let friction = FrictionSpring::new(3e3, 5.0, 0.5).unwrap();
    let wall = Wall::new(valley(0.05), DVec3::new(0.2, 0.1, 0.3)).about(DVec3::new(1.0, -2.0, 0.5));
    let turning = wall.rotating(DVec3::new(0.3, -0.2, 1.0));
    let mut field = open(law, friction).with_walls([turning]).unwrap();
    let (bodies, mut state) = one_sphere(DVec3::new(0.203, 0.15, 0.79), DVec3::new(0.3, -0.4, -0.2));
    state.set_spin(&bodies, 0, DVec3::new(1.0, 2.0, -3.0));
    advance(&bodies, &mut field, &mut state, 1e-5, 20);
    let out = wrenches(&bodies, &mut field, &state);
    let contacts = field.contacts(&bodies, &state).unwrap();
    assert_eq!(contacts.len(), 2);
    let force = out.force.get(0);
    let load = field.wall_loads()[0];
    assert!((force + load.force).length() < 1e-12 * force.length(), "{force} {load:?}");
    let arm = state.position().get(0) - field.walls()[0].point_at(state.time());
    let torque = arm.cross(force) + out.torque.get(0);
    assert!((torque + load.torque).length() < 1e-11 * torque.length(), "{torque} {load:?}");
}

/// Returns a bowl of facets, shallow at its bottom, and spheres above it.
fn bowl() -> (TriangleMesh, (Bodies, State)) {
    let profile = (0..20).map(|k| [0.2 * f64::from(k), 0.02 * f64::from(k * k)]);
    let mesh = Revolution::new(DVec3::Z, profile).unwrap().mesh(60).unwrap();
    let places = [[0.3, 0.1, 0.7], [-0.8, 0.4, 1.1], [0.2, -0.9, 1.1], [0.1, 0.2, 1.8], [-0.2, 1.2, 1.6]];
    (mesh, spheres(&places.map(DVec3::from_array)))
}

#[test]
fn equilibrium_is_found_on_folds() {
    let rest = |mesh: TriangleMesh, (bodies, mut state): (Bodies, State), law: Hooke| {
        let contacts = open(law, Frictionless).with_walls([Wall::new(mesh, DVec3::ZERO)]).unwrap();
        let load = gravity_load(&bodies, DVec3::NEG_Z * 10.0);
        let found = EnergyMinimizer::default().minimize(&bodies, &contacts, &load, &mut state).unwrap();
        assert!(found.residual <= 1e-12, "{found:?}");
        for body in 0..bodies.len() {
            let force = |contact: &dem_contact::law::Contact| {
                let force = contact.normal_force * contact.normal + contact.tangential_force;
                let sign = if contact.a == body { -1.0 } else { f64::from(contact.b == Partner::Body(body)) };
                force * sign
            };
            let sum: DVec3 = found.contacts.iter().map(force).sum();
            assert!((sum - DVec3::Z * 10.0).length() < 1e-9, "{body}: {sum}");
        }
        let energy: f64 = found.contacts.iter().map(|contact| contact.elastic_energy).sum();
        let field = contacts.elastic_energy(&bodies, &state).unwrap();
        assert!((energy / field - 1.0).abs() < 1e-9, "{energy} {field}");
        (state, found.iterations)
    };
    // In the middle of a valley of slope s the sphere sinks until 2 k (δ₁ cos) − k δ = m g, with δ₁ = r − (r − δ) cos.
    for slope in [1e-3, 0.02, 0.1_f64] {
        let start = one_sphere(DVec3::new(0.3, 0.1, 0.7), DVec3::ZERO);
        let (state, _) = rest(valley(slope), start, hooke());
        let cos = (1.0 + slope * slope).sqrt().recip();
        let at = state.position().get(0);
        let force = 1e4 * (2.0 * cos * (0.5 - at.z * cos) - (0.5 - at.z).max(0.0));
        assert!(at.x.abs() < 1e-9 && (force - 10.0).abs() < 1e-6, "slope {slope}: {at} {force}");
    }
    let (mesh, start) = bowl();
    let (_, iterations) = rest(mesh, start, hooke());
    println!("five spheres in a bowl of facets: {iterations} iterations of Newton's method");
    assert!(iterations < 60, "{iterations}");
}

/// Implicit steps end where explicit ones do, and Newton's method needs a few iterations as on planes.
#[test]
fn implicit_steps_know_of_folds() {
    let law = Hooke::new(2e3, Damping::coefficient(4.0).unwrap()).unwrap();
    let friction = FrictionSpring::new(6e2, 0.0, 0.3).unwrap();
    let make = |mesh: TriangleMesh| open(law, friction).with_walls([Wall::new(mesh, DVec3::ZERO)]).unwrap();
    let start = || {
        let (mesh, (bodies, mut state)) = bowl();
        (0..5).for_each(|i| state.velocity_mut().set(i, DVec3::new(0.5, -0.3 * i as f64, -0.5)));
        (mesh, bodies, state)
    };
    let (mesh, bodies, mut reference) = start();
    advance(&bodies, &mut Both(gravity(), make(mesh)), &mut reference, 2e-5, 25_000);
    let far = |dt: f64| {
        let (mesh, bodies, mut state) = start();
        let mut map = ImplicitDem::new(make(mesh), dt).unwrap().with_form(DiscreteForm::SECOND_ORDER).unwrap();
        map = map.with_options(NewtonOptions::default().with_linear(LinearMethod::Lu)).unwrap();
        let mut field = gravity();
        let mut iterations = 0;
        let steps = (0.5 / dt).round() as usize;
        for _ in 0..steps {
            map.step(&bodies, &mut field, &mut state).unwrap();
            iterations += map.last_report().newton_iterations;
        }
        let apart = (0..5).map(|i| (state.position().get(i) - reference.position().get(i)).length());
        (apart.fold(0.0, f64::max), iterations as f64 / steps as f64)
    };
    let ((coarse, many), (fine, few)) = (far(2e-3), far(2.5e-4));
    println!("off by {coarse:e} at 2e-3 and {fine:e} at 2.5e-4, {many:.2} and {few:.2} iterations");
    assert!(coarse / fine > 5.0 && fine < 2e-3 && many < 5.0, "{coarse:e} {fine:e} {many} {few}");
}

/// The history of a spring and the work of friction since the contact began.
#[derive(Debug, Clone, Copy, Default)]
struct MeteredHistory {
    spring: DVec3,
    work: Sum,
}

contact_history!(MeteredHistory { spring: DVec3, work: Sum });

/// A friction spring that reports the work of friction in place of its stored energy.
#[derive(Debug, Clone, Copy)]
struct Metered(FrictionSpring);

impl TangentialLaw for Metered {
    type History = MeteredHistory;

    fn force(&self, contact: &ContactKinematics, history: &mut MeteredHistory) -> DVec3 {
        let before = self.0.stored_energy(contact, &history.spring);
        let force = self.0.force(contact, &mut history.spring);
        let stored = self.0.stored_energy(contact, &history.spring) - before;
        history.work.0 -= contact.share * (force.dot(contact.velocity) * contact.elapsed + stored);
        force
    }

    fn stored_energy(&self, contact: &ContactKinematics, history: &MeteredHistory) -> f64 {
        // Contacts multiply stored energies by their shares.
        history.work.0 / contact.share
    }
}

/// Each of two facets dissipates its share, and a facet that begins as a part of another starts without earlier work.
#[test]
fn the_work_of_friction_is_counted_once() {
    let slope = 0.02;
    let zone = 0.5 * slope;
    let friction = FrictionSpring::new(3e3, 0.0, 0.1).unwrap();
    let start = |contacts: ContactForce, x: f64, velocity: DVec3| {
        let field = contacts.with_walls([Wall::new(valley(slope), DVec3::ZERO)]).unwrap().with_ledger();
        (Both(field, gravity()), one_sphere(DVec3::new(x, -1.0, 0.499 + slope * x.abs()), velocity))
    };
    let works = |field: &ContactForce, bodies: &Bodies, state: &State| {
        let contacts = field.contacts(bodies, state).unwrap();
        contacts.iter().map(|contact| contact.tangential_energy).collect::<Vec<_>>()
    };
    // The sphere slides along the fold, on both facets all the time.
    let (mut metered, (bodies, mut state)) = start(open(hooke(), Metered(friction)), 0.2 * zone, DVec3::Y);
    advance(&bodies, &mut metered, &mut state, 1e-5, 20_000);
    let works_along = works(&metered.0, &bodies, &state);
    let sum: f64 = works_along.iter().sum();
    let (mut field, (bodies, mut state)) = start(open(hooke(), friction), 0.2 * zone, DVec3::Y);
    let before = Ledger::read(&field.0, &field.1, &bodies, &state).unwrap();
    advance(&bodies, &mut field, &mut state, 1e-5, 20_000);
    let ledger = Ledger::read(&field.0, &field.1, &bodies, &state).unwrap();
    let expected = ledger.dissipated - before.dissipated;
    println!("along the fold: {sum} J of {expected} J");
    assert!(works_along.len() == 2 && (sum / expected - 1.0).abs() < 0.01, "{sum} {expected}");
    // The sphere slides across the fold.
    let (mut field, (bodies, mut state)) = start(open(hooke(), Metered(friction)), -0.2, DVec3::X);
    let mut least = f64::INFINITY;
    for _ in 0..30_000 {
        advance(&bodies, &mut field, &mut state, 1e-5, 1);
        if let [one, other] = works(&field.0, &bodies, &state)[..] {
            least = least.min(one.min(other) / one.max(other));
        }
    }
    assert!(least < 1e-3, "{least}");
}

/// With a material that yields the ledger records the work of all contacts, of other materials at folds too.
#[test]
fn the_balance_closes_at_a_fold_beside_a_material_that_yields() {
    let slope = 0.05;
    let yields = PlasticHooke::new(Hooke::new(2e4, Damping::NONE).unwrap(), 1e4).unwrap();
    let of_pair = |a: usize, b: usize| {
        if a + b == 2 { Laws::of(yields, Frictionless) } else { Laws::of(hooke(), Frictionless) }
    };
    let imbalance = |table: LawTable, motion: DVec3| {
        let (bodies, mut state) = one_sphere(DVec3::new(-0.3, 0.3, 0.3 * slope + 0.499), DVec3::new(1.0, 0.0, -slope));
        let list = NeighborList::new(Domain::OPEN, 0.1).unwrap();
        let wall = Wall::new(valley(slope), DVec3::ZERO).moving(motion);
        let field = ContactForce::by_material(list, table, [0]).unwrap().with_walls([wall]).unwrap();
        let mut field = Both(field.with_ledger(), gravity());
        let mut worst = 0.0_f64;
        let mut start = None;
        let mut folds = 0;
        for _ in 0..6000 {
            advance(&bodies, &mut field, &mut state, 1e-4, 1);
            folds += usize::from(field.0.wall_loads()[0].contacts == 2);
            let balance = Ledger::read(&field.0, &field.1, &bodies, &state).unwrap().balance();
            worst = worst.max((balance - *start.get_or_insert(balance)).abs());
        }
        assert!(folds > 100, "{folds}");
        worst
    };
    for motion in [DVec3::ZERO, DVec3::new(0.1, 0.0, 0.3)] {
        let alone = imbalance(of_pair(0, 0).into(), motion);
        let beside = imbalance(LawTable::new(2, |a, b| Ok(of_pair(a, b))).unwrap(), motion);
        println!("wall at {motion} m/s: the balance is off by {alone:e} J alone, {beside:e} J beside");
        assert!(alone < 1e-5 && beside < 1e-5, "{alone:e} {beside:e}");
    }
}
