//! Repetition without restitution of impacts that would gain energy or are not solved.
//!
//! Newton's law prescribes uₙ⁺ = −e uₙ⁻ at each contact that closes. With friction at several contacts of a body the
//! law may gain energy, Kane (1984), because friction that stops a contact then acts over the slip before the impact.
//! Forces r that change the local velocities from u⁻ to u⁺ change the kinetic energy by dt r·(u⁻ + u⁺)/2. If e = 0 and
//! u⁻ are the velocities by the load alone, this change is never positive, for any friction.

use cd_solve::BodyPair;
use cd_solve::disjoint_sets::DisjointSets;
use cd_solve::friction::FrictionSolver;

use crate::contact_dynamics::detection::DetectedContact;
use crate::contact_dynamics::moreau_jean::CoulombFriction;
use crate::contact_dynamics::moreau_jean::friction_problem::{Answer, StepProblem};
use crate::contact_dynamics::moreau_jean::unsolved::Unsolved;
use crate::contact_dynamics::report::DynamicsReport;
use crate::contact_dynamics::rigid_law::StepBodies;
use crate::error::{DemError, StepError};

/// Warm start of a problem with impacts, and the policy for contact forces that do not solve it.
pub(super) struct ImpactStart {
    /// Contact forces from which the solver starts, in the frames of the contacts.
    pub(super) guess: Vec<f64>,
    /// Policy for the last attempt, which is without restitution.
    pub(super) unsolved: Unsolved,
}

impl<S: FrictionSolver> CoulombFriction<S> {
    /// Solves the friction problem of these contacts, where `law(i, e)` is the [shift](StepProblem::shift) (m/s) of
    /// contact i at the restitution e. Islands of contacts whose impacts would gain energy, or are not solved, are
    /// repeated without restitution. Also returns the restitution that was used at each contact.
    pub(super) fn solve_without_gain(
        &mut self,
        detected: &[DetectedContact],
        step: StepBodies<'_>,
        problem: &StepProblem,
        law: impl Fn(usize, f64) -> f64,
        ImpactStart { mut guess, unsolved }: ImpactStart,
        report: &mut DynamicsReport,
    ) -> Result<(Answer, Vec<f64>), DemError> {
        let mut restitution = problem.restitution();
        let shifts = |restitution: &[f64]| -> Vec<f64> {
            restitution.iter().enumerate().map(|(i, &restitution)| law(i, restitution)).collect()
        };
        let drop_restitution = |of: &[bool], restitution: &mut [f64], report: &mut DynamicsReport| {
            for (i, restitution) in restitution.iter_mut().enumerate().filter(|(i, _)| of[*i]) {
                report.without_restitution += usize::from(law(i, *restitution) < 0.0);
                *restitution = 0.0;
            }
        };
        let shift = shifts(&restitution);
        let attempt = problem.attempt(&mut self.solver, &shift, guess.clone())?;
        // The policy applies only to the second attempt, without restitution.
        let has_impact = shift.iter().any(|shift| *shift < 0.0);
        let policy = if has_impact { Unsolved::Error } else { unsolved };
        let mut answer = match attempt.accepted_by(policy, step.was_above) {
            // In a wedge narrower than the friction angle Newton's law has no solution: contacts pull the body in.
            Err(DemError::Step(StepError::ContactsNotSolved { .. })) if has_impact => {
                let of = self.impacts_not_solved(detected, step, problem, &shift, &mut guess, report)?;
                drop_restitution(&of, &mut restitution, report);
                let attempt = problem.attempt(&mut self.solver, &shifts(&restitution), guess)?;
                attempt.accepted_by(unsolved, step.was_above)?
            }
            solved => solved?,
        };
        report.count(&answer.report);
        if restitution.iter().any(|&restitution| restitution > 0.0)
            && let Some(gaining) = gaining(problem, &answer)
        {
            drop_restitution(&gaining, &mut restitution, report);
            let attempt = problem.attempt(&mut self.solver, &shifts(&restitution), answer.force)?;
            answer = attempt.accepted_by(unsolved, step.was_above)?;
            report.count(&answer.report);
        }
        Ok((answer, restitution))
    }

    /// Returns for each contact of an unsolved problem whether it is in an island with impacts that cannot be solved
    /// alone either. The forces of solved islands are written to `guess`.
    ///
    /// # Errors
    /// Errors of the contact map and of solvers; an unsolved island is not an error.
    fn impacts_not_solved(
        &mut self,
        detected: &[DetectedContact],
        step: StepBodies<'_>,
        problem: &StepProblem,
        shift: &[f64],
        guess: &mut [f64],
        report: &mut DynamicsReport,
    ) -> Result<Vec<bool>, DemError> {
        let size = problem.block();
        let island = islands(problem);
        let mut by_island: Vec<usize> = (0..island.len()).collect();
        by_island.sort_by_key(|&i| island[i]);
        let mut not_solved = vec![false; island.len()];
        let has_impact = |members: &&[usize]| members.iter().any(|&i| shift[i] < 0.0);
        for members in by_island.chunk_by(|&i, &j| island[i] == island[j]).filter(has_impact) {
            // The problem of a single island is already known to be unsolved.
            if members.len() < island.len() {
                let part: Vec<DetectedContact> = members.iter().map(|&i| detected[i]).collect();
                let shift: Vec<f64> = members.iter().map(|&i| shift[i]).collect();
                let start: Vec<f64> = members.iter().flat_map(|&i| &guess[i * size..(i + 1) * size]).copied().collect();
                let alone = StepProblem::new(&part, step, &self.materials)?;
                match alone.solve(&mut self.solver, &shift, start) {
                    Ok(answer) => {
                        report.count(&answer.report);
                        for (&i, force) in members.iter().zip(answer.force.chunks_exact(size)) {
                            guess[i * size..(i + 1) * size].copy_from_slice(force);
                        }
                        continue;
                    }
                    Err(DemError::Step(StepError::ContactsNotSolved { .. })) => {}
                    Err(error) => return Err(error),
                }
            }
            members.iter().for_each(|&i| not_solved[i] = true);
        }
        Ok(not_solved)
    }
}
/// Returns for each contact whether impacts in its island gain energy; `None` if no island does. An island is a set of
/// contacts connected by free bodies. Its gain must occur with the load before and with the load after the impact.
fn gaining(problem: &StepProblem, answer: &Answer) -> Option<Vec<bool>> {
    let island = islands(problem);
    let mut gain = vec![[0.0; 2]; island.iter().map(|&island| island + 1).max().unwrap_or(0)];
    let size = problem.block();
    for (i, force) in answer.force.chunks_exact(size).enumerate() {
        for (gain, before) in gain[island[i]].iter_mut().zip([&problem.start, &problem.free]) {
            let part = i * size..(i + 1) * size;
            let sum = before[part.clone()].iter().zip(&answer.velocity[part]).map(|(before, after)| before + after);
            *gain += force.iter().zip(sum).map(|(force, sum)| 0.5 * force * sum).sum::<f64>();
        }
    }
    let noise = answer.noise(problem);
    let gains = |island: &usize| gain[*island].iter().all(|&gain| gain > noise);
    let found: Vec<bool> = island.iter().map(gains).collect();
    found.contains(&true).then_some(found)
}

/// Returns the island of each contact (contacts connected by free bodies), named by one free body of the island.
fn islands(problem: &StepProblem) -> Vec<usize> {
    islands_of(&problem.members.pairs, problem.members.members.len())
}

fn islands_of(pairs: &[BodyPair], bodies: usize) -> Vec<usize> {
    let mut islands = DisjointSets::new(bodies);
    for pair in pairs {
        if let [Some(a), Some(b)] = *pair {
            islands.join(a, b);
        }
    }
    let names = islands.names();
    pairs.iter().map(|pair| pair.iter().flatten().next().map_or(0, |&body| names[body])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn islands_join_free_bodies_alone() {
        let pairs = [[Some(0), None], [Some(1), Some(3)], [Some(2), None], [Some(3), Some(4)], [None, Some(2)]];
        assert_eq!(islands_of(&pairs, 5), [0, 1, 2, 1, 2]);
    }
}
