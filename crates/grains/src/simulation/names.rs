//! Names of bodies and walls in errors.

use dem_contact::error::{ContactError, DemError, ListError};
use dem_ranks::error::BehindWall;
use rrp_integrate::{IntegrateError, State};

use super::watch::WAY;
use crate::build::walls::name_of_wall;
use crate::scene::Scene;
use crate::scene::integrator::Method;
use crate::value::rounded;

/// Describes, for an error of the step of `dt` (s), the ids of the bodies that the error gives by number, and the name
/// and the side of its wall; also the demands of a step of contact dynamics on a periodic box. May be empty. `state` is
/// the state before the step.
pub(super) fn in_words(error: &IntegrateError, ids: &[u64], state: &State, scene: &Scene, dt: f64) -> String {
    let behind = match cause(error) {
        Some(DemError::Contact(error)) => BehindWall::of(error, state),
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
    format!("{}{advice}", names(&bodies(error), behind.as_ref(), ids, scene, dt))
}

/// Describes the ids of these bodies, and the wall that a body is behind after a step of `dt` (s).
pub(super) fn names(bodies: &[usize], behind: Option<&BehindWall>, ids: &[u64], scene: &Scene, dt: f64) -> String {
    let of_wall = behind.map_or_else(String::new, |behind| behind_wall(behind, scene, dt));
    format!("{}{of_wall}", ids_of_bodies(bodies, ids))
}

/// Describes the ids of these bodies; empty if ids equal numbers.
fn ids_of_bodies(bodies: &[usize], ids: &[u64]) -> String {
    let known = |&body: &usize| ids.get(body).filter(|&&id| id != body as u64).map(|id| (body, id));
    let named = bodies.iter().filter_map(known).map(|(body, id)| format!("body {body} has the id {id}"));
    let named: Vec<String> = named.collect();
    if named.is_empty() { String::new() } else { format!(" ({})", named.join(", ")) }
}

/// Describes the wall that a body is behind after a step of `dt` (s), the place of the body, the cause, and a remedy.
fn behind_wall(&BehindWall { wall, centre, way }: &BehindWall, scene: &Scene, dt: f64) -> String {
    let name = name_of_wall(scene, wall).map_or_else(String::new, |name| format!("wall {wall} is `{name}`; "));
    let at = centre.map(rounded);
    let reason = match way {
        None => "a wall has one side: the body was placed behind it, its normal or profile runs the wrong way, steps \
                 are too long, or contacts are too soft for their load"
            .to_owned(),
        Some(way) => remedy(way, dt),
    };
    format!(" ({name}the body is at {at:?}; {reason})")
}

/// Advises what to change if a body goes through a wall in a step of `dt` (s), in which it moves by `way` times its
/// radius.
pub(super) fn remedy(way: f64, dt: f64) -> String {
    if way <= WAY {
        return "contacts are too soft for the speed or the load of the body: make them stiffer".to_owned();
    }
    format!(
        "it moved by {} radii in the step: write `time.dt` at most {:.1e}, and make contacts stiffer if it goes through all \
         the same",
        rounded(way),
        dt * WAY / way
    )
}

fn cause(error: &IntegrateError) -> Option<&DemError> {
    match error {
        IntegrateError::Field(cause) | IntegrateError::Method(cause) => cause.downcast_ref(),
        _ => None,
    }
}

fn bodies(error: &IntegrateError) -> Vec<usize> {
    match error {
        IntegrateError::StateNotFinite { body, .. }
        | IntegrateError::TurnTooLarge { body, .. }
        | IntegrateError::ForceNotFinite { body, .. } => vec![*body],
        error => match cause(error) {
            Some(DemError::Contact(ContactError::OverlapTooLarge { bodies, .. })) => bodies.to_vec(),
            Some(
                DemError::Contact(ContactError::BehindWall { body, .. } | ContactError::CrossedWall { body, .. })
                | DemError::List(ListError::PositionNotFinite { body, .. } | ListError::OutsideDomain { body, .. }),
            ) => vec![*body],
            _ => Vec::new(),
        },
    }
}
