//! Simulation for `[DK21]` Fig. 11: 218 spheres that fall into a box, from initial states of LAMMPS.
use anyhow::{Result, bail};
use dem_contact::io::LammpsData;
use dem_contact::wall::Wall;
use rrp_geom::glam::DVec3;
use rrp_integrate::kinetic_energy;

use super::lammps::{BOX_FILL, Data};
use super::run::Run;
use super::scene::{Scene, contact_time};
use super::scheme::Scheme;

/// Normal damping rate `γ_n` in √(g/d), at which our velocity Verlet repeats the simulations of LAMMPS digit by digit.
pub(super) const DAMPING: f64 = 30.0;
/// Number of time steps between two samples, as in the data of LAMMPS; a step is the contact time `t_c` over 32.
const STRIDE: usize = 508;

/// An initial state of falling spheres from LAMMPS.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Filling {
    /// Whether tangential damping acts.
    pub(super) viscous: bool,
    pub(super) seed: u16,
}

/// Mean kinetic energy, `[DK21] (35)`, and spread of the velocities, `[DK21] (36)`, of the spheres at one time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sample {
    pub(super) time: f64,
    pub(super) kinetic: f64,
    pub(super) spread: f64,
}

impl Filling {
    pub(super) const ALL: [Self; 4] = [
        Self { viscous: true, seed: 4711 },
        Self { viscous: false, seed: 4711 },
        Self { viscous: true, seed: 1234 },
        Self { viscous: false, seed: 1234 },
    ];

    pub(super) fn name(self) -> String {
        let tangential = if self.viscous { "γ_t = γ_n/2" } else { "γ_t = 0" };
        format!("{tangential}, start {}", self.seed)
    }

    /// Makes the scene of this initial state in the box, read from a data file of LAMMPS.
    pub(super) fn scene(self) -> Result<Scene> {
        let text = match (self.viscous, self.seed) {
            (true, 4711) => include_str!("../../../../crates/dem-contact/tests/data/boxfill_mu10000_seed4711.data"),
            (true, 1234) => include_str!("../../../../crates/dem-contact/tests/data/boxfill_mu10000_seed1234.data"),
            (false, 4711) => include_str!("../../../../crates/dem-contact/tests/data/boxfill_mu0_seed4711.data"),
            (false, 1234) => include_str!("../../../../crates/dem-contact/tests/data/boxfill_mu0_seed1234.data"),
            (_, seed) => bail!("no falling state of seed {seed}"),
        };
        let data = LammpsData::read(text.as_bytes())?;
        let scene = Scene::new(data.bodies, data.state);
        let walls = Wall::inside_of_box(DVec3::ZERO, DVec3::new(6.0, 6.0, 120.0)).into_iter().take(5).collect();
        let tangential = if self.viscous { 0.5 } else { 0.0 };
        Ok(Scene { damping: DAMPING, tangential, gravity: DVec3::NEG_Z, walls, skin: 0.3, ..scene })
    }

    /// Simulates the filling by one scheme until the time `end`, and returns its samples. The time step is the contact
    /// time `t_c` over 32.
    pub(super) fn run(self, scheme: Scheme, end: f64) -> Result<Vec<Sample>> {
        let mut run = Run::new(self.scene()?, scheme, contact_time() / 32.0)?;
        let mut samples = vec![sample(&run)];
        while run.state.time() < end {
            for _ in 0..STRIDE {
                run.step()?;
            }
            samples.push(sample(&run));
        }
        Ok(samples)
    }

    /// Reads the samples of four simulations by LAMMPS from this initial state, which differ in the time step.
    pub(super) fn peers(self) -> Result<Vec<Vec<Sample>>> {
        let friction = if self.viscous { 10_000.0 } else { 0.0 };
        let of = |&per_contact: &f64| -> Result<Vec<Sample>> {
            let data = Data::parse(BOX_FILL)?.only("mu", friction)?.only("seed", f64::from(self.seed))?;
            let data = data.only("per_contact", per_contact)?;
            let rows = data.pairs("t", "k")?.into_iter().zip(data.column("dv")?);
            Ok(rows.map(|((time, kinetic), spread)| Sample { time, kinetic, spread }).collect())
        };
        [16.1, 32.0, 64.0, 160.0].iter().map(of).collect()
    }
}

/// Measures the kinetic energy and the velocity spread of the spheres in the present state of a simulation.
fn sample(run: &Run) -> Sample {
    let count = run.bodies.len() as f64;
    let mean = run.state.velocity().iter().sum::<DVec3>() / count;
    let square = run.state.velocity().iter().map(|v| (v - mean).length_squared()).sum::<f64>();
    let kinetic = kinetic_energy(&run.bodies, &run.state).total() / count;
    Sample { time: run.state.time(), kinetic, spread: square / (3.0 * count) }
}
