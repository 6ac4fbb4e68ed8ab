//! Impacts that would gain energy.
//!
//! Newton's law prescribes uₙ⁺ = −e uₙ⁻ at each contact that closes. With friction at several contacts of a body the
//! law may gain energy, Kane (1984): friction that stops a contact then works with the slip before. Forces r that bring
//! local velocities from u⁻ to u⁺ change the kinetic energy by dt r·(u⁻ + u⁺)/2. If e = 0 and u⁻ are the velocities
//! that the load alone would give, this change is never positive, for any friction.

use cd_solve::BodyPair;

use crate::contact_dynamics::moreau_jean::friction_problem::{Answer, StepProblem};

/// Returns for each contact whether its island gains energy by impacts; `None` if no island does.
///
/// An island is all contacts of free bodies that touch each other. It counts as gaining energy only if it gains energy
/// with the load before the impact as well as with the load after it.
pub(crate) fn gaining(problem: &StepProblem, answer: &Answer) -> Option<Vec<bool>> {
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

/// Returns the island of each contact (contacts joined by free bodies), as the number of one free body of the island.
pub(crate) fn islands(problem: &StepProblem) -> Vec<usize> {
    islands_of(&problem.members.pairs, problem.members.members.len())
}

fn islands_of(pairs: &[BodyPair], bodies: usize) -> Vec<usize> {
    let mut root: Vec<usize> = (0..bodies).collect();
    fn find(root: &mut [usize], mut body: usize) -> usize {
        while root[body] != body {
            root[body] = root[root[body]];
            body = root[body];
        }
        body
    }
    for pair in pairs {
        if let [Some(a), Some(b)] = *pair {
            let a = find(&mut root, a);
            let b = find(&mut root, b);
            root[a.max(b)] = a.min(b);
        }
    }
    pairs.iter().map(|pair| pair.iter().flatten().next().map_or(0, |&body| find(&mut root, body))).collect()
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
