//! What an engine is made of.

use std::path::Path;

use dem_contact::bond::{BondLaw, Bonds, ElasticWall, ShearForm, Strength, Ties};
use dem_contact::force::ContactForce;
use dem_contact::law::{ContactLaw, LawTable, TangentialLaw};
use dem_contact::neighbor::{Boundary, Domain, NeighborList};
use dem_contact::wall::Wall;
use rrp_geom::glam::DVec3;

use super::bodies::Populace;
use super::walls::walls;
use super::{positive, vector};
use crate::scene::{BondGroup, Method, Scene, Shear, Sides, WallGroup};
use crate::{GrainsError, Location};

/// Contacts without walls, by the materials of bodies and walls.
pub(crate) fn contacts<L: ContactLaw, T: TangentialLaw>(
    list: NeighborList,
    laws: LawTable<L, T>,
    [bodies, walls]: [Vec<u16>; 2],
) -> Result<ContactForce<L, T>, GrainsError> {
    let made = ContactForce::by_material(list, laws, bodies).and_then(|contacts| contacts.with_wall_materials(walls));
    made.map_err(GrainsError::refused("contact"))
}

/// List, walls and fields of a scene.
#[derive(Debug)]
pub(crate) struct Parts {
    pub(crate) list: NeighborList,
    pub(crate) walls: Vec<Wall>,
    pub(crate) elastic: Vec<ElasticWall>,
    pub(crate) gravity: DVec3,
    pub(crate) bonds: Option<Bonds>,
    pub(crate) ties: Option<Ties>,
    /// Materials of bodies, none if there is one only, and of walls.
    pub(crate) materials: [Vec<u16>; 2],
}

impl Parts {
    /// The parts of `scene`; walls, bonds and ties are those of the first state and of files in the folder, or none if
    /// there is no `populace`: engines that go on have their own.
    pub(crate) fn new(scene: &Scene, smallest: f64, populace: Option<(&Populace, &Path)>) -> Result<Self, GrainsError> {
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
        let (walls, elastic) = match populace {
            Some((_, folder)) => walls(scene, folder)?,
            None => (Vec::new(), Vec::new()),
        };
        let populace = populace.map(|(populace, _)| populace);
        allowed(scene, !elastic.is_empty())?;
        if let (Some(model), Some(_)) = (&scene.contact, populace) {
            model.check_materials()?;
        }
        let bonds = match (&scene.bonds, populace) {
            (Some(group), Some(populace)) => Some(bonds(group, populace, domain)?),
            _ => None,
        };
        let ties = match (&scene.ties, populace) {
            (Some(group), Some(Populace { bodies, state, .. })) => {
                let stiffness = positive("ties.stiffness", group.stiffness)?;
                Some(Ties::of_contacts(bodies, state, domain, stiffness).map_err(GrainsError::refused("ties"))?)
            }
            _ => None,
        };
        let materials = match populace {
            Some(populace) => [populace.materials(scene)?, wall_materials(scene)?],
            None => [Vec::new(), Vec::new()],
        };
        Ok(Self { list, walls, elastic, gravity: vector("gravity", scene.gravity)?, bonds, ties, materials })
    }
}

/// Passes a scene without anything that its integrator does not know.
fn allowed(scene: &Scene, elastic: bool) -> Result<(), GrainsError> {
    let conflict = |key: &str, problem| Err(GrainsError::Conflict { at: Location::of(key), problem });
    let explicit = scene.integrator.is_explicit();
    if scene.bonds.is_some() && !explicit {
        return conflict("bonds", "bonds need an explicit integrator");
    }
    if elastic && !explicit {
        return conflict("walls", "elastic walls need an explicit integrator");
    }
    let implicit = matches!(scene.integrator, Method::Implicit(_) | Method::ExactEnergy);
    if scene.ties.is_some() && !(explicit || implicit) {
        return conflict("ties", "ties need an explicit or implicit integrator");
    }
    Ok(())
}

/// The numbers of the materials of walls, those that are given none included.
pub(super) fn wall_materials(scene: &Scene) -> Result<Vec<u16>, GrainsError> {
    let Some(model) = &scene.contact else { return Ok(Vec::new()) };
    let (names, walls) = (model.names(), scene.walls.iter().map(WallGroup::count).sum());
    if model.wall_materials.len() > walls {
        let at = Location::of("contact.wall-materials");
        return Err(GrainsError::WrongLength { at, expected: walls, found: model.wall_materials.len() });
    }
    let number = |(index, name): (usize, &String)| {
        super::bodies::material(&names, name, &format!("contact.wall-materials[{index}]"))
    };
    let mut numbers = model.wall_materials.iter().enumerate().map(number).collect::<Result<Vec<_>, _>>()?;
    numbers.resize(walls, 0);
    Ok(numbers)
}

/// Where the bodies are.
pub(crate) fn domain(scene: &Scene) -> Result<Domain, GrainsError> {
    let Some(region) = &scene.region else { return Ok(Domain::OPEN) };
    let (low, high) = (vector("box.low", region.low)?, vector("box.high", region.high)?);
    let boundary = region.sides.map(|sides| match sides {
        Sides::Periodic => Boundary::Periodic,
        Sides::Closed => Boundary::Closed,
        Sides::Open => Boundary::Open,
    });
    Domain::new(low, high, boundary).map_err(GrainsError::refused("box.high"))
}

fn bonds(group: &BondGroup, populace: &Populace, domain: Domain) -> Result<Bonds, GrainsError> {
    let infinite = f64::INFINITY;
    let strength =
        Strength { stretch: group.break_stretch.unwrap_or(infinite), force: group.break_force.unwrap_or(infinite) };
    let &BondGroup { bending, stretching, shearing, .. } = group;
    for (name, value) in [("gap", group.gap), ("bending", bending), ("stretching", stretching), ("shearing", shearing)]
    {
        super::not_negative(format!("bonds.{name}"), value)?;
    }
    inside(group.gap, populace, domain)?;
    let law = BondLaw { bending, stretching, shearing, contact: 0.0, strength };
    let made = Bonds::of_packing(&populace.bodies, &populace.state, group.gap, law);
    let form = match group.shear {
        Shear::Decoupled => ShearForm::Decoupled,
        Shear::Monotone => ShearForm::Monotone,
        Shear::Printed => ShearForm::Printed,
    };
    Ok(made.map_err(GrainsError::refused("bonds"))?.with_shear(form))
}

/// Passes bodies of which none is within `gap` (m) of another one's image: bonds are of bodies as the state holds them.
fn inside(gap: f64, Populace { bodies, state, .. }: &Populace, domain: Domain) -> Result<(), GrainsError> {
    if !domain.boundary().contains(&Boundary::Periodic) {
        return Ok(());
    }
    let refused = |error| GrainsError::refused("bonds")(error);
    let smallest = super::checks::smallest_radius(bodies);
    let mut list = NeighborList::new(domain, gap.max(1e-3 * smallest)).map_err(refused)?;
    list.update(bodies.radius(), state.position()).map_err(refused)?;
    let position = |body: usize| state.position().get(body);
    let across = list.pairs().into_iter().any(|[a, b]| {
        let (separation, apart) = (domain.separation(position(a), position(b)), position(b) - position(a));
        let reach = bodies.radius()[a] + bodies.radius()[b] + gap;
        separation.length() <= reach && (separation - apart).length() > 0.5 * reach
    });
    if !across {
        return Ok(());
    }
    let problem = "two bodies are within the gap across a periodic side, where there are no bonds";
    Err(GrainsError::Conflict { at: Location::of("bonds"), problem })
}
