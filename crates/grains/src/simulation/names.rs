//! Who the bodies and walls in an error are.

use dem_contact::error::{ContactError, DemError, ListError};
use rrp_integrate::{IntegrateError, State};

use crate::build::walls::name_of_wall;
use crate::scene::Scene;

/// Words that give the ids of the bodies that an error names by number, and the name and the side of its wall; empty
/// where nothing is to be said. `state` is that before the step.
pub(super) fn in_words(error: &IntegrateError, ids: &[u64], state: &State, scene: &Scene) -> String {
    let of_wall = match cause(error) {
        Some(&DemError::Contact(ContactError::BehindWall { body, wall, .. })) => behind_wall(body, wall, state, scene),
        _ => String::new(),
    };
    format!("{}{of_wall}", ids_of_bodies(&bodies(error), ids))
}

/// Words that give the ids of these bodies; empty where ids are the numbers.
pub(super) fn ids_of_bodies(bodies: &[usize], ids: &[u64]) -> String {
    let known = |&body: &usize| ids.get(body).filter(|&&id| id != body as u64).map(|id| (body, id));
    let named = bodies.iter().filter_map(known).map(|(body, id)| format!("body {body} has the id {id}"));
    let named: Vec<String> = named.collect();
    if named.is_empty() { String::new() } else { format!(" ({})", named.join(", ")) }
}

/// Which wall that is, where the body is, and why a body may be behind a wall.
fn behind_wall(body: usize, wall: usize, state: &State, scene: &Scene) -> String {
    let name = name_of_wall(scene, wall).map_or_else(String::new, |name| format!("wall {wall} is `{name}`; "));
    let at = (body < state.len()).then(|| state.position().get(body).to_array());
    let at = at.map_or_else(String::new, |[x, y, z]| format!("the body is at [{x:.4}, {y:.4}, {z:.4}]; "));
    format!(
        " ({name}{at}a wall has one side: the body was placed behind it, its normal or profile runs the wrong way, or \
         steps are too long)"
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
