//! Figure of the degree of static indeterminacy of the pyramid: how many contact forces the balance of forces leaves
//! undetermined.
use anyhow::{Context as _, Result};
use cd_solve::faer::{Mat, Side};
use grains_pages::plot::{Marker, Plot, Series};
use serde_json::json;

use super::histogram::loaded;
use super::law::Law;
use super::pile::Pile;
use crate::model::{Artifact, Claim, Context};

/// Computes the rank of the contact map B, which turns velocities into gap rates, from the eigenvalues of `BᵀB`; and
/// the ratio of the smallest to the largest eigenvalue.
fn rank(pile: &Pile) -> Result<(usize, f64)> {
    let map = pile.map();
    let columns = map.columns();
    let mut gram = Mat::<f64>::zeros(columns, columns);
    let mut unit = vec![0.0; columns];
    let mut rates = vec![0.0; map.contacts()];
    let mut column = vec![0.0; columns];
    for c in 0..columns {
        unit[c] = 1.0;
        map.apply(&unit, &mut rates)?;
        map.apply_transpose(&rates, &mut column)?;
        unit[c] = 0.0;
        (0..columns).for_each(|r| gram[(r, c)] = column[r]);
    }
    let values = gram.self_adjoint_eigenvalues(Side::Lower).ok().context("eigenvalues of BᵀB")?;
    let largest = values.iter().copied().fold(0.0, grains_pages::number::larger);
    let least = -values.iter().map(|value| -value).fold(f64::NEG_INFINITY, grains_pages::number::larger);
    Ok((values.iter().filter(|value| **value > 1e-10 * largest).count(), least / largest))
}

/// Makes the figure of the numbers of contacts, equations and undetermined forces over the number of layers.
pub(super) fn counts(context: &Context) -> Result<Artifact> {
    let dense = context.pick(11, 9);
    let mut contacts = Vec::new();
    let mut carrying = Vec::new();
    let mut ranks = Vec::new();
    let mut undetermined = Vec::new();
    let mut deficit = 0.0_f64;
    let mut least = f64::INFINITY;
    for layers in 2..=20 {
        let pile = Pile::new(layers, Law::Hooke)?;
        let n = layers as f64;
        let columns = pile.map().columns();
        let found = if layers <= dense { Some(rank(&pile)?) } else { None };
        if let Some((rank, smallest)) = found {
            deficit = deficit.max((columns - rank) as f64);
            least = least.min(smallest);
        }
        contacts.push((n, pile.contacts() as f64));
        carrying.push((n, loaded(&pile.compatible()?) as f64));
        ranks.push((n, columns as f64));
        undetermined.push((n, (pile.contacts() - columns) as f64));
    }
    let last = |points: &[(f64, f64)]| points.last().map_or(f64::NAN, |point| point.1);
    Ok(Artifact::new(
        "A pyramid of n layers has three equations for each free sphere, and they are independent: a sphere that does not \
         move relative to the four below does not move at all, layer by layer. Every contact beyond that number leaves one \
         force undetermined, for contact dynamics 7030 of them at twenty layers. Even without the contacts in the layers, \
         which uniform spheres of Hooke's law do not load, 2470 remain.",
    )
    .plot(
        Plot::semilog("counts", "Contacts and equations of the pyramid", ("layers", ""), ("number", ""))
        .series(Series::line("contacts", contacts.clone()).marker(Marker::Circle))
        .series(Series::line("carrying, uniform Hooke", carrying.clone()).marker(Marker::Triangle))
        .series(Series::line("equations: rank of B", ranks.clone()).marker(Marker::Square))
        .series(Series::line("undetermined forces", undetermined.clone()).marker(Marker::Cross)),
    )
    .claims([
        Claim::ours(format!("columns of B less its rank, 2 to {dense} layers"), deficit, 0.0..=0.0)
            .shortened(context.pick(None, Some("up to 9 layers of 11"))),
        Claim::ours(
            format!("least over largest eigenvalue of BᵀB, 2 to {dense} layers: far from rounding"),
            least,
            1e-5..=1.0,
        ),
        Claim::ours("contacts at twenty layers", last(&contacts), 14440.0..=14440.0),
        Claim::ours("contacts that carry, uniform Hooke", last(&carrying), 9784.0..=9784.0),
        Claim::ours("undetermined forces at twenty layers", last(&undetermined), 7030.0..=7030.0),
    ])
    .parameters(json!({ "layers": [2, 20], "rank computed up to": dense })))
}
