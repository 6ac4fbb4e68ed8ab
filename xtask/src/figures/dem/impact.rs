//! Simulation for `[DK21]` Figs. 6-8: the impact of two spheres, from just before the first touch to just after.
use anyhow::Result;
use rrp_geom::glam::DVec3;

use super::run::Run;
use super::scene::{Scene, contact_time};
use super::scheme::Scheme;

/// Number of time steps that are simulated before the first touch; the earlier free flight is computed at once.
const LEAD: f64 = 3.0;
/// Duration of the simulation after the first touch in contact times `t_c`. It is longer than the most damped impact.
const END: f64 = 1.35;

/// One impact of two spheres that start at x = ±x₀, y = ±Δy/2 with the velocities ∓1 √(g d) along x.
#[derive(Clone, Copy, Debug)]
pub(super) struct Impact {
    /// Normal damping rate `γ_n` of the contact in √(g/d); the tangential damping rate is half of it.
    pub(super) damping: f64,
    /// Offset Δy in d between the lines on which the centres fly; zero for a central impact.
    pub(super) offset: f64,
    /// Number of time steps h in the contact time `t_c`.
    pub(super) per_contact: f64,
    /// Excess of x₀ over 1 d in ways of one time step, which shifts the first touch within its step.
    pub(super) phase: f64,
    /// Whether the normal force is set to zero where damping would make it attractive.
    pub(super) capped: bool,
}

/// State of the right sphere after one time step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sample {
    /// Number of time steps since the spheres were at x = ±x₀.
    pub(super) step: usize,
    /// Time (t − `t_A`)/`t_c` since the first touch at `t_A`, in contact times.
    pub(super) time: f64,
    /// Kinetic energy of the sphere's translation in m g d.
    pub(super) translation: f64,
    /// Kinetic energy of the sphere's rotation in m g d.
    pub(super) rotation: f64,
}

impl Impact {
    /// Returns the time step h in √(d/g).
    pub(super) fn step(self) -> f64 {
        contact_time() / self.per_contact
    }

    /// Returns the time `t_A` in √(d/g) of the first touch.
    pub(super) fn touch(self) -> f64 {
        1.0 + self.phase * self.step() - 0.5 * (1.0 - self.offset * self.offset).sqrt()
    }

    /// Returns the time (t − `t_A`)/`t_c` of a step since the first touch, in contact times.
    pub(super) fn time(self, step: f64) -> f64 {
        (step * self.step() - self.touch()) / contact_time()
    }

    /// Simulates the impact by one scheme, and returns a sample of each time step.
    pub(super) fn run(self, scheme: Scheme) -> Result<Vec<Sample>> {
        let h = self.step();
        let first = (self.touch() / h - LEAD).floor();
        let last = ((self.touch() + END * contact_time()) / h).ceil();
        let centre = DVec3::new(1.0 + self.phase * h - first * h, 0.5 * self.offset, 0.0);
        let scene = Scene::spheres(&[(centre, -DVec3::X), (-centre, DVec3::X)])?;
        let scene = Scene { capped: self.capped, ..scene.damped(self.damping) };
        let mut run = Run::new(scene, scheme, h)?;
        let mut samples = Vec::new();
        for step in first as usize..=last as usize {
            if step > first as usize {
                run.step()?;
            }
            let velocity = run.state.velocity().get(0);
            let spin = run.state.spin(&run.bodies, 0);
            samples.push(Sample {
                step,
                time: self.time(step as f64),
                translation: 0.5 * velocity.length_squared(),
                rotation: 0.5 * run.bodies.inertia().get(0).x * spin.length_squared(),
            });
        }
        Ok(samples)
    }

    /// Returns the kinetic energies of translation and of rotation after the impact, in m g d.
    pub(super) fn end(self, scheme: Scheme) -> Result<(f64, f64)> {
        let samples = self.run(scheme)?;
        Ok(samples.last().map_or((f64::NAN, f64::NAN), |last| (last.translation, last.rotation)))
    }
}
