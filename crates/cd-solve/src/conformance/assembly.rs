use crate::error::SolveError;
use crate::problem::body_blocks::BodyBlocks;
use crate::problem::compatibility::CompatibilityProblem;
use crate::problem::contact_jacobian::{BodyPair, ContactJacobian};
use crate::problem::delassus::Delassus;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Test case: bodies of unit mass with contacts and a load, for complementarity and compatibility problems.
#[derive(Debug, Clone, PartialEq)]
pub struct Assembly {
    /// Number D of coordinates per body of the assembly, 3 or 6.
    pub dof: usize,
    /// Number of free bodies of the assembly.
    pub bodies: usize,
    /// Numbers of the two bodies of each contact, `None` for a fixed body.
    pub pairs: Vec<BodyPair>,
    /// Gradient of the gap of each contact: 2 D numbers, those of the first body, then those of the second.
    pub coefficients: Vec<f64>,
    /// Gap over time step, Φ/dt, of each contact: a velocity.
    pub gap: Vec<f64>,
    /// Load F = Bᵀ f that the contact forces f have to balance, D numbers per body.
    pub load: Vec<f64>,
    /// Stiffness of each contact, as for [`CompatibilityProblem::new`].
    pub stiffness: Vec<f64>,
}

impl Assembly {
    /// Makes an assembly of `bodies` bodies of `dof` coordinates each, with neither contacts nor load.
    #[must_use]
    pub fn new(dof: usize, bodies: usize) -> Self {
        Self {
            dof,
            bodies,
            pairs: Vec::new(),
            coefficients: Vec::new(),
            gap: Vec::new(),
            load: vec![0.0; dof * bodies],
            stiffness: Vec::new(),
        }
    }

    /// Adds a contact of unit stiffness and zero gap between two spheres.
    ///
    /// # Panics
    /// Unless a body has three coordinates.
    pub fn push(&mut self, pair: BodyPair, normal: [f64; 3]) {
        assert_eq!(self.dof, 3, "a sphere has three coordinates");
        self.pairs.push(pair);
        self.coefficients.extend(normal.map(|x| -x));
        self.coefficients.extend(normal);
        self.gap.push(0.0);
        self.stiffness.push(1.0);
    }

    /// Number of contacts of the assembly.
    #[must_use]
    pub fn contacts(&self) -> usize {
        self.pairs.len()
    }

    /// Makes the contact Jacobian; bodies with three coordinates count as spheres, which is faster.
    ///
    /// # Errors
    /// As [`ContactJacobian::new`].
    pub fn jacobian(&self) -> Result<ContactJacobian, SolveError> {
        if self.dof != 3 {
            return ContactJacobian::new(self.dof, self.bodies, &self.pairs, &self.coefficients);
        }
        let normals: Vec<[f64; 3]> = self.coefficients.chunks_exact(6).map(|row| [row[3], row[4], row[5]]).collect();
        ContactJacobian::spheres(self.bodies, &self.pairs, &normals)
    }

    /// Makes unit inverse masses for all bodies.
    ///
    /// # Errors
    /// As [`BodyBlocks::scalar`].
    pub fn inverse_mass(&self) -> Result<BodyBlocks, SolveError> {
        BodyBlocks::scalar(self.dof, vec![1.0; self.bodies])
    }

    /// Computes the offset b = Φ/dt − B W F of the complementarity problem with the matrix `delassus` = B W Bᵀ: contact
    /// Jacobian B, inverse masses W, gaps Φ and load F of bodies at rest.
    ///
    /// # Errors
    /// [`SolveError::LengthMismatch`] if the operator has other numbers of bodies or contacts.
    pub fn offset(&self, delassus: &Delassus<'_>) -> Result<Vec<f64>, SolveError> {
        let jacobian = delassus.jacobian();
        crate::error::check_length("loads", &self.load, jacobian.columns())?;
        crate::error::check_length("gaps", &self.gap, jacobian.contacts())?;
        let mut velocity = self.load.clone();
        crate::problem::contact_jacobian::with_rows!(jacobian, rows => rows.accelerate(delassus.inverse_mass(), &mut velocity));
        let mut offset = vec![0.0; jacobian.contacts()];
        jacobian.apply(&velocity, &mut offset)?;
        offset.iter_mut().zip(&self.gap).for_each(|(b, gap)| *b = gap - *b);
        Ok(offset)
    }

    /// Poses the [`CompatibilityProblem`] of this load and these stiffnesses with the contact Jacobian `jacobian`.
    ///
    /// # Errors
    /// As [`CompatibilityProblem::new`].
    pub fn problem<'a>(
        &'a self,
        jacobian: &'a ContactJacobian,
        exponent: f64,
    ) -> Result<CompatibilityProblem<'a>, SolveError> {
        CompatibilityProblem::new(jacobian, &self.load, &self.stiffness, exponent)
    }

    /// Returns the assembly with its contacts in the order `contacts`, and with the number `names[i]` for body i.
    ///
    /// # Panics
    /// Unless both slices are permutations, of the contacts and of the bodies.
    #[must_use]
    pub fn renumbered(&self, contacts: &[usize], names: &[usize]) -> Self {
        let dof = self.dof;
        let row = 2 * self.dof;
        let mut load = vec![0.0; self.load.len()];
        for (body, &name) in names.iter().enumerate() {
            load[name * dof..(name + 1) * dof].copy_from_slice(&self.load[body * dof..(body + 1) * dof]);
        }
        Self {
            dof,
            bodies: self.bodies,
            pairs: contacts.iter().map(|&i| self.pairs[i].map(|body| body.map(|body| names[body]))).collect(),
            coefficients: contacts.iter().flat_map(|&i| &self.coefficients[i * row..(i + 1) * row]).copied().collect(),
            gap: contacts.iter().map(|&i| self.gap[i]).collect(),
            load,
            stiffness: contacts.iter().map(|&i| self.stiffness[i]).collect(),
        }
    }

    /// Makes the rigid beam of `[OK18]` section 8: ten units of weight on three supports. The contact stiffness is
    /// `ratio` in the middle and one at the ends; the length is one. Contacts move the third and fifth of six
    /// coordinates, height and angle.
    #[must_use]
    pub fn beam(ratio: f64) -> Self {
        let mut coefficients = Vec::new();
        for arm in [-0.5, 0.0, 0.5] {
            coefficients.extend([0.0; 6]);
            coefficients.extend([0.0, 0.0, 1.0, 0.0, arm, 0.0]);
        }
        Self {
            pairs: vec![[None, Some(0)]; 3],
            coefficients,
            gap: vec![0.0; 3],
            load: vec![0.0, 0.0, 10.0, 0.0, 0.0, 0.0],
            stiffness: vec![1.0, ratio, 1.0],
            ..Self::new(6, 1)
        }
    }

    /// Makes a perturbed lattice of spheres with random contacts, stiffnesses (½ to 2), gaps (half of the contacts are
    /// closed) and a load that some contact forces balance. The lattice rests on a floor, unless `free`.
    #[must_use]
    pub fn random(cells: [usize; 3], free: bool, seed: u64) -> Self {
        let [nx, ny, nz] = cells;
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut assembly = Self::new(3, nx * ny * nz);
        let centre: Vec<[f64; 3]> = (0..assembly.bodies)
            .map(|i| [i / (ny * nz), i / nz % ny, i % nz].map(|x| x as f64 + 0.3 * random.random_range(-1.0..1.0)))
            .collect();
        for i in 0..assembly.bodies {
            let cell = [i / (ny * nz), i / nz % ny, i % nz];
            if cell[2] == 0 && !free {
                assembly.push(
                    [None, Some(i)],
                    unit([0.2 * random.random_range(-1.0..1.0), 0.2 * random.random_range(-1.0..1.0), 1.0]),
                );
            }
            for step in [[0, 0, 1], [0, 1, 0], [1, 0, 0], [0, 1, 1], [1, 0, 1], [1, 1, 0], [1, 1, 1]] {
                let next: [usize; 3] = std::array::from_fn(|d| cell[d] + step[d]);
                if (0..3).all(|d| next[d] < cells[d]) && random.random::<f64>() < 0.7 {
                    let j = (next[0] * ny + next[1]) * nz + next[2];
                    let normal = unit(std::array::from_fn(|d| centre[j][d] - centre[i][d]));
                    // The result must not depend on which body comes first.
                    if random.random::<f64>() < 0.5 {
                        assembly.push([Some(i), Some(j)], normal);
                    } else {
                        assembly.push([Some(j), Some(i)], normal.map(|x| -x));
                    }
                }
            }
        }
        for contact in 0..assembly.contacts() {
            assembly.stiffness[contact] = 0.5 + 1.5 * random.random::<f64>();
            assembly.gap[contact] = random.random_range(-1.0_f64..1.0).max(0.0);
            let force = random.random_range(-1.0_f64..1.0).max(0.0);
            let row = &assembly.coefficients[6 * contact..6 * contact + 6];
            for (side, body) in assembly.pairs[contact].into_iter().enumerate() {
                if let Some(body) = body {
                    (0..3).for_each(|d| assembly.load[3 * body + d] += force * row[3 * side + d]);
                }
            }
        }
        assembly
    }
}

impl<const D: usize, const K: usize> crate::problem::rows::Rows<D, K> {
    fn accelerate(&self, inverse_mass: &BodyBlocks, x: &mut [f64]) {
        for (body, x) in crate::problem::rows::chunks_mut::<D>(x).iter_mut().enumerate() {
            *x = inverse_mass.times(body, x);
        }
    }
}

fn unit(x: [f64; 3]) -> [f64; 3] {
    let norm = x.iter().map(|x| x * x).sum::<f64>().sqrt();
    x.map(|x| x / norm)
}
