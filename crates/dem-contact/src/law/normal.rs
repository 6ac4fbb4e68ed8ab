//! Normal laws: they implement [`ContactLaw`](crate::law::ContactLaw). `hooke` and `hertz` are elastic, with the
//! damping of `damping`. `jkr`, `dmt` and `plastic` are hysteretic: contacts that stick or yield.

pub(crate) mod damping;
pub(crate) mod dmt;
pub(crate) mod hertz;
pub(crate) mod hooke;
pub(crate) mod jkr;
pub(crate) mod plastic;
