//! `[OK18]` Figs. 8-18: contact forces in the pyramid by elastic spheres, classic and compatible contact dynamics, as
//! drawings and histograms.
use grains_pages::plot::{Marker, Plot, Series};
use std::ops::RangeInclusive;

use anyhow::Result;
use cd_solve::conformance::Species;
use serde_json::json;

use super::histogram::{Histogram, loaded};
use super::law::Law;
use super::network;
use super::pile::{Pile, distance, maximum};
use super::runs::{self, LAYERS, Run, TOLERANCE};
use super::stiff::{AtRest, Rest};
use crate::model::{Artifact, Claim, Context, Table};

/// Upper end of the force scale in m g, common to all drawings of the pyramid so that their colours are comparable.
const MOST: f64 = 8.0;

/// Makes an artifact with a drawing, a histogram and a table of one set of contact forces (m g).
fn shown(pile: &Pile, name: &str, force: &[f64], caption: &str) -> Artifact {
    let histogram = Histogram::new(force, Histogram::scale(force));
    let centre = pile.pyramid.centre();
    let pairs = pile.pyramid.pairs();
    let middle = |d: usize| pairs.iter().map(move |&[a, b]| 0.5 * (centre[a][d] + centre[b][d]));
    let sphere = |k: usize| pairs.iter().map(move |pair| pair[k] as f64);
    let table = Table::new()
        .number("sphere a", "", sphere(0))
        .number("sphere b", "", sphere(1))
        .number("x", "d", middle(0))
        .number("y", "d", middle(1))
        .number("z", "d", middle(2))
        .number("contact force", "m g", force.iter().copied());
    Artifact::new(caption)
        .drawing(network::drawing("pyramid", &format!("Contact forces: {name}"), pile, force, MOST))
        .view(network::view("pyramid-view", &format!("Forces on the whole pyramid: {name}"), pile, force, MOST))
        .plot(
            Plot::linear(
                "histogram",
                format!("{} loaded contacts: {name}", loaded(force)),
                ("contact force", "m g"),
                ("contacts", ""),
            )
            .series(Series::bars("", histogram.outline())),
        )
        .table(table)
        .claim(Claim::ours(
            "vertical force on the base over the weight of the free spheres, less one",
            pile.floor(force).iter().sum::<f64>() / (pile.pyramid.centre().len() - pile.pyramid.fixed()) as f64 - 1.0,
            -1e-5..=1e-5,
        ))
        .parameters(json!({ "layers": LAYERS, "law": pile.law.name(), "contacts": pile.contacts() }))
}

/// Adds to a figure the parameters of the simulation of elastic spheres, and the claim that at rest only contacts of
/// the ideal pyramid touch.
fn at_rest(artifact: Artifact, context: &Context, run: &Run) -> Artifact {
    let AtRest { imbalance, steps, dt, strangers, overlap, .. } = run.stiff;
    let parameters = json!({
        "layers": LAYERS, "law": run.pile.law.name(), "contacts": run.pile.contacts(),
        "k d^(p-1)/(m g)": run.pile.law.stiffness(), "dt_√(d/g)": dt, "steps": steps, "largest overlap_d": overlap,
        "taken for rest: ‖sum of forces‖/‖weights‖": imbalance,
        "to rest by": match runs::way(context) {
            Rest::Drag => "a drag on velocities, from touching spheres",
            Rest::Dropped => "damping of contacts γ = 2 √(k m), twice that on the base, dropped",
        },
    });
    let cut = context.pick(None, Some("damped by a drag, not dropped: the same rest in a twentieth of the steps"));
    let text = "contacts that rigid spheres would not have";
    artifact.parameters(parameters).claim(Claim::ours(text, strangers as f64, 0.0..=0.0).shortened(cut))
}

/// Makes a figure of the contact forces of stiff elastic spheres at rest (`[OK18]` Figs. 8, 13 and 16).
fn stiff(context: &Context, law: Law, caption: &str) -> Result<Artifact> {
    let run = runs::run(context, law)?;
    let Run { pile, compatible, stiff, minimum } = &*run;
    let name = format!("elastic spheres, {}", law.name());
    let artifact = at_rest(shown(pile, &name, &stiff.force, caption), context, &run);
    let asymmetry = pile.asymmetry(&stiff.force);
    let range = if law == Law::Multi { 0.1..=2.0 } else { 0.0..=1e-6 };
    let paper = if law == Law::Multi { "the symmetry of the system is broken" } else { "symmetric" };
    Ok(artifact
        .claim(Claim::as_paper("‖f − f mirrored‖/‖f‖, the worse of two mirrors", paper, asymmetry, range))
        .claim(Claim::ours(
            "largest force over that of infinitely stiff spheres from an independent program, less one",
            maximum(&stiff.force) / law.oracle() - 1.0,
            -1e-4..=1e-4,
        ))
        .claim(Claim::ours(
            "loaded contacts, less those of infinitely stiff spheres",
            loaded(&stiff.force) as f64 - loaded(compatible) as f64,
            -20.0..=20.0,
        ))
        .claim(Claim::ours(
            "‖f − f minimum‖/‖f minimum‖: rest is the minimum of the energy, found without motion",
            distance(&stiff.force, &minimum.force),
            0.0..=1e-7,
        )))
}

/// Makes a figure of compatible contact forces, compared with those of elastic spheres (`[OK18]` Figs. 11, 14 and 17).
fn compatible(context: &Context, law: Law, caption: &str) -> Result<Artifact> {
    let run = runs::run(context, law)?;
    let classic = runs::classic(context)?;
    let Run { pile, compatible, stiff, minimum } = &*run;
    let mut artifact = shown(pile, &format!("compatible, {}", law.name()), compatible, caption)
        .claim(Claim::as_paper(
            "‖f − f DEM‖/‖f DEM‖ over all contacts",
            "matches the reference force distribution computed by DEM",
            distance(compatible, &stiff.force),
            0.0..=law.table()[2],
        ))
        .claim(Claim::ours(
            "largest force over that from an independent program, less one",
            maximum(compatible) / law.oracle() - 1.0,
            -1e-10..=1e-10,
        ))
        .claim(Claim::ours(
            "‖f − f minimum‖/‖f minimum‖, the minimum of the energy of stiff spheres",
            distance(compatible, &minimum.force),
            0.0..=law.table()[2],
        ))
        .claim(Claim::ours("loaded contacts", loaded(compatible) as f64, law.loaded()..=law.loaded()))
        .claim(Claim::ours("‖Bᵀ f − F‖/‖F‖: forces balance the weights", pile.imbalance(compatible)?, 0.0..=1e-11));
    for (name, force) in [
        ("APGD", &classic.apgd),
        ("PGS, contacts as numbered", &classic.gauss_seidel),
        ("PGS, shuffled", &classic.shuffled),
    ] {
        let found = pile.compatible_with(force)?;
        artifact = artifact.claim(Claim::as_paper(
            format!("‖f − f compatible with the weights‖/‖f‖ when the classic problem was solved by {name}"),
            "the same regardless of the algorithm used to solve the initial CD LCP",
            distance(&found, compatible),
            0.0..=1e-8,
        ));
    }
    Ok(artifact)
}

/// Makes a figure with the histograms of the forces of elastic spheres and of compatible forces on common axes
/// (`[OK18]` Figs. 12, 15 and 18).
fn compared(context: &Context, law: Law) -> Result<Artifact> {
    let run = runs::run(context, law)?;
    let most = Histogram::scale(&run.compatible);
    let [stiff, compatible] = [&run.stiff.force, &run.compatible].map(|force| Histogram::new(force, most));
    Ok(at_rest(
        Artifact::new(
            "Contacts by force, of stiff elastic spheres and of compatible contact dynamics. What little differs is due to \
             the stiffness, which is finite for the elastic spheres, and to forces that lie on the edges of bins.",
        )
        .plot(
            Plot::linear("histograms", format!("Contacts by force, {}", law.name()), ("contact force", "m g"), ("contacts", ""))
            .series(Series::bars("elastic spheres", stiff.outline()))
            .series(Series::markers("compatible", Marker::Circle, compatible.tops())),
        )
        .claim(Claim::as_paper(
            "part of the contacts that are in another bin",
            "small disagreement in some of the buckets",
            stiff.difference(&compatible),
            0.0..=0.01,
        )),
        context,
        &run,
    ))
}

/// Makes a figure of classic contact forces (`[OK18]` Figs. 9 and 10). The largest one exceeds the largest compatible
/// force, in the paper by `percent`; the excess depends on solver options that the paper does not specify.
fn classic(
    context: &Context,
    name: &str,
    percent: f64,
    pick: fn(&runs::Classic) -> &[f64],
    caption: &str,
) -> Result<Artifact> {
    let run = runs::run(context, Law::Hooke)?;
    let classic = runs::classic(context)?;
    let Run { pile, compatible, .. } = &*run;
    let force = pick(&classic);
    let low = |force: &[f64]| Histogram::new(force, Histogram::scale(compatible)).lowest();
    let any = |from: f64| -> RangeInclusive<f64> { from..=f64::INFINITY };
    let most = maximum(compatible);
    let mut artifact = shown(pile, name, force, caption);
    let with_printed = |plot: Plot| {
        plot.upright(most, "largest compatible")
            .upright((1.0 + 0.01 * percent) * most, format!("[OK18]: {percent} % more"))
    };
    artifact.plots = artifact.plots.into_iter().map(with_printed).collect();
    Ok(artifact
        .claims([
            Claim::paper_differs(
                "largest force over the largest compatible one",
                format!("over-predicted by approximately {percent} %"),
                "too large by an amount that depends on start, order and step rule: see “Classic forces are a choice”",
                maximum(force) / most,
                any(1.05),
            ),
            Claim::as_paper(
                "loaded contacts over those of compatible forces",
                "many more load-bearing contacts",
                loaded(force) as f64 / loaded(compatible) as f64,
                any(1.1),
            ),
            Claim::as_paper(
                "contacts in the lowest tenth of the scale over those of compatible forces",
                "especially in the low range, many more load-bearing contacts",
                low(force) / low(compatible),
                any(2.0),
            ),
            Claim::ours("‖f − f compatible‖/‖f compatible‖ over all contacts", distance(force, compatible), any(0.01)),
            Claim::ours("‖Bᵀ f − F‖/‖F‖: forces balance the weights all the same", pile.imbalance(force)?, 0.0..=1e-8),
        ])
        .parameters(json!({ "layers": LAYERS, "contacts": pile.contacts(), "solver": name, "start": 0.0, "residual": TOLERANCE })))
}

/// Makes `[OK18]` Fig. 8: contact forces of stiff elastic spheres of Hooke's law.
pub(super) fn fig8(context: &Context) -> Result<Artifact> {
    stiff(
        context,
        Law::Hooke,
        "The reference: spheres of Hooke's law, k d/(m g) = 10⁶, by explicit dynamics until they rest. The picture looks \
         down a diagonal, with a quarter of the pyramid taken away. Forces are largest at the foot of the faces, where all \
         chains lean outwards; in the middle, where four smaller ones meet, a sphere of the base carries most (Fig. 19). \
         Neighbours in a layer just part: no force acts between them.",
    )
}

/// Makes `[OK18]` Fig. 9: classic contact forces by accelerated projected gradient descent.
pub(super) fn fig9(context: &Context) -> Result<Artifact> {
    classic(
        context,
        "classic, APGD from zero",
        14.0,
        |classic| &classic.apgd,
        "Accelerated projected gradients from zero forces, with restarts and adaptive steps. Symmetric, as the method treats \
         all contacts alike, but neighbours in the layers press on each other.",
    )
    .and_then(|artifact| {
        let run = runs::run(context, Law::Hooke)?;
        let asymmetry = run.pile.asymmetry(&runs::classic(context)?.apgd);
        Ok(artifact.claim(Claim::as_paper("‖f − f mirrored‖/‖f‖", "qualitatively similar", asymmetry, 0.0..=1e-6)))
    })
}

/// Makes `[OK18]` Fig. 10: classic contact forces by projected Gauss-Seidel.
pub(super) fn fig10(context: &Context) -> Result<Artifact> {
    let run = runs::run(context, Law::Hooke)?;
    let classic_forces = runs::classic(context)?;
    let as_numbered = &classic_forces.gauss_seidel;
    let artifact = classic(
        context,
        "classic, PGS in a random order",
        41.0,
        |classic| &classic.shuffled,
        "Projected Gauss-Seidel from zero forces, contacts in a random order, drawn once, and in the order in which the \
         pyramid numbers them. The paper does not state its order; its 41 % lie between the two.",
    )?;
    Ok(artifact
        .drawing(network::drawing(
            "as-numbered",
            "Contact forces: classic, PGS in the order of the numbers",
            &run.pile,
            as_numbered,
            MOST,
        ))
        .claim(Claim::as_paper(
            "‖f − f mirrored‖/‖f‖, random order",
            "fails to preserve the symmetry of the reference solution",
            run.pile.asymmetry(&classic_forces.shuffled),
            0.01..=f64::INFINITY,
        ))
        .claim(Claim::as_paper(
            "‖f − f mirrored‖/‖f‖, order of the numbers",
            "fails to preserve the symmetry of the reference solution",
            run.pile.asymmetry(as_numbered),
            0.01..=f64::INFINITY,
        ))
        .claim(Claim::ours(
            "largest force over the largest compatible one, order of the numbers",
            maximum(as_numbered) / maximum(&run.compatible),
            1.05..=1.41,
        )))
}

/// Makes `[OK18]` Fig. 11: compatible contact forces of Hooke's law.
pub(super) fn fig11(context: &Context) -> Result<Artifact> {
    compatible(
        context,
        Law::Hooke,
        "Compatible forces: the only ones that infinitely stiff elastic spheres can have. They need one solve, and do not \
         depend on how the classic problem was solved.",
    )
}

/// Makes `[OK18]` Fig. 12: histograms of elastic and compatible forces of Hooke's law.
pub(super) fn fig12(context: &Context) -> Result<Artifact> {
    compared(context, Law::Hooke)
}

/// Makes `[OK18]` Fig. 13: contact forces of elastic spheres of two species, stiff and soft.
pub(super) fn fig13(context: &Context) -> Result<Artifact> {
    let artifact = stiff(
        context,
        Law::Multi,
        "Spheres of even number are five times as soft as the others: k d/(m g) = 10⁶ for two stiff ones, a third of that \
         for a mixed pair, a fifth for two soft ones. The paper does not say how it counts; here from the base up, row by \
         row, from zero. Forces concentrate at the stiff contacts.",
    )?;
    let run = runs::run(context, Law::Multi)?;
    Ok(artifact.claim(Claim::as_paper(
        "mean force of contacts of two stiff spheres over that of two soft ones",
        "large forces localize at the stiff contacts",
        mean_where(&run, 1.0) / mean_where(&run, 0.2),
        1.5..=f64::INFINITY,
    )))
}

/// Computes the mean contact force in m g of the elastic spheres over the contacts between different layers that have
/// this stiffness, relative to a contact of two stiff spheres.
fn mean_where(run: &Run, stiffness: f64) -> f64 {
    let centre = run.pile.pyramid.centre();
    let pairs = run.pile.pyramid.pairs().iter().zip(run.pile.stiffness()).zip(&run.stiff.force);
    let chosen: Vec<f64> = pairs
        .filter(|((pair, k), _)| (*k - stiffness).abs() < 1e-9 && centre[pair[1]][2] > centre[pair[0]][2] + 0.1)
        .map(|(_, force)| *force)
        .collect();
    chosen.iter().sum::<f64>() / chosen.len() as f64
}

/// Makes `[OK18]` Fig. 14: compatible contact forces of the two species.
pub(super) fn fig14(context: &Context) -> Result<Artifact> {
    let artifact = compatible(
        context,
        Law::Multi,
        "Compatible forces of the two species. Counted from one, soft and stiff change places: the forces are others, the \
         largest one hardly.",
    )?;
    let exchanged = Pile::of_species(LAYERS, Law::Multi, Species::OddSoft)?.compatible()?;
    Ok(artifact.claims([
        Claim::ours("largest force, counted from one", maximum(&exchanged), 7.187_882_59..=7.187_882_60).unit("m g"),
        Claim::ours(
            "‖f counted from one − f‖/‖f‖ over all contacts",
            distance(&exchanged, &runs::run(context, Law::Multi)?.compatible),
            0.1..=2.0,
        ),
    ]))
}

/// Makes `[OK18]` Fig. 15: histograms of elastic and compatible forces of the two species.
pub(super) fn fig15(context: &Context) -> Result<Artifact> {
    compared(context, Law::Multi)
}

/// Makes `[OK18]` Fig. 16: contact forces of stiff elastic spheres of Hertz's law.
pub(super) fn fig16(context: &Context) -> Result<Artifact> {
    let artifact = stiff(
        context,
        Law::Hertz,
        "Spheres of Hertz's law, F = k δ^(3/2) with k d^(3/2)/(m g) = 10⁹. Soft where they are hardly pressed, they share \
         the weight a little differently from those of Hooke's law.",
    )?;
    let hertz = runs::run(context, Law::Hertz)?;
    let hooke = runs::run(context, Law::Hooke)?;
    Ok(artifact.claim(Claim::as_paper(
        "largest force over that of Hooke's law",
        "differing maximum forces",
        maximum(&hertz.stiff.force) / maximum(&hooke.stiff.force),
        1.027..=1.030,
    )))
}

/// Makes `[OK18]` Fig. 17: compatible contact forces of Hertz's law.
pub(super) fn fig17(context: &Context) -> Result<Artifact> {
    compatible(context, Law::Hertz, "Compatible forces of Hertz's law, p = 5/2.")
}

/// Makes `[OK18]` Fig. 18: histograms of elastic and compatible forces of Hertz's law.
pub(super) fn fig18(context: &Context) -> Result<Artifact> {
    compared(context, Law::Hertz)
}
