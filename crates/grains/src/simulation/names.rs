//! Who the bodies and walls in an error are.

use dem_contact::error::{ContactError, DemError, ListError};
use dem_ranks::error::BehindWall;
use rrp_integrate::{IntegrateError, State};

use crate::build::walls::name_of_wall;
use crate::scene::Scene;
use crate::scene::integrator::Method;
use crate::value::rounded;

/// Words that give the ids of the bodies that an error names by number, and the name and the side of its wall; empty
/// where nothing is to be said; and what a step of contact dynamics asks of a periodic box. `state` is that before the
/// step.
pub(super) fn in_words(error: &IntegrateError, ids: &[u64], state: &State, scene: &Scene) -> String {
    let behind = match cause(error) {
        Some(&DemError::Contact(ContactError::BehindWall { body, wall, .. })) if body < state.len() => {
            Some(BehindWall { wall, centre: state.position().get(body).to_array() })
        }
        _ => None,
    };
    let is_rigid = matches!(scene.integrator, Method::ContactDynamics(_));
    let advice = match cause(error) {
        Some(&DemError::List(ListError::CutoffTooLarge { direction, .. })) if is_rigid => {
            let along = ["x", "y", "z"][direction.min(2)];
            format!(
                " (contact dynamics looks for pairs as far as its fastest bodies move in a step: make `time.dt` smaller, \
                 or the box wider along {along}, or see why bodies are so fast)"
            )
        }
        _ => String::new(),
    };
    format!("{}{advice}", names(&bodies(error), behind.as_ref(), ids, scene))
}

/// Words that give the ids of these bodies, and the wall that one of them is behind.
pub(super) fn names(bodies: &[usize], behind: Option<&BehindWall>, ids: &[u64], scene: &Scene) -> String {
    let of_wall = behind.map_or_else(String::new, |behind| behind_wall(behind, scene));
    format!("{}{of_wall}", ids_of_bodies(bodies, ids))
}

/// Words that give the ids of these bodies; empty where ids are the numbers.
fn ids_of_bodies(bodies: &[usize], ids: &[u64]) -> String {
    let known = |&body: &usize| ids.get(body).filter(|&&id| id != body as u64).map(|id| (body, id));
    let named = bodies.iter().filter_map(known).map(|(body, id)| format!("body {body} has the id {id}"));
    let named: Vec<String> = named.collect();
    if named.is_empty() { String::new() } else { format!(" ({})", named.join(", ")) }
}

/// Which wall that is, where the body is, and why a body may be behind a wall.
fn behind_wall(&BehindWall { wall, centre }: &BehindWall, scene: &Scene) -> String {
    let name = name_of_wall(scene, wall).map_or_else(String::new, |name| format!("wall {wall} is `{name}`; "));
    let at = centre.map(rounded);
    format!(
        " ({name}the body is at {at:?}; a wall has one side: the body was placed behind it, its normal or profile runs \
         the wrong way, steps are too long, or contacts are too soft for their load)"
    )
}

fn cause(error: &IntegrateError) -> Option<&DemError> {
    match error {
        IntegrateError::Field(cause) | IntegrateError::Method(cause) => cause.downcast_ref(),
        _ => None,
    }
}

/// The numbers of the bodies that an error names.
fn bodies(error: &IntegrateError) -> Vec<usize> {
    match error {
        IntegrateError::StateNotFinite { body, .. }
        | IntegrateError::TurnTooLarge { body, .. }
        | IntegrateError::ForceNotFinite { body, .. } => vec![*body],
        error => match cause(error) {
            Some(DemError::Contact(ContactError::OverlapTooLarge { bodies, .. })) => bodies.to_vec(),
            Some(
                DemError::Contact(ContactError::BehindWall { body, .. })
                | DemError::List(ListError::PositionNotFinite { body, .. } | ListError::OutsideDomain { body, .. }),
            ) => vec![*body],
            _ => Vec::new(),
        },
    }
}
