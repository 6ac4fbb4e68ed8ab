//! Detection of loads that no contact can hold.

use rrp_geom::glam::DVec3;

use crate::error::DemError;
use crate::error::statics::StaticsError;
use crate::neighbor::domain::Boundary;
use crate::statics::configuration::{Configuration, Plane};

/// Largest number of load directions that are checked; a search under others ends at its limit of steps.
const MOST: usize = 8;

/// Checks that the loads may have an equilibrium, at the present positions or after any further fall.
///
/// A body can escape in a direction in which its load pulls and no wall stops it. If no fixed body is ahead and no load
/// pulls any body back, this body and all bodies ahead move on forever: contacts with bodies behind push the same way,
/// walls do not hold them, and the forces among them cancel.
///
/// # Errors
/// [`StaticsError::Unsupported`].
pub(super) fn check(configuration: &Configuration<'_>) -> Result<(), DemError> {
    let unsupported = |place: usize, load: DVec3| {
        DemError::Statics(StaticsError::Unsupported {
            body: configuration.list.order()[place] as usize,
            load,
            position: configuration.centre(place),
        })
    };
    let boundary = configuration.list.domain().boundary();
    let open = DVec3::from_array(boundary.map(|side| if side == Boundary::Periodic { 0.0 } else { 1.0 }));
    let mut known = Vec::<Escape>::new();
    let mut total = [DVec3::ZERO; 2];
    for (place, &load) in configuration.load.iter().enumerate() {
        let load = DVec3::from_array(load);
        total = [total[0] + load, total[1] + load.abs()];
        if load == DVec3::ZERO {
            continue;
        }
        if configuration.radius[place] <= 0.0 {
            return Err(unsupported(place, load));
        }
        let unit = load.normalize();
        let found = known.iter().position(|escape| escape.load.dot(unit) > 1.0 - 1e-12);
        let number = match found {
            Some(number) => number,
            None if known.len() < MOST => {
                known.push(Escape::new(unit, open, configuration));
                known.len() - 1
            }
            None => continue,
        };
        if known[number].is_open(configuration.centre(place)) {
            return Err(unsupported(place, load));
        }
    }
    // Without fixed bodies nothing balances the sum of the loads along a periodic direction.
    let round = total[0] * (DVec3::ONE - open);
    if configuration.movable.iter().all(|&movable| movable) && round.abs().cmpgt(1e-9 * total[1]).any() {
        let place = configuration.load.iter().position(|&load| DVec3::from_array(load).dot(round) > 0.0).unwrap_or(0);
        return Err(unsupported(place, configuration.load[place].into()));
    }
    Ok(())
}

/// Bodies with loads in one direction, and the direction in which they can escape.
struct Escape {
    /// Unit vector along the loads.
    load: DVec3,
    /// Direction of escape; `None` if walls or other loads bar it.
    way: Option<OpenWay>,
}

/// A direction in which bodies can escape, because no wall stops them.
struct OpenWay {
    direction: DVec3,
    /// Largest coordinate in m of a fixed body along the direction of escape, beyond which nothing stops bodies.
    last_fixed: f64,
}

impl Escape {
    fn new(load: DVec3, open: DVec3, configuration: &Configuration<'_>) -> Self {
        let direction = past(load * open, &configuration.planes);
        // Walls that are not planes may bar some directions.
        if !configuration.surfaces.is_empty() {
            return Self { load, way: None };
        }
        let pulls_back = |&load: &[f64; 3]| direction.dot(load.into()) < -1e-12 * DVec3::from_array(load).length();
        if direction.length() < 1e-9 || configuration.load.iter().any(pulls_back) {
            return Self { load, way: None };
        }
        let bodies = configuration.movable.iter().enumerate();
        let fixed = bodies.filter(|(place, movable)| !**movable && configuration.radius[*place] > 0.0);
        let last_fixed =
            fixed.map(|(place, _)| direction.dot(configuration.centre(place))).fold(f64::NEG_INFINITY, f64::max);
        Self { load, way: Some(OpenWay { direction, last_fixed }) }
    }

    fn is_open(&self, centre: DVec3) -> bool {
        self.way.as_ref().is_some_and(|way| way.direction.dot(centre) > way.last_fixed)
    }
}

/// Returns the longest of `load` and its projections onto walls and onto their edges that leads into no wall; zero if
/// all lead into walls.
fn past(load: DVec3, planes: &[Plane]) -> DVec3 {
    let into: Vec<DVec3> = planes.iter().map(|plane| plane.normal.into()).collect();
    let along = |n: DVec3, v: DVec3| v - v.dot(n) * n;
    let mut best = DVec3::ZERO;
    let mut offer = |v: DVec3| {
        if v.length() > best.length().max(1e-9) && into.iter().all(|n| n.dot(v) <= 1e-12) {
            best = v;
        }
    };
    offer(load);
    for (i, &n) in into.iter().enumerate() {
        offer(along(n, load));
        for &m in &into[..i] {
            let edge = n.cross(m);
            if edge.length() > 1e-9 {
                offer(load.dot(edge.normalize()) * edge.normalize());
            }
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wall(normal: DVec3) -> Plane {
        Plane { origin: [0.0; 3], normal: (-normal.normalize()).to_array() }
    }

    #[test]
    fn a_way_past_the_walls_is_found_where_there_is_one() {
        let down = DVec3::NEG_Z;
        assert_eq!(past(down, &[]), down);
        assert_eq!(past(down, &[wall(DVec3::Z)]), DVec3::ZERO);
        let slope = past(down, &[wall(DVec3::new(1.0, 0.0, 1.0))]);
        assert!((slope - DVec3::new(0.5, 0.0, -0.5)).length() < 1e-12, "{slope}");
        let [left, right] = [-1.0, 1.0].map(|x| wall(DVec3::new(x, 0.0, 1.0)));
        assert_eq!(past(down, &[left, right]), DVec3::ZERO);
        // A gutter that slopes along y.
        let gutter = [-1.0, 1.0].map(|x| wall(DVec3::new(x, 0.2, 1.0)));
        let way = past(down, &gutter);
        assert!(way.x.abs() < 1e-12 && way.y > 0.1 && way.z < 0.0, "{way}");
        assert_eq!(past(down, &[left, right, wall(DVec3::Y)]), DVec3::ZERO);
    }
}
