//! Results that several figures share, computed once.
use std::sync::Arc;

use anyhow::Result;
use cd_solve::pgs::SweepOrder;
use cd_solve::{Apgd, Options, ProjectedGaussSeidel};

use super::law::Law;
use super::pile::Pile;
use super::stiff::{self, AtRest, Rest};
use crate::model::context::Context;

/// Number of layers of the pyramid of `[OK18]`.
pub(super) const LAYERS: usize = 20;

/// The pyramid with one law: compatible forces, and forces of stiff spheres by dynamics and by energy minimisation.
#[derive(Debug)]
pub(super) struct Run {
    pub(super) pile: Pile,
    pub(super) compatible: Vec<f64>,
    pub(super) stiff: AtRest,
    pub(super) minimum: AtRest,
}

/// Classic forces, which are independent of the contact law.
#[derive(Debug)]
pub(super) struct Classic {
    pub(super) apgd: Vec<f64>,
    /// Forces by PGS in the pyramid's order of contacts.
    pub(super) gauss_seidel: Vec<f64>,
    /// Forces by PGS in a random order.
    pub(super) shuffled: Vec<f64>,
}

/// Returns how spheres come to rest: in a full run as in the paper, in a quick run by a drag in a hundredth of the
/// time.
pub(super) fn way(context: &Context) -> Rest {
    context.pick(Rest::Dropped, Rest::Drag)
}

pub(super) fn run(context: &Context, law: Law) -> Result<Arc<Run>> {
    let key = match law {
        Law::Hooke => "pyramid, Hooke",
        Law::Hertz => "pyramid, Hertz",
        Law::Multi => "pyramid of two species",
    };
    context.memo.get(key, || {
        let pile = Pile::new(LAYERS, law)?;
        let compatible = pile.compatible()?;
        let stiff = stiff::settle(&pile, law.stiffness(), way(context))?;
        let minimum = stiff::minimum(&pile, law.stiffness())?;
        Ok(Run { pile, compatible, stiff, minimum })
    })
}

/// Residual of classic problems.
pub(super) const TOLERANCE: f64 = 1e-10;

pub(super) fn classic(context: &Context) -> Result<Arc<Classic>> {
    context.memo.get("classic forces of the pyramid", || {
        let pile = Pile::new(LAYERS, Law::Hooke)?;
        let options = Options::new(TOLERANCE, 100_000);
        let gauss_seidel = |order| {
            let mut solver = ProjectedGaussSeidel::new(options).with_order(order);
            pile.classic(&mut solver, 0.0).map(|(force, _)| force)
        };
        Ok(Classic {
            apgd: pile.classic(&mut Apgd::new(options), 0.0)?.0,
            gauss_seidel: gauss_seidel(SweepOrder::AsGiven)?,
            shuffled: gauss_seidel(SweepOrder::Random { seed: 1, redraw: false })?,
        })
    })
}
