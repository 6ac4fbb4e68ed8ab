//! Forces in the pyramid of `[OK18]` that several figures share and that are computed only once.
use std::sync::Arc;

use anyhow::Result;
use cd_solve::pgs::SweepOrder;
use cd_solve::{Apgd, Options, ProjectedGaussSeidel};

use super::law::Law;
use super::pile::Pile;
use super::stiff::{self, AtRest, Rest};
use crate::model::Context;

/// Number of layers of the pyramid of `[OK18]`.
pub(super) const LAYERS: usize = 20;

/// Contact forces in m g in the pyramid with one contact law: compatible forces, and the forces of stiff elastic
/// spheres, both by dynamics (`stiff`) and by minimisation of the energy (`minimum`).
#[derive(Debug)]
pub(super) struct Run {
    pub(super) pile: Pile,
    pub(super) compatible: Vec<f64>,
    pub(super) stiff: AtRest,
    pub(super) minimum: AtRest,
}

/// Classic contact forces in m g in the pyramid, by accelerated projected gradient descent (APGD) and by projected
/// Gauss-Seidel (PGS); they are independent of the contact law.
#[derive(Debug)]
pub(super) struct Classic {
    pub(super) apgd: Vec<f64>,
    /// Forces by projected Gauss-Seidel, which visits the contacts in the order in which the pyramid numbers them.
    pub(super) gauss_seidel: Vec<f64>,
    /// Forces by projected Gauss-Seidel, which visits the contacts in a random order.
    pub(super) shuffled: Vec<f64>,
}

/// Returns how the elastic spheres come to rest: dropped as in `[OK18]` at full effort, or by a drag, which needs a
/// small part of the steps, at quick effort.
pub(super) fn way(context: &Context) -> Rest {
    context.pick(Rest::Dropped, Rest::Drag)
}

/// Returns the compatible forces and the forces of elastic spheres for one contact law, computed on the first call.
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

/// Residual at which the classic solvers stop.
pub(super) const TOLERANCE: f64 = 1e-10;

/// Returns the classic forces in the pyramid, computed on the first call.
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
