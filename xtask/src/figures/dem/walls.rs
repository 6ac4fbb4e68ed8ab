//! `[DK21]` Fig. 9: the energy of an undamped sphere that bounces between two walls, by all schemes and by LAMMPS.
use anyhow::Result;
use grains_pages::number::larger;
use grains_pages::plot::{Plot, Series};
use serde_json::json;

use super::bounces::{Bounces, COLLISIONS, Course};
use super::lammps::{Data, WALLS, WALLS_FREE};
use super::scene::Scene;
use super::scheme::{Scheme, chained, lammps};
use crate::model::{Artifact, Claim, Context};

/// Initial condition of `[DK21]` Fig. 9: the sphere in the middle between the walls, with unit speed.
const START: Bounces = Bounces { scheme: Scheme::Midpoint, per_contact: 32.0, speed: 1.0, phase: 0 };

/// Energy errors of the sphere between two walls in one simulation by each scheme.
type Paths = Vec<(Scheme, Course)>;

/// Plots the energy error in the last six collisions by every scheme and by LAMMPS, and returns the errors of the
/// schemes.
fn last_collisions(ids: [&'static str; 2], per_contact: f64) -> Result<([Plot; 2], Paths)> {
    let peers = Data::parse(WALLS)?.only("per_contact", per_contact)?.pairs("step", "error")?;
    let from = peers.first().map_or(0, |peer| peer.0 as usize);
    let title = format!("Total energy in the last of {COLLISIONS} collisions, h = t_c/{per_contact}, v = 1");
    let mut plot = Plot::linear(ids[0], title, ("t/t_c", ""), ("E/E₀ − 1", ""));
    // The magnified plot omits α = 0, beside which all other errors are small, as in the paper.
    let mut magnified = Plot { id: ids[1].into(), title: format!("{}, magnified", plot.title), ..plot.clone() };
    let mut courses = Vec::new();
    for scheme in Scheme::ALL {
        let course = Bounces { scheme, per_contact, ..START }.run(from)?;
        let line = scheme.line(course.tail.iter().map(|&(step, error)| (step as f64 / per_contact, error)));
        if scheme != Scheme::First {
            magnified = magnified.series(line.clone());
        }
        plot = plot.series(line);
        courses.push((scheme, course));
    }
    let stride = if per_contact > 100.0 { 12 } else { 9 };
    let end = courses.iter().filter_map(|(_, course)| Some(course.tail.last()?.0)).max().unwrap_or(0) as f64;
    let peers =
        peers.into_iter().filter(|peer| peer.0 <= end).step_by(stride).map(|(step, error)| (step / per_contact, error));
    let peers = lammps(peers);
    let mut plots = [plot.series(peers.clone()), magnified.series(peers)];
    if per_contact < 100.0 {
        plots = plots.map(|plot| plot.level(-1e-3, "[DK21]: α = ½ loses 0.1 %"));
    }
    Ok((plots, courses))
}

/// Plots the energy error after each collision of ten simulations, which differ in the phase of the first touch within
/// a time step, and of LAMMPS.
fn walks(courses: &[Course]) -> Result<Plot> {
    let title = "E after each collision, α = ½ Marsden-West, v = 1, h = t_c/32, ten phases of the first touch";
    let mut plot = Plot::linear("walks", title, ("collision", ""), ("E/E₀ − 1", ""));
    let peers = Data::parse(WALLS_FREE)?.only("per_contact", 32.0)?.pairs("collision", "error")?;
    let path = |course: &Course| -> Vec<(f64, f64)> {
        course.free.iter().enumerate().map(|(k, &error)| ((k + 1) as f64, error)).collect()
    };
    let paths: Vec<_> = courses.iter().map(path).collect();
    plot = plot.series(Series::line("phases 0, 0.1, … 0.9 of a step", chained(&paths)).colour(2));
    Ok(plot.series(lammps(peers.into_iter().step_by(5))))
}

/// Returns the largest |E/E₀ − 1| over all time steps and simulations, and the mean and the root mean square of E/E₀ −
/// 1 after the last collision.
fn statistics(courses: &[Course]) -> (f64, f64, f64) {
    let count = courses.len() as f64;
    let mean = courses.iter().map(Course::end).sum::<f64>() / count;
    let square = courses.iter().map(|course| course.end().powi(2)).sum::<f64>() / count;
    (courses.iter().map(|course| course.worst).fold(0.0, larger), mean, square.sqrt())
}

/// Makes the claims about the energy errors of one scheme with one time step over all phases and speeds. `few` says
/// what a shortened figure leaves out.
fn claims(scheme: Scheme, per_contact: f64, courses: &[Course], few: Option<&str>) -> Vec<Claim> {
    let (worst, mean, rms) = statistics(courses);
    let of = format!("{}, h = t_c/{per_contact}, {} starts", scheme.name(), courses.len());
    let text = format!("largest |E/E₀ − 1| through {COLLISIONS} collisions, {of}");
    let fine = per_contact > 100.0;
    // Without drift, the mean over N starts is of the order of rms/√N.
    let driftless = 3.0 / (courses.len() as f64).sqrt();
    let claims = match scheme {
        Scheme::ExactEnergy => vec![Claim::ours(text, worst, 0.0..=1e-12)],
        Scheme::First => vec![Claim::ours(text, worst, 0.0..=if fine { 1.2e-2 } else { 6e-2 })],
        _ => {
            let bounded = Claim::ours(text, worst, 0.0..=if fine { 3e-4 } else { 1.5e-2 });
            let text = format!("|mean| over root mean square of the final E/E₀ − 1, {of}");
            vec![
                bounded,
                if matches!(scheme, Scheme::Midpoint) {
                    Claim::paper_differs(
                        text,
                        "the second-order integrator loses a small fraction (0.1 %) of the energy at h ≈ t_c/32",
                        "no loss: the energy wanders with the phases of the touches and comes back; one run shows one path of it",
                        mean.abs() / rms,
                        0.0..=driftless,
                    )
                } else {
                    Claim::ours(text, mean.abs() / rms, 0.0..=driftless)
                },
            ]
        }
    };
    claims.into_iter().map(|claim| claim.shortened(few)).collect()
}

/// Plots and tests the update of the momentum in `[DK21]` Algorithm 1, which is right for α = 0 only.
fn algorithm_one() -> Result<(Plot, Claim)> {
    let mut plot =
        Plot::semilog("algorithm-1", "Energy after each collision, h = t_c/32, v = 1", ("collision", ""), ("E/E₀", ""));
    let mut left = f64::NAN;
    for scheme in [Scheme::Midpoint, Scheme::AlgorithmOne] {
        let course = Bounces { scheme, ..START }.run(usize::MAX)?;
        left = course.end() + 1.0;
        plot =
            plot.series(scheme.line(course.free.iter().enumerate().map(|(k, &error)| ((k + 1) as f64, error + 1.0))));
    }
    let claim = Claim::paper_differs(
        "E/E₀ after at most 250 collisions, α = ½ with p = M (q₁ − q₀)/h as in Algorithm 1, h = t_c/32",
        "Algorithm 1 updates the momentum so; the text runs it with α = ½ as the second-order integrator",
        "that line is right for α = 0 only; with α = ½ it destroys the energy, p must be (31)",
        left,
        0.0..=0.01,
    );
    Ok((plot, claim))
}

/// Makes `[DK21]` Fig. 9, the energy of a sphere between two walls.
pub(super) fn energy(context: &Context) -> Result<Artifact> {
    // Without damping both forms with α = ½ coincide.
    let speeds = |scheme: Scheme, per_contact: f64| -> &[f64] {
        match scheme {
            Scheme::Printed => &[1.0],
            _ if per_contact > 100.0 => &[1.0, 2.0],
            _ => context.pick(&[0.1, 0.5, 1.0, 2.0], &[1.0]),
        }
    };
    let cut = context.pick(None, Some("speed 1 only, and at t_c/160 no ensembles"));
    let (coarse, _) = last_collisions(["coarse", "coarse-magnified"], 32.0)?;
    let (fine, paths) = last_collisions(["fine", "fine-magnified"], 160.0)?;
    let (decay, decayed) = algorithm_one()?;
    let mut artifact = Artifact::new(
        "The total energy of an undamped sphere between two walls 1.01 d apart. Every touch begins at some phase of a step, \
         and changes the energy by an amount that depends on it: the energy of α = ½, printed or not, of velocity Verlet \
         and of LAMMPS wanders with these phases, up and down, and the paper's loss of 0.1 per cent is one such path. Inside the \
         contacts α = 0 is off by the first order of h. The exact-energy form keeps the energy to rounding. The momentum \
         line of Algorithm 1 must not be used with α = ½.",
    )
    .parameters(json!({
        "common": Scene::parameters(), "gap_d": 1.01, "collisions": COLLISIONS,
        "speeds": { "t_c/32": speeds(Scheme::Midpoint, 32.0), "t_c/160": speeds(Scheme::Midpoint, 160.0) },
        "phases_of_the_first_touch": 10, "t_c_over_h": [32, 160],
    }));
    artifact.plots.extend(coarse.into_iter().chain(fine));
    let steps: &[f64] = context.pick(&[32.0, 160.0], &[32.0]);
    for scheme in Scheme::ALL {
        for &per_contact in steps {
            let courses = Bounces { scheme, per_contact, ..START }.ensemble(speeds(scheme, per_contact))?;
            if scheme == Scheme::Midpoint && per_contact < 100.0 {
                let one = speeds(scheme, per_contact).iter().take_while(|&&speed| speed < 0.9).count();
                artifact = artifact.plot(walks(&courses[10 * one..10 * one + 10])?);
            }
            artifact = claims(scheme, per_contact, &courses, cut).into_iter().fold(artifact, Artifact::claim);
        }
        if steps.len() == 1 {
            let course: Vec<Course> = paths.iter().filter(|path| path.0 == scheme).map(|path| path.1.clone()).collect();
            let bounded = claims(scheme, 160.0, &course, cut).into_iter().take(1);
            artifact = artifact.claims(bounded);
        }
    }
    Ok(artifact.plot(decay).claim(decayed))
}
