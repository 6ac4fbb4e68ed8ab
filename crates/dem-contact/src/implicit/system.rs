//! The bodies of one implicit step in the order of the list, and the residual of its equations.

use pulp::{Arch, Simd, WithSimd};
use rrp_geom::glam::DVec3;
use rrp_integrate::{Bodies, State};

use crate::force::ContactForce;
use crate::force::old::pair_memory::Memories;
use crate::force::old::slots::Slots;
use crate::implicit::body_equations::{BodyEquations, NEAR, NeighborState};
use crate::implicit::step_matrix::StepMatrix;
use crate::implicit::weights::Setting;
use crate::law::contact_law::{ContactLaw, TangentialLaw};
use crate::parallel::blocks::Blocks;
use crate::parallel::fork_join::{PerBlock, all_blocks};
use crate::wall::Wall;

/// What bodies and walls bring into a step, bodies by place. The unknowns are `D` numbers for each place: the velocity V of
/// the step, and the spin Ω of it where `D` is 6.
#[derive(Debug, Clone, Default)]
pub(crate) struct StepSystem {
    /// Wrapped centres at the start, and radii.
    pub(crate) origin: Vec<[f64; 4]>,
    /// Velocities at the start and reciprocal masses, spins and reciprocal inertia.
    pub(crate) velocity: Vec<[f64; 4]>,
    pub(crate) spin: Vec<[f64; 4]>,
    /// What rounding took from the centres; empty where it is not kept.
    pub(crate) residue: Vec<[f64; 3]>,
    /// Impulses at the start that are known beforehand; empty if there are none.
    pub(crate) extra: Vec<[f64; 6]>,
    /// Largest distance of a centre at the start from where the list was made for it, in m.
    pub(crate) moved: f64,
    /// By wall: the plane that it is, if it is one; since the last evaluation.
    pub(crate) planes: Vec<Option<UniformPlane>>,
    /// One number for each block.
    far: Vec<f64>,
    sums: Vec<ResidualNorms>,
}

/// A wall that is a plane at a constant velocity, as it is at the start of a step.
#[derive(Debug, Clone, Copy)]
pub(crate) struct UniformPlane {
    /// Unit normal into the wall, and how far along it the plane is from the origin of coordinates, in m; velocity in m/s, world
    /// frame.
    pub(crate) normal: DVec3,
    pub(crate) height: f64,
    pub(crate) velocity: DVec3,
}

impl UniformPlane {
    /// The plane that the wall is at this time (s), if it is one.
    fn of(wall: &Wall, time: f64) -> Option<Self> {
        let placed = wall.placed(time);
        let (origin, out) = placed.plane().filter(|_| wall.is_uniform())?;
        Some(Self { normal: -out, height: origin.dot(-out), velocity: placed.velocity })
    }
}

/// What the evaluation says of all bodies.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct ResidualNorms {
    /// Σ |R|²/m.
    pub(crate) square: f64,
    /// The same with each body's part times the mean eigenvalue of what contacts add to its block of the Jacobian over
    /// its mass: over `square` it estimates how a plain iteration changes the residual, and falls short of that for pairs.
    pub(crate) feedback: f64,
    /// Largest residual and largest momentum or impulse, in kg m/s.
    pub(crate) residual: f64,
    pub(crate) scale: f64,
    /// What the rounding of separations does to a residual, at most.
    pub(crate) rounding: f64,
    /// Pairs and walls that overlap by a radius or more.
    pub(crate) deep: usize,
}

/// What is written for each place: the residual, the impulses over the whole step.
pub(crate) type Balance<'a, const D: usize> = (&'a mut [[f64; D]], &'a mut [[f64; D]]);

impl StepSystem {
    /// Reads the bodies at the start of a step in the order of the list, which is one of these bodies.
    pub(crate) fn load<L: ContactLaw, T: TangentialLaw>(
        &mut self,
        contacts: &ContactForce<L, T>,
        bodies: &Bodies,
        old: &State,
        kicked: &State,
        spins: bool,
    ) {
        let list = &contacts.list;
        let len = list.len();
        let (order, (reference, _), periods) = (list.order(), list.basis(), list.domain().periods());
        self.origin.resize(len, [0.0; 4]);
        self.velocity.resize(len, [0.0; 4]);
        self.spin.resize(if spins { len } else { 0 }, [0.0; 4]);
        self.far.resize(list.blocks().count(), 0.0);
        let output = (&mut self.origin[..], &mut self.velocity[..], &mut self.spin[..], PerBlock(&mut self.far[..]));
        all_blocks(len, output, &|first, count, (origin, velocity, spin, furthest)| {
            let mut far = 0.0_f64;
            for (k, &i) in order[first..first + count].iter().enumerate() {
                let i = i as usize;
                let (x, v) = (old.position().get(i), kicked.velocity().get(i));
                let from = DVec3::from_array(reference[i]);
                let turns = ((x - from) / periods).round();
                let image = DVec3::select(periods.cmpgt(DVec3::ZERO), periods * turns, DVec3::ZERO);
                let [cx, cy, cz] = (x - image).to_array();
                let square = (x - image - from).length_squared();
                // NaN, or another radius, counts as the furthest.
                let same = list.packed()[first + k][3].to_bits() == bodies.radius()[i].to_bits();
                far = if same && square <= f64::MAX { far.max(square) } else { f64::INFINITY };
                origin[k] = [cx, cy, cz, bodies.radius()[i]];
                velocity[k] = [v.x, v.y, v.z, bodies.inverse_mass()[i]];
                if let Some(spin) = spin.get_mut(k) {
                    let w = kicked.spin(bodies, i);
                    *spin = [w.x, w.y, w.z, bodies.inverse_inertia().get(i).x];
                }
            }
            if let Some(furthest) = furthest.0.first_mut() {
                *furthest = far;
            }
            true
        });
        self.moved = self.far.iter().fold(0.0_f64, |most, &far| most.max(far)).sqrt();
    }

    /// The largest speed; NaN counts as the largest.
    pub(crate) fn fastest<const D: usize>(&mut self, point: &[[f64; D]]) -> f64 {
        let larger = |most: f64, v: f64| if v > most || v.is_nan() { v } else { most };
        all_blocks(point.len(), PerBlock(&mut self.far[..]), &|first, count, fastest| {
            let squares = point[first..first + count].iter().map(|v| DVec3::from_slice(v).length_squared());
            let most = squares.fold(0.0, larger);
            fastest.0.iter_mut().for_each(|fastest| *fastest = most);
            true
        });
        self.far.iter().copied().fold(0.0, larger).sqrt()
    }

    /// Evaluates the residual, the impulses over the whole step and the matrix at `point`, with whatever contacts remember
    /// pending.
    pub(crate) fn evaluate<L: ContactLaw, T: TangentialLaw, M: StepMatrix<D>, const D: usize>(
        &mut self,
        contacts: &mut ContactForce<L, T>,
        setting: &Setting<'_>,
        point: &[[f64; D]],
        (residual, impulse): Balance<'_, D>,
        matrix: &mut M,
    ) -> ResidualNorms {
        let len = self.origin.len();
        let mut sums = std::mem::take(&mut self.sums);
        sums.clear();
        let cut = Blocks::of(len);
        sums.resize(cut.count(), ResidualNorms::default());
        let ContactForce { list, laws, walls, history: memory, .. } = contacts;
        self.planes.clear();
        self.planes.extend(walls.walls.iter().map(|wall| UniformPlane::of(wall, setting.time)));
        let (committed, pending) = memory.slots(list);
        let evaluation = BodyEquations::new(self, (&*list, &*laws, &*walls), setting, point, M::SLOPES);
        let (rows, own, diagonal) = matrix.parts(len);
        let output = (((residual, impulse), own), diagonal, PerBlock(rows), PerBlock(pending), PerBlock(&mut sums));
        all_blocks(len, output, &|first, count, (((residual, impulse), own), diagonal, rows, pending, sums)| {
            let ([rows], [sums]) = (rows.0, sums.0) else { return true };
            let [pending] = pending.0 else { return true };
            pending.clear(committed.slots(cut.at(first)));
            M::clear(rows);
            let output = Columns { residual, impulse, own, diagonal };
            let (evaluation, range, memory) = (&evaluation, (first, count), (committed, pending));
            if evaluation.is_elastic() {
                Arch::new().dispatch(BlockPass::<L, T, M, D, true> { evaluation, range, memory, output, rows, sums });
            } else {
                Arch::new().dispatch(BlockPass::<L, T, M, D, false> { evaluation, range, memory, output, rows, sums });
            }
            true
        });
        let total = sums.iter().fold(ResidualNorms::default(), |total, part| total.and(part));
        self.sums = sums;
        total
    }
}

/// What one block writes by place.
struct Columns<'a, O, G, const D: usize> {
    residual: &'a mut [[f64; D]],
    impulse: &'a mut [[f64; D]],
    own: &'a mut [O],
    diagonal: &'a mut [G],
}

/// The equations of one block of bodies; `ELASTIC` as for [`BodyEquations::place`].
struct BlockPass<'a, L, T: TangentialLaw, M: StepMatrix<D>, const D: usize, const ELASTIC: bool> {
    evaluation: &'a BodyEquations<'a, L, T, D>,
    /// The first place, and how many.
    range: (usize, usize),
    memory: (Memories<'a, T::History>, &'a mut Slots<T::History>),
    output: Columns<'a, M::Own, M::Diagonal, D>,
    rows: &'a mut M::Rows,
    sums: &'a mut ResidualNorms,
}

impl<L: ContactLaw, T: TangentialLaw, M: StepMatrix<D>, const D: usize, const ELASTIC: bool> WithSimd
    for BlockPass<'_, L, T, M, D, ELASTIC>
{
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Self { evaluation, range: (first, count), memory: (committed, pending), output, rows, sums } = self;
        let mut near = [NeighborState::default(); NEAR];
        for k in 0..count {
            let memory = (committed, &mut *pending);
            let row = evaluation.place::<M, ELASTIC>((first, k), memory, (&mut *rows, &mut near), sums);
            ((output.residual[k], output.impulse[k]), (output.own[k], output.diagonal[k])) = row;
            M::end_row(rows);
        }
    }
}

impl ResidualNorms {
    /// The largest residual that is small enough.
    pub(crate) fn allowed(&self, tolerance: f64) -> f64 {
        (tolerance * self.scale).max(self.rounding)
    }

    pub(crate) fn is_solved(&self, tolerance: f64) -> bool {
        self.residual <= self.allowed(tolerance) && self.square.is_finite()
    }

    /// Those of two parts; NaN counts as the largest.
    fn and(self, other: &Self) -> Self {
        let larger = |a: f64, b: f64| if b > a || b.is_nan() { b } else { a };
        Self {
            square: self.square + other.square,
            feedback: self.feedback + other.feedback,
            residual: larger(self.residual, other.residual),
            scale: larger(self.scale, other.scale),
            rounding: larger(self.rounding, other.rounding),
            deep: self.deep + other.deep,
        }
    }
}
