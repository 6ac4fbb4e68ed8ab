//! What an engine is made of.

use std::path::Path;

use dem_contact::bond::{BondLaw, Bonds, ElasticWall, ShearForm, Strength, Ties};
use dem_contact::force::ContactForce;
use dem_contact::law::{ContactLaw, LawTable, TangentialLaw};
use dem_contact::neighbor::{Boundary, Domain, NeighborList};
use dem_contact::wall::Wall;
use rrp_geom::glam::DVec3;

use super::bodies::{InitialBodies, smallest_radius};
use super::domain::domain;
use super::sizes::{self, Packing};
use super::walls::{SceneWalls, walls};
use crate::error::{GrainsError, Location};
use crate::scene::Scene;
use crate::scene::bonds::{BondGroup, Shear};
use crate::scene::integrator::Method;
use crate::scene::walls::WallGroup;
use crate::value::{material_number, not_negative, positive, vector};

/// Numbers of materials.
#[derive(Debug, Clone, Default)]
pub(crate) struct MaterialNumbers {
    /// Of each body; empty if there is only one material.
    pub(crate) bodies: Vec<u16>,
    /// Of each wall that the contact law acts on.
    pub(crate) walls: Vec<u16>,
}

impl MaterialNumbers {
    /// # Errors
    /// [`GrainsError::UnknownName`] and [`GrainsError::WrongLength`].
    pub(crate) fn new(scene: &Scene, initial: &InitialBodies) -> Result<Self, GrainsError> {
        Ok(Self { bodies: initial.materials(scene)?, walls: wall_materials(scene)? })
    }
}

/// Contacts without walls, by the materials of bodies and walls.
///
/// # Errors
/// [`GrainsError::Refused`].
pub(crate) fn contact_force<L: ContactLaw, T: TangentialLaw>(
    list: NeighborList,
    laws: LawTable<L, T>,
    materials: MaterialNumbers,
) -> Result<ContactForce<L, T>, GrainsError> {
    let contacts = ContactForce::by_material(list, laws, materials.bodies);
    let contacts = contacts.and_then(|contacts| contacts.with_wall_materials(materials.walls));
    contacts.map_err(GrainsError::refused("contact"))
}

/// List, walls and fields of a scene.
#[derive(Debug)]
pub(crate) struct Parts {
    pub(crate) list: NeighborList,
    pub(crate) walls: Vec<Wall>,
    pub(crate) elastic_walls: Vec<ElasticWall>,
    pub(crate) gravity: DVec3,
    pub(crate) bonds: Option<Bonds>,
    pub(crate) ties: Option<Ties>,
    pub(crate) materials: MaterialNumbers,
}

/// Where walls, bonds and ties come from at the start of a run.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Start<'a> {
    pub(crate) initial: &'a InitialBodies,
    /// Folder of files.
    pub(crate) folder: &'a Path,
}

impl Parts {
    /// The parts of `scene`, whose smallest radius is `smallest` (m). Without a `start` there are no walls, bonds and
    /// ties: an engine that is restored has its own.
    ///
    /// # Errors
    /// For a scene without meaning, with the key.
    pub(crate) fn new(scene: &Scene, smallest: f64, start: Option<Start<'_>>) -> Result<Self, GrainsError> {
        let domain = domain(scene)?;
        let skin = match (&scene.integrator, &scene.contact) {
            (Method::ContactDynamics(method), _) => match method.skin {
                Some(skin) => positive("integrator.contact-dynamics.skin", skin)?,
                None => 0.1 * smallest,
            },
            (_, Some(model)) => match model.skin {
                Some(skin) => positive("contact.skin", skin)?,
                None => 0.2 * smallest,
            },
            (_, None) => 0.2 * smallest,
        };
        let list = NeighborList::new(domain, skin).map_err(GrainsError::refused("contact.skin"))?;
        let SceneWalls { walls, elastic_walls } = match start {
            Some(start) => walls(scene, start.folder)?,
            None => SceneWalls::default(),
        };
        let initial = start.map(|start| start.initial);
        if let Some(InitialBodies { bodies, state, .. }) = initial {
            let (key, bytes) = match &scene.integrator {
                Method::ContactDynamics(_) => ("integrator.contact-dynamics.skin", sizes::OF_RIGID_PAIR),
                _ => ("contact.skin", sizes::OF_PAIR),
            };
            // Within less than a radius there are few, as bodies hardly overlap.
            if skin > smallest {
                Packing { bodies, state, domain }.refuse_pairs(skin, bytes, key)?;
            }
        }
        check_integrator(scene, !elastic_walls.is_empty())?;
        if let (Some(model), Some(_)) = (&scene.contact, initial) {
            model.check_materials()?;
        }
        let bonds = match (&scene.bonds, initial) {
            (Some(group), Some(initial)) => Some(bonds(group, initial, domain)?),
            _ => None,
        };
        let ties = match (&scene.ties, initial) {
            (Some(group), Some(InitialBodies { bodies, state, .. })) => {
                let stiffness = positive("ties.stiffness", group.stiffness)?;
                Some(Ties::of_contacts(bodies, state, domain, stiffness).map_err(GrainsError::refused("ties"))?)
            }
            _ => None,
        };
        let materials = match initial {
            Some(initial) => MaterialNumbers::new(scene, initial)?,
            None => MaterialNumbers::default(),
        };
        Ok(Self { list, walls, elastic_walls, gravity: vector("gravity", scene.gravity)?, bonds, ties, materials })
    }
}

/// Refuses bonds, elastic walls and ties where the integrator does not know them.
fn check_integrator(scene: &Scene, has_elastic_walls: bool) -> Result<(), GrainsError> {
    let conflict = |key: &str, problem| Err(GrainsError::Conflict { at: Location::of(key), problem });
    let explicit = scene.integrator.is_explicit();
    if scene.bonds.is_some() && !explicit {
        return conflict("bonds", "bonds need an explicit integrator");
    }
    if has_elastic_walls && !explicit {
        return conflict("walls", "elastic walls need an explicit integrator");
    }
    let implicit = matches!(scene.integrator, Method::Implicit(_) | Method::ExactEnergy);
    if scene.ties.is_some() && !(explicit || implicit) {
        return conflict("ties", "ties need an explicit or implicit integrator");
    }
    Ok(())
}

/// The number of the material of each wall that the contact law acts on.
fn wall_materials(scene: &Scene) -> Result<Vec<u16>, GrainsError> {
    let Some(model) = &scene.contact else { return Ok(Vec::new()) };
    let (names, walls) = (model.names(), scene.walls.iter().map(WallGroup::count).sum());
    if model.wall_materials.len() > walls {
        let at = Location::of("contact.wall-materials");
        return Err(GrainsError::WrongLength { at, expected: walls, found: model.wall_materials.len() });
    }
    let number =
        |(index, name): (usize, &String)| material_number(&names, name, &format!("contact.wall-materials[{index}]"));
    let mut numbers = model.wall_materials.iter().enumerate().map(number).collect::<Result<Vec<_>, _>>()?;
    numbers.resize(walls, 0);
    Ok(numbers)
}

fn bonds(group: &BondGroup, initial: &InitialBodies, domain: Domain) -> Result<Bonds, GrainsError> {
    let infinite = f64::INFINITY;
    let strength =
        Strength { stretch: group.break_stretch.unwrap_or(infinite), force: group.break_force.unwrap_or(infinite) };
    let &BondGroup { bending, stretching, shearing, .. } = group;
    for (name, value) in [("gap", group.gap), ("bending", bending), ("stretching", stretching), ("shearing", shearing)]
    {
        not_negative(format!("bonds.{name}"), value)?;
    }
    let InitialBodies { bodies, state, .. } = initial;
    Packing { bodies, state, domain }.refuse_pairs(group.gap, sizes::OF_BOND, "bonds.gap")?;
    refuse_bonds_across_sides(group.gap, initial, domain)?;
    let law = BondLaw { bending, stretching, shearing, contact: 0.0, strength };
    let made = Bonds::of_packing(&initial.bodies, &initial.state, group.gap, law);
    let form = match group.shear {
        Shear::Decoupled => ShearForm::Decoupled,
        Shear::Monotone => ShearForm::Monotone,
        Shear::Printed => ShearForm::Printed,
    };
    Ok(made.map_err(GrainsError::refused("bonds"))?.with_shear(form))
}

/// Refuses bodies that are within `gap` (m) of an image of another body: bonds do not reach across periodic sides.
fn refuse_bonds_across_sides(gap: f64, initial: &InitialBodies, domain: Domain) -> Result<(), GrainsError> {
    if !domain.boundary().contains(&Boundary::Periodic) {
        return Ok(());
    }
    let InitialBodies { bodies, state, .. } = initial;
    let refused = |error| GrainsError::refused("bonds")(error);
    let smallest = smallest_radius(bodies);
    let mut list = NeighborList::new(domain, gap.max(1e-3 * smallest)).map_err(refused)?;
    list.update(bodies.radius(), state.position()).map_err(refused)?;
    let position = |body: usize| state.position().get(body);
    let across = list.pairs().into_iter().any(|[a, b]| {
        let (separation, apart) = (domain.separation(position(a), position(b)), position(b) - position(a));
        let cutoff = bodies.radius()[a] + bodies.radius()[b] + gap;
        separation.length() <= cutoff && (separation - apart).length() > 0.5 * cutoff
    });
    if !across {
        return Ok(());
    }
    let problem = "two bodies are within the gap across a periodic side, where there are no bonds";
    Err(GrainsError::Conflict { at: Location::of("bonds"), problem })
}
