//! Normal laws: Hooke and Hertz, and the damping that both share. They implement
//! [`ContactLaw`](crate::law::ContactLaw).

pub(crate) mod damping;
pub(crate) mod hertz;
pub(crate) mod hooke;
