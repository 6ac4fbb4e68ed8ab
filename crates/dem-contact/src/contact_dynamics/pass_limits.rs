//! Limits of the passes in which the impacts of a step follow each other, with friction and without.

/// Ratio of a contact's approach to the speed of the fastest body below which the contact has no impact, although its
/// gap closes. Passes of elastic impacts go on to [`SLOW_IF_ELASTIC`].
pub(crate) const SLOW: f64 = 1e-8;

/// Fraction of the fastest approach in a step: a contact whose gap this speed would close within the step counts as
/// touching.
pub(crate) const TOUCHES: f64 = 1e-6;

/// Ratio of a negative offset (rate of a gap without forces) to the largest offset up to which the former counts as
/// zero, since rounding may cause it: contacts without negative offsets need no forces.
pub(crate) const ROUNDING: f64 = 1e-13;

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
    /// Ratio of a contact's approach to the speed of the fastest body below which the contact has no impact in a pass.
    pub(crate) slow: f64,
    /// Number of passes of impacts after which the remaining impacts are given up.
    pub(crate) most: usize,
}

impl PassLimits {
    /// Makes the limits for impacts at this number of contacts, some of which may be elastic (e = 1).
    pub(crate) fn new(is_elastic: bool, contacts: usize) -> Self {
        if is_elastic {
            Self { slow: SLOW_IF_ELASTIC, most: PASSES + PASSES_PER_CONTACT * contacts }
        } else {
            Self { slow: SLOW, most: PASSES }
        }
    }
}
