use rrp_geom::glam::DVec3;
use rrp_integrate::{Bodies, State};
use rrp_parallel::{Parts, PerPart, for_each_part};

use crate::force::ContactForce;
use crate::implicit::residual_norms::ResidualNorms;
use crate::util::numbers::larger;
use crate::wall::Wall;

/// Data of bodies and walls that the equations of a step depend on, bodies in the order of the neighbour list. The
/// unknowns are `D` numbers for each body: the velocity V of the step in m/s and, if `D` is 6, the spin Ω in rad/s.
#[derive(Debug, Clone, Default)]
pub(super) struct StepSystem {
    /// Centre of each body, wrapped into the domain, at the start of the step, and its radius, in m.
    pub(super) origin: Vec<[f64; 4]>,
    /// Velocity (m/s) of each body at the start of the step, and its reciprocal mass (1/kg).
    pub(super) velocity: Vec<[f64; 4]>,
    /// Spin (rad/s) of each body at the start of the step, and its reciprocal inertia; empty if bodies do not turn.
    pub(super) spin: Vec<[f64; 4]>,
    /// Rounding error of each centre at the start of the step, in m; empty if they are not kept.
    pub(super) compensation: Vec<[f64; 3]>,
    /// Impulse on each body that is computed before the solve (the half impulse of `DiscreteForm::Paper`): linear (kg
    /// m/s), then angular (kg m²/s). Empty for other forms and without dissipation.
    pub(super) known_impulse: Vec<[f64; 6]>,
    /// Largest displacement in m of a centre from the build of the neighbour list to the start of the step.
    pub(super) moved: f64,
    /// Plane of each wall at the start of the step, set by the last evaluation; `None` for other walls.
    pub(super) planes: Vec<Option<UniformPlane>>,
    /// Scratch memory for a maximum over bodies: one entry for each block of bodies.
    block_maximum: Vec<f64>,
    /// Scratch memory for the norms of the residual: one entry for each block of bodies.
    pub(super) block_norms: Vec<ResidualNorms>,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct UniformPlane {
    /// Unit normal into the wall, world frame.
    pub(super) normal: DVec3,
    /// Distance of the plane from the origin of coordinates along the normal, in m.
    pub(super) height: f64,
    pub(super) velocity: DVec3,
}

impl UniformPlane {
    /// Returns the plane of a wall at this time (s) if the wall is a plane of constant velocity.
    pub(super) fn of(wall: &Wall, time: f64) -> Option<Self> {
        let placed = wall.placed(time);
        let (origin, out) = placed.plane().filter(|_| wall.is_uniform())?;
        Some(Self { normal: -out, height: origin.dot(-out), velocity: placed.velocity })
    }
}

impl StepSystem {
    /// Reads the bodies before (`old`) and after (`kicked`) the first half kick, in the order of the list of
    /// `contacts`, which must be a list of these bodies. Spins are read if bodies turn.
    pub(super) fn load(&mut self, contacts: &ContactForce, bodies: &Bodies, old: &State, kicked: &State, turns: bool) {
        let list = contacts.list();
        let len = list.len();
        let order = list.order();
        let reference = &list.tiling().reference;
        let periods = list.domain().periods();
        self.origin.resize(len, [0.0; 4]);
        self.velocity.resize(len, [0.0; 4]);
        self.spin.resize(if turns { len } else { 0 }, [0.0; 4]);
        let blocks = Parts::blocks(len);
        self.block_maximum.resize(blocks.count(), 0.0);
        let maximum = PerPart(&mut self.block_maximum[..]);
        let output = (&mut self.origin[..], &mut self.velocity[..], &mut self.spin[..], maximum);
        for_each_part(blocks, output, &|part, (origin, velocity, spin, maximum)| {
            let mut furthest = 0.0_f64;
            for (k, place) in part.rows.enumerate() {
                let i = order[place] as usize;
                let x = old.position().get(i);
                let v = kicked.velocity().get(i);
                let from = DVec3::from_slice(&reference[place][..3]);
                let turns = ((x - from) / periods).round();
                let image = DVec3::select(periods.cmpgt(DVec3::ZERO), periods * turns, DVec3::ZERO);
                let [cx, cy, cz] = (x - image).to_array();
                let square = (x - image - from).length_squared();
                // NaN, or a changed radius, counts as the furthest.
                let same = list.position()[place][3].to_bits() == bodies.radius()[i].to_bits();
                furthest = if same && square <= f64::MAX { furthest.max(square) } else { f64::INFINITY };
                origin[k] = [cx, cy, cz, bodies.radius()[i]];
                velocity[k] = [v.x, v.y, v.z, bodies.inverse_mass()[i]];
                if let Some(spin) = spin.get_mut(k) {
                    let w = kicked.spin(bodies, i);
                    *spin = [w.x, w.y, w.z, bodies.inverse_inertia().get(i).x];
                }
            }
            maximum.0.fill(furthest);
        });
        self.moved = self.block_maximum.iter().fold(0.0_f64, |most, &furthest| most.max(furthest)).sqrt();
    }

    /// Largest speed in m/s of a body at the velocities `point`; NaN counts as the largest.
    pub(super) fn fastest<const D: usize>(&mut self, point: &[[f64; D]]) -> f64 {
        for_each_part(Parts::blocks(point.len()), PerPart(&mut self.block_maximum[..]), &|part, maximum| {
            let squares = point[part.rows].iter().map(|v| DVec3::from_slice(v).length_squared());
            maximum.0.fill(squares.fold(0.0, larger));
        });
        self.block_maximum.iter().copied().fold(0.0, larger).sqrt()
    }
}
