//! Cost of simulating a bonded pair that is hit by a third sphere, as the bond becomes stiffer than the contacts.
use anyhow::Result;
use grains_pages::number::larger;
use rrp_geom::glam::DVec3;

use super::run::Run;
use super::scene::{STIFFNESS, Scene, contact_time};
use super::scheme::Scheme;

/// Simulated ratios `k_B`/k of the stiffness `k_B` of the bond to the stiffness k of a contact.
pub(super) const RATIOS: [f64; 7] = [1.0, 10.0, 100.0, 1e3, 1e4, 1e5, 1e6];
/// Fractions of a time step at which the first touch occurs; a scheme must be accurate at each of them.
const PHASES: [f64; 4] = [0.0, 0.25, 0.5, 0.75];
/// Accepted error in √(g d) of the final velocity of the third sphere, whose initial speed is one.
pub(super) const TOLERANCE: f64 = 0.01;
/// Binary logarithm of the largest number of time steps in the contact time `t_c`. With 10 instead of 12, velocity
/// Verlet would fail for the stiffest bond, which needs 2¹¹ explicit steps.
const FINEST: u32 = 12;
/// Duration of the free flight before the touch in contact times `t_c`.
const FLIGHT: f64 = 1.5;
/// Duration of the simulation after the touch in contact times `t_c`; by then the third sphere has left the pair.
const END: f64 = 2.5;

/// Simulates the third sphere's impact in line with the bond, with `steps` time steps in the contact time, and returns
/// its final velocity in √(g d) and the number of passes over all contacts.
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

/// Returns the least number of passes over all contacts with which `scheme` finds the final velocity to [`TOLERANCE`]
/// at every phase of the touch; NaN if no number of time steps suffices.
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
