//! Normal laws: they implement [`ContactLaw`](crate::law::ContactLaw). Hooke and Hertz, and the damping that both
//! share. Laws that stick or yield implement [`AdhesiveLaw`](crate::law::AdhesiveLaw) too: `jkr`, `dmt`, `plastic`.

pub(crate) mod adhesive;
pub(crate) mod damping;
pub(crate) mod dmt;
pub(crate) mod hertz;
pub(crate) mod hooke;
pub(crate) mod jkr;
pub(crate) mod plastic;
