//! Normal laws, implementations of [`ContactLaw`](crate::law::ContactLaw). `hooke` and `hertz` are elastic, with the
//! damping of `damping`. `jkr`, `dmt` and `plastic` are hysteretic: their contacts stick or yield.

pub(crate) mod damping;
pub(crate) mod dmt;
pub(crate) mod hertz;
pub(crate) mod hooke;
pub(crate) mod jkr;
pub(crate) mod plastic;
