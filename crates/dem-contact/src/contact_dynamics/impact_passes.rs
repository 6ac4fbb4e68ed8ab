//! Passes in which the impacts of a step follow each other, with friction and without.

use crate::contact_dynamics::motion::Velocities;

/// Ratio of a contact's approach to the speed of the fastest body below which the contact has no impact, although its
/// gap closes. Passes of elastic impacts go on to [`SLOW_IF_ELASTIC`].
pub(crate) const SLOW: f64 = 1e-8;

/// Fraction of the fastest approach in a step: a contact whose gap this speed would close within the step counts as
/// touching.
const TOUCHES: f64 = 1e-6;

/// Ratio of a negative offset (rate of a gap without forces) to the largest offset up to which the former counts as
/// zero, since rounding may cause it: contacts without negative offsets need no forces.
pub(crate) const ROUNDING: f64 = 1e-13;

/// Largest relative correction of the contact forces of a pass by which its energy is conserved to rounding. A larger
/// correction cannot come from the solver's tolerance, so the forces are then left as they are.
pub(crate) const RESCALED: f64 = 0.1;

/// Ratio of a contact's approach to the speed of the fastest body below which the contact has no elastic impact.
const SLOW_IF_ELASTIC: f64 = 1e-12;

/// Number of passes after which impacts with e < 1, which lose energy in each pass, are given up.
const PASSES: usize = 100;

/// Number of passes for each contact, besides [`PASSES`], after which elastic impacts are given up. A row of n balls
/// takes less than n passes.
const PASSES_PER_CONTACT: usize = 4;

/// Limits of the passes of the impacts of one step.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PassLimits {
    /// Approach of a contact in m/s below which the contact has no impact in a pass.
    pub(crate) slow: f64,
    /// Number of passes of impacts after which the remaining impacts are given up.
    pub(crate) most: usize,
}

impl PassLimits {
    /// Makes the limits for impacts at this number of contacts, some of which may be elastic (e = 1), where the fastest
    /// body of the step has the speed `fastest` (m/s).
    pub(crate) fn new(is_elastic: bool, contacts: usize, fastest: f64) -> Self {
        if is_elastic {
            Self { slow: SLOW_IF_ELASTIC * fastest, most: PASSES + PASSES_PER_CONTACT * contacts }
        } else {
            Self { slow: SLOW * fastest, most: PASSES }
        }
    }
}

/// Velocities of the bodies and impulses of the contacts after some passes of the impacts of a step.
pub(crate) struct Impacts {
    pub(crate) velocity: Velocities,
    /// Impulse of the contacts in all passes over the length of the step in N, one component of each contact after the
    /// other.
    pub(crate) force: Vec<f64>,
    /// Velocities of the contacts after the last pass, one component of each contact after the other: rates of gaps
    /// first.
    pub(crate) rate: Vec<f64>,
    /// Whether each contact was struck in any pass of the impacts.
    pub(crate) struck: Vec<bool>,
}

impl Impacts {
    /// Makes the start of the first pass, from the velocities of the bodies and of their contacts.
    pub(crate) fn at_start(velocity: &Velocities, rate: Vec<f64>, contacts: usize) -> Self {
        Self { velocity: velocity.clone(), force: vec![0.0; rate.len()], rate, struck: vec![false; contacts] }
    }

    /// Finds the contacts of the next pass; `None` if no contact strikes. `gap_rate` is Φ/dt of each contact in m/s;
    /// `may_strike` says whether a contact that approaches has an impact.
    pub(crate) fn next_pass(
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

    /// Ends a pass: `rate` has the velocities of the contacts after it.
    pub(crate) fn end_pass(&mut self, pass: &ImpactPass, rate: Vec<f64>) {
        self.rate = rate;
        self.struck.iter_mut().zip(&pass.struck).for_each(|(all, now)| *all |= now);
    }
}

/// Contacts of one pass of impacts.
pub(crate) struct ImpactPass {
    struck: Vec<bool>,
    /// Numbers of the contacts that strike or touch, all of which bear impulses of the pass.
    pub(crate) members: Vec<usize>,
}
