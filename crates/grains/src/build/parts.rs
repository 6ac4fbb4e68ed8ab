//! Contacts, walls and force fields of a scene, from which an engine is built.

use dem_contact::bond::{Bonds, ElasticWall, Ties};
use dem_contact::bridge::{Bridges, Moisture};
use dem_contact::force::{AllHistories, ContactForce, FeltWalls};
use dem_contact::law::LawTable;
use dem_contact::neighbor::{Domain, NeighborList};
use dem_contact::wall::Wall;
use rrp_geom::glam::DVec3;

use super::adhesion;
use super::bonds::check_sides;
use super::damping::damping;
use super::domain::domain;
use super::liquid;
use super::situation::{MaterialNumbers, Situation};
use super::sizes::{self, Packing};
use super::sources::{sizes_will_differ, smallest};
use super::walls::elastic_walls;
use crate::error::GrainsError;
use crate::scene::Scene;
use crate::scene::integrator::Method;
use crate::value::{positive, vector};

/// Contact histories, bonds and other parts that an engine hands over to the engine of the next stage.
#[derive(Debug, Clone, Default)]
pub(crate) struct Handover {
    /// Histories of contacts; none if the contact laws have none.
    pub(crate) histories: Option<AllHistories>,
    pub(crate) bonds: Option<Bonds>,
    pub(crate) ties: Option<Ties>,
    /// Volumes of liquid on bodies and in bridges.
    pub(crate) moisture: Option<Moisture>,
    /// Present box of the run if it deforms in any stage; the contacts then compute its stress.
    pub(crate) domain: Option<Domain>,
    /// Whether the box deforms in the present stage or in a later one.
    pub(crate) box_will_deform: bool,
    pub(crate) felt: FeltWalls,
}

impl Handover {
    /// Checks that `scene`, before its stages, makes no bonds or ties if the bodies of its `start` bring some.
    ///
    /// # Errors
    /// [`GrainsError::Conflict`].
    pub(crate) fn refuse_others(&self, scene: &Scene) -> Result<(), GrainsError> {
        let conflict = |key: &str, problem| Err(GrainsError::conflict(key, problem));
        if self.bonds.is_some() && !scene.bonds.is_empty() {
            let problem = "the bodies of the `start` have bonds already, which stay: leave out `bonds`, or write them \
                           in the first `[[stage]]` to add some";
            return conflict("bonds", problem);
        }
        if self.ties.is_some() && scene.ties.is_some() {
            return conflict("ties", "the bodies of the `start` have ties already, which stay: leave out `ties`");
        }
        Ok(())
    }

    /// Checks that `scene`, in one of its stages, supports the bonds, ties and liquid of the bodies of its `start`.
    ///
    /// # Errors
    /// [`GrainsError::Conflict`].
    pub(crate) fn check(&self, scene: &Scene) -> Result<(), GrainsError> {
        let conflict = |key: &str, problem| Err(GrainsError::conflict(key, problem));
        if self.moisture.is_some() && scene.liquid.is_none() {
            let problem = "the bodies of the `start` have liquid, which stays: write `liquid` with its properties";
            return conflict("start", problem);
        }
        if let Some(gate) = scene.gates.iter().position(|gate| gate.remove)
            && (self.bonds.is_some() || self.ties.is_some())
        {
            let problem = "bodies with bonds or ties, such as those of the `start`, cannot be taken away: leave out \
                           `remove`";
            return conflict(&format!("gates[{gate}].remove"), problem);
        }
        if self.bonds.is_some() && !scene.integrator.is_explicit() {
            let problem = "the bodies of the `start` have bonds, which need an explicit integrator, such as `verlet`";
            return conflict("integrator", problem);
        }
        if self.ties.is_some() && !knows_ties(scene) {
            let problem = "the bodies of the `start` have ties, which need an explicit or implicit integrator, such as \
                           `verlet`";
            return conflict("integrator", problem);
        }
        Ok(())
    }
}

fn knows_ties(scene: &Scene) -> bool {
    scene.integrator.is_explicit() || matches!(scene.integrator, Method::Implicit(_) | Method::ExactEnergy)
}

#[derive(Debug)]
pub(crate) struct NewContacts {
    pub(crate) contacts: ContactForce,
    /// Number of contacts that start without history, since their histories belong to other laws than those of the new
    /// engine.
    pub(crate) lost_histories: usize,
}

#[derive(Debug, Clone)]
pub(crate) struct ContactParts {
    pub(crate) list: NeighborList,
    pub(crate) walls: Vec<Wall>,
    pub(crate) felt: FeltWalls,
    pub(crate) materials: MaterialNumbers,
    /// Contact histories of an earlier engine or run.
    pub(crate) histories: Option<AllHistories>,
    /// Number of bodies to which the histories refer.
    pub(crate) bodies: usize,
    /// Whether sources may insert bodies of other sizes, so that the contact force must not assume equal radii.
    pub(crate) sizes_may_differ: bool,
    pub(crate) is_box_watched: bool,
}

impl ContactParts {
    /// Makes contacts with these laws. Histories of other laws are dropped and counted: their numbers have another
    /// meaning.
    ///
    /// # Errors
    /// [`GrainsError::Refused`].
    pub(crate) fn with_laws(self, laws: LawTable) -> Result<NewContacts, GrainsError> {
        let Self { list, walls, felt, materials, histories, bodies, sizes_may_differ, is_box_watched } = self;
        let contacts = ContactForce::by_material(list, laws, materials.bodies);
        let contacts = contacts.and_then(|contacts| contacts.with_wall_materials(materials.walls));
        let contacts = contacts.map_err(GrainsError::refused("contact"))?;
        let contacts = contacts.with_walls(walls).and_then(|contacts| contacts.with_felt_walls(felt));
        let contacts = contacts.map_err(GrainsError::refused("walls"))?;
        let contacts = if sizes_may_differ { contacts.for_unequal_radii() } else { contacts };
        let contacts = if is_box_watched { contacts.watching_box() } else { contacts };
        let Some(mut histories) = histories else { return Ok(NewContacts { contacts, lost_histories: 0 }) };
        let lost_histories = histories.keep_known(&contacts);
        let contacts = contacts.with_histories(histories, bodies).map_err(GrainsError::refused("contact"))?;
        Ok(NewContacts { contacts, lost_histories })
    }

    /// Number of contacts that have a history. An engine whose laws use no history reports this number as lost.
    pub(crate) fn count_histories(&self) -> usize {
        self.histories.as_ref().map_or(0, AllHistories::len)
    }
}

#[derive(Debug, Clone)]
pub(crate) struct Parts {
    pub(crate) contacts: ContactParts,
    pub(crate) elastic_walls: Vec<ElasticWall>,
    pub(crate) gravity: DVec3,
    pub(crate) bonds: Option<Bonds>,
    pub(crate) ties: Option<Ties>,
    pub(crate) bridges: Option<Bridges>,
}

impl Parts {
    /// Makes the parts of `scene` that are independent of its bodies, except for the smallest radius `smallest` (m). A
    /// restored engine brings its own bodies, contacts and bonds.
    ///
    /// # Errors
    /// For an invalid scene; the error names the key.
    pub(crate) fn bare(scene: &Scene, smallest: f64) -> Result<Self, GrainsError> {
        let list = NeighborList::new(domain(scene)?, skin(scene, smallest)?);
        let list = list.map_err(GrainsError::refused("contact.skin"))?;
        let elastic_walls = elastic_walls(scene)?;
        check_integrator(scene, !elastic_walls.is_empty())?;
        damping(scene)?;
        let contacts = ContactParts {
            list,
            walls: Vec::new(),
            felt: FeltWalls::default(),
            materials: MaterialNumbers::default(),
            histories: None,
            bodies: 0,
            sizes_may_differ: false,
            is_box_watched: false,
        };
        Ok(Self {
            contacts,
            elastic_walls,
            gravity: vector("gravity", scene.gravity)?,
            bonds: None,
            ties: None,
            bridges: None,
        })
    }

    /// Makes the parts of `scene` with these walls. Bonds come from `handover`, as do ties; if it has no ties, the
    /// scene's table makes them.
    ///
    /// # Errors
    /// For an invalid scene; the error names the key.
    pub(crate) fn new(
        scene: &Scene,
        situation: &Situation<'_>,
        walls: Vec<Wall>,
        handover: Handover,
    ) -> Result<Self, GrainsError> {
        let &Situation { bodies, state, materials, .. } = situation;
        let smallest = smallest(scene, bodies)?;
        let parts = Self::bare(scene, smallest)?;
        let domain = handover.domain.unwrap_or(*parts.contacts.list.domain());
        let (key, bytes) = match &scene.integrator {
            Method::ContactDynamics(_) => ("integrator.contact-dynamics.skin", sizes::OF_RIGID_PAIR),
            _ => ("contact.skin", sizes::OF_PAIR),
        };
        // Bodies hardly overlap, so that few pairs have a gap below one radius; only wider skins are checked for
        // memory.
        let skin = skin(scene, smallest)?;
        let range = adhesion::range(scene, bodies);
        if skin + range > smallest {
            let key = if range > skin { "contact.adhesion.jkr" } else { key };
            Packing { bodies, state, domain }.refuse_pairs(skin + range, bytes, key)?;
        }
        if let Some(model) = &scene.contact {
            model.check_materials()?;
        }
        if let Some(bonds) = &handover.bonds {
            check_sides(bonds, domain, handover.box_will_deform)?;
        }
        let ties = match (handover.ties, &scene.ties) {
            (None, Some(group)) => {
                let ties = Ties::of_contacts(bodies, state, domain, group.stiffness);
                Some(ties.map_err(GrainsError::refused_number("ties"))?)
            }
            (stored, _) => stored,
        };
        liquid::check(scene, &walls, handover.domain.is_some())?;
        let bridges = match (&scene.liquid, handover.moisture) {
            (None, _) => None,
            (Some(group), None) => Some(liquid::of_group(group, scene, bodies, domain, &walls)?),
            (Some(group), Some(moisture)) => {
                let made = liquid::of_group(group, scene, bodies, domain, &walls)?.with_moisture(moisture);
                Some(made.map_err(GrainsError::refused("liquid"))?)
            }
        };
        let list = NeighborList::new(domain, skin).map_err(GrainsError::refused("contact.skin"))?;
        let contacts = ContactParts {
            list,
            is_box_watched: handover.domain.is_some(),
            walls,
            felt: handover.felt,
            materials: materials.clone(),
            histories: handover.histories,
            bodies: bodies.len(),
            sizes_may_differ: sizes_will_differ(scene, bodies)?,
        };
        Ok(Self { contacts, bonds: handover.bonds, ties, bridges, ..parts })
    }
}

/// Returns the skin of neighbour lists in m for a scene with the smallest radius `smallest` (m).
pub(super) fn skin(scene: &Scene, smallest: f64) -> Result<f64, GrainsError> {
    match (&scene.integrator, &scene.contact) {
        (Method::ContactDynamics(method), _) => match method.skin {
            Some(skin) => positive("integrator.contact-dynamics.skin", skin),
            None => Ok(0.1 * smallest),
        },
        (_, Some(model)) => match model.skin {
            Some(skin) => positive("contact.skin", skin),
            None => Ok(0.2 * smallest),
        },
        (_, None) => Ok(0.2 * smallest),
    }
}

fn check_integrator(scene: &Scene, has_elastic_walls: bool) -> Result<(), GrainsError> {
    let conflict = |key: &str, problem| Err(GrainsError::conflict(key, problem));
    let explicit = scene.integrator.is_explicit();
    if !scene.bonds.is_empty() && !explicit {
        return conflict("bonds", "bonds need an explicit integrator, such as `verlet`");
    }
    if has_elastic_walls && !explicit {
        return conflict("walls", "walls that are `elastic` need an explicit integrator, such as `verlet`");
    }
    if scene.ties.is_some() && !knows_ties(scene) {
        return conflict("ties", "ties need an explicit or implicit integrator, such as `verlet`");
    }
    Ok(())
}
