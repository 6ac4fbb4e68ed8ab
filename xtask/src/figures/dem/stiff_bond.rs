//! Cost of an impact on a pair with an increasingly stiff bond.
use anyhow::Result;
use grains_pages::number::larger;
use rrp_geom::glam::DVec3;

use super::run::Run;
use super::scene::{STIFFNESS, Scene, contact_time};
use super::scheme::Scheme;

/// Ratios of the stiffness of the bond to that of a contact, `k_B`/k.
pub(super) const RATIOS: [f64; 7] = [1.0, 10.0, 100.0, 1e3, 1e4, 1e5, 1e6];
/// Fractions of a step at which touches begin; a scheme must be accurate at all of them.
const PHASES: [f64; 4] = [0.0, 0.25, 0.5, 0.75];
/// Accepted error of the final velocity of the third sphere.
pub(super) const TOLERANCE: f64 = 0.01;
/// Binary logarithm of the largest number of steps per `t_c`; the stiffest bond needs 2¹¹ explicit steps.
const FINEST: u32 = 12;
/// Free flight before the touch, and the rest of a run, in `t_c`; the contact of masses 1 and 2 is then over.
const FLIGHT: f64 = 1.5;
const END: f64 = 2.5;

/// Returns the velocity of the third sphere after the impact in line, and the number of passes.
fn outcome(scheme: Scheme, ratio: f64, steps: u32, phase: f64) -> Result<(f64, usize)> {
    let h = contact_time() / f64::from(steps);
    // The third sphere starts too far away for a bond.
    let gap = FLIGHT * contact_time() + phase * h;
    let places =
        [(DVec3::X * -(0.5 + gap), DVec3::X), (DVec3::X * -(1.5 + gap), DVec3::X), (DVec3::X * (0.5 + gap), -DVec3::X)];
    let mut scene = Scene::spheres(&places)?;
    scene.bond = Some(ratio * STIFFNESS);
    let mut run = Run::new(scene, scheme, h)?;
    let mut passes = 0;
    for _ in 0..((FLIGHT + END) * f64::from(steps)).ceil() as usize {
        passes += run.step()?.passes;
    }
    Ok((run.state.velocity().get(2).x, passes))
}

/// Returns the passes over contacts that `scheme` needs for the right velocity at every phase.
pub(super) fn cost(scheme: Scheme, ratio: f64) -> Result<f64> {
    // The reference resolves the bond, or the motion of a rigid one.
    let (exact, _) = outcome(Scheme::Midpoint, ratio, 64 * ratio.sqrt().ceil().min(128.0) as u32, 0.0)?;
    let mut cheapest = f64::NAN;
    for exponent in (1..=FINEST).rev() {
        let mut worst = 0.0;
        let mut passes = 0;
        for phase in PHASES {
            let Ok((velocity, taken)) = outcome(scheme, ratio, 1 << exponent, phase) else { return Ok(cheapest) };
            worst = larger(worst, (velocity - exact).abs());
            passes = passes.max(taken);
        }
        if worst.is_nan() || worst > TOLERANCE {
            break;
        }
        cheapest = passes as f64;
    }
    Ok(cheapest)
}
