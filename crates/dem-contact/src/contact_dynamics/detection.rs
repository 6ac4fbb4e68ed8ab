//! Which contacts a step has to know of.

use rrp_geom::glam::DVec3;
use rrp_integrate::{Bodies, State};

use crate::contact_dynamics::rigid_contact::RigidContact;
use crate::cuboid::contact::meet;
use crate::cuboid::shape::Cuboid;
use crate::error::DemError;
use crate::error::contact::ContactError;
use crate::error::wall::WallError;
use crate::neighbor::NeighborList;
use crate::wall::Wall;
use crate::wall::placed::Placed;

/// A contact with its row of B, but for the numbers of columns.
#[derive(Debug, Clone, Copy)]
pub(crate) struct DetectedContact {
    pub(crate) contact: RigidContact,
    /// r × n of both bodies; zero for spheres.
    pub(crate) levers: [DVec3; 2],
    /// Velocity of the wall along n in m/s, zero for a pair.
    pub(crate) wall_rate: f64,
}

/// Where contacts are looked for.
#[derive(Debug, Clone)]
pub(crate) struct ContactDetector {
    list: NeighborList,
    /// The skin that was asked for; that of the list may be thicker.
    skin: f64,
    pub(crate) walls: Vec<Wall>,
    pub(crate) planks: Vec<Cuboid>,
}

impl ContactDetector {
    pub(crate) fn new(list: NeighborList) -> Self {
        Self { skin: list.skin(), list, walls: Vec::new(), planks: Vec::new() }
    }

    pub(crate) fn list(&self) -> &NeighborList {
        &self.list
    }

    pub(crate) fn skin(&self) -> f64 {
        self.skin
    }

    /// Half the size of each body: how far turning moves its surface, per radian.
    pub(crate) fn turning_radius(&self, body: usize) -> f64 {
        self.planks.iter().find(|plank| plank.body == body).map_or(0.0, Cuboid::reach)
    }

    /// All contacts at `state` whose gap is at most what the two bodies may move in the step, `reach` (m), walls included;
    /// pairs of bodies first, sorted.
    pub(crate) fn find(
        &mut self,
        bodies: &Bodies,
        state: &State,
        dt: f64,
        reach: &[f64],
    ) -> Result<Vec<DetectedContact>, DemError> {
        let most = reach.iter().fold(0.0_f64, |most, reach| most.max(*reach));
        let largest = bodies.radius().iter().fold(0.0_f64, |most, radius| most.max(*radius));
        Cuboid::check_all(&self.planks, bodies, self.list.domain(), largest + 2.0 * most)?;
        self.follow(bodies, state, 2.0 * most)?;
        let mut found = self.pairs(bodies, state, reach)?;
        self.planks(bodies, state, reach, &mut found);
        self.walls(bodies, state, dt, reach, &mut found)?;
        found.sort_unstable_by_key(|found| found.contact.key());
        Ok(found)
    }

    /// Brings the list up to date, so that it has all pairs with gaps up to `need`.
    fn follow(&mut self, bodies: &Bodies, state: &State, need: f64) -> Result<(), DemError> {
        let (radius, position) = (bodies.radius(), state.position());
        if self.list.fixed() != bodies.fixed() {
            self.list.set_fixed(bodies.fixed().into());
        }
        // A list that is a little thicker than needed serves more than one step.
        let thick = 1.5 * need.max(self.skin);
        if self.list.skin() < need || self.list.skin() > 4.0 * thick {
            let largest = radius.iter().fold(0.0_f64, |most, radius| most.max(*radius));
            let fits = self.list.domain().check_cutoff(2.0 * largest + thick).is_ok();
            self.list = self.list.fresh(if fits { thick } else { need })?;
        }
        self.list.update(radius, position)?;
        if self.list.covered_gap() < need {
            self.list.forget();
            self.list.update(radius, position)?;
        }
        Ok(())
    }

    fn pairs(&self, bodies: &Bodies, state: &State, reach: &[f64]) -> Result<Vec<DetectedContact>, DemError> {
        let (position, mut found) = (state.position(), Vec::new());
        for [a, b] in self.list.pairs() {
            let separation = self.list.domain().separation(position.get(a), position.get(b));
            let (distance, [ra, rb]) = (separation.length(), [a, b].map(|i| bodies.radius()[i]));
            let gap = distance - (ra + rb);
            if gap > reach[a] + reach[b] {
                continue;
            }
            if distance <= 0.0 {
                let radius = ra.min(rb);
                return Err(DemError::Contact(ContactError::OverlapTooLarge { bodies: [a, b], overlap: -gap, radius }));
            }
            let normal = separation / distance;
            let point = position.get(a) + (ra + 0.5 * gap) * normal;
            let contact = RigidContact { radius: ra * rb / (ra + rb), ..new(a, b, normal, point, gap) };
            found.push(DetectedContact { contact, levers: [DVec3::ZERO; 2], wall_rate: 0.0 });
        }
        Ok(found)
    }

    fn planks(&self, bodies: &Bodies, state: &State, reach: &[f64], found: &mut Vec<DetectedContact>) {
        for plank in &self.planks {
            let body = plank.body;
            for sphere in 0..bodies.len() {
                let near = reach[body] + reach[sphere];
                let Some(meeting) = meet(self.list.domain(), plank, sphere, bodies, state, near) else { continue };
                if meeting.gap > near || is_fixed(bodies, body) && is_fixed(bodies, sphere) {
                    continue;
                }
                let point = state.position().get(body) + meeting.arm;
                let (mut contact, mut levers) = (
                    new(body, sphere, meeting.normal, point, meeting.gap),
                    [meeting.arm.cross(meeting.normal), DVec3::ZERO],
                );
                if sphere < body {
                    let from_sphere = state.position().get(sphere) - bodies.radius()[sphere] * meeting.normal;
                    let point = from_sphere - meeting.gap * meeting.normal;
                    contact = new(sphere, body, -meeting.normal, point, meeting.gap);
                    levers = [DVec3::ZERO, -levers[0]];
                }
                contact.radius = bodies.radius()[sphere];
                found.push(DetectedContact { contact, levers, wall_rate: 0.0 });
            }
        }
    }

    fn walls(
        &self,
        bodies: &Bodies,
        state: &State,
        dt: f64,
        reach: &[f64],
        found: &mut Vec<DetectedContact>,
    ) -> Result<(), DemError> {
        let periods = self.list.domain().periods();
        for (w, wall) in self.walls.iter().enumerate() {
            let (placed, later) = (wall.placed(state.time()), wall.placed(state.time() + dt));
            placed.check(w, periods)?;
            later.check(w, periods)?;
            let Some((origin, out)) = placed.plane().filter(|_| !wall.turns()) else {
                self.surface(w, (&placed, &later), (bodies, state), dt, reach, found)?;
                continue;
            };
            let normal = -out;
            let velocity = if wall.is_uniform() { placed.velocity } else { (later.point - placed.point) / dt };
            let wall_rate = velocity.dot(normal);
            let wall_reach = dt * wall_rate.abs();
            let mut look = |body: usize, corner: u8, arm: DVec3, radius: f64| {
                let place = state.position().get(body) + arm;
                let gap = (origin - place).dot(normal) - radius;
                if gap <= reach[body] + wall_reach {
                    let contact = new(body, w, normal, place + (radius + gap) * normal, gap);
                    let contact = RigidContact { with_wall: true, corner, radius, ..contact };
                    let levers = [arm.cross(normal), DVec3::ZERO];
                    found.push(DetectedContact { contact, levers, wall_rate });
                }
            };
            for body in (0..bodies.len()).filter(|&body| bodies.radius()[body] > 0.0 && !is_fixed(bodies, body)) {
                look(body, 0, DVec3::ZERO, bodies.radius()[body]);
            }
            for plank in self.planks.iter().filter(|plank| !is_fixed(bodies, plank.body)) {
                let attitude = state.attitude().get(plank.body);
                for (corner, arm) in (0..).zip(plank.corners()) {
                    look(plank.body, corner, attitude.rotate(arm), 0.0);
                }
            }
        }
        Ok(())
    }

    /// Contacts of spheres with a wall that is curved or turns. The wall's part of the gap is how far its material goes in the
    /// step, not how fast it is at the start. Inside a hollow wall distances shrink more than their linearisation does, by the
    /// square of the way over twice the radius of curvature.
    fn surface(
        &self,
        w: usize,
        (placed, later): (&Placed<'_>, &Placed<'_>),
        (bodies, state): (&Bodies, &State),
        dt: f64,
        reach: &[f64],
        found: &mut Vec<DetectedContact>,
    ) -> Result<(), DemError> {
        if self.planks.iter().any(|plank| !is_fixed(bodies, plank.body)) {
            let (what, only) = ("a wall beside planks that move", "a plane that does not turn");
            return Err(DemError::Wall(WallError::WallNotSupported { wall: w, what, only }));
        }
        let (mut pieces, mut patches) = (Vec::new(), Vec::new());
        for body in (0..bodies.len()).filter(|&body| bodies.radius()[body] > 0.0 && !is_fixed(bodies, body)) {
            let (at, radius) = (state.position().get(body), bodies.radius()[body]);
            let centre = self.list.domain().inside(at);
            let extent = (centre - placed.point).length() + radius + reach[body];
            let far = reach[body] + later.moved(&placed.motionless(), extent);
            patches.clear();
            placed.patches(centre, radius + far, &mut pieces, &mut patches);
            for patch in &patches {
                let (normal, gap) = (-patch.normal, patch.distance - radius);
                let here = centre + patch.distance * normal;
                let wall_rate = (later.world(placed.local(here)) - here).dot(normal) / dt;
                let contact = new(body, w, normal, at + patch.distance * normal, gap);
                let feature = patch.feature;
                let contact = RigidContact { with_wall: true, feature, radius, ..contact };
                found.push(DetectedContact { contact, levers: [DVec3::ZERO; 2], wall_rate });
            }
        }
        Ok(())
    }
}

fn new(a: usize, b: usize, normal: DVec3, point: DVec3, gap: f64) -> RigidContact {
    RigidContact {
        a,
        b,
        with_wall: false,
        corner: 0,
        feature: 0,
        normal,
        point,
        gap,
        slack: 0.0,
        force: 0.0,
        compatible_force: None,
        radius: 0.0,
    }
}

pub(crate) fn is_fixed(bodies: &Bodies, body: usize) -> bool {
    bodies.inverse_mass()[body] <= 0.0
}
