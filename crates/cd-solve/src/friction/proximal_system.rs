use crate::error::{MatrixError, SolveError};
use crate::friction::block_matrix::BlockMatrix;
use crate::friction::body_system::{BodySystem, Linearization};
use crate::friction::linear_system::SparseLu;
use crate::friction::problem::{FrictionMatrix, FrictionProblem, with_block};

/// Solver of (c + W G) x = b with W = H M⁻¹ Hᵀ, diagonal compliances c and one small matrix G for each contact. The
/// form over bodies is (M + Hᵀ (G/c) H) w = Hᵀ (G/c) b with w = M⁻¹ Hᵀ G x, since c x + H w = b. The smaller system is
/// used.
#[derive(Debug, Clone, Default)]
pub(super) struct ProximalSystem {
    form: Form,
    rows: ContactForm,
    bodies: BodySystem,
    /// The matrix W of a contact map, assembled if the contacts have fewer rows than the bodies have coordinates.
    assembled: Option<BlockMatrix>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq)]
enum Form {
    #[default]
    Contacts,
    Bodies,
}

/// The matrix c + W G over contacts: compliances c, the Delassus matrix W, and a small matrix G for each contact.
#[derive(Debug, Clone, Default)]
struct ContactForm {
    lu: SparseLu,
    /// Blocks of each block column of W, in one list: block row, and index of the block in the stored W.
    start: Vec<usize>,
    members: Vec<[usize; 2]>,
    column_start: Vec<usize>,
    row: Vec<usize>,
}

impl ProximalSystem {
    pub(super) fn prepare(&mut self, problem: &FrictionProblem<'_>) -> Result<(), SolveError> {
        match problem.matrix() {
            FrictionMatrix::Blocks(blocks) => {
                self.form = Form::Contacts;
                self.rows.lay_out(blocks)?;
            }
            FrictionMatrix::Map(map) => {
                let unknowns = crate::friction::contact_rows::DOF * map.bodies();
                if problem.len() < unknowns {
                    self.form = Form::Contacts;
                    let blocks = map.to_blocks()?;
                    self.rows.lay_out(&blocks)?;
                    self.assembled = Some(blocks);
                } else {
                    self.form = Form::Bodies;
                    self.bodies.lay_out(map)?;
                }
            }
        }
        Ok(())
    }

    /// Solves (c + W G) x = b with the compliances c and derivatives G of `at`; `x` holds b on entry.
    pub(crate) fn solve(
        &mut self,
        problem: &FrictionProblem<'_>,
        at: Linearization<'_>,
        x: &mut [f64],
    ) -> Result<(), MatrixError> {
        match (self.form, problem.matrix()) {
            (Form::Bodies, FrictionMatrix::Map(map)) => {
                with_block!(problem.block(), M => self.bodies.solve_proximal::<M>(map, at, x))
            }
            (_, FrictionMatrix::Blocks(blocks)) => {
                with_block!(problem.block(), M => self.rows.solve::<M>(blocks, at, x))
            }
            (_, FrictionMatrix::Map(_)) => match &self.assembled {
                Some(blocks) => with_block!(problem.block(), M => self.rows.solve::<M>(blocks, at, x)),
                None => Err(MatrixError::Factorization { reason: "it was not laid out" }),
            },
        }
    }
}

impl ContactForm {
    fn lay_out(&mut self, matrix: &BlockMatrix) -> Result<(), MatrixError> {
        let n = matrix.contacts();
        let m = matrix.block();
        self.start.clear();
        self.start.resize(n + 1, 0);
        for k in 0..matrix.blocks() {
            self.start[matrix.column(k) + 1] += 1;
        }
        (0..n).for_each(|j| self.start[j + 1] += self.start[j]);
        self.members.clear();
        self.members.resize(matrix.blocks(), [0; 2]);
        let mut next = self.start.clone();
        for i in 0..n {
            for k in matrix.row(i) {
                let place = &mut next[matrix.column(k)];
                self.members[*place] = [i, k];
                *place += 1;
            }
        }
        self.column_start.clear();
        self.column_start.push(0);
        self.row.clear();
        for j in 0..n {
            for _ in 0..m {
                let members = &self.members[self.start[j]..self.start[j + 1]];
                self.row.extend(members.iter().flat_map(|&[i, _]| m * i..m * (i + 1)));
                self.column_start.push(self.row.len());
            }
        }
        self.lu.analyze(m, &self.column_start, &self.row)
    }

    fn solve<const M: usize>(
        &mut self,
        matrix: &BlockMatrix,
        at: Linearization<'_>,
        x: &mut [f64],
    ) -> Result<(), MatrixError> {
        let derivative = at.derivative.as_chunks::<M>().0.as_chunks::<M>().0;
        let blocks = matrix.values::<M>();
        for (j, g) in derivative.iter().enumerate() {
            let members = &self.members[self.start[j]..self.start[j + 1]];
            for q in 0..M {
                let column: [f64; M] = std::array::from_fn(|s| g[s][q]);
                let values = &mut self.lu.values[self.column_start[M * j + q]..self.column_start[M * j + q + 1]];
                for (values, &[i, k]) in values.as_chunks_mut::<M>().0.iter_mut().zip(members) {
                    for p in 0..M {
                        let mut sum = 0.0;
                        (0..M).for_each(|s| sum += blocks[k][p][s] * column[s]);
                        values[p] = sum;
                    }
                    if i == j {
                        values[q] += at.compliance[M * j + q];
                    }
                }
            }
        }
        self.lu.factorize_and_solve(x)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::friction::contact_map::{ContactMap, Resistance};
    use crate::friction::frame::{Frame, FrictionContact};
    use crate::friction::problem::FrictionCoefficients;
    use crate::problem::body_blocks::BodyBlocks;

    #[test]
    fn both_forms_solve_the_same_system() {
        let pairs = [[None, Some(0)], [None, Some(1)], [Some(0), Some(1)], [Some(1), None], [Some(1), Some(0)]];
        let contact = |(k, pair): (usize, [Option<usize>; 2])| {
            let angle = k as f64;
            let normal = [angle.sin() * 0.6, angle.cos() * 0.6, 0.8];
            FrictionContact { pair, frame: Frame::from_normal(normal), arms: [[0.3, angle, 0.1], [0.2, -0.4, angle]] }
        };
        let contacts: Vec<_> = pairs.into_iter().enumerate().map(contact).collect();
        let mass = BodyBlocks::scalar(6, vec![1.0, 2.0]).unwrap();
        let map = ContactMap::new(Resistance::Sliding, &contacts, mass).unwrap();
        let blocks = map.to_blocks().unwrap();
        let offset = [0.0; 15];
        let mu = [0.3; 5];
        let (compliance, derivative): (Vec<f64>, Vec<f64>) = (
            (0..15).map(|k| 0.1 + 0.01 * k as f64).collect(),
            (0..45).map(|k| if k % 9 % 4 == 0 { 1.0 } else { 0.3 * (k as f64).sin() }).collect(),
        );
        let right: Vec<f64> = (0..15).map(|k| (k as f64).cos()).collect();
        let solve = |matrix| {
            let coefficients = FrictionCoefficients::sliding(&mu);
            let problem = FrictionProblem::new(matrix, &offset, coefficients).unwrap();
            let mut system = ProximalSystem::default();
            system.prepare(&problem).unwrap();
            let mut x = right.clone();
            let at = Linearization { compliance: &compliance, derivative: &derivative };
            system.solve(&problem, at, &mut x).unwrap();
            (system.form, x)
        };
        let (over_bodies, a) = solve(FrictionMatrix::Map(&map));
        let (over_contacts, b) = solve(FrictionMatrix::Blocks(&blocks));
        assert!(over_bodies == Form::Bodies && over_contacts == Form::Contacts);
        assert!(a.iter().zip(&b).all(|(a, b)| (a - b).abs() < 1e-12), "{a:?} {b:?}");
        let g = derivative.as_chunks::<3>().0.as_chunks::<3>().0;
        let along: Vec<[f64; 3]> =
            (0..5).map(|i| std::array::from_fn(|p| (0..3).map(|q| g[i][p][q] * a[3 * i + q]).sum())).collect();
        for i in 0..5 {
            for (p, product) in blocks.row_times::<3>(i, &along).into_iter().enumerate() {
                let k = 3 * i + p;
                assert!((compliance[k] * a[k] + product - right[k]).abs() < 1e-12);
            }
        }
    }
}
