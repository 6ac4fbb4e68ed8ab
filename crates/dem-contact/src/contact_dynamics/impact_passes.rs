//! Passes by which impacts propagate within a step, with friction and without.

use crate::contact_dynamics::motion::Velocities;

/// Contacts that approach slower than this fraction of the speed of the fastest body have no impact, although their gap
/// closes. Elastic impacts use [`SLOW_IF_ELASTIC`] instead.
pub(super) const SLOW: f64 = 1e-8;

/// Fraction of the fastest approach in a step: a gap that this speed would close within the step counts as touching.
const TOUCHES: f64 = 1e-6;

/// Negative rates of gaps without forces up to this fraction of the largest rate count as zero, since rounding may
/// cause them. Contacts without negative rates need no forces.
pub(super) const ROUNDING: f64 = 1e-13;

/// Largest relative rescaling of the forces of a pass that conserves energy to rounding. A larger correction cannot
/// come from the solver's tolerance, so the forces are then left as they are.
pub(super) const RESCALED: f64 = 0.1;

/// Contacts that approach slower than this fraction of the speed of the fastest body have no elastic impact.
const SLOW_IF_ELASTIC: f64 = 1e-12;

/// Largest number of passes of impacts with e < 1, which lose energy in each pass.
const PASSES: usize = 100;

/// Additional number of passes per contact for elastic impacts. A row of n balls takes less than n passes.
const PASSES_PER_CONTACT: usize = 4;

#[derive(Debug, Clone, Copy)]
pub(super) struct PassLimits {
    /// Approach of a contact in m/s below which the contact has no impact in a pass.
    pub(super) slow: f64,
    pub(super) most: usize,
}

impl PassLimits {
    /// Returns the limits for this number of contacts with or without elastic impacts (e = 1); `fastest` (m/s) is the
    /// speed of the fastest body of the step.
    pub(super) fn new(is_elastic: bool, contacts: usize, fastest: f64) -> Self {
        if is_elastic {
            Self { slow: SLOW_IF_ELASTIC * fastest, most: PASSES + PASSES_PER_CONTACT * contacts }
        } else {
            Self { slow: SLOW * fastest, most: PASSES }
        }
    }
}

/// Velocities of the bodies and impulses of the contacts after some passes of impacts.
pub(super) struct Impacts {
    pub(super) velocity: Velocities,
    /// Sum of the impulses of all passes over the length of the step in N, contact by contact.
    pub(super) force: Vec<f64>,
    /// Velocities of the contacts after the last pass, contact by contact, the rate of the gap first.
    pub(super) rate: Vec<f64>,
    /// Whether each contact was struck in a pass so far.
    pub(super) struck: Vec<bool>,
}

impl Impacts {
    pub(super) fn at_start(velocity: &Velocities, rate: Vec<f64>, contacts: usize) -> Self {
        Self { velocity: velocity.clone(), force: vec![0.0; rate.len()], rate, struck: vec![false; contacts] }
    }

    /// Finds the contacts of the next pass; `None` if no contact is struck. `gap_rate` is Φ/dt of each contact in m/s.
    /// Contacts that approach slower than `slow` (m/s), or for which `may_strike` is false, are not struck.
    pub(super) fn next_pass(
        &self,
        gap_rate: &[f64],
        slow: f64,
        may_strike: impl Fn(usize) -> bool,
    ) -> Option<ImpactPass> {
        let count = self.struck.len();
        let rate = |i: usize| self.rate[i * (self.rate.len() / count)];
        let touching = TOUCHES * (0..count).fold(0.0, |most, i| f64::max(most, -rate(i)));
        let touches = |i: usize| self.struck[i] || gap_rate[i] <= touching;
        let strikes = |i: usize| may_strike(i) && rate(i) < -slow && (touches(i) || gap_rate[i] + rate(i) <= 0.0);
        let struck: Vec<bool> = (0..count).map(strikes).collect();
        let members = (0..count).filter(|&i| struck[i] || touches(i)).collect();
        struck.contains(&true).then_some(ImpactPass { struck, members })
    }

    /// Ends a pass; `rate` has the velocities of the contacts after the pass.
    pub(super) fn end_pass(&mut self, pass: &ImpactPass, rate: Vec<f64>) {
        self.rate = rate;
        self.struck.iter_mut().zip(&pass.struck).for_each(|(all, now)| *all |= now);
    }
}

pub(super) struct ImpactPass {
    struck: Vec<bool>,
    /// Indices of the contacts that may bear impulses in this pass: those struck in it, those struck in earlier passes,
    /// and those whose gap counts as closed (see [`TOUCHES`]).
    pub(super) members: Vec<usize>,
}
