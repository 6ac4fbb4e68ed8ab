//! The chapters of `docs/guide`, whose programs are tests.

#[doc = include_str!("../../docs/guide/src/introduction.md")]
pub mod introduction {}

#[doc = include_str!("../../docs/guide/src/choosing.md")]
pub mod choosing {}

#[doc = include_str!("../../docs/guide/src/swapping.md")]
pub mod swapping {}

#[doc = include_str!("../../docs/guide/src/forces.md")]
pub mod forces {}

#[doc = include_str!("../../docs/guide/src/papers.md")]
pub mod papers {}

#[doc = include_str!("../../docs/guide/src/page.md")]
pub mod page {}

#[doc = include_str!("../../docs/guide/src/friction.md")]
pub mod friction {}

#[doc = include_str!("../../docs/guide/src/walls.md")]
pub mod walls {}
