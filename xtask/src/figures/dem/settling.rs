//! Simulation of a bed of 4000 spheres that is lifted slightly from its floor, falls, rebounds and settles.
use anyhow::Result;
use dem_contact::neighbor::{Boundary, Domain};
use dem_contact::wall::Wall;
use rrp_geom::glam::DVec3;

use super::lammps::{BED, Data};
use super::run::Run;
use super::scene::{Scene, contact_time};
use super::scheme::Scheme;

/// Normal damping rate `γ_n` of the contacts in √(g/d), with which LAMMPS let the bed settle too.
pub(super) const DAMPING: f64 = 60.0;
/// Height in d by which the bed is lifted from its floor at the start.
pub(super) const LIFT: f64 = 0.01;
/// Time between two samples in contact times `t_c`, which equals the largest time step.
pub(super) const SAMPLING: f64 = 10.0;

/// One simulation of the bed, by its integrator and time step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Settling {
    pub(super) scheme: Scheme,
    /// Time step in contact times `t_c`; [`SAMPLING`] must be a multiple of it.
    pub(super) step: f64,
}

/// Height and energy of the bed at one time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sample {
    /// Time in contact times `t_c`.
    pub(super) time: f64,
    /// Mean height of the centres in d above their mean height at the start.
    pub(super) height: f64,
    /// Change of the mechanical energy since the start, over the energy m g `LIFT` per sphere that the lift put in.
    pub(super) energy: f64,
}

/// Samples of one simulation of the bed, and its computing effort.
#[derive(Clone, Debug, Default)]
pub(super) struct Outcome {
    pub(super) samples: Vec<Sample>,
    /// Number of passes over all contacts: evaluations of their forces, and products with their matrix.
    pub(super) passes: usize,
    /// Number of Newton iterations of each time step.
    pub(super) iterations: Vec<usize>,
}

/// Makes the scene of the bed at rest, lifted off its floor by [`LIFT`].
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
    /// Simulates how the lifted bed falls and settles, for this duration in contact times `t_c`.
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
