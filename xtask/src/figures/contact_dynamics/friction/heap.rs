//! Figure of heaps of poured spheres, whose slopes by contact dynamics are compared with those of elastic spheres.
use anyhow::Result;
use grains_pages::number::larger;
use grains_pages::plot::{Marker, Plot, Series};
use rayon::prelude::*;
use serde_json::json;

use super::pour::{Contacts, FRICTION, Heap, Mean, Pour, ROLLING, Settings};
use crate::model::{Artifact, Claim, Context, Effort, Measured};

const KINDS: [(Contacts, &str, Marker); 2] =
    [(Contacts::Rigid, "contact dynamics", Marker::Circle), (Contacts::Elastic, "elastic spheres", Marker::Square)];

/// Largest accepted difference in degrees between the mean slopes of heaps by contact dynamics and by elastic spheres.
const APART: f64 = 2.0;

/// Makes the figure of heaps by both methods, poured from the same spheres at the same initial positions.
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
    let (rigid, elastic) = found.split_at(heaps as usize);
    let mut profiles = Plot::linear(
        "profile",
        format!("Tops of the surface of a heap of {spheres} spheres, seed 1, and fitted lines"),
        ("distance from the axis", "d"),
        ("height", "d"),
    );
    let mut angles = Plot::linear(
        "slopes",
        "Slopes of the fitted lines",
        ("seed; means behind the last one", ""),
        ("angle", "degrees"),
    );
    for (colour, ((_, name, marker), heaps)) in KINDS.iter().zip([rigid, elastic]).enumerate() {
        let surface = &heaps[0].surface;
        profiles = profiles
            .series(Series::markers(*name, *marker, surface.tops.iter().copied()).colour(colour))
            .series(Series::line(format!("line, {name}"), surface.line()).colour(colour));
        let slopes: Vec<f64> = heaps.iter().map(|heap| heap.surface.angle()).collect();
        let (Mean { mean, error }, behind) = (Mean::of(&slopes), slopes.len() as f64 + 1.0 + 0.2 * colour as f64);
        let by_seed = (1..).map(f64::from).zip(slopes);
        let means = [mean - error, mean, mean + error].map(|angle| (behind, angle));
        angles = angles
            .series(Series::markers(*name, *marker, by_seed).colour(colour))
            .series(Series::line(format!("mean ± standard error, {name}"), means).colour(colour));
    }
    // Slopes are compared seed by seed, since both methods use the same spheres.
    let steeper: Vec<f64> = rigid.iter().zip(elastic).map(|(a, b)| a.surface.angle() - b.surface.angle()).collect();
    let steeper = Mean::of(&steeper);
    let kinetic = found.iter().map(|heap| heap.kinetic).fold(0.0, larger);
    let residual = |part: f64| rigid.iter().map(|heap| heap.effort.residual(part)).fold(0.0, larger);
    let cut =
        context.pick(None, Some("two heaps of 60 spheres, of five of 500; springs five times softer, half the sweeps"));
    let artifact = Artifact::new(
        "The same spheres rain onto a rough disc, as rigid bodies with steps of a twentieth of √(d/g) and as elastic \
         ones with much shorter steps. In each square cell of side d the highest sphere is of the surface; a straight \
         line is fitted to the tops from 0.2 to 0.8 of the radius of the disc. No theory gives the slope. Heaps by \
         contact dynamics are steeper by some 1.5 degrees, more than the scatter of five heaps explains. Their impacts \
         have no restitution, those of elastic spheres have 0.1, and forces are taken before they are exact; which of \
         it makes them steeper was not looked at.",
    )
    .plot(profiles)
    .plot(angles)
    .claim(Claim::ours("kinetic energy of a sphere at the end, mean", kinetic, 0.0..=1e-2).unit("m g d"))
    .claim(Claim::ours("R₁ that half of the steps of contact dynamics have", residual(0.5), 0.0..=1e-3))
    .claim(Claim::ours("R₁ that 95 of 100 steps have", residual(0.95), 0.0..=1e-2))
    .shortened(cut)
    .parameters(json!({
        "spheres": spheres, "heaps": heaps, "μ": FRICTION, "rolling friction over reduced radius": ROLLING,
        "dt_√(d/g)": settings.dt, "R1": settings.tolerance, "sweeps at most": settings.sweeps,
        "overlap left over reduced radius": settings.overlap, "stiffness_m g/d": settings.stiffness,
        "restitution of elastic spheres": settings.restitution, "restitution of rigid ones": settings.rigid_restitution,
    }));
    Ok(match context.effort {
        Effort::Quick => artifact,
        Effort::Full => artifact.claims([
            Claim::ours(
                "mean slope by contact dynamics less that of elastic spheres",
                Measured::within(steeper.mean, steeper.error),
                -APART..=APART,
            )
            .unit("degrees"),
            Claim::ours("standard error of that difference", steeper.error, 0.0..=1.0).unit("degrees"),
        ]),
    })
}
