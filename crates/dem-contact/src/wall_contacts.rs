//! Forces between bodies and walls.

use rrp_geom::glam::DVec3;

use crate::evaluation::{Touch, push};
use crate::laws::Laws;
use crate::{ContactLaw, DemError, NeighborList, TangentialLaw, Wall, WallLoad};

/// Memory by `[wall, body]`, sorted.
pub(crate) type ByWall<M> = Vec<([u32; 2], M)>;

/// The walls, which bodies are near them, and what they bear.
#[derive(Debug, Clone)]
pub(crate) struct WallContacts<M> {
    pub(crate) walls: Vec<Wall>,
    /// By wall, places of the bodies near it, for the list with the number `list` and walls as at `time`.
    near: Vec<Vec<u32>>,
    list: Option<u64>,
    time: f64,
    pub(crate) committed: ByWall<M>,
    pending: ByWall<M>,
    pub(crate) loads: Vec<WallLoad>,
    pub(crate) pending_loads: Vec<WallLoad>,
    /// The part of the forces on the walls that is not elastic.
    pub(crate) dissipative: Vec<DVec3>,
    /// On the bodies, in the order in which they are to be added.
    pub(crate) pushes: Vec<WallPush>,
}

/// What the bodies near walls have, by place.
pub(crate) struct Motion<'a> {
    pub(crate) velocity: &'a [[f64; 4]],
    pub(crate) spin: &'a [[f64; 4]],
}

/// What one body gets from one wall.
#[derive(Debug, Clone)]
pub(crate) struct WallPush {
    pub(crate) place: u32,
    pub(crate) force: DVec3,
    pub(crate) torque: DVec3,
    /// The part of the force that is not elastic.
    pub(crate) dissipative: DVec3,
}

impl<M: Copy + Default> WallContacts<M> {
    pub(crate) fn new(walls: Vec<Wall>, committed: ByWall<M>) -> Self {
        let count = walls.len();
        Self {
            walls,
            near: vec![Vec::new(); count],
            list: None,
            time: 0.0,
            committed,
            pending: Vec::new(),
            loads: vec![WallLoad::default(); count],
            pending_loads: vec![WallLoad::default(); count],
            dissipative: vec![DVec3::ZERO; count],
            pushes: Vec::new(),
        }
    }

    /// Finds the forces of the walls at `time` (s).
    pub(crate) fn accumulate<L: ContactLaw, T: TangentialLaw<Memory = M>>(
        &mut self,
        laws: &Laws<L, T>,
        list: &NeighborList,
        (time, elapsed): (f64, f64),
        bodies: &Motion<'_>,
    ) -> Result<(), DemError> {
        self.find_near(list, time);
        self.pending.clear();
        self.pushes.clear();
        let lever = laws.lever();
        for (w, wall) in self.walls.iter().enumerate() {
            let mut load = WallLoad::default();
            let mut dissipative = DVec3::ZERO;
            let (origin, normal) = (wall.point_at(time), -wall.normal);
            for &place in &self.near[w] {
                let place = place as usize;
                let [x, y, z, radius] = list.packed()[place];
                let position = DVec3::new(x, y, z);
                let gap = (origin - position).dot(normal) - radius;
                if gap >= 0.0 {
                    continue;
                }
                let (overlap, arm) = (-gap, radius + lever * gap);
                let body = list.order()[place];
                if overlap >= radius {
                    return Err(DemError::BehindWall { body: body as usize, wall: w, overlap, radius });
                }
                let vector = |column: &[[f64; 4]]| {
                    column.get(place).map_or((DVec3::ZERO, 1.0), |row| (DVec3::new(row[0], row[1], row[2]), row[3]))
                };
                let ((velocity, inverse_mass), (spin, _)) = (vector(bodies.velocity), vector(bodies.spin));
                let velocity = wall.velocity - velocity - arm * spin.cross(normal);
                let mass = inverse_mass.recip();
                let key = [w as u32, body];
                let found = self.committed.binary_search_by_key(&key, |&(key, _)| key);
                let mut memory = found.map_or_else(|_| M::default(), |at| self.committed[at].1);
                let (law, tangential) = laws.at_wall(body, w);
                let touch = Touch { normal, overlap, radius, mass, velocity, spin: -spin, side: 1.0, elapsed };
                let push = push(law, tangential, law.is_capped(), &touch, &mut memory);
                if size_of::<M>() > 0 {
                    self.pending.push((key, memory));
                }
                let force = push.total(normal);
                let lost = push.dissipative(normal);
                self.pushes.push(WallPush {
                    place: place as u32,
                    force: -force,
                    torque: -arm * normal.cross(push.tangential) - push.couple,
                    dissipative: -lost,
                });
                dissipative += lost;
                load.force += force;
                load.torque += (position + arm * normal - origin).cross(force) + push.couple;
                load.contacts += 1;
            }
            self.pending_loads[w] = load;
            self.dissipative[w] = dissipative;
        }
        self.pending.sort_unstable_by_key(|&(key, _)| key);
        Ok(())
    }

    /// What is committed of the contact of a body with wall `wall`.
    #[inline]
    pub(crate) fn remembered(&self, wall: usize, body: u32) -> M {
        if size_of::<M>() == 0 {
            return M::default();
        }
        let found = self.committed.binary_search_by_key(&[wall as u32, body], |&(key, _)| key);
        found.map_or_else(|_| M::default(), |at| self.committed[at].1)
    }

    /// What is to be committed next.
    pub(crate) fn set_pending(&mut self, pending: ByWall<M>) {
        self.pending = pending;
    }

    pub(crate) fn commit(&mut self) {
        std::mem::swap(&mut self.committed, &mut self.pending);
        self.loads.copy_from_slice(&self.pending_loads);
    }

    /// Finds the bodies near each wall, unless those known are still all that can touch it.
    fn find_near(&mut self, list: &NeighborList, time: f64) {
        let moved = |wall: &Wall| wall.velocity.length() * (time - self.time).abs() > 0.5 * list.skin();
        if self.list == Some(list.builds()) && !self.walls.iter().any(moved) {
            return;
        }
        (self.list, self.time) = (Some(list.builds()), time);
        // Until the next search a body moves at most by the skin and a wall by half of it.
        let reach = 1.5 * list.skin();
        for (wall, near) in self.walls.iter().zip(&mut self.near) {
            let origin = wall.point_at(time);
            let close = |body: u32, &[x, y, z, radius]: &[f64; 4]| {
                // Two infinite masses do not touch: their reduced mass is infinite too.
                radius > 0.0
                    && (DVec3::new(x, y, z) - origin).dot(wall.normal) <= radius + reach
                    && list.fixed().binary_search(&(body as usize)).is_err()
            };
            near.clear();
            let places = (0_u32..).zip(list.order().iter().zip(list.packed()));
            near.extend(places.filter(|(_, (body, row))| close(**body, row)).map(|(place, _)| place));
        }
    }
}
