//! Heaps by contact dynamics beside heaps of elastic spheres.
use anyhow::Result;
use rayon::prelude::*;
use serde_json::json;

use super::pour::{Contacts, FRICTION, Heap, Mean, Pour, ROLLING, Settings};
use crate::model::artifact::Artifact;
use crate::model::claim::Claim;
use crate::model::context::Context;
use crate::model::measured::Measured;
use crate::number::larger;
use crate::plot::{Axis, Marker, Plot, Series};

const KINDS: [(Contacts, &str, Marker); 2] =
    [(Contacts::Rigid, "contact dynamics", Marker::Circle), (Contacts::Elastic, "elastic spheres", Marker::Square)];

/// Means may differ by so many degrees.
const APART: f64 = 2.0;
/// Of few small heaps, whose slopes differ from one to the next by as much.
const SMALL_APART: f64 = 8.0;

/// The same rain of spheres by both methods.
pub(super) fn slopes(context: &Context) -> Result<Artifact> {
    let coarse = Settings { sweeps: 20, stiffness: 2e3, ..Settings::DEFAULT };
    let (spheres, heaps, settings) = context.pick((500, 5, Settings::DEFAULT), (60, 2, coarse));
    let jobs: Vec<(u64, Contacts)> = KINDS.iter().flat_map(|kind| (1..=heaps).map(|seed| (seed, kind.0))).collect();
    context.progress.total(jobs.len() as u64);
    let pour = |&(seed, contacts): &(u64, Contacts)| {
        let heap = Pour::new(spheres, seed)?.run(contacts, &settings)?;
        context.progress.advance(1);
        Ok(heap)
    };
    let found = jobs.par_iter().map(pour).collect::<Result<Vec<Heap>>>()?;
    let by_kind = || KINDS.iter().zip(found.chunks(heaps as usize)).enumerate();
    let mut profiles = Plot::new(
        "profile",
        format!("Tops of the surface of a heap of {spheres} spheres, and fitted lines"),
        Axis::linear("distance from the axis", "d"),
        Axis::linear("height", "d"),
    );
    let mut angles =
        Plot::new("slopes", "Slopes of the fitted lines", Axis::linear("heap", ""), Axis::linear("angle", "degrees"));
    let mut means = Vec::new();
    for (colour, ((_, name, marker), heaps)) in by_kind() {
        let surface = &heaps[0].surface;
        profiles = profiles
            .series(Series::markers(*name, *marker, surface.tops.iter().copied()).colour(colour))
            .series(Series::line(format!("line, {name}"), surface.line()).colour(colour));
        let slopes: Vec<f64> = heaps.iter().map(|heap| heap.surface.angle()).collect();
        let by_heap = slopes.iter().enumerate().map(|(k, &angle)| (k as f64 + 1.0, angle));
        angles = angles.series(Series::markers(*name, *marker, by_heap).colour(colour));
        means.push(Mean::of(&slopes));
    }
    let [rigid, elastic] = [means[0], means[1]];
    let error = rigid.error.hypot(elastic.error);
    let apart = context.pick(APART.max(2.0 * error), SMALL_APART);
    let kinetic = found.iter().map(|heap| heap.kinetic).fold(0.0, larger);
    let residual = found[..heaps as usize].iter().map(|heap| heap.effort.residual(0.5)).fold(0.0, larger);
    let cut = context.pick(None, Some("two heaps of 60 spheres, of five of 500"));
    let artifact = Artifact::new(
        "The same spheres rain onto a rough disc, as rigid bodies with steps of a twentieth of √(d/g) and as elastic ones \
         with much shorter steps. In each square cell of side d the highest sphere is of the surface; a straight \
         line is fitted to the tops from 0.2 to 0.8 of the radius of the disc. No theory gives the slope: the two methods \
         are asked for the same one.",
    )
    .plot(profiles)
    .plot(angles)
    .claim(
        Claim::ours(
            "mean slope by contact dynamics less that of elastic spheres: within two degrees or two standard errors",
            Measured::within(rigid.mean - elastic.mean, error),
            -apart..=apart,
        )
        .unit("degrees")
        .shortened(cut),
    )
    .claim(Claim::ours("mean kinetic energy of a sphere at the end", kinetic, 0.0..=1e-3).unit("m g d").shortened(cut))
    .claim(Claim::ours("median of R₁ of the steps of contact dynamics", residual, 0.0..=1e-3).shortened(cut))
    .parameters(json!({
        "spheres": spheres, "heaps": heaps, "μ": FRICTION, "rolling friction over reduced radius": ROLLING,
        "dt_√(d/g)": settings.dt, "R1": settings.tolerance, "sweeps at most": settings.sweeps,
        "overlap left over reduced radius": settings.overlap, "stiffness_m g/d": settings.stiffness,
        "restitution of elastic spheres": settings.restitution, "mean slopes_degrees": [rigid.mean, elastic.mean],
        "standard errors_degrees": [rigid.error, elastic.error],
    }));
    Ok(artifact)
}
