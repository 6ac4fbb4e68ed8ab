//! The contacts of a step as matrices and vectors, `[OK18] (16)`.

use cd_solve::{BodyBlocks, BodyPair, ContactJacobian, SolveError};
use rrp_geom::glam::{DMat3, DVec3};
use rrp_integrate::{Bodies, State};

use crate::contact_dynamics::detection::{DetectedContact, is_fixed};
use crate::contact_dynamics::motion::Velocities;

/// Velocity problem of a step without friction. Its unknowns, one for each column of the matrix B, are the velocity
/// components of the free bodies with contacts.
#[derive(Debug)]
pub(super) struct VelocityProblem {
    /// Matrix B, which maps velocities of bodies to rates of gaps.
    pub(super) map: ContactJacobian,
    /// Inverse masses and inertias times the step, dt M⁻¹, one block for each free body with contacts.
    pub(super) inverse_mass: BodyBlocks,
    /// Numbers of the free bodies with contacts, ascending, in the order of the columns of B.
    pub(super) members: Vec<usize>,
    /// Velocities that the free bodies with contacts would have after the step without contact forces, three or six
    /// components each.
    pub(super) free: Vec<f64>,
    /// Rate of each gap by the motion of fixed bodies and walls, in m/s.
    pub(super) driven: Vec<f64>,
    pub(super) gap_rate: Vec<f64>,
}

impl VelocityProblem {
    /// Poses the velocity problem of these contacts; `None` without contacts. `free` has the velocities that all bodies
    /// would have after the step without contact forces.
    pub(super) fn new(
        found: &[DetectedContact],
        bodies: &Bodies,
        state: &State,
        free: &Velocities,
        dt: f64,
    ) -> Result<Option<Self>, SolveError> {
        if found.is_empty() {
            return Ok(None);
        }
        let turning = found.iter().any(|found| {
            let free_lever = |side: usize, body: usize| found.levers[side] != DVec3::ZERO && !is_fixed(bodies, body);
            free_lever(0, found.contact.a) || !found.contact.with_wall && free_lever(1, found.contact.b)
        });
        let Members { members, pairs } = Members::of(found, bodies);
        let map = if turning {
            let coefficients: Vec<f64> = found.iter().flat_map(row).collect();
            ContactJacobian::new(6, members.len(), &pairs, &coefficients)?
        } else {
            let normals: Vec<[f64; 3]> = found.iter().map(|found| found.contact.normal.to_array()).collect();
            ContactJacobian::spheres(members.len(), &pairs, &normals)?
        };
        let inverse_mass = if turning {
            let blocks = members.iter().flat_map(|&body| block(bodies, state, body, dt)).collect();
            BodyBlocks::full(6, blocks)?
        } else {
            BodyBlocks::scalar(3, members.iter().map(|&body| dt * bodies.inverse_mass()[body]).collect())?
        };
        let gap_rate = found.iter().map(|found| found.contact.gap / dt).collect();
        let driven = found.iter().map(|found| driven(found, bodies, state)).collect();
        let free = columns(&members, free, turning);
        Ok(Some(Self { map, inverse_mass, members, free, driven, gap_rate }))
    }

    /// Computes the rates of the gaps of all contacts in m/s from velocities of the bodies.
    ///
    /// # Errors
    /// Errors of [`ContactJacobian`].
    pub(super) fn rates(&self, velocity: &Velocities) -> Result<Vec<f64>, SolveError> {
        self.rates_with(&self.columns(velocity), &self.driven)
    }

    /// Computes B v + `target` in m/s for each contact, where v are the [`free`](Self::free) velocities.
    ///
    /// # Errors
    /// Errors of [`ContactJacobian`].
    pub(super) fn offsets(&self, target: &[f64]) -> Result<Vec<f64>, SolveError> {
        self.rates_with(&self.free, target)
    }

    fn rates_with(&self, columns: &[f64], added: &[f64]) -> Result<Vec<f64>, SolveError> {
        let mut rates = vec![0.0; added.len()];
        self.map.apply(columns, &mut rates)?;
        rates.iter_mut().zip(added).for_each(|(rate, added)| *rate += added);
        Ok(rates)
    }

    /// Mean mass of the free bodies with contacts over the length `dt` of the step, in kg/s, as a scale for forces.
    pub(super) fn mean_mass(&self, bodies: &Bodies, dt: f64) -> f64 {
        self.members.iter().map(|&body| bodies.mass()[body]).sum::<f64>() / (dt * self.members.len().max(1) as f64)
    }

    /// Returns the velocities of free bodies with contacts, three components each, or six if bodies turn.
    pub(super) fn columns(&self, velocity: &Velocities) -> Vec<f64> {
        columns(&self.members, velocity, self.map.dof() == 6)
    }

    /// Writes velocities, three or six components for each free body with contacts, to `velocity`.
    pub(super) fn scatter(&self, columns: &[f64], velocity: &mut Velocities) {
        for (&body, block) in self.members.iter().zip(columns.chunks_exact(self.map.dof())) {
            velocity.linear[body] = DVec3::from_slice(block);
            if self.map.dof() == 6 {
                velocity.angular[body] = DVec3::from_slice(&block[3..]);
            }
        }
    }
}

/// Free bodies with contacts, and the two of them that meet at each contact.
#[derive(Debug)]
pub(super) struct Members {
    pub(super) members: Vec<usize>,
    /// Indices in `members` of both bodies of each contact; `None` for a fixed body or a wall.
    pub(super) pairs: Vec<BodyPair>,
}

impl Members {
    pub(super) fn of(found: &[DetectedContact], bodies: &Bodies) -> Self {
        let mut block_of = vec![None; bodies.len()];
        for DetectedContact { contact, .. } in found {
            for body in std::iter::once(contact.a).chain((!contact.with_wall).then_some(contact.b)) {
                block_of[body] = (!is_fixed(bodies, body)).then_some(0);
            }
        }
        let members: Vec<usize> = (0..bodies.len()).filter(|&body| block_of[body].is_some()).collect();
        members.iter().enumerate().for_each(|(block, &body)| block_of[body] = Some(block));
        let pairs = found
            .iter()
            .map(|DetectedContact { contact, .. }| {
                [block_of[contact.a], if contact.with_wall { None } else { block_of[contact.b] }]
            })
            .collect();
        Self { members, pairs }
    }
}

/// Returns the velocities of the bodies `members`, three components each, or six if bodies turn.
pub(super) fn columns(members: &[usize], velocity: &Velocities, turning: bool) -> Vec<f64> {
    let block = |&body: &usize| {
        let linear = velocity.linear[body].to_array();
        let angular = turning.then(|| velocity.angular[body].to_array());
        linear.into_iter().chain(angular.into_iter().flatten())
    };
    members.iter().flat_map(block).collect()
}

/// Returns a row of B, the gradient `−n, −r_a × n, n, r_b × n` of the gap by positions and angles of both bodies.
fn row(found: &DetectedContact) -> [f64; 12] {
    let (n, [a, b]) = (found.contact.normal, found.levers);
    let parts = [-n, -a, n, b];
    std::array::from_fn(|k| parts[k / 3][k % 3])
}

/// Returns dt M⁻¹ of one body: inverse mass and inverse inertia in the world frame, times the step.
pub(super) fn block(bodies: &Bodies, state: &State, body: usize, dt: f64) -> [f64; 36] {
    let inverse = bodies.inverse_inertia().get(body);
    let inverse_inertia = if inverse == DVec3::splat(inverse.x) {
        DMat3::from_diagonal(inverse)
    } else {
        let rotation = state.attitude().get(body).to_matrix();
        rotation * DMat3::from_diagonal(inverse) * rotation.transpose()
    };
    std::array::from_fn(|k| {
        let r = k / 6;
        let c = k % 6;
        match (r < 3, c < 3) {
            (true, true) if r == c => dt * bodies.inverse_mass()[body],
            // All entries come from one half of the matrix, so that the block is exactly symmetric.
            (false, false) => dt * inverse_inertia.col(r.min(c) - 3)[r.max(c) - 3],
            _ => 0.0,
        }
    })
}

/// Rate of a gap in m/s by the motion of a wall or of a fixed body, which keeps its velocity.
fn driven(found: &DetectedContact, bodies: &Bodies, state: &State) -> f64 {
    let contact = &found.contact;
    let along = |body: usize| if is_fixed(bodies, body) { state.velocity().get(body).dot(contact.normal) } else { 0.0 };
    if contact.with_wall { found.wall_rate } else { along(contact.b) - along(contact.a) }
}
