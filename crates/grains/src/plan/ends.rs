//! Conditions under which a stage ends before its duration is over.

use dem_contact::neighbor::Boundary;
use rrp_geom::glam::DVec3;

use crate::error::GrainsError;
use crate::scene::Scene;
use crate::scene::name::NameOrNumber;
use crate::scene::stages::{Stage, StageEnd};
use crate::value::{direction, named, not_negative, positive, vector};

/// A condition under which a stage ends before its duration is over.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum PlannedEnd {
    /// The stage ends when the kinetic energy of all bodies is below this energy in J.
    KineticEnergy(f64),
    /// The stage ends when the kinetic energy of translation of all bodies is below this energy in J.
    KineticTranslation(f64),
    /// The stage ends when the mean force on a free body is below this share of the mean force at a contact.
    UnbalancedForce(f64),
    /// The stage ends when the centres of all free bodies are behind this plane, opposite to its normal.
    Behind { point: DVec3, normal: DVec3 },
    /// The stage ends when more than this mass, in kg, has passed the gate with this number.
    Passed { gate: usize, mass: f64 },
    /// The stage ends when all servos bear their target loads within this relative tolerance at several consecutive
    /// checks.
    ServoAtRest(f64),
}

impl PlannedEnd {
    /// Reads the end condition of the stage at `key`, if any. `before` is the scene of the stage before.
    ///
    /// # Errors
    /// For an invalid condition; the error names the key.
    pub(super) fn of(stage: &Stage, before: &Scene, key: &str) -> Result<Option<Self>, GrainsError> {
        let under = |name: &str| format!("{key}.end.{name}");
        let Some(end) = &stage.end else { return Ok(None) };
        Ok(Some(match *end {
            StageEnd::KineticEnergy(energy) => Self::KineticEnergy(positive(under("kinetic-energy"), energy)?),
            StageEnd::KineticTranslation(energy) => {
                Self::KineticTranslation(positive(under("kinetic-translation"), energy)?)
            }
            StageEnd::UnbalancedForce(share) => Self::UnbalancedForce(positive(under("unbalanced-force"), share)?),
            StageEnd::Behind { point, normal } => {
                let point = vector(under("behind.point"), point)?;
                let normal = direction(under("behind.normal"), normal)?;
                let sides = before.simulation_box.as_ref().map(|space| space.boundary);
                let crosses = |c: usize| {
                    sides.is_some_and(|sides| sides[c] == Boundary::Periodic) && normal.normalize()[c].abs() > 1e-12
                };
                if (0..3).any(crosses) {
                    let problem = "the plane stands across a periodic direction";
                    return Err(GrainsError::conflict(under("behind.normal"), problem));
                }
                Self::Behind { point, normal }
            }
            StageEnd::Passed { ref gate, mass } => {
                let gate = number_of(gate, before, &under("passed.gate"))?;
                Self::Passed { gate, mass: not_negative(under("passed.mass"), mass)? }
            }
            StageEnd::ServoAtRest(share) => Self::ServoAtRest(positive(under("servo-at-rest"), share)?),
        }))
    }
}

fn number_of(gate: &NameOrNumber, scene: &Scene, key: &str) -> Result<usize, GrainsError> {
    match gate {
        NameOrNumber::Number(number) if *number < scene.gates.len() => Ok(*number),
        NameOrNumber::Number(number) => {
            Err(GrainsError::out_of_range(key, "the name, or the number from zero, of a gate", *number as f64))
        }
        NameOrNumber::Name(name) => named(scene.gates.iter().map(|gate| &gate.name), name, key),
    }
}
