/// Rule by which [`Apgd`](crate::Apgd) extrapolates from one iterate to the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Momentum {
    /// Nesterov's momentum, restarted where it points uphill: the default.
    #[default]
    Restarted,
    /// Nesterov's momentum, which is never restarted, also where it points uphill.
    Plain,
    /// No momentum: projected gradient descent.
    None,
}

impl Momentum {
    /// Returns the next θ and β (factor of the momentum) of Nesterov's recurrence; θ = 1, β = 0 without momentum.
    pub(super) fn next(self, theta: f64, uphill: bool) -> (f64, f64) {
        if self == Self::None || (uphill && self == Self::Restarted) {
            return (1.0, 0.0);
        }
        let square = theta * theta;
        let next = 0.5 * (theta * (square + 4.0).sqrt() - square);
        (next, theta * (1.0 - theta) / (square + next))
    }
}
