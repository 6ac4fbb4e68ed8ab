//! Forces of few contacts beyond the digits of `f64`.
//!
//! The motion of a light body under a heavy one is the difference of two forces that are larger by the ratio of masses.
//! From a ratio of 1e8 on, rounding of these forces alone exceeds a residual of 1e-8. So velocities are computed in 256
//! bits, and corrections of the forces, which need few digits, in `f64`: iterative refinement of Newton's method on r =
//! P(r − ρ u) of Alart and Curnier (1991).

use crate::error::{MatrixError, SolveError};
use crate::exact::wide::Wide;
use crate::friction::contact_map::ContactMap;
use crate::friction::contact_rows::DOF;
use crate::friction::law::{Disk, disks};
use crate::friction::linear_system::SparseLu;
use crate::friction::problem::{FrictionMatrix, FrictionProblem, norm, with_block};
use crate::problem::rows::FIXED;

/// Largest number of unknowns for which forces are refined: the matrix of a correction is dense.
const UNKNOWNS: usize = 96;

/// Number of Newton corrections after which the refinement is given up.
const CORRECTIONS: usize = 12;

/// Fraction of the tolerance that the residual of refined forces must reach, since the errors of all contacts add up.
const TARGET_FRACTION: f64 = 1e-3;

/// Largest factor by which refinement may increase the forces: a body in a narrow wedge can hold any force.
const LARGEST_GROWTH: f64 = 2.0;

/// Regularisation of the Newton matrix, relative to its diagonal: forces that are not unique stay near the start.
const RIDGE: f64 = 1e-14;

/// Newton's method for the forces of a few contacts, with velocities of 256 bits.
#[derive(Debug, Clone, Default)]
pub(super) struct Refinement {
    force: Vec<Wide>,
    velocity: Vec<Wide>,
    of_bodies: Vec<Wide>,
    /// Entries of the matrix W (velocity per force), column by column.
    matrix: Vec<f64>,
    lu: SparseLu,
    /// Violation of the friction law for each component of a force r: r − P(r − ρ u), with the projection P, where a
    /// contact is open or slides; ρ u where it sticks.
    difference: Vec<Wide>,
    correction: Vec<f64>,
    work: Vec<f64>,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Refined {
    /// Residual of the refined forces before rounding to 53 bits.
    pub(super) residual: f64,
    pub(super) corrections: usize,
}

/// State of motion of one component of a contact under the friction law.
#[derive(Debug, Clone, Copy)]
enum Motion {
    /// Component without force, such as all components of an open contact.
    Free,
    /// Component with zero velocity, as in sticking.
    Held,
    /// Component of a disk (the tangential force, for example) that slides: `along` is its component of the unit
    /// direction of sliding, `length` the norm of r − ρ u in the disk.
    Slides { disk: Disk, along: f64, length: f64 },
}

impl Refinement {
    /// Refines `force`, which is near a solution, to a thousandth of the `tolerance`. Returns `None`, with `force`
    /// unchanged, if contacts are many, the matrix is assembled, or the refined forces are not close.
    ///
    /// # Errors
    /// Those of the analysis of the linear system.
    pub(super) fn refine(
        &mut self,
        problem: &FrictionProblem<'_>,
        tolerance: f64,
        force: &mut [f64],
    ) -> Result<Option<Refined>, SolveError> {
        let FrictionMatrix::Map(map) = problem.matrix() else { return Ok(None) };
        if problem.len() > UNKNOWNS {
            return Ok(None);
        }
        let largest = force.iter().fold(0.0_f64, |most, r| most.max(r.abs()));
        self.force.clear();
        self.force.extend(force.iter().map(|&r| Wide::new(r)));
        let mut is_laid_out = false;
        for corrections in 0..=CORRECTIONS {
            self.find_velocities(map, problem.offset());
            let (motions, residual) = self.find_differences(problem);
            if residual <= TARGET_FRACTION * tolerance {
                let found: Vec<f64> = self.force.iter().map(|r| r.to_f64()).collect();
                let is_near = found.iter().all(|r| r.abs() <= LARGEST_GROWTH * largest);
                if is_near {
                    force.copy_from_slice(&found);
                }
                return Ok(is_near.then_some(Refined { residual, corrections }));
            }
            if !is_laid_out {
                self.lay_out(problem)?;
                is_laid_out = true;
            }
            if !residual.is_finite() || self.correct(problem, &motions).is_none() {
                return Ok(None);
            }
        }
        Ok(None)
    }

    /// Computes the local velocities u = H M⁻¹ Hᵀ r + q in 256 bits.
    fn find_velocities(&mut self, map: &ContactMap, offset: &[f64]) {
        self.of_bodies.clear();
        self.of_bodies.resize(DOF * map.bodies(), Wide::ZERO);
        self.velocity.clear();
        for (k, (&force, row)) in self.force.iter().zip(map.all_accelerations()).enumerate() {
            for (side, &body) in map.pairs()[k / map.block()].iter().enumerate().filter(|(_, body)| **body != FIXED) {
                for (d, &x) in row[side * DOF..(side + 1) * DOF].iter().enumerate() {
                    let sum = &mut self.of_bodies[DOF * body as usize + d];
                    *sum = *sum + force * Wide::new(x);
                }
            }
        }
        for (k, (&q, row)) in offset.iter().zip(map.all_rows()).enumerate() {
            let mut sum = Wide::new(q);
            for (side, &body) in map.pairs()[k / map.block()].iter().enumerate().filter(|(_, body)| **body != FIXED) {
                for (d, &x) in row[side * DOF..(side + 1) * DOF].iter().enumerate() {
                    sum = sum + self.of_bodies[DOF * body as usize + d] * Wide::new(x);
                }
            }
            self.velocity.push(sum);
        }
    }

    /// Computes the violations of the friction law; returns the motion of each component, and the residual.
    fn find_differences(&mut self, problem: &FrictionProblem<'_>) -> (Vec<Motion>, f64) {
        let n = problem.len();
        let block = problem.block();
        let step = problem.step();
        let disks = with_block!(block, M => disks::<M>());
        let mut motions = vec![Motion::Free; n];
        self.difference.clear();
        self.difference.extend_from_slice(&self.force);
        for (i, coefficients) in problem.coefficients().iter().enumerate() {
            let first = i * block;
            let pushed = |k: usize| self.velocity[k] * Wide::new(step[k]);
            let normal = self.force[first] - pushed(first);
            if !normal.is_positive() {
                continue;
            }
            (motions[first], self.difference[first]) = (Motion::Held, pushed(first));
            for (disk, &mu) in disks.iter().zip(coefficients).filter(|(_, mu)| **mu > 0.0) {
                let rows = || first + disk.first..first + disk.first + disk.len;
                let target = |k: usize| self.force[k] - pushed(k);
                let square = rows().fold(Wide::ZERO, |sum, k| sum + target(k) * target(k));
                let bound = Wide::new(mu) * normal;
                if square <= bound * bound {
                    rows().for_each(|k| (motions[k], self.difference[k]) = (Motion::Held, pushed(k)));
                    continue;
                }
                let length = square.sqrt();
                let share = Wide::new(mu) * self.force[first] * length.recip();
                for k in rows() {
                    let along = (target(k) * length.recip()).to_f64();
                    motions[k] = Motion::Slides { disk: *disk, along, length: length.to_f64() };
                    self.difference[k] = self.force[k] - share * target(k);
                }
            }
        }
        let speeds = self.difference.iter().zip(step).map(|(difference, step)| difference.to_f64() / step);
        let residual = problem.relative(norm(speeds.zip(problem.length()).map(|(speed, length)| speed * length)));
        (motions, residual)
    }

    fn lay_out(&mut self, problem: &FrictionProblem<'_>) -> Result<(), MatrixError> {
        let n = problem.len();
        self.matrix.resize(n * n, 0.0);
        let mut unit = vec![0.0; n];
        for (j, column) in self.matrix.chunks_exact_mut(n).enumerate() {
            unit[j] = 1.0;
            problem.product(&unit, column, &mut self.work);
            unit[j] = 0.0;
        }
        let start: Vec<usize> = (0..=n).map(|j| j * n).collect();
        let row: Vec<usize> = (0..n * n).map(|entry| entry % n).collect();
        self.lu.analyze(problem.block(), &start, &row)
    }

    /// Adds a Newton step to the forces; `None` if the matrix of the step cannot be factorised.
    fn correct(&mut self, problem: &FrictionProblem<'_>, motions: &[Motion]) -> Option<()> {
        let n = problem.len();
        let block = problem.block();
        let step = problem.step();
        let w = |row: usize, column: usize| self.matrix[column * n + row];
        for (k, motion) in motions.iter().enumerate() {
            let first = k - k % block;
            for j in 0..n {
                let own = f64::from(u8::from(j == k));
                self.lu.values[j * n + k] = match motion {
                    Motion::Free => own,
                    Motion::Held => step[k] * w(k, j) + RIDGE * own,
                    Motion::Slides { disk, along, length } => {
                        let normal = self.force[first].to_f64();
                        let mu = problem.coefficients()[k / block][disk.number()];
                        // The direction of sliding turns by the transverse part of the change of r − ρ u.
                        let change = |l: usize| f64::from(u8::from(j == l)) - step[l] * w(l, j);
                        let rows = first + disk.first..first + disk.first + disk.len;
                        let forward: f64 = rows.map(|l| direction(motions[l]) * change(l)).sum();
                        let turned = (change(k) - along * forward) / length;
                        own - mu * (along * f64::from(u8::from(j == first)) + normal * turned)
                    }
                };
            }
        }
        self.correction.clear();
        self.correction.extend(self.difference.iter().map(|difference| -difference.to_f64()));
        self.lu.factorize_and_solve(&mut self.correction).ok()?;
        self.force.iter_mut().zip(&self.correction).for_each(|(r, change)| *r = *r + Wide::new(*change));
        Some(())
    }
}

/// Component of the unit direction of sliding; zero where the disk does not slide.
fn direction(motion: Motion) -> f64 {
    match motion {
        Motion::Slides { along, .. } => along,
        Motion::Free | Motion::Held => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::friction::contact_map::Resistance;
    use crate::friction::frame::{Frame, FrictionContact};
    use crate::friction::problem::FrictionCoefficients;
    use crate::problem::body_blocks::BodyBlocks;

    /// A heavy ball rests on a light one on the floor; the light ball sticks or slides.
    #[test]
    fn a_light_ball_bears_a_heavy_one_at_any_ratio() {
        for (ratio, floor) in [(1.0, 0.0), (1e6, 0.0), (1e9, 0.3), (1e12, 0.0), (1e12, 0.3)] {
            let up = Frame::from_normal([0.0, 0.0, 1.0]);
            let contact = |pair, arms| FrictionContact { pair, frame: up, arms };
            let top = [0.0, 0.0, 0.5];
            let bottom = [0.0, 0.0, -0.5];
            let contacts = [contact([None, Some(0)], [[0.0; 3], bottom]), contact([Some(0), Some(1)], [top, bottom])];
            let mut blocks = vec![0.0; 72];
            for (body, mass) in [1.0, ratio].into_iter().enumerate() {
                (0..6).for_each(|k| blocks[36 * body + 7 * k] = if k < 3 { 1.0 } else { 10.0 } / mass);
            }
            let map = ContactMap::new(Resistance::Sliding, &contacts, BodyBlocks::full(6, blocks).unwrap()).unwrap();
            // Both balls fall at speed 1; a moving floor pulls the light ball, which slides if friction is small.
            let offset = [-1.0, floor, 0.0, 0.0, 0.0, 0.0];
            let mu = [0.2; 2];
            let coefficients = FrictionCoefficients::sliding(&mu);
            let problem = FrictionProblem::new(FrictionMatrix::Map(&map), &offset, coefficients).unwrap();
            let expected = [1.0 + ratio, ratio];
            let mut force = [0.0; 6];
            (0..2).for_each(|i| force[3 * i] = expected[i] * (1.0 + 3e-4 * (i as f64 - 0.4)));
            let refined = Refinement::default().refine(&problem, 1e-8, &mut force).unwrap().unwrap();
            assert!(refined.residual <= 1e-11, "{ratio}: {refined:?}");
            for i in 0..2 {
                let error = force[3 * i] / expected[i] - 1.0;
                assert!(error.abs() < 1e-11, "{ratio}, {floor}: {error}");
            }
            assert!(force[1].hypot(force[2]) <= 0.2 * force[0] * (1.0 + 1e-15), "{force:?}");
        }
    }
}
