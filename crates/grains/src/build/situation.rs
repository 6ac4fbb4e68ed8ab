//! Bodies of a run at one state, with what is known of them besides the scene.

use dem_contact::bond::Bonds;
use rrp_integrate::{Bodies, State};
use serde::{Deserialize, Serialize};

use super::bodies::InitialBodies;
use crate::error::{GrainsError, Location};
use crate::scene::Scene;
use crate::scene::contact::ContactModel;
use crate::value::material_number;

/// Material numbers of the bodies and walls of a scene.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct MaterialNumbers {
    /// Number of the material of each body; empty if there is only one material.
    pub(crate) bodies: Vec<u16>,
    /// Number of the material of each wall that the contact law acts on.
    pub(crate) walls: Vec<u16>,
}

impl MaterialNumbers {
    ///
    /// # Errors
    /// [`GrainsError::UndefinedName`] and [`GrainsError::WrongLength`], and errors of materials that no law needs.
    pub(crate) fn new(scene: &Scene, initial: &InitialBodies) -> Result<Self, GrainsError> {
        scene.contact.as_ref().map_or(Ok(()), ContactModel::check_materials)?;
        Ok(Self { bodies: initial.materials(scene)?, walls: wall_materials(scene)? })
    }
}

/// Bodies of a run at one state, with their materials, groups and bonds, for choosing steps and building an engine.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Situation<'a> {
    pub(crate) bodies: &'a Bodies,
    pub(crate) state: &'a State,
    pub(crate) materials: &'a MaterialNumbers,
    pub(crate) groups: &'a [u32],
    /// Names of all groups of bodies.
    pub(crate) names: &'a [Option<String>],
    /// Existing bonds; sources number their bodies after the bonded ones.
    pub(crate) bonds: Option<&'a Bonds>,
    /// Bounds on the motions of driven groups of fixed bodies.
    pub(crate) driven: Driven,
}

/// Bounds on the speed and period of driven groups of fixed bodies.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Driven {
    /// Upper bound of the speed of a body of a driven group, in m/s.
    pub(super) speed: f64,
    /// Shortest time in s from one turning point of a group's motion to the next; infinite without turning points.
    pub(super) half_period: f64,
}

/// Returns the number of the material of each wall that the contact law acts on.
pub(crate) fn wall_materials(scene: &Scene) -> Result<Vec<u16>, GrainsError> {
    let Some(model) = &scene.contact else { return Ok(Vec::new()) };
    let names = model.names();
    let walls = scene.walls.iter().map(|wall| wall.shape.count()).sum();
    if model.wall_materials.len() > walls {
        let at = Location::of("contact.wall-materials");
        return Err(GrainsError::WrongLength { at, expected: walls, found: model.wall_materials.len() });
    }
    let number =
        |(index, name): (usize, &String)| material_number(&names, name, &format!("contact.wall-materials[{index}]"));
    let mut numbers = model.wall_materials.iter().enumerate().map(number).collect::<Result<Vec<_>, _>>()?;
    numbers.resize(walls, 0);
    let mut first = 0;
    for (index, wall) in scene.walls.iter().enumerate() {
        let own = first..first + wall.shape.count();
        first = own.end;
        let Some(name) = &wall.material else { continue };
        let key = format!("walls[{index}].material");
        if !model.wall_materials.is_empty() {
            let problem = "`material` of a wall and `contact.wall-materials` exclude each other: leave out the latter";
            return Err(GrainsError::conflict(key, problem));
        }
        numbers[own].fill(material_number(&names, name, &key)?);
    }
    Ok(numbers)
}
