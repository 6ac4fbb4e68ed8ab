//! Liquid on the bodies of a scene.

use std::f64::consts::PI;

use dem_contact::bridge::{Bridges, Capillary, WetWall};
use dem_contact::neighbor::Domain;
use dem_contact::wall::{Shape, Wall};
use rrp_integrate::Bodies;

use super::walls::group_of;
use crate::error::GrainsError;
use crate::scene::Scene;
use crate::scene::liquid::LiquidGroup;
use crate::value::{named, not_negative};

///
/// # Errors
/// For invalid values; the error names the key.
pub(super) fn of_group(
    group: &LiquidGroup,
    scene: &Scene,
    bodies: &Bodies,
    domain: Domain,
    walls: &[Wall],
) -> Result<Bridges, GrainsError> {
    not_negative("liquid.content", group.content)?;
    if group.content > 1.0 {
        return Err(GrainsError::out_of_range("liquid.content", "at most 1, a body full of it", group.content));
    }
    let liquid = Capillary::new(group.surface_tension, group.contact_angle);
    let made = liquid.and_then(|law| Bridges::new(bodies, domain, law, group.share, on_bodies(group, bodies)));
    let made = made.map_err(GrainsError::refused_number("liquid"))?;
    made.with_walls(wet_walls(group, scene, walls)?).map_err(GrainsError::refused("liquid.walls"))
}

/// Computes the volume of liquid in m³ on each body before its first contact.
pub(crate) fn on_bodies(group: &LiquidGroup, bodies: &Bodies) -> Vec<f64> {
    let volume = |radius: &f64| 4.0 / 3.0 * PI * radius.powi(3);
    // Rounding may lift the product above the volume of the body.
    bodies.radius().iter().map(|radius| (group.content * volume(radius)).min(volume(radius))).collect()
}

/// Returns the planes that bridges reach, with their numbers among all walls. Walls that are absent in this stage are
/// left out.
fn wet_walls(group: &LiquidGroup, scene: &Scene, walls: &[Wall]) -> Result<Vec<WetWall>, GrainsError> {
    let mut wet_walls = Vec::new();
    let mut seen = Vec::new();
    for (index, name) in group.walls.iter().enumerate() {
        let key = format!("liquid.walls[{index}]");
        let wet = named(scene.walls.iter().map(|wall| &wall.name), name, &key)?;
        let conflict = |problem| Err(GrainsError::conflict(key.clone(), problem));
        if seen.contains(&wet) {
            return conflict("is named twice: name it once");
        }
        seen.push(wet);
        // Elastic walls are not in `walls`, so that `is_plane` stays false for them.
        let mut is_plane = false;
        for (number, wall) in walls.iter().enumerate().filter(|(wall, _)| group_of(scene, *wall) == wet) {
            match wall.shape() {
                Shape::Plane(_) => wet_walls.push(WetWall { number, wall: wall.clone() }),
                Shape::Nowhere => {}
                _ => return conflict("bridges reach only planes and boxes"),
            }
            is_plane = true;
        }
        if !is_plane {
            return conflict("bridges reach only planes and boxes");
        }
    }
    Ok(wet_walls)
}

/// Refuses liquid with an integrator or a box that does not support it, and wet walls that are no planes.
///
/// # Errors
/// [`GrainsError::Conflict`].
pub(super) fn check(scene: &Scene, walls: &[Wall], deforms: bool) -> Result<(), GrainsError> {
    let Some(group) = &scene.liquid else { return Ok(()) };
    let conflict = |problem| Err(GrainsError::conflict("liquid", problem));
    if !scene.integrator.is_explicit() {
        return conflict("liquid bridges need an explicit integrator");
    }
    if deforms {
        return conflict("liquid bridges need a box that does not deform in any stage");
    }
    wet_walls(group, scene, walls).map(drop)
}
