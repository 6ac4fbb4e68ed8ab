//! Motions of the walls and of the box of a scene: oscillations, tables, turns, strain and servos.

use dem_contact::force::BoxDrive;
use dem_contact::neighbor::Domain;
use dem_contact::wall::{Drive, MotionTable, Schedule, Servo, Turn, Wall};
use rrp_geom::glam::{DMat3, DVec3};

use super::domain::domain;
use crate::error::{GrainsError, Location};
use crate::plan::PlannedStage;
use crate::plan::ends::PlannedEnd;
use crate::scene::Scene;
use crate::scene::space::{BoxMotion, BoxServo, Shear, SimulationBox};
use crate::scene::stages::WallChange;
use crate::scene::walls::motion::{AngleRows, MotionRows, TurnByAngle, WallDrive, WallServo};
use crate::scene::walls::{WallGroup, WallShape};
use crate::scene::wanted::Wanted;
use crate::value::{direction, finite, not_negative, positive, vector, word_of};

/// Number of steps in which a servo lets the error of its load decay, if the scene gives no `response`.
const RESPONSE: f64 = 100.0;
/// Largest accepted sine of the angle between the axis of a wall's turn and its constant spin: tolerance for rounding.
const ALONG: f64 = 1e-12;

/// Returns `wall` with the oscillation, the table, the turn and the running surface of `drive`, whose keys are under
/// `at`. [`servos`] makes the servo of a drive, which acts between steps.
///
/// # Errors
/// For invalid values; the error names the key.
pub(crate) fn driven(wall: Wall, drive: &WallDrive, at: &str) -> Result<Wall, GrainsError> {
    let mut wall = wall;
    if let Some(oscillation) = &drive.oscillation {
        let amplitude = vector(format!("{at}.oscillation.amplitude"), oscillation.amplitude)?;
        let frequency = not_negative(format!("{at}.oscillation.frequency"), oscillation.frequency)?;
        let [phase, _, _] = vector(format!("{at}.oscillation.phase"), [oscillation.phase, 0.0, 0.0])?.to_array();
        wall = wall.oscillating(amplitude, frequency, phase);
    }
    if let Some(velocity) = drive.surface_velocity {
        wall = wall.running(vector(format!("{at}.surface-velocity"), velocity)?);
    }
    if let Some(turn) = &drive.turn {
        let spin = wall.pose(0.0).spin;
        wall = wall.turning(turn_by_angle(turn, spin, &format!("{at}.turn"))?);
    }
    let Some(table) = &drive.table else { return Ok(wall) };
    let rows = |rows: &[[f64; 4]]| rows.iter().map(|&[t, x, y, z]| (t, DVec3::new(x, y, z))).collect::<Vec<_>>();
    let (key, table) = match table {
        MotionRows::Velocities(given) => ("velocities", MotionTable::of_velocities(rows(given))),
        MotionRows::Positions(given) => ("positions", MotionTable::of_positions(rows(given))),
    };
    Ok(wall.following(table.map_err(GrainsError::refused(format!("{at}.table.{key}")))?))
}

/// Makes the turn of a wall from its keys under `at`. The wall's constant `spin` (rad/s) must be along the axis of the
/// turn.
fn turn_by_angle(turn: &TurnByAngle, spin: DVec3, at: &str) -> Result<Turn, GrainsError> {
    let axis = direction(format!("{at}.axis"), turn.axis)?;
    if axis.normalize().cross(spin).length() > ALONG * spin.length() {
        let problem = "is not along the `spin`: leave the spin out, or turn about its axis";
        return Err(GrainsError::conflict(format!("{at}.axis"), problem));
    }
    let mut built = Turn::about(axis).map_err(GrainsError::refused(format!("{at}.axis")))?;
    if turn.oscillation.is_none() && turn.table.is_none() {
        let problem = "needs an `oscillation` or a `table`: a constant rate is the `spin` of the wall";
        return Err(GrainsError::conflict(at, problem));
    }
    if let Some(oscillation) = &turn.oscillation {
        let amplitude = finite(format!("{at}.oscillation.amplitude"), oscillation.amplitude)?;
        let frequency = not_negative(format!("{at}.oscillation.frequency"), oscillation.frequency)?;
        let phase = finite(format!("{at}.oscillation.phase"), oscillation.phase)?;
        built = built.oscillating(amplitude, frequency, phase);
    }
    let rows = |rows: &[[f64; 2]]| rows.iter().map(|&[time, value]| (time, value)).collect::<Vec<_>>();
    let Some(table) = &turn.table else { return Ok(built) };
    let built = match table {
        AngleRows::Rates(given) => built.by_rates(rows(given)),
        AngleRows::Angles(given) => built.by_angles(rows(given)),
    };
    built.map_err(GrainsError::refused(format!("{at}.table.{}", word_of(table))))
}

/// Checks that the motions of walls, box and bodies in a stage are valid and compatible.
///
/// # Errors
/// For invalid values and for motions that conflict; the error names the key.
pub(crate) fn check(stage: &PlannedStage) -> Result<(), GrainsError> {
    for (index, group) in stage.scene.walls.iter().enumerate() {
        check_group(&stage.scene, group, &key_of_motion(stage, index))?;
    }
    if !stage.scene.blocked.is_empty() && !stage.scene.integrator.is_explicit() {
        let problem = "motions are blocked with explicit integrators only, in all stages";
        return Err(GrainsError::conflict("blocked", problem));
    }
    let drive = box_drive(&stage.scene, None).map_err(|error| stage.locate(error))?;
    let has_servo = stage.scene.walls.iter().any(|wall| wall.drive.servo.is_some())
        || drive.is_some_and(|drive| drive.wants_stress());
    if matches!(stage.end, Some(PlannedEnd::ServoAtRest(_))) && !has_servo {
        let at = Location::of(stage.key_of("end.servo-at-rest"));
        return Err(GrainsError::Conflict { at, problem: "no wall and no box has a servo in this stage" });
    }
    if matches!(stage.end, Some(PlannedEnd::UnbalancedForce(_))) && !stage.scene.integrator.is_explicit() {
        let at = Location::of(stage.key_of("end.unbalanced-force"));
        return Err(GrainsError::Conflict { at, problem: "forces on bodies are known with explicit integrators only" });
    }
    Ok(())
}

pub(super) fn key_of_motion(stage: &PlannedStage, group: usize) -> String {
    let is_own = |(changed, change): &(usize, WallChange)| *changed == group && matches!(change, WallChange::Move(_));
    match &stage.scene.walls[group].name {
        Some(name) if stage.changes.iter().any(is_own) => stage.key_of(&format!("walls.{name}.move")),
        _ => format!("walls[{group}]"),
    }
}

fn check_group(scene: &Scene, group: &WallGroup, at: &str) -> Result<(), GrainsError> {
    let motion = group.motion();
    let drive = motion.drive();
    if drive == WallDrive::default() {
        return Ok(());
    }
    let conflict = |key: &str, problem| Err(GrainsError::conflict(format!("{at}{key}"), problem));
    if matches!(group.shape, WallShape::Box { .. } | WallShape::Elastic { .. }) {
        return conflict("", "boxes and elastic walls stand still: write the sides of a box as planes");
    }
    driven(Wall::plane(DVec3::ZERO, DVec3::Z).rotating(DVec3::from_array(motion.spin)), &drive, at)?;
    if drive.surface_velocity.is_some() && !scene.integrator.is_explicit() {
        return conflict(".surface-velocity", "a surface runs with explicit integrators only");
    }
    let Some(servo) = &drive.servo else { return Ok(()) };
    if !scene.integrator.is_explicit() {
        return conflict(".servo", "a servo needs an explicit integrator");
    }
    let is_driven = drive.oscillation.is_some() || drive.table.is_some() || drive.turn.is_some();
    if is_driven || motion.velocity.iter().any(|v| v.abs() > 0.0) {
        let problem = "sets the velocity of its wall: leave out `velocity`, `oscillation`, `table` and `turn`";
        return conflict(".servo", problem);
    }
    built(scene, group, servo, &format!("{at}.servo"), 1.0).map(|_| ())
}

/// Makes the servos of a scene with steps of `dt` (s), each with the number of its wall.
///
/// # Errors
/// For invalid servos; the error names the key.
pub(crate) fn servos(scene: &Scene, dt: f64) -> Result<Vec<(usize, Servo)>, GrainsError> {
    let mut servos = Vec::new();
    let mut number = 0;
    for (index, group) in scene.walls.iter().enumerate() {
        if let Some(servo) = &group.drive.servo {
            servos.push((number, built(scene, group, servo, &format!("walls[{index}].servo"), dt)?));
        }
        number += group.shape.count();
    }
    Ok(servos)
}

fn built(scene: &Scene, group: &WallGroup, servo: &WallServo, at: &str, dt: f64) -> Result<Servo, GrainsError> {
    let conflict = |problem| Err(GrainsError::conflict(at, problem));
    let along = match (servo.direction, &group.shape) {
        (Some(along), _) => direction(format!("{at}.direction"), along)?,
        (None, WallShape::Plane { normal, .. }) => direction(format!("{at}.direction"), *normal)?,
        (None, _) => return conflict("needs a `direction`, along which the wall pushes the bodies"),
    };
    let force = match (&servo.force, &servo.pressure) {
        (Some(force), None) if servo.area.is_none() => schedule(&format!("{at}.force"), force)?,
        (Some(_), None) => return conflict("has an `area`, which belongs to `pressure`"),
        (None, Some(pressure)) => {
            let area = match servo.area {
                Some(area) => positive(format!("{at}.area"), area)?,
                None if scene.deforms() => return conflict("needs an `area`: that of the box changes"),
                None => match periodic_area(scene, along)? {
                    Some(area) => area,
                    None => return conflict("needs an `area`, on which the pressure acts"),
                },
            };
            schedule(&format!("{at}.pressure"), &pressure.times(area))?
        }
        _ => return conflict("needs one of `force` and `pressure`"),
    };
    let drive = match (servo.mass, servo.speed) {
        (Some(mass), None) if servo.response.is_none() => Drive::Mass(mass),
        (None, Some(speed)) => Drive::Controlled { speed, response: servo.response.unwrap_or(RESPONSE * dt) },
        _ => return conflict("needs a largest `speed`, with or without a `response`, or a `mass`"),
    };
    Servo::new(along, force, drive).map_err(GrainsError::refused_number(at))
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

/// Builds the target load as a function of time from the value of `key`, a constant or a table.
///
/// # Errors
/// For values that are not finite and times that do not ascend from zero; the error names the key.
pub(crate) fn schedule(key: &str, wanted: &Wanted) -> Result<Schedule, GrainsError> {
    match wanted {
        Wanted::Constant(value) => finite(key, *value).map(Schedule::from),
        Wanted::Table(rows) => Schedule::new(rows.iter().copied()).map_err(GrainsError::refused(key)),
    }
}

/// Returns the area (m²) of the box's cross section normal to a direction along an axis; none unless the box is
/// periodic along both other axes.
fn periodic_area(scene: &Scene, along: DVec3) -> Result<Option<f64>, GrainsError> {
    let periods = domain(scene)?.periods();
    let axis = (0..3).find(|&c| along.normalize().cross(DVec3::AXES[c]).length() < 1e-12);
    Ok(axis.map(|c| periods[(c + 1) % 3] * periods[(c + 2) % 3]).filter(|&area| area > 0.0))
}
