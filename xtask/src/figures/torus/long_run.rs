//! `[BG21]` Fig. 5: the energy of the torus over five hundred seconds.
use anyhow::Result;
use dem_contact::bond::ShearForm;
use grains_pages::plot::{Plot, Series};
use rrp_integrate::{Explicit, Map};
use serde_json::json;

use super::course::{FREE_FROM, SAMPLING, Setting};
use super::drift;
use super::ensemble::Ensemble;
use super::ring::{Reading, Ring, parameters};
use crate::figures::rodrigues::method::Method;
use crate::figures::torus::PAPER;
use crate::model::{Artifact, Claim, Context};

/// Plots the energy error over time of the first three simulations by map (27), then by map (25).
fn plot(id: &'static str, title: &str, ensembles: &[Ensemble]) -> Plot {
    let plot = Plot::linear(id, title, ("time", "s"), ("E/E₀ − 1", ""));
    ensembles.iter().rev().fold(plot, |plot, Ensemble { map, courses }| {
        let method = Method::from(*map);
        let shades = if *map == Map::Rodrigues25 { [method.colour(), 4, 3] } else { [method.colour(), 5, 6] };
        courses.iter().take(3).enumerate().fold(plot, |plot, (k, course)| {
            let name = format!("{}, motion {}", method.name(), k + 1);
            plot.series(Series::line(name, course.samples.iter().copied().step_by(2)).colour(shades[k]))
        })
    })
}

/// Simulates the torus of the printed diameter with the time step 1e-2 s, which is unstable. Returns the time in s and
/// the energy in J after each step until the energy overflows or a contact fails, and the energy after the first step.
fn explosion() -> Result<(Vec<(f64, f64)>, f64)> {
    let mut ring = Ring::new(Reading::Printed, ShearForm::Printed, Map::Rodrigues25)?;
    let mut map = Explicit::new(Map::Rodrigues25, 1e-2)?;
    let mut points = vec![(0.0, ring.ledger().mechanical())];
    while points.len() < 50 && ring.step(&mut map).is_ok() && ring.energy().is_finite() {
        points.push((ring.state.time(), ring.energy()));
    }
    let first = points.get(1).map_or(f64::NAN, |point| point.1);
    Ok((points, first))
}

/// Makes `[BG21]` Fig. 5 for both readings of the size of the torus.
pub(super) fn energy(context: &Context) -> Result<Artifact> {
    let (members, few, printed_members) = context.pick((96, 32, 8), (4, 2, 1));
    context.progress.total(2 * (members + few + printed_members) as u64);
    let maps = [Map::Rodrigues25, Map::Rodrigues27];
    let reading = Reading::UnitGrains;
    let map = Map::Rodrigues25;
    let setting = Setting { reading, map, h: 1e-2, duration: 500.0, contacts: true };
    let run = |map| Ensemble::run(context, Setting { map, ..setting }, members);
    let possible = maps.into_iter().map(run).collect::<Result<Vec<_>>>()?;
    let finer = Ensemble::run(context, Setting { h: 5e-3, ..setting }, few)?;
    let smooth = Ensemble::run(context, Setting { contacts: false, ..setting }, few)?;
    let printed_duration = context.pick(setting.duration, 100.0);
    let printed_setting = Setting { reading: Reading::Printed, h: 1e-3, duration: printed_duration, ..setting };
    let run = |map| Ensemble::run(context, Setting { map, ..printed_setting }, printed_members);
    let printed = maps.into_iter().map(run).collect::<Result<Vec<_>>>()?;
    let (points, first) = explosion()?;
    let log = points.iter().map(|&(t, e)| (t, e / points[0].1));
    let artifact = Artifact::new(
        "The paper's h = 1e-2 cannot belong to its printed diameter: the stiffest vibration of that ring has ω = 240, so \
         no step beyond 2/ω = 0.0083 is stable, and the energy has tripled after the first step. With grains of diameter \
         one the run is possible, and its energy stays within 0.4 per cent with (25) and 1.4 per cent with (27), medians \
         of motions that start a rounding error apart. They part after some fifty seconds, and from then on each has its \
         own trend, upwards or downwards: the energy walks at random. The contacts between grains make it walk, by the \
         kink of their 3/2-power law where grains meet and part; without them slopes are spread a hundred times less. A \
         random walk has a trend of 3.2 times the scatter about it in the median, whatever its steps, and one below the \
         scatter in one case of six. That is what (25) shows, so a single run tells nothing about a drift. With (27) the \
         scatter is mostly that of the first-order map, and hides the trend in every other motion. On the mean over the \
         motions the energy rises slowly, as a walk must in a phase space whose volume grows with the energy: by D/T where \
         the variance grows by 2D t, at the temperature T of the relative motion of neighbours along their bonds. Half \
         the step makes slopes six times smaller. With the printed diameter and h = 1e-3 most motions rise visibly.",
    )
    .plot(plot("unit-grains", "Dₚ = 1, h = 10⁻² s: three of the neighbouring motions", &possible))
    .plot(plot("printed", "Dₜ = 3, h = 10⁻³ s: a slow drift", &printed))
    .plot(
        Plot::semilog("first-steps", "Dₜ = 3, h = 10⁻² s: the first steps", ("time", "s"), ("E/E₀", ""))
            .series(Method::Rodrigues25.line(log).marker(Method::Rodrigues25.marker())),
    )
    .parameters(json!({
        "torus": parameters(), "h_s": { "Dₚ = 1": [1e-2, 5e-3], "Dₜ = 3": 1e-3 },
        "duration_s": { "Dₚ = 1": setting.duration, "Dₜ = 3": printed_duration }, "sampling_s": SAMPLING, "trend_from_s": FREE_FROM,
        "motions": { "Dₚ = 1": members, "Dₚ = 1, h = 5e-3, and without contacts": few, "Dₜ = 3": printed_members },
    }))
    .claim(Claim::paper_differs(
        "E/E₀ after the first step of (25), Dₜ = 3, h = 1e-2",
        format!("{PAPER}, h = 1e-2"),
        "with the printed diameter the first step triples the energy",
        first / points[0].1,
        3.3478..=3.3480,
    ));
    let cut = context.pick(None, Some("a twenty-fourth of the motions, and ranges as much wider as that makes them"));
    let printed_cut =
        context.pick(None, Some("one motion over 100 of 500 s, and ranges as much wider as that makes them"));
    let claims = drift::claims(&possible, &finer, &smooth).into_iter().map(|claim| claim.shortened(cut));
    let printed = drift::printed_claims(&printed).into_iter().map(|claim| claim.shortened(printed_cut));
    Ok(claims.chain(printed).fold(artifact, Artifact::claim))
}
