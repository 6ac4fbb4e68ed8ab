//! An impact of two spheres, from just before the touch to just after.
use anyhow::Result;
use rrp_geom::glam::DVec3;

use super::run::Run;
use super::scene::{Scene, contact_time};
use super::scheme::Scheme;

/// Number of simulated steps before the touch; earlier free flight is part of the initial state.
const LEAD: f64 = 3.0;
/// End of a run in `t_c` after the touch, beyond the most damped impact.
const END: f64 = 1.35;

/// Two spheres that start at x = ±x₀, y = ±Δy/2 with the velocities ∓1.
#[derive(Clone, Copy, Debug)]
pub(super) struct Impact {
    /// `γ_n` in √(g/d); `γ_t` is half of it.
    pub(super) damping: f64,
    /// Offset Δy in d.
    pub(super) offset: f64,
    /// Number of steps per contact time, `t_c`/h.
    pub(super) per_contact: f64,
    /// Excess of x₀ over 1 in steps, which shifts the first touch within its step.
    pub(super) phase: f64,
    /// Whether a normal force made attractive by damping is cut off.
    pub(super) capped: bool,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Sample {
    /// Steps since x₀.
    pub(super) step: usize,
    /// Time after the first touch, (t − `t_A`)/`t_c`.
    pub(super) time: f64,
    /// Kinetic energies of translation and rotation.
    pub(super) translation: f64,
    pub(super) rotation: f64,
}

impl Impact {
    pub(super) fn step(self) -> f64 {
        contact_time() / self.per_contact
    }

    /// Returns the time `t_A` of the first touch.
    pub(super) fn touch(self) -> f64 {
        1.0 + self.phase * self.step() - 0.5 * (1.0 - self.offset * self.offset).sqrt()
    }

    /// Returns the time of a step after the first touch, (t − `t_A`)/`t_c`.
    pub(super) fn time(self, step: f64) -> f64 {
        (step * self.step() - self.touch()) / contact_time()
    }

    /// Takes all steps around the impact under one scheme.
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

    /// Returns the final kinetic energies of translation and rotation.
    pub(super) fn end(self, scheme: Scheme) -> Result<(f64, f64)> {
        let samples = self.run(scheme)?;
        Ok(samples.last().map_or((f64::NAN, f64::NAN), |last| (last.translation, last.rotation)))
    }
}
