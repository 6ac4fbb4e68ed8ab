//! Walls that act on some groups of bodies only.

use dem_contact::force::FeltWalls;

use crate::error::GrainsError;
use crate::plan::Plan;
use crate::scene::Scene;
use crate::value::named;

/// Returns the table of which walls act on which bodies. `names` are the names of all groups.
///
/// # Errors
/// For unknown groups, and for walls and integrators for which a wall acts on all bodies; the error names the key.
pub(crate) fn felt_walls(
    scene: &Scene,
    plan: &Plan,
    names: &[Option<String>],
    group_of_body: &[u32],
) -> Result<FeltWalls, GrainsError> {
    let mut groups_of_wall = Vec::new();
    for (index, wall) in scene.walls.iter().enumerate() {
        let key = format!("walls[{index}].groups");
        let number = |(k, name): (usize, &String)| named(names, name, &format!("{key}[{k}]")).map(|group| group as u32);
        let groups = wall.groups.iter().enumerate().map(number).collect::<Result<Vec<_>, _>>()?;
        let is_wet = || {
            let mut wet = scene.liquid.iter().flat_map(|liquid| &liquid.walls);
            wet.any(|name| wall.name.as_ref() == Some(name))
        };
        let problem = match groups.is_empty() {
            true => None,
            false if !plan.is_explicit() => Some("all bodies feel all walls unless all integrators are explicit"),
            false if wall.shape.elastic_stiffness().is_some() => Some("all bodies feel an elastic wall"),
            false if is_wet() => Some("all bodies feel a wall with liquid: leave it out of `liquid.walls`"),
            false => None,
        };
        if let Some(problem) = problem {
            return Err(GrainsError::conflict(key, problem));
        }
        groups_of_wall.extend(std::iter::repeat_n(Some(groups).filter(|all| !all.is_empty()), wall.shape.count()));
    }
    if groups_of_wall.iter().all(Option::is_none) {
        return Ok(FeltWalls::default());
    }
    Ok(FeltWalls { group_of_body: group_of_body.to_vec(), groups_of_wall })
}
