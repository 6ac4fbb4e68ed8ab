//! One evaluation of the forces: list, motions, sums, and the way back to the bodies.

use rrp_geom::glam::DVec3;
use rrp_integrate::{Bodies, State, Wrenches};

use crate::error::DemError;
use crate::error::list::ListError;
use crate::error::parameter::not_negative;
use crate::force::deepest_overlap::DeepestOverlap;
use crate::force::tiles::TileForce;
use crate::force::tiles::kernel::{self, TileWork};
use crate::force::tiles::listed::{ListOrigin, ListScene, Listed};
use crate::force::tiles::scene::{Motion, Needs, Spheres};
use crate::law::contact_law::{ContactLaw, TangentialLaw};
use crate::neighbor::domain::Domain;
use crate::neighbor::image_shift::{INDEX_MASK, shifts};
use crate::neighbor::tiles::gather::ListLimits;
use crate::parallel::tiles::for_each_tile;

/// Checks that all centres are finite and inside of closed sides, and that their images can be counted.
fn check_centres(domain: &Domain, state: &State) -> Result<(), DemError> {
    for (body, position) in state.position().iter().enumerate() {
        domain.check_position(body, position)?;
        domain.check_wrapped(body, domain.inside(position))?;
    }
    Ok(())
}

impl<L: ContactLaw, T: TangentialLaw> TileForce<L, T> {
    /// The list and histories that the last evaluation used.
    pub(super) fn listed(&self) -> Option<&Listed<T::History>> {
        self.trial.as_ref().or(self.accepted.as_ref())
    }

    /// Whether forces depend on velocities.
    fn depend_on_motion(&self) -> bool {
        self.laws.dissipate()
    }

    /// Adds the forces (N) and torques (N m) at `state` to `out`.
    pub(super) fn evaluate(
        &mut self,
        bodies: &Bodies,
        state: &State,
        elapsed: f64,
        out: &mut Wrenches,
    ) -> Result<(), DemError> {
        self.check(bodies, state)?;
        out.check_length(bodies.len())?;
        not_negative("the time since the committed state", elapsed)?;
        self.trial = None;
        self.follow(bodies, state)?;
        self.read_motion(bodies, state);
        self.sum_pairs(bodies, elapsed)?;
        self.scatter(out);
        if elapsed <= 0.0 {
            // This is the committed state itself.
            self.accept();
        }
        Ok(())
    }

    /// Reads present centres, and makes a trial list if the accepted one does not hold for them.
    fn follow(&mut self, bodies: &Bodies, state: &State) -> Result<(), DemError> {
        let Self { domain, skin, ids, origin, accepted, trial, builds, position, .. } = self;
        let scene = ListScene { domain, skin: *skin, ids, bodies };
        if let Some(ListOrigin { centres, histories }) = origin {
            *accepted = Some(Listed::new(&scene, &|number| centres[number], histories)?);
            *origin = None;
        }
        let limits = ListLimits { domain, skin: *skin, keeps_inside: false };
        // Histories of other bodies have no meaning.
        let accepted = accepted.as_ref().filter(|listed| listed.tiling.len() == bodies.len());
        if let Some(listed) = accepted
            && *listed.fixed == *bodies.fixed()
            && listed.tiling.gather(&limits, bodies.radius(), state.position(), position)
        {
            return Ok(());
        }
        check_centres(domain, state)?;
        let committed = accepted.map(Listed::committed).unwrap_or_default();
        let wrapped = |number| domain.inside(state.position().get(number)).to_array();
        let listed = Listed::new(&scene, &wrapped, &committed)?;
        position.clear();
        position.extend_from_slice(listed.tiling.reference());
        *trial = Some(listed);
        *builds += 1;
        Ok(())
    }

    /// Checks that lists can be made for these bodies.
    fn check(&self, bodies: &Bodies, state: &State) -> Result<(), DemError> {
        let len = bodies.len();
        state.check_columns(bodies)?;
        self.laws.check_bodies(len)?;
        if len > INDEX_MASK as usize {
            return Err(DemError::List(ListError::TooManyBodies { bodies: len, limit: INDEX_MASK as usize }));
        }
        if !self.ids.is_empty() && self.ids.len() != len {
            return Err(DemError::LengthMismatch { what: "ids", expected: len, found: self.ids.len() });
        }
        if let Some(origin) = &self.origin
            && origin.centres.len() != len
        {
            return Err(DemError::LengthMismatch { what: "bodies", expected: origin.centres.len(), found: len });
        }
        let radius = bodies.radius();
        let largest = radius.uniform().unwrap_or_else(|| radius.iter().copied().fold(0.0, f64::max));
        self.domain.check_cutoff(2.0 * largest + self.skin)
    }

    /// Reads velocities, masses and spins by place, as far as forces depend on them.
    fn read_motion(&mut self, bodies: &Bodies, state: &State) {
        let moves = self.depend_on_motion();
        let Some(listed) = self.trial.as_ref().or(self.accepted.as_ref()) else { return };
        self.motion.resize(if moves { bodies.len() } else { 0 }, Motion::default());
        let order = listed.tiling.order();
        let mut slices = listed.slices(&mut self.motion);
        let ([vx, vy, vz], inverse_mass) = (state.velocity().slices(), bodies.inverse_mass());
        let ([lx, ly, lz], inverse_inertia) = (state.angular_momentum().slices(), bodies.inverse_inertia().spherical());
        for_each_tile(&mut slices, &|tile, motion| {
            let first = listed.tiling.tiles()[tile].places.start;
            for (row, &number) in motion.iter_mut().zip(&order[first..]) {
                let i = number as usize;
                row.velocity = [vx[i], vy[i], vz[i], inverse_mass[i]];
                row.spin = match inverse_inertia {
                    Some(inverse) => [lx[i] * inverse[i], ly[i] * inverse[i], lz[i] * inverse[i], 0.0],
                    None => {
                        let spin = state.spin(bodies, i);
                        [spin.x, spin.y, spin.z, 0.0]
                    }
                };
            }
        });
    }

    /// Sums the forces of all pairs, by place.
    fn sum_pairs(&mut self, bodies: &Bodies, elapsed: f64) -> Result<(), DemError> {
        self.sums.resize(bodies.len(), self.depend_on_motion(), false);
        let Some(Listed { tiling, histories, .. }) = self.trial.as_mut().or(self.accepted.as_mut()) else {
            return Ok(());
        };
        let needs = Needs::of(&self.laws, bodies.radius().uniform(), elapsed);
        let shifts = shifts(self.domain.periods());
        let spheres =
            Spheres { order: tiling.order(), position: &self.position, motion: &self.motion, shifts: &shifts };
        let mut rest = self.sums.as_parts();
        let mut works = Vec::with_capacity(histories.len());
        for (tile, history) in tiling.tiles().iter().zip(histories) {
            let (places, pairs) = (tile.places.clone(), &tile.pairs[..]);
            let sums = rest.split_off_front(places.len());
            works.push(TileWork { places, pairs, history, sums, is_too_deep: false });
        }
        for_each_tile(&mut works, &|_, work| kernel::evaluate(&self.laws, &spheres, &needs, work));
        let is_too_deep = works.iter().any(|work| work.is_too_deep);
        if is_too_deep { Err(self.deepest_pair()) } else { Ok(()) }
    }

    /// The error for the deepest pair.
    fn deepest_pair(&self) -> DemError {
        let (mut deepest, shifts) = (DeepestOverlap::new(), shifts(self.domain.periods()));
        let Some(Listed { tiling, .. }) = self.listed() else { return deepest.into_error() };
        for pair in tiling.tiles().iter().flat_map(|tile| &tile.pairs) {
            let [a, b] = pair.places();
            let (p, q, shift) = (self.position[a], self.position[b], shifts[pair.code()]);
            let separation = DVec3::from_array(std::array::from_fn(|c| (q[c] - p[c]) + shift[c]));
            let bodies = [a, b].map(|place| tiling.order()[place] as usize);
            deepest.offer_pair(bodies, p[3] + q[3] - separation.length(), p[3].min(q[3]));
        }
        deepest.into_error()
    }

    /// Adds the sums by place to the wrenches of the bodies.
    fn scatter(&self, out: &mut Wrenches) {
        let Some(listed) = self.listed() else { return };
        let place = listed.tiling.place();
        for (column, sums) in [(&mut out.force, &self.sums.force), (&mut out.torque, &self.sums.torque)] {
            if sums.is_empty() {
                continue;
            }
            let [x, y, z] = column.slices_mut();
            for (((x, y), z), &place) in x.iter_mut().zip(y).zip(z).zip(place) {
                let sum = sums[place as usize];
                (*x, *y, *z) = (*x + sum[0], *y + sum[1], *z + sum[2]);
            }
        }
    }

    pub(super) fn accept(&mut self) {
        if let Some(trial) = self.trial.take() {
            self.accepted = Some(trial);
        }
    }
}
