//! What several figures show, computed once.
use std::sync::{Arc, OnceLock};

use anyhow::{Result, anyhow};
use cd_solve::pgs::SweepOrder;
use cd_solve::{Apgd, Options, ProjectedGaussSeidel};

use super::law::Law;
use super::pile::Pile;
use super::stiff::{self, AtRest, Rest};
use crate::context::{Context, Effort};

/// Layers of the pyramid of `[OK18]`.
pub(super) const LAYERS: usize = 20;

/// The pyramid with one law: compatible forces, and those of stiff spheres, by dynamics and by the minimum of their energy.
#[derive(Debug)]
pub(super) struct Run {
    pub(super) pile: Pile,
    pub(super) compatible: Vec<f64>,
    pub(super) stiff: AtRest,
    pub(super) minimum: AtRest,
}

/// Classic forces, which know no law.
#[derive(Debug)]
pub(super) struct Classic {
    pub(super) apgd: Vec<f64>,
    /// In the order in which the pyramid numbers its contacts.
    pub(super) gauss_seidel: Vec<f64>,
    /// In one random order.
    pub(super) shuffled: Vec<f64>,
}

type Slot<T> = OnceLock<Result<Arc<T>, String>>;

/// The value of a slot, made by whoever comes first.
fn once<T>(slot: &Slot<T>, make: impl FnOnce() -> Result<T>) -> Result<Arc<T>> {
    let made = slot.get_or_init(|| make().map(Arc::new).map_err(|error| format!("{error:#}")));
    made.clone().map_err(|error| anyhow!(error))
}

/// How spheres come to rest: as in the paper in a full run, in a hundredth of the time in a quick one.
pub(super) fn way(context: &Context) -> Rest {
    context.pick(Rest::Dropped, Rest::Drag)
}

pub(super) fn run(context: &Context, law: Law) -> Result<Arc<Run>> {
    static SLOTS: [[Slot<Run>; 3]; 2] = [const { [const { OnceLock::new() }; 3] }; 2];
    let slot = &SLOTS[usize::from(context.effort == Effort::Quick)][law as usize];
    once(slot, || {
        let pile = Pile::new(LAYERS, law)?;
        let compatible = pile.compatible()?;
        let stiff = stiff::settle(&pile, law.stiffness(), way(context))?;
        let minimum = stiff::minimum(&pile, law.stiffness())?;
        Ok(Run { pile, compatible, stiff, minimum })
    })
}

/// To which classic problems are solved.
pub(super) const TOLERANCE: f64 = 1e-10;

pub(super) fn classic() -> Result<Arc<Classic>> {
    static SLOT: Slot<Classic> = OnceLock::new();
    once(&SLOT, || {
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
