use crate::error::{MatrixError, SolveError};
use crate::friction::contact_map::ContactMap;
use crate::friction::contact_rows::DOF;
use crate::friction::krylov::{BodyMatrix, Krylov};
use crate::friction::linear_system::SparseLu;
use crate::problem::body_blocks::BodyBlocks;
use crate::problem::rows::FIXED;

/// Smallest number of body coordinates for which linear systems are tried by GMRES before sparse LU factors.
const FEWEST_FOR_GMRES: usize = 3000;

/// Residual at which GMRES stops, relative to the norm of the right-hand side.
const GMRES_TOLERANCE: f64 = 1e-6;

/// Sparse matrix D + Hᵀ A H over body coordinates: contact map H, a small matrix A per contact, [`Diagonal`] D.
#[derive(Debug, Clone, Default)]
pub(super) struct BodySystem {
    lu: SparseLu,
    krylov: Krylov,
    guess: Vec<f64>,
    mass: Option<BodyBlocks>,
    column_start: Vec<usize>,
    row: Vec<usize>,
    /// For each contact and each pair of its bodies (column, row), the index of their block in the block column.
    place: Vec<[[usize; 2]; 2]>,
    right: Vec<f64>,
    weights: Vec<f64>,
}

/// The part D of the matrix: a multiple of the masses plus a multiple (ridge) of the identity.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Diagonal {
    pub(super) mass: f64,
    pub(crate) ridge: f64,
}

/// Compliances of all contacts, and derivatives of the projection onto the friction law.
#[derive(Debug, Clone, Copy)]
pub(super) struct Linearization<'a> {
    /// Compliance c (velocity per force) of each row, a component of a contact.
    pub(super) compliance: &'a [f64],
    /// Derivative G of the projection for each contact, row by row.
    pub(super) derivative: &'a [f64],
}

impl BodySystem {
    /// Lays out the sparsity pattern of D + Hᵀ A H for the contacts of the contact map `map`, which is H.
    pub(super) fn lay_out(&mut self, map: &ContactMap) -> Result<(), SolveError> {
        self.mass = Some(map.inverse_mass().inverse());
        let free = |pair: &[u32; 2]| pair[0] != FIXED && pair[1] != FIXED;
        let mut blocks: Vec<[u32; 2]> = (0..map.bodies() as u32).map(|body| [body, body]).collect();
        for &[a, b] in map.pairs().iter().filter(|pair| free(pair)) {
            blocks.extend([[a, b], [b, a]]);
        }
        blocks.sort_unstable();
        blocks.dedup();
        self.column_start.clear();
        self.column_start.push(0);
        self.row.clear();
        let mut first = vec![0; map.bodies() + 1];
        for (k, block) in blocks.iter().enumerate() {
            first[block[0] as usize + 1] = k + 1;
        }
        for column in 0..map.bodies() {
            let members = &blocks[first[column]..first[column + 1]];
            for _ in 0..DOF {
                self.row.extend(members.iter().flat_map(|block| {
                    let row = DOF * block[1] as usize;
                    row..row + DOF
                }));
                self.column_start.push(self.row.len());
            }
        }
        self.place.clear();
        for &pair in map.pairs() {
            let place = |column: u32, row: u32| {
                if column == FIXED || row == FIXED {
                    return usize::MAX;
                }
                let members = &blocks[first[column as usize]..first[column as usize + 1]];
                members.partition_point(|block| block[1] < row)
            };
            self.place.push(pair.map(|column| pair.map(|row| place(column, row))));
        }
        self.lu.set_pattern(DOF, &self.column_start, &self.row);
        // A matrix too large for factors is reported before the first solve. With many bodies factors may not be
        // needed.
        if DOF * map.bodies() < FEWEST_FOR_GMRES {
            Ok(self.lu.analyze(DOF, &self.column_start, &self.row)?)
        } else {
            Ok(())
        }
    }

    /// Computes the entries of D + Hᵀ A H; `weights` holds the matrices A of all contacts, row by row.
    pub(super) fn assemble<const M: usize>(&mut self, map: &ContactMap, weights: &[f64], diagonal: Diagonal) {
        let values = &mut self.lu.values;
        values.fill(0.0);
        let own = |body: usize| {
            // The block of a body with itself follows those of lower bodies.
            let rows = &self.row[self.column_start[DOF * body]..self.column_start[DOF * body + 1]];
            rows.partition_point(|&row| row < DOF * body)
        };
        for body in 0..map.bodies() {
            let place = own(body);
            for d in 0..DOF {
                let column = &mut values[self.column_start[DOF * body + d] + place..][..DOF];
                column[d] += diagonal.ridge;
                if let Some(mass) = self.mass.as_ref().filter(|_| diagonal.mass > 0.0) {
                    (0..DOF).for_each(|e| column[e] += diagonal.mass * mass.entry(body, e, d));
                }
            }
        }
        for (i, a) in weights.as_chunks::<M>().0.as_chunks::<M>().0.iter().enumerate() {
            if a.as_flattened().iter().all(|&x| x == 0.0) {
                continue;
            }
            let rows = map.rows::<M>(i);
            let pair = map.pairs()[i];
            let weighted: [[f64; 2 * DOF]; M] = std::array::from_fn(|p| {
                let mut sum = [0.0; 2 * DOF];
                for q in 0..M {
                    (0..2 * DOF).for_each(|d| sum[d] += a[p][q] * rows[q][d]);
                }
                sum
            });
            for (s, &column) in pair.iter().enumerate().filter(|(_, body)| **body != FIXED) {
                for (t, _) in pair.iter().enumerate().filter(|(_, body)| **body != FIXED) {
                    let place = DOF * self.place[i][s][t];
                    for d in 0..DOF {
                        let entries = &mut values[self.column_start[DOF * column as usize + d] + place..][..DOF];
                        for (e, entry) in entries.iter_mut().enumerate() {
                            let mut sum = 0.0;
                            (0..M).for_each(|p| sum += rows[p][t * DOF + e] * weighted[p][s * DOF + d]);
                            *entry += sum;
                        }
                    }
                }
            }
        }
    }

    pub(super) fn add_momentum(&self, factor: f64, v: &[f64], out: &mut [f64]) {
        let Some(mass) = &self.mass else { return };
        let bodies = v.as_chunks::<DOF>().0.iter().zip(out.as_chunks_mut::<DOF>().0);
        for (body, (v, out)) in bodies.enumerate() {
            let momentum = mass.times::<DOF>(body, v);
            (0..DOF).for_each(|d| out[d] += factor * momentum[d]);
        }
    }

    /// Solves with the assembled matrix in place, as accurately as a Newton step needs. For many bodies LU factors fill
    /// up: GMRES is tried first.
    pub(super) fn solve_closely(&mut self, x: &mut [f64]) -> Result<(), MatrixError> {
        if x.len() >= FEWEST_FOR_GMRES {
            let matrix = BodyMatrix { column_start: &self.column_start, row: &self.row, values: &self.lu.values };
            self.guess.clear();
            self.guess.extend_from_slice(x);
            if self.krylov.solve(matrix, GMRES_TOLERANCE, &mut self.guess).is_ok() {
                x.copy_from_slice(&self.guess);
                return Ok(());
            }
        }
        self.solve(x)
    }

    /// Solves by LU factors of the matrix that was assembled last, overwriting the right-hand side `x`.
    pub(crate) fn solve(&mut self, x: &mut [f64]) -> Result<(), MatrixError> {
        self.lu.factorize_and_solve(x)
    }

    /// Solves (c + W G) x = b over bodies, with compliances c and derivatives G of `at`; `x` holds b on entry.
    pub(super) fn solve_proximal<const M: usize>(
        &mut self,
        map: &ContactMap,
        at: Linearization<'_>,
        x: &mut [f64],
    ) -> Result<(), MatrixError> {
        self.weights.resize(at.derivative.len(), 0.0);
        let compliance = at.compliance.as_chunks::<M>().0;
        let weights = self.weights.as_chunks_mut::<M>().0.as_chunks_mut::<M>().0;
        let derivative = at.derivative.as_chunks::<M>().0.as_chunks::<M>().0;
        for ((weights, g), c) in weights.iter_mut().zip(derivative).zip(compliance) {
            *weights = std::array::from_fn(|p| std::array::from_fn(|q| g[p][q] / c[q]));
        }
        let weights = std::mem::take(&mut self.weights);
        self.assemble::<M>(map, &weights, Diagonal { mass: 1.0, ridge: 0.0 });
        let mut right = std::mem::take(&mut self.right);
        right.resize(DOF * map.bodies(), 0.0);
        right.fill(0.0);
        for (i, (a, x)) in weights.as_chunks::<M>().0.as_chunks::<M>().0.iter().zip(x.as_chunks::<M>().0).enumerate() {
            let force: [f64; M] = std::array::from_fn(|p| (0..M).map(|q| a[p][q] * x[q]).sum());
            for (row, force) in map.rows::<M>(i).iter().zip(force) {
                for (side, &body) in map.pairs()[i].iter().enumerate().filter(|(_, body)| **body != FIXED) {
                    let right = &mut right[DOF * body as usize..][..DOF];
                    (0..DOF).for_each(|d| right[d] += force * row[side * DOF + d]);
                }
            }
        }
        self.weights = weights;
        let solved = self.solve(&mut right);
        for (i, (x, c)) in x.as_chunks_mut::<M>().0.iter_mut().zip(compliance).enumerate() {
            let along = map.local_velocity::<M>(i, &right);
            (0..M).for_each(|k| x[k] = (x[k] - along[k]) / c[k]);
        }
        self.right = right;
        solved
    }
}
