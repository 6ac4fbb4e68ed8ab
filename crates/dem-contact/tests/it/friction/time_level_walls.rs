//! Tests of slip and normals of one moment at walls: every law with a history is of second order on walls that turn,
//! planes and meshes too, and a body that turns with its wall keeps its forces.

use super::time_level::Tie;
use crate::prelude::*;

/// The shape of a wall around the origin, and the normal there.
struct Ground {
    name: &'static str,
    shape: Shape,
    normal: DVec3,
}

/// Returns a plane, a cylinder, and meshes that are touched at a seam, at a ridge and at a corner.
fn grounds() -> [Ground; 5] {
    let normal = DVec3::new(0.48, -0.6, 0.64);
    let x = normal.any_orthonormal_vector();
    let z = normal;
    let y = z.cross(x);
    let mesh = |points: &[[f64; 3]], triangles: &[[u32; 3]]| {
        let points = points.iter().map(|[a, b, c]| *a * x + *b * y + *c * z).collect();
        Shape::from(TriangleMesh::open(points, triangles.to_vec()).unwrap())
    };
    let square = [[-3.0, -3.0, 0.0], [3.0, -3.0, 0.0], [3.0, 3.0, 0.0], [-3.0, 3.0, 0.0]];
    let roof = [[-3.0, 0.0, 0.0], [3.0, 0.0, 0.0], [0.0, -3.0, -3.0], [0.0, 3.0, -3.0]];
    let peak = [[0.0, 0.0, 0.0], [3.0, 0.0, -3.0], [-2.0, 3.0, -3.0], [-2.0, -3.0, -3.0]];
    [
        ("plane", Shape::Plane(normal)),
        ("cylinder", Cylinder::outside(x, 0.8).unwrap().into()),
        ("seam", mesh(&square, &[[0, 1, 2], [0, 2, 3]])),
        ("ridge", mesh(&roof, &[[0, 2, 1], [0, 1, 3]])),
        ("corner", mesh(&peak, &[[0, 1, 2], [0, 2, 3], [0, 3, 1]])),
    ]
    .map(|(name, shape)| Ground { name, shape, normal })
}

impl Ground {
    /// Makes the wall with its surface through `point`.
    fn at(&self, point: DVec3) -> Wall {
        let depth = if self.name == "cylinder" { 0.8 } else { 0.0 };
        Wall::new(self.shape.clone(), point - depth * self.normal).about(DVec3::ZERO)
    }
}

/// Point in m where the sphere touches the wall. The wall faces the axis of its spin, so the sphere presses on it.
const TOUCHED: DVec3 = DVec3::new(-0.67, 1.0, -0.96);
/// Spin of the wall about the origin, in rad/s.
const SPIN: DVec3 = DVec3::new(8.0, 5.0, 2.0);

/// Returns position and angular momentum of a sphere after 0.1 s of steps of this length. The sphere is tied to a wall
/// that turns, and rolls and slips a little; its springs swing several times.
fn tied(law: impl TangentialLaw + Copy + 'static, ground: &Ground, step: f64) -> [DVec3; 2] {
    let bodies = Bodies::new([Body::sphere(0.4, 0.5)]).unwrap();
    let mut state = State::at_rest(1).without_attitudes();
    let along = ground.normal.any_orthonormal_vector();
    // The sphere starts as deep as it is pressed, where the normal force vanishes and nothing grips.
    let centre = TOUCHED + 0.396 * ground.normal;
    state.position_mut().set(0, centre);
    state.velocity_mut().set(0, SPIN.cross(centre) + 0.4 * along);
    state.set_spin(&bodies, 0, SPIN + 0.8 * ground.normal.cross(along) + 0.3 * ground.normal);
    let mut field = open(Tie, law).with_walls([ground.at(TOUCHED).rotating(SPIN)]).unwrap();
    advance(&bodies, &mut field, &mut state, step, (0.1 / step).round() as usize);
    [state.position().get(0), state.angular_momentum().get(0)]
}

/// Returns the order of the end of [`tied`] runs.
fn order(law: impl TangentialLaw + Copy + 'static, ground: &Ground) -> f64 {
    let [coarse, medium, fine] = [4e-4, 2e-4, 1e-4].map(|step| tied(law, ground, step));
    let off = |a: &[DVec3; 2], b: &[DVec3; 2]| a.iter().zip(b).map(|(a, b)| (*a - *b).length()).fold(0.0, f64::max);
    (off(&coarse, &medium) / off(&medium, &fine)).log2()
}

fn slider(stiffness: f64) -> SpringSlider {
    SpringSlider::new(stiffness, 0.0, 1e12).unwrap()
}

fn spring() -> FrictionSpring {
    FrictionSpring::new(3e3, 0.0, 1e12).unwrap()
}

fn rolling() -> Rolling<FrictionSpring> {
    Rolling::new(spring(), slider(800.0)).with_twisting(slider(60.0))
}

#[test]
fn every_law_with_memory_is_of_second_order_on_walls_that_turn() {
    let mindlin = MindlinSpring::new(1e4, 0.0, 1e12).unwrap();
    let partial = MindlinDeresiewicz::new(1e4, 1e12).unwrap();
    for ground in &grounds() {
        for (name, order) in [
            ("spring", order(spring(), ground)),
            ("turning spring", order(CoRotating::new(spring()), ground)),
            ("Mindlin", order(CoRotating::new(mindlin), ground)),
            ("partial slip", order(CoRotating::new(partial), ground)),
            ("rolling and twisting", order(CoRotating::new(rolling()), ground)),
        ] {
            assert!((order - 2.0).abs() < 0.25, "{} {name}: {order}", ground.name);
        }
    }
}

/// Returns the largest relative change of force and torque on a sphere in the frame of the wall, while wall and sphere
/// turn as one body, by half a radian in this many steps.
fn turned(law: impl TangentialLaw + Copy + 'static, ground: &Ground, steps: u32) -> f64 {
    let bodies = Bodies::new([Body::sphere(1.0, 0.5)]).unwrap();
    let mut state = State::at_rest(1).without_attitudes();
    let along = ground.normal.any_orthonormal_vector();
    let centre = TOUCHED + 0.49 * ground.normal;
    let step = 0.5 / (SPIN.length() * f64::from(steps));
    let hooke = Hooke::new(1e6, Damping::NONE).unwrap();
    let mut field = open(hooke, law).with_walls([ground.at(TOUCHED).rotating(SPIN)]).unwrap();
    let mut out = Wrenches::zeros(1);
    let mut first = None;
    let mut worst = 0.0_f64;
    for k in 0..=steps {
        let rotation = |k: u32| DQuat::from_scaled_axis(SPIN * (step * f64::from(k)));
        let now = rotation(k);
        let before = rotation(k.saturating_sub(1));
        // The velocity of a step leads from the place before to this one. In the first step the sphere slips, rolls and
        // twists.
        let slip = if k == 0 { [along, 0.5 * ground.normal.cross(along) + ground.normal] } else { [DVec3::ZERO; 2] };
        state.position_mut().set(0, now * centre);
        let velocity = if k == 0 { SPIN.cross(centre) } else { (now * centre - before * centre) / step };
        state.velocity_mut().set(0, velocity + slip[0] * (1e-3 / step));
        state.set_spin(&bodies, 0, SPIN + slip[1] * (1e-3 / step));
        state.set_time(step * f64::from(k));
        out.clear();
        field.accumulate(&bodies, &state, step, &mut out).unwrap();
        field.commit();
        let found = [out.force.get(0), out.torque.get(0)].map(|vector| now.inverse() * vector);
        let start = *first.get_or_insert(found);
        worst = found
            .iter()
            .zip(start)
            .fold(worst, |worst, (now, start)| worst.max((*now - start).length() / start.length()));
    }
    worst
}

#[test]
fn a_body_that_turns_with_its_wall_keeps_its_forces() {
    let partial = MindlinDeresiewicz::new(3e5, 0.5).unwrap();
    for ground in &grounds() {
        let found = |steps: u32| {
            [
                turned(CoRotating::new(spring()), ground, steps),
                turned(CoRotating::new(rolling()), ground, steps),
                turned(CoRotating::new(partial), ground, steps),
            ]
        };
        for (coarse, fine) in found(50).into_iter().zip(found(200)) {
            assert!(coarse < 2e-2 && coarse / fine > 14.0, "{}: {coarse} {fine}", ground.name);
        }
    }
}
