//! A bed of 4000 spheres that is lifted slightly, falls and settles.
use anyhow::Result;
use dem_contact::neighbor::{Boundary, Domain};
use dem_contact::wall::Wall;
use rrp_geom::glam::DVec3;

use super::lammps::{BED, Data};
use super::run::Run;
use super::scene::{Scene, contact_time};
use super::scheme::Scheme;

/// Damping `γ_n` with which LAMMPS settled the bed.
pub(super) const DAMPING: f64 = 60.0;
pub(super) const LIFT: f64 = 0.01;
/// Time between samples in `t_c`, equal to the largest step.
pub(super) const SAMPLING: f64 = 10.0;

#[derive(Clone, Copy, Debug)]
pub(super) struct Settling {
    pub(super) scheme: Scheme,
    /// h/`t_c`; divides [`SAMPLING`].
    pub(super) step: f64,
}

/// The bed at one time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sample {
    /// Time in `t_c`.
    pub(super) time: f64,
    /// Mean height of the centres above the initial one in d.
    pub(super) height: f64,
    /// Mechanical energy minus the initial one, relative to the energy of the lift.
    pub(super) energy: f64,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Outcome {
    pub(super) samples: Vec<Sample>,
    /// Evaluations of all contacts, and products with their matrix.
    pub(super) passes: usize,
    /// Newton iterations of each step.
    pub(super) iterations: Vec<usize>,
}

/// Makes the scene of the bed at rest, lifted off its floor.
fn scene() -> Result<Scene> {
    let data = Data::parse(BED)?;
    let columns = ["x", "y", "z"].map(|name| data.column(name)).into_iter().collect::<Result<Vec<_>>>()?;
    let place = |i: usize| (DVec3::new(columns[0][i], columns[1][i], columns[2][i] + LIFT), DVec3::ZERO);
    let places: Vec<_> = (0..columns[0].len()).map(place).collect();
    let domain = Domain::new(
        DVec3::ZERO,
        DVec3::new(15.0, 15.0, 60.0),
        [Boundary::Periodic, Boundary::Periodic, Boundary::Open],
    )?;
    let floor = Wall::plane(DVec3::ZERO, DVec3::Z);
    let scene = Scene::spheres(&places)?.damped(DAMPING);
    Ok(Scene { tangential: 0.0, gravity: DVec3::NEG_Z, walls: vec![floor], domain, ..scene })
}

impl Settling {
    pub(super) fn run(self, duration: f64) -> Result<Outcome> {
        let scene = scene()?;
        let count = scene.bodies.len() as f64;
        let height = |run: &Run| run.state.position().iter().map(|place| place.z).sum::<f64>() / count;
        let mut run = Run::new(scene, self.scheme, self.step * contact_time())?;
        let start = height(&run);
        let initial = run.energy()?;
        let mut outcome = Outcome::default();
        let stride = (SAMPLING / self.step).round() as usize;
        for k in 0..=(duration / SAMPLING).round() as usize {
            for _ in 0..if k > 0 { stride } else { 0 } {
                let work = run.step()?;
                outcome.passes += work.passes;
                outcome.iterations.push(work.iterations);
            }
            let time = k as f64 * SAMPLING;
            let energy = (run.energy()? - initial) / (count * LIFT);
            outcome.samples.push(Sample { time, height: height(&run) - start, energy });
        }
        Ok(outcome)
    }
}
