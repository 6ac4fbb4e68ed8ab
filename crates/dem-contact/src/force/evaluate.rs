//! One evaluation of the contact forces: list, motions, sums by tile, and their scatter to the bodies.
//!
//! An evaluation commits nothing, so it can be repeated with the same bits.

use rrp_geom::glam::DVec3;
use rrp_integrate::{Bodies, State, VectorColumn, Wrenches};
use rrp_parallel::{ExactSum, Parts, PerPart, Pool, for_each_part};

use crate::error::DemError;
use crate::error::contact::ContactError;
use crate::error::parameter::not_negative;
use crate::force::ContactForce;
use crate::force::box_load::{BoxLoadParts, ImageSums};
use crate::force::deepest_overlap::DeepestOverlap;
use crate::force::histories::ListedHistories;
use crate::force::tiles::kernel::{self, PairTotals};
use crate::force::tiles::scene::{Images, LawNeeds, Motion, Needs, Spheres};
use crate::force::tiles::scratch::TileScratch;
use crate::force::tiles::sums::{Row, Sums};
use crate::force::wall_forces::WallForces;
use crate::force::wall_forces::tile_walls::{WallScene, WallScratch};
use crate::force::wall_forces::wall_sums::WallSums;
use crate::force::work::{NotOnBodies, WorkBook, WorkingMotion};
use crate::force::work_record::EvaluationParts;
use crate::neighbor::tracked::TrackedList;

/// Motions and forces of the last evaluation in the order of the tiles, and scratch memory that evaluations reuse.
#[derive(Debug, Clone, Default)]
pub(super) struct Evaluation {
    /// Velocities, spins, radii and reciprocal masses of the bodies; empty if all contact forces are elastic.
    pub(super) motion: Vec<Motion>,
    /// Forces and torques on the bodies, in the order of the tiles.
    pub(super) sums: Sums<Vec<Row>>,
    /// Sums over contacts with periodic images, for the load on the box.
    by_images: ImageSums,
    /// Energy in J that springs of contacts between bodies store, by tile.
    stored_in_pairs: Vec<f64>,
    scratch: Pool<ThreadScratch>,
}

/// Scratch memory of one thread, for the pairs and for the wall contacts of a tile.
#[derive(Debug, Default)]
struct ThreadScratch {
    tile: TileScratch,
    walls: WallScratch,
}

/// Results of evaluating the contacts of one tile, in addition to the forces on its bodies.
#[derive(Debug, Default)]
struct TileOutcome {
    totals: PairTotals,
    /// Load of the tile's bodies on each wall, by wall number; empty if there are no walls.
    loads: Vec<WallSums>,
}

/// Centres and contact forces of all bodies, in the order of the list.
pub(crate) struct CentresAndForces<'a> {
    /// Centres, and the radius as the fourth number, in m.
    pub(crate) centres: &'a mut [[f64; 4]],
    /// Contact forces in N.
    pub(crate) forces: &'a mut [[f64; 4]],
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
        state.check_columns(bodies)?;
        self.setup.check(bodies)?;
        self.check_radii(bodies)?;
        out.check_length(self.list.own_bodies(bodies.len()))?;
        not_negative("the time since the committed state", elapsed)?;
        self.list.set_time(state.time())?;
        if self.walls.have_images() {
            self.list.domain().check_at_rest("walls of finite shape")?;
        }
        self.describe_bodies(bodies);
        self.list.set_range(self.setup.range(bodies));
        if !self.list.follow(bodies.radius(), state.position())? {
            self.histories.carry(&self.setup.laws);
            self.work.iter_mut().for_each(WorkBook::leave_list);
            // Free the memory of the old list before the new list is made.
            (self.evaluation.motion, self.evaluation.sums) = (Vec::new(), Sums::default());
            self.list.replace(bodies.radius(), state.position())?;
        }
        self.follow_list();
        let needs = self.setup.needs(bodies, elapsed, self.work.is_some());
        self.read_motion(&needs, bodies, state);
        // In a box that deforms, centres may be those of images, whose velocities differ from those of the bodies.
        let moved = elapsed > 0.0 && !self.list.current.domain.is_deforming();
        self.sum_tiles(&needs, state.time(), moved.then(|| state.velocity()))?;
        self.setup.note_radii(bodies);
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

    /// Tells the list which bodies are fixed, and their materials.
    pub(crate) fn describe_bodies(&mut self, bodies: &Bodies) {
        self.list.set_fixed(bodies.fixed());
        self.list.set_kinds(&self.setup.laws.of_body);
    }

    /// Reads velocities, radii, reciprocal masses and spins of the bodies, in the order of the tiles, if contact forces
    /// depend on them.
    fn read_motion(&mut self, needs: &Needs, bodies: &Bodies, state: &State) {
        let Self { list, evaluation: Evaluation { motion, .. }, .. } = self;
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
        for (body, spin) in self.setup.fixed_spins.iter() {
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
    fn sum_tiles(&mut self, needs: &Needs, time: f64, velocity: Option<&VectorColumn>) -> Result<(), DemError> {
        let Self { list, setup, walls, histories, evaluation, .. } = self;
        let Evaluation { motion, sums, scratch, .. } = evaluation;
        let laws = &setup.laws;
        let TrackedList { tiling, domain, position, path, .. } = &list.current;
        let images = Images::of(domain, self.box_loads.is_watched);
        sums.resize(tiling.len(), needs.motion, needs.dissipative);
        let spheres = Spheres { order: &tiling.order, position, motion, images: &images };
        let law_needs: Vec<LawNeeds> = laws.pairs.all().iter().map(|law| LawNeeds::of(law.traits(), needs)).collect();
        let (all_walls, near) = walls.near_bodies(list);
        let moving = WallForces::moving(all_walls, list, needs, time)?;
        let spheres = &spheres;
        let law_needs = &law_needs[..];
        let scene = WallScene { laws, law_needs, walls: &moving, felt: &setup.felt, list, spheres, needs, velocity };
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
            *outcome = scratch.with(|ThreadScratch { tile: scratch, walls: of_walls }| {
                scratch.fill(tile, spheres, needs.dissipative);
                let totals = kernel::evaluate(laws, law_needs, spheres.images, needs, tile, pairs, scratch)?;
                if totals.is_too_deep {
                    return Ok(TileOutcome { totals, loads: Vec::new() });
                }
                let loads = scene.evaluate(&part.rows, path[part.index], near, at_walls, scratch, of_walls)?;
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
            self.evaluation.by_images = ImageSums {
                forces: [0, 1].map(|k| [0, 1, 2, 3].map(|j| forces(k, j))),
                stiffness: [0, 1, 2].map(stiffness),
            };
        }
        self.evaluation.stored_in_pairs.clear();
        self.evaluation.stored_in_pairs.extend(outcomes.iter().map(|tile| tile.totals.stored));
        self.walls.sum_loads(outcomes.into_iter().map(|tile| tile.loads).collect());
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
        let Sums { force, torque, .. } = &self.evaluation.sums;
        for (column, sums) in [(&mut out.force, force), (&mut out.torque, torque)] {
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
        let Evaluation { sums, by_images, .. } = &self.evaluation;
        let parts = is_read.then(|| BoxLoadParts::new(list, state, sums, by_images));
        self.box_loads.read(&list.domain, parts);
    }

    fn record_work(&mut self, bodies: &Bodies, state: &State, elapsed: f64) {
        let Some(book) = &mut self.work else { return };
        let TrackedList { tiling, domain, .. } = &self.list.current;
        let Evaluation { motion, sums, stored_in_pairs, .. } = &self.evaluation;
        let rows = (!domain.is_deforming()).then_some(&motion[..]);
        let motion = WorkingMotion { bodies, state, fixed_spins: &self.setup.fixed_spins, rows };
        if self.list.is_of_subdomain {
            let others = EvaluationParts::of_others(elapsed, &self.walls.of_tiles, stored_in_pairs);
            let box_load = self.box_loads.parts.clone();
            let parts = EvaluationParts { box_load, box_speeds_at_end: domain.speeds(), ..others };
            return book.record_parts(&motion, tiling, sums, parts);
        }
        let others = NotOnBodies {
            stored: ExactSum::of(stored_in_pairs.iter().copied()) + self.walls.stored,
            is_hysteretic: self.setup.laws.are_hysteretic(),
            walls: &self.walls.powers,
            by_box: self.box_loads.pending.powers(domain.speeds()),
        };
        book.record(&motion, elapsed, tiling, sums, &others);
    }

    /// Computes the contact forces at the present centres in the list, with walls in their poses at time zero.
    /// `velocity` has the velocity (m/s) and the reciprocal mass (1/kg) of each body, in the order of the list; if it
    /// is `None`, contacts are not damped. Bodies have no spins. `radius` is the common radius (m) of all bodies;
    /// `None` if radii differ.
    ///
    /// # Errors
    /// Errors of [`sum_tiles`](Self::sum_tiles).
    pub(crate) fn evaluate_for_relaxation(
        &mut self,
        radius: Option<f64>,
        velocity: Option<&[[f64; 4]]>,
    ) -> Result<(), DemError> {
        let needs = Needs { motion: velocity.is_some(), ..Needs::of(&self.setup.laws, radius, 0.0) };
        let bodies = velocity.unwrap_or_default().iter().zip(&self.list.current.position);
        self.evaluation.motion.clear();
        self.evaluation.motion.extend(bodies.map(|(&[x, y, z, inverse_mass], &[.., radius])| Motion {
            velocity: [x, y, z, radius],
            spin: [0.0, 0.0, 0.0, inverse_mass],
        }));
        self.sum_tiles(&needs, 0.0, None)
    }

    /// Centres and contact forces of all bodies, which dynamic relaxation moves.
    pub(crate) fn centres_and_forces(&mut self) -> CentresAndForces<'_> {
        CentresAndForces { centres: &mut self.list.current.position, forces: &mut self.evaluation.sums.force }
    }
}
