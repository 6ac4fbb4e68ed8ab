//! The domain of a scene, and how it deforms.

use dem_contact::force::BoxDrive;
use dem_contact::neighbor::Domain;
use rrp_geom::glam::DMat3;

use super::drives::schedule;
use crate::error::GrainsError;
use crate::scene::Scene;
use crate::scene::space::{BoxMotion, BoxServo, Shear, SimulationBox};
use crate::scene::walls::WallShape;
use crate::value::{positive, vector};

/// Returns the domain that the bodies are in: the box of the scene, or all of space.
///
/// # Errors
/// For an invalid box.
pub(crate) fn domain(scene: &Scene) -> Result<Domain, GrainsError> {
    let Some(space) = &scene.simulation_box else { return Ok(Domain::OPEN) };
    let low = vector("box.low", space.low)?;
    let high = vector("box.high", space.high)?;
    Domain::new(low, high, space.boundary).map_err(GrainsError::refused("box.high"))
}

/// Returns the drive that deforms the box of a scene; none if the box never deforms. If `domain` is given and the scene
/// has no motion of the box, the drive keeps the box at rest in this stage.
///
/// # Errors
/// For an invalid motion, or one that conflicts with other keys; the error names the key.
pub(crate) fn box_drive(scene: &Scene, domain: Option<Domain>) -> Result<Option<BoxDrive>, GrainsError> {
    Ok(given_drive(scene)?.or_else(|| domain.map(|_| BoxDrive::new(DMat3::ZERO))))
}

fn given_drive(scene: &Scene) -> Result<Option<BoxDrive>, GrainsError> {
    let motion = scene.simulation_box.as_ref().map_or_else(BoxMotion::default, SimulationBox::motion);
    if motion == BoxMotion::default() {
        return Ok(None);
    }
    let conflict = |key: &str, problem| Err(GrainsError::conflict(key, problem));
    let BoxMotion { strain_rate, shear, servo } = motion;
    let key = match (strain_rate, shear) {
        (Some(_), _) => "box.strain-rate",
        (_, Some(_)) => "box.shear",
        _ => "box.servo",
    };
    if !scene.integrator.is_explicit() {
        return conflict(key, "a box deforms with explicit integrators only");
    }
    if !scene.sources.is_empty() {
        return conflict(key, "sources bring no bodies into a box that deforms");
    }
    if scene.walls.iter().any(|wall| matches!(wall.shape, WallShape::Revolution { .. } | WallShape::Stl { .. })) {
        return conflict(key, "a box that deforms has planes and endless cylinders only");
    }
    let mut gradient = DMat3::from_diagonal(vector("box.strain-rate", strain_rate.unwrap_or_default())?);
    if let Some(Shear { along, across, rate }) = shear {
        if along == across {
            return conflict("box.shear", "is along one axis and across another one");
        }
        let [rate, _, _] = vector("box.shear.rate", [rate, 0.0, 0.0])?.to_array();
        gradient.col_mut(across as usize)[along as usize] = rate;
    }
    let mut drive = BoxDrive::new(gradient);
    if let Some(BoxServo { x, y, z, rate, gain }) = servo {
        let mut wanted = [None, None, None];
        for (axis, (name, stress)) in [("x", x), ("y", y), ("z", z)].into_iter().enumerate() {
            let Some(stress) = stress else { continue };
            let key = format!("box.servo.{name}");
            for (place, stress) in stress.values() {
                positive(format!("{key}{place}"), stress)?;
            }
            wanted[axis] = Some(schedule(&key, &stress)?);
            if gradient.col(axis)[axis].abs() > 0.0 {
                return conflict(&key, "the rate of this axis is given by `strain-rate`");
            }
        }
        if wanted.iter().all(Option::is_none) {
            return conflict("box.servo", "needs a stress along one of `x`, `y` and `z`");
        }
        let rate = positive("box.servo.rate", rate)?;
        let gain = positive("box.servo.gain", gain.unwrap_or(1.0))?;
        drive = drive.with_stress(wanted, rate, gain).map_err(GrainsError::refused("box.servo"))?;
    }
    // Each direction in which the box deforms must be periodic.
    domain(scene)?.deforming(0.0, drive.fastest()).map_err(GrainsError::refused(key))?;
    Ok(Some(drive))
}
