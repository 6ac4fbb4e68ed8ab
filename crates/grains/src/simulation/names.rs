//! Who the bodies in an error are.

use dem_contact::error::{ContactError, DemError, ListError};
use rrp_integrate::IntegrateError;

/// Words that give the ids of the bodies that an error names by number; empty where ids are the numbers.
pub(super) fn ids_in_words(error: &IntegrateError, ids: &[u64]) -> String {
    ids_of_bodies(&bodies(error), ids)
}

/// Words that give the ids of these bodies; empty where ids are the numbers.
pub(super) fn ids_of_bodies(bodies: &[usize], ids: &[u64]) -> String {
    let known = |&body: &usize| ids.get(body).filter(|&&id| id != body as u64).map(|id| (body, id));
    let named = bodies.iter().filter_map(known).map(|(body, id)| format!("body {body} has the id {id}"));
    let named: Vec<String> = named.collect();
    if named.is_empty() { String::new() } else { format!(" ({})", named.join(", ")) }
}

/// The numbers of the bodies that an error names.
fn bodies(error: &IntegrateError) -> Vec<usize> {
    match error {
        IntegrateError::StateNotFinite { body, .. }
        | IntegrateError::TurnTooLarge { body, .. }
        | IntegrateError::ForceNotFinite { body, .. } => vec![*body],
        IntegrateError::Field(cause) | IntegrateError::Method(cause) => match cause.downcast_ref() {
            Some(DemError::Contact(ContactError::OverlapTooLarge { bodies, .. })) => bodies.to_vec(),
            Some(
                DemError::Contact(ContactError::BehindWall { body, .. })
                | DemError::List(ListError::PositionNotFinite { body, .. } | ListError::OutsideDomain { body, .. }),
            ) => vec![*body],
            _ => Vec::new(),
        },
        _ => Vec::new(),
    }
}
