//! One-time warnings of a run: bodies that are too fast for its steps, and bodies that fall without end.
//!
//! Bodies are checked when the largest values of a run are updated, so that bodies that are fast only in between are
//! missed. Contacts themselves find centres that go through a wall, in each explicit step. The range of JKR's adhesion
//! is as short as an overlap: steps that resolve contacts resolve it too.

use std::f64::consts::PI;

use dem_contact::bridge::Capillary;
use dem_contact::neighbor::Boundary;
use dem_contact::wall::{Shape, Wall, WallShape as _};
use rrp_geom::glam::DVec3;

use super::Simulation;
use crate::plan::ends::PlannedEnd;
use crate::reading::Reading;
use crate::scene::Scene;
use crate::scene::integrator::Method;
use crate::scene::liquid::LiquidGroup;
use crate::scene::walls::WallShape;
use crate::value::rounded;

/// Largest distance that a body moves in a step without a warning, relative to its radius. In the recommended steps of
/// an impact by Hooke's law a body moves by a tenth of the resulting overlap, so that a larger distance means an
/// overlap of more than a radius.
pub(super) const WAY: f64 = 0.1;
/// Largest distance that a body moves in a step without a warning, relative to the rupture gap of its liquid bridges.
const OF_RANGE: f64 = 0.5;
/// Depth in radii below everything that might hold a body, at which the run warns of an endless fall.
const BELOW: f64 = 4.0;

/// Kinds of warnings already given. They are not stored: a resumed run may warn again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Said {
    fast: bool,
    past_bridges: bool,
    falling: bool,
}

/// The free body with the largest motion per step relative to a length that depends on its radius.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Fastest {
    body: usize,
    speed: f64,
    share: f64,
}

impl Simulation {
    /// Warns of implausible motions of bodies in the state of this reading, once per kind of warning.
    pub(super) fn watch(&mut self, reading: &Reading) {
        let scene = &self.plan.stages[self.progress.clock.stage].scene;
        let mut said = self.said;
        let mut lines = Vec::new();
        if !said.fast && !matches!(scene.integrator, Method::ContactDynamics(_) | Method::Static(_)) {
            lines.extend(self.fast(reading.time));
            said.fast = !lines.is_empty();
        }
        let before = lines.len();
        if let Some(liquid) = scene.liquid.as_ref().filter(|_| !said.past_bridges) {
            lines.extend(self.past_bridges(liquid, reading.time));
            said.past_bridges = lines.len() > before;
        }
        let before = lines.len();
        if !said.falling {
            lines.extend(self.falling(scene, reading));
            said.falling = lines.len() > before;
        }
        self.said = said;
        self.messages.extend(lines);
    }

    /// Finds the free body that moves farthest in a step relative to `length`, a length (m) as a function of the radius
    /// (m).
    fn fastest_beside(&self, length: impl Fn(f64) -> f64) -> Option<Fastest> {
        let dt = self.progress.clock.dt;
        let mut fastest: Option<Fastest> = None;
        for (body, (velocity, &radius)) in self.state.velocity().iter().zip(self.bodies.radius().iter()).enumerate() {
            if radius <= 0.0 || self.bodies.inverse_mass()[body] <= 0.0 {
                continue;
            }
            let speed = velocity.length();
            let share = speed * dt / length(radius);
            if fastest.is_none_or(|known| share > known.share) {
                fastest = Some(Fastest { body, speed, share });
            }
        }
        fastest
    }

    fn fast(&self, time: f64) -> Option<String> {
        let Fastest { body, speed, share } = self.fastest_beside(|radius| radius).filter(|one| one.share > WAY)?;
        Some(format!(
            "at the time {} body {} moves by {} of its radius in a step, at the speed {}: such steps do not resolve \
             impacts, or contacts are too soft for this speed. Write `time.dt` at most {:.1e}, or \"auto\" and stiffer \
             contacts",
            rounded(time),
            self.progress.identities.all()[body],
            rounded(share),
            rounded(speed),
            WAY / share * self.progress.clock.dt
        ))
    }

    /// Returns a warning if a body moves too far in a step relative to the rupture gap of its liquid bridges.
    fn past_bridges(&self, liquid: &LiquidGroup, time: f64) -> Option<String> {
        let capillary = Capillary::new(liquid.surface_tension, liquid.contact_angle).ok()?;
        // Volume of a bridge between two equal bodies, each of which gives its share of liquid.
        let volume = |radius: f64| 2.0 * liquid.share * liquid.content * 4.0 / 3.0 * PI * radius.powi(3);
        let gap = |radius: f64| capillary.rupture_gap(radius, volume(radius));
        let is_wet = liquid.content > 0.0;
        let Fastest { body, share, .. } =
            self.fastest_beside(gap).filter(|one| is_wet && one.share > OF_RANGE && one.share.is_finite())?;
        Some(format!(
            "at the time {} body {} moves in a step by {} of the gap at which its liquid bridges break: their pull is not \
             resolved. Write `time.dt` at most {:.1e}",
            rounded(time),
            self.progress.identities.all()[body],
            rounded(share),
            OF_RANGE / share * self.progress.clock.dt
        ))
    }

    /// Returns a warning if bodies fall below everything that could hold them.
    fn falling(&self, scene: &Scene, reading: &Reading) -> Option<String> {
        let down = DVec3::from_array(scene.gravity).try_normalize()?;
        let ground = self.ground(scene, down)?;
        let is_below = |&body: &usize| {
            let depth = self.state.position().get(body).dot(down) - ground;
            let is_free = self.bodies.inverse_mass()[body] > 0.0;
            is_free && depth > BELOW * self.bodies.radius()[body] && self.state.velocity().get(body).dot(down) > 0.0
        };
        let mut below: Vec<usize> = (0..self.bodies.len()).filter(is_below).collect();
        if below.is_empty() {
            return None;
        }
        let mut touches = vec![false; self.bodies.len()];
        for contact in &reading.contacts {
            touches[contact.a] = true;
            contact.b.body().into_iter().for_each(|b| touches[b] = true);
        }
        below.retain(|&body| !touches[body]);
        let &first = below.first()?;
        let point = (down * (ground + BELOW * self.bodies.radius()[first])).to_array().map(rounded);
        let normal = (-down).to_array().map(|component| rounded(component) + 0.0);
        Some(format!(
            "at the time {} bodies fall for ever, below all walls and fixed bodies: {}, the first of them body {}. \
             `[[gates]]` with `shape = {{ plane = {{ point = {point:?}, normal = {normal:?} }} }}` and `remove = true` \
             takes them away; a stage ends by `end` when all have passed",
            rounded(reading.time),
            below.len(),
            self.progress.identities.all()[first]
        ))
    }

    /// Computes the depth (m, along the unit vector `down`) of the lowest thing that could hold a body. None if
    /// something holds or removes bodies at any depth, if bodies may hang on others, or if nothing can hold them, which
    /// a note before the run tells.
    fn ground(&self, scene: &Scene, down: DVec3) -> Option<f64> {
        let space = scene.simulation_box.as_ref();
        let bounds = |c: usize| space.is_some_and(|space| space.boundary[c] != Boundary::Open);
        let ends_below = matches!(self.plan.stages[self.progress.clock.stage].end, Some(PlannedEnd::Behind { .. }));
        let rises = |wall: &WallShape| match *wall {
            WallShape::Elastic { normal, .. } => DVec3::from_array(normal).dot(down) < 0.0,
            _ => false,
        };
        if self.has_bonds_at_any_time()
            || scene.ties.is_some()
            || !scene.blocked.is_empty()
            || ends_below
            || scene.gates.iter().any(|gate| gate.remove)
            || (0..3).any(|c| bounds(c) && down[c].abs() > 1e-12)
            || scene.walls.iter().any(|wall| rises(&wall.shape))
        {
            return None;
        }
        let time = self.state.time();
        let mut ground = f64::NEG_INFINITY;
        for wall in &self.progress.walls {
            // A later stage may add the wall before the bodies reach it.
            if !wall.is_there() && self.progress.clock.has_next() {
                return None;
            }
            match reach_of(&wall.as_it_acts(), time, down) {
                Reach::Beside => {}
                Reach::Everywhere => return None,
                Reach::Until(depth) => ground = ground.max(depth),
            }
        }
        for &body in self.bodies.fixed() {
            ground = ground.max(self.state.position().get(body).dot(down) + self.bodies.radius()[body]);
        }
        ground.is_finite().then_some(ground)
    }
}

/// Depths at which a wall may stop falling bodies.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Reach {
    /// Falling bodies pass along the wall.
    Beside,
    /// The wall stops falling bodies at any depth.
    Everywhere,
    /// The wall stops falling bodies down to this depth in m.
    Until(f64),
}

/// Returns the depths at which a wall may stop bodies that fall along the unit vector `down`, at `time` (s).
fn reach_of(wall: &Wall, time: f64, down: DVec3) -> Reach {
    let bounds = match wall.shape() {
        Shape::Plane(_) => {
            let faces_up = wall.normal_at(time).is_some_and(|normal| normal.dot(down) < -1e-12);
            return if faces_up { Reach::Everywhere } else { Reach::Beside };
        }
        Shape::Cylinder(cylinder) => {
            let is_upright = cylinder.axis().cross(down).length() < 1e-12;
            return if is_upright { Reach::Beside } else { Reach::Everywhere };
        }
        Shape::Nowhere => return Reach::Beside,
        Shape::Revolution(revolution) => revolution.bounds(),
        Shape::Mesh(mesh) => Some(mesh.bounds()),
        _ => None,
    };
    let Some([low, high]) = bounds else { return Reach::Everywhere };
    let rotation = wall.pose(time).rotation;
    let half = 0.5 * (high - low);
    let across: f64 = (0..3).map(|c| (rotation * DVec3::AXES[c]).dot(down).abs() * half[c]).sum();
    Reach::Until((wall.origin_at(time) + rotation * (0.5 * (low + high))).dot(down) + across)
}
