//! One evaluation of the contact forces: list, motions, sums by tile, and their scatter to the bodies.
//!
//! An evaluation commits nothing, so it can be repeated with the same bits.

use rrp_geom::glam::DVec3;
use rrp_integrate::{Bodies, State, VectorColumn, Wrenches};
use rrp_parallel::{ExactSum, Parts, PerPart, for_each_part};

use crate::error::DemError;
use crate::error::contact::ContactError;
use crate::error::parameter::not_negative;
use crate::force::ContactForce;
use crate::force::box_load::{BoxLoadParts, ImageSums};
use crate::force::deepest_overlap::DeepestOverlap;
use crate::force::histories::ListedHistories;
use crate::force::tiles::kernel::{self, PairTotals};
use crate::force::tiles::scene::{Images, LawNeeds, Motion, Needs, Spheres};
use crate::force::tiles::sums::Sums;
use crate::force::wall_forces::WallForces;
use crate::force::wall_forces::tile_walls::WallScene;
use crate::force::wall_forces::wall_sums::WallSums;
use crate::force::work::{NotOnBodies, WorkBook, WorkingMotion};
use crate::force::work_record::EvaluationParts;
use crate::neighbor::tracked::TrackedList;

/// Results of evaluating the contacts of one tile, in addition to the forces on its bodies.
#[derive(Debug, Default)]
struct TileOutcome {
    totals: PairTotals,
    /// Load of the tile's bodies on each wall; empty if the tile has no wall contacts.
    loads: Vec<WallSums>,
}

impl ContactForce {
    /// Adds the contact forces (N) and torques (N m) at `state` to `out`; `elapsed` is the time (s) since the accepted
    /// state. For contacts of one rank, `out` has the bodies that the rank owns.
    ///
    /// # Errors
    /// Columns, materials or wrenches of a wrong length, bodies none of which can touch anything, a spin of a body that
    /// is not fixed, a negative `elapsed`, an overlap of a radius or more, a centre that went through a wall, and the
    /// errors of [`NeighborList::update`](crate::neighbor::NeighborList::update). `out` is then unchanged.
    pub(super) fn evaluate(
        &mut self,
        bodies: &Bodies,
        state: &State,
        elapsed: f64,
        out: &mut Wrenches,
    ) -> Result<(), DemError> {
        let needs = self.needs(bodies, elapsed);
        state.check_columns(bodies)?;
        self.laws.check_bodies(bodies.len())?;
        self.felt.check_bodies(bodies.len())?;
        self.fixed_spins.check(bodies)?;
        self.check_radii(bodies)?;
        out.check_length(self.list.own_bodies(bodies.len()))?;
        not_negative("the time since the committed state", elapsed)?;
        self.list.set_time(state.time())?;
        if self.walls.have_images() {
            self.list.domain().check_at_rest("walls of finite shape")?;
        }
        self.list.set_fixed(bodies.fixed());
        self.list.set_kinds(&self.laws.of_body);
        self.list.set_range(self.range(bodies));
        if !self.list.follow(bodies.radius(), state.position())? {
            self.histories.carry(&self.laws);
            self.work.iter_mut().for_each(WorkBook::leave_list);
            // Free the memory of the old list before the new list is made.
            (self.motion, self.sums) = (Vec::new(), Sums::default());
            self.list.replace(bodies.radius(), state.position())?;
        }
        self.histories.follow(&self.list, &self.laws);
        self.read_motion(&needs, bodies, state);
        // In a box that deforms, centres may be those of images, whose velocities differ from those of the bodies.
        let moved = elapsed > 0.0 && !self.list.current.domain.is_deforming();
        self.sum_tiles(&needs, state.time(), moved.then(|| state.velocity()))?;
        self.note_radii(bodies);
        self.scatter(out);
        self.read_box_load(state);
        self.record_work(bodies, state, elapsed);
        if elapsed <= 0.0 {
            self.list.accept();
            self.histories.accept();
            self.walls.show_loads();
            self.box_loads.commit();
        }
        Ok(())
    }

    /// Checks that some free body has a radius, if there are free bodies. One rank of several checks nothing, since the
    /// bodies with a radius may be on other ranks.
    fn check_radii(&self, bodies: &Bodies) -> Result<(), DemError> {
        let mut free = bodies.radius().iter().zip(bodies.mass().iter()).filter(|(_, mass)| mass.is_finite());
        if self.list.is_of_subdomain || bodies.len() == bodies.fixed().len() || free.any(|(radius, _)| *radius > 0.0) {
            return Ok(());
        }
        Err(DemError::Contact(ContactError::NothingCanTouch { free: bodies.len() - bodies.fixed().len() }))
    }

    fn needs(&self, bodies: &Bodies, elapsed: f64) -> Needs {
        let radius = bodies.radius().uniform().filter(|_| !self.radii_differ);
        let needs = Needs::of(&self.laws, radius, elapsed);
        let has_ledger = needs.motion && self.work.is_some();
        let energy = has_ledger && (needs.hysteretic || self.laws.remember());
        Needs { dissipative: has_ledger, energy, largest_radius: self.largest_radius_of(bodies), ..needs }
    }

    fn largest_radius_of(&self, bodies: &Bodies) -> f64 {
        if !self.laws.act_at_a_distance() {
            return 0.0;
        }
        bodies.radius().iter().fold(self.largest_radius, |largest, &radius| largest.max(radius))
    }

    pub(super) fn range(&self, bodies: &Bodies) -> f64 {
        if self.laws.act_at_a_distance() { self.laws.range(self.largest_radius_of(bodies)) } else { 0.0 }
    }

    /// Reads velocities, radii, reciprocal masses and spins of the bodies, in the order of the tiles, if contact forces
    /// depend on them.
    fn read_motion(&mut self, needs: &Needs, bodies: &Bodies, state: &State) {
        let Self { list, motion, .. } = self;
        motion.resize(if needs.motion { bodies.len() } else { 0 }, Motion::default());
        let TrackedList { tiling, domain, position, .. } = &list.current;
        let inverse_mass = bodies.inverse_mass();
        for_each_part(Parts::of(&tiling.ends), &mut motion[..], &|tile, motion| {
            let spheres = tiling.order[tile.rows.clone()].iter().zip(&position[tile.rows]);
            for (row, (&number, &[.., radius])) in motion.iter_mut().zip(spheres) {
                let i = number as usize;
                let velocity = state.velocity().get(i);
                let spin = state.spin(bodies, i);
                row.velocity = velocity.extend(radius).to_array();
                row.spin = spin.extend(inverse_mass[i]).to_array();
            }
        });
        for (body, spin) in self.fixed_spins.iter() {
            if let Some(row) = tiling.place.get(body).and_then(|&place| motion.get_mut(place as usize)) {
                row.spin = spin.extend(row.spin[3]).to_array();
            }
        }
        if domain.is_deforming() {
            // The loop needs the velocities of the images in the list, not those of the bodies.
            for (row, (&body, at)) in motion.iter_mut().zip(tiling.order.iter().zip(position)) {
                let shift = state.position().get(body as usize) - DVec3::from_slice(&at[..3]);
                let velocity = domain.image_velocity(shift);
                (0..3).for_each(|c| row.velocity[c] -= velocity[c]);
            }
        }
    }

    /// Sums the forces of pairs and walls on each body, tile by tile, for the centres and motions that were read last.
    /// Walls are in their poses of `time` (s). If a step ends now, `velocity` (m/s) has the velocities of the bodies in
    /// this step, by body number.
    ///
    /// # Errors
    /// An overlap of a radius or more, a centre that went through a wall, and errors of walls and laws.
    pub(crate) fn sum_tiles(
        &mut self,
        needs: &Needs,
        time: f64,
        velocity: Option<&VectorColumn>,
    ) -> Result<(), DemError> {
        let Self { list, laws, walls, felt, histories, motion, sums, scratch, .. } = self;
        let TrackedList { tiling, domain, position, path, .. } = &list.current;
        let images = Images::of(domain, self.box_loads.is_watched);
        sums.resize(tiling.len(), needs.motion, needs.dissipative);
        let spheres = Spheres { order: &tiling.order, position, motion, images: &images };
        let law_needs: Vec<LawNeeds> = laws.pairs.all().iter().map(|law| LawNeeds::of(law.traits(), needs)).collect();
        let (all_walls, near) = walls.near_bodies(list);
        let moving = WallForces::moving(all_walls, list, needs, time)?;
        let spheres = &spheres;
        let law_needs = &law_needs[..];
        let scene = WallScene { laws, law_needs, walls: &moving, felt, list, spheres, needs, velocity };
        let ListedHistories { pairs, walls: at_walls, .. } = &mut histories.listed;
        let mut outcomes: Vec<Result<TileOutcome, DemError>> =
            tiling.tiles.iter().map(|_| Ok(TileOutcome::default())).collect();
        let by_tile = (PerPart(pairs), PerPart(at_walls), PerPart(near), PerPart(&mut outcomes));
        let own = Parts::of(&tiling.ends[..tiling.own_tiles]);
        let output = (sums.as_parts(), by_tile);
        for_each_part(own, output, &|part, (mut sums, (pairs, at_walls, near, outcome))| {
            // Each of these slices has exactly one element, that of this tile.
            let ([pairs], [at_walls], [near], [outcome]) = (pairs.0, at_walls.0, near.0, outcome.0) else { return };
            let tile = &tiling.tiles[part.index];
            *outcome = scratch.with(|scratch| {
                scratch.fill(tile, spheres, needs.dissipative);
                let totals = kernel::evaluate(laws, law_needs, spheres.images, needs, tile, pairs, scratch)?;
                if totals.is_too_deep {
                    return Ok(TileOutcome { totals, loads: Vec::new() });
                }
                let loads = scene.evaluate(&part.rows, path[part.index], near, at_walls, scratch)?;
                scratch.write(&mut sums);
                Ok(TileOutcome { totals, loads })
            });
        });
        if outcomes.iter().flatten().any(|tile| tile.totals.is_too_deep) {
            return Err(self.deepest_pair());
        }
        let outcomes = outcomes.into_iter().collect::<Result<Vec<_>, _>>()?;
        if images.axes.is_some() {
            let forces = |k: usize, j: usize| outcomes.iter().map(|tile| tile.totals.by_images[k][j]).collect();
            let stiffness = |c: usize| outcomes.iter().map(|tile| tile.totals.stiffness_by_images[c]).collect();
            self.by_images = ImageSums {
                forces: [0, 1].map(|k| [0, 1, 2, 3].map(|j| forces(k, j))),
                stiffness: [0, 1, 2].map(stiffness),
            };
        }
        self.stored_in_pairs.clear();
        self.stored_in_pairs.extend(outcomes.iter().map(|tile| tile.totals.stored));
        self.walls.sum_loads(outcomes.into_iter().map(|tile| tile.loads).collect());
        self.stored = ExactSum::of(self.stored_in_pairs.iter().copied()) + self.walls.stored;
        Ok(())
    }

    fn deepest_pair(&self) -> DemError {
        let mut deepest = DeepestOverlap::new();
        let shifts = self.list.shifts();
        let position = self.list.position();
        let order = self.list.order();
        for ([a, b], code) in self.list.tiling().pairs() {
            let p = position[a];
            let q = position[b];
            let shift = shifts[code];
            let separation = DVec3::from_array(std::array::from_fn(|c| (q[c] - p[c]) + shift[c]));
            let bodies = [a, b].map(|place| order[place] as usize);
            deepest.offer_pair(bodies, p[3] + q[3] - separation.length(), p[3].min(q[3]));
        }
        deepest.into_error()
    }

    /// Adds the forces, which are in the order of the tiles, to the wrenches of the bodies, by body number; on one rank
    /// only to those of own bodies.
    fn scatter(&self, out: &mut Wrenches) {
        let place = self.list.place();
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

    fn read_box_load(&mut self, state: &State) {
        let is_read = self.box_loads.is_watched || self.list.current.domain.is_deforming();
        let list = &self.list.current;
        let parts = is_read.then(|| BoxLoadParts::new(list, state, &self.sums, &self.by_images));
        self.box_loads.read(&list.domain, parts);
    }

    fn record_work(&mut self, bodies: &Bodies, state: &State, elapsed: f64) {
        let Some(book) = &mut self.work else { return };
        let (sums, TrackedList { tiling, domain, .. }) = (&self.sums, &self.list.current);
        let rows = (!domain.is_deforming()).then_some(&self.motion[..]);
        let motion = WorkingMotion { bodies, state, fixed_spins: &self.fixed_spins, rows };
        if self.list.is_of_subdomain {
            let mut parts = EvaluationParts::of_others(elapsed, &self.walls.of_tiles, &self.stored_in_pairs);
            (parts.box_load, parts.box_speeds_at_end) = (self.box_loads.parts.clone(), domain.speeds());
            return book.record_parts(&motion, tiling, sums, parts);
        }
        let by_box = self.box_loads.pending.powers(domain.speeds());
        let is_hysteretic = self.laws.are_hysteretic();
        let others = NotOnBodies { stored: self.stored, is_hysteretic, walls: &self.walls.powers, by_box };
        book.record(&motion, elapsed, tiling, sums, &others);
    }
}
