//! Random packings of spheres without overlaps, of one group or of several groups together.

use dem_contact::error::DemError;
use dem_contact::error::StaticsError;
use dem_contact::neighbor::{Boundary, Domain};
use dem_contact::packing::{Sphere, Surroundings, random_packing_among};
use dem_contact::source::Region;
use dem_contact::wall::{Cylinder, Wall};
use rrp_geom::glam::DVec3;

use super::radii::{ball_volume, radii};
use super::sizes::{self, MOST};
use crate::error::{GrainsError, Location};
use crate::scene::Scene;
use crate::scene::bodies::{BodyGroup, Place};
use crate::scene::name::NameOrNumber;
use crate::scene::space::SimulationBox;
use crate::value::{corners, direction, named, not_negative, positive, vector};

/// A region, a box or a cylinder, in which spheres are placed at random.
#[derive(Debug, Clone)]
pub(super) struct Pour<'a> {
    /// Lower and upper (`high`) corner in m of the box around the region.
    low: DVec3,
    high: DVec3,
    /// Sides of a cylindrical region, empty for a box; `volume` is the volume of the region in m³.
    sides: Vec<Wall>,
    volume: f64,
    seed: u64,
    /// Smallest gap between the surfaces of spheres in m.
    gap: f64,
    simulation_box: Option<&'a SimulationBox>,
    key: &'a str,
}

/// Bodies and walls that are present before a pour.
#[derive(Debug, Clone, Copy)]
pub(super) struct Present<'a> {
    pub(super) spheres: &'a [Sphere],
    pub(super) walls: &'a [Wall],
}

/// Amount of bodies of a poured group, given as number, mass or volume fraction.
#[derive(Debug, Clone, Copy)]
struct Amount {
    count: Option<usize>,
    mass: Option<f64>,
    fraction: Option<f64>,
}

impl<'a> Pour<'a> {
    /// Makes the pour of a group, if the group is poured.
    ///
    /// # Errors
    /// For invalid values.
    pub(super) fn of(
        group: &BodyGroup,
        key: &'a str,
        simulation_box: Option<&'a SimulationBox>,
    ) -> Result<Option<Self>, GrainsError> {
        let Place::Pour { low, high, cylinder, seed, gap, .. } = &group.place else { return Ok(None) };
        let under = |name: &str| format!("{key}.place.pour.{name}");
        let gap = not_negative(under("gap"), *gap)?;
        let (low, high, sides, volume) = match (low, high, cylinder) {
            (Some(low), Some(high), None) => {
                let [low, high] = corners(&format!("{key}.place.pour"), *low, *high)?;
                (low, high, Vec::new(), (high - low).element_product())
            }
            (None, None, Some(cylinder)) => {
                let within = |name: &str| format!("{key}.place.pour.cylinder.{name}");
                let point = vector(within("point"), cylinder.point)?;
                let axis = direction(within("axis"), cylinder.axis)?;
                let radius = cylinder.radius;
                let refused = || GrainsError::refused_number(under("cylinder"));
                let region = Region::Cylinder { point, axis, radius };
                region.check(0.0).map_err(refused())?;
                let round = Wall::new(Cylinder::inside(axis, radius).map_err(refused())?, point);
                let sides = vec![round, Wall::plane(point, axis), Wall::plane(point + axis, -axis)];
                let [low, high] = region.bounds(0.0);
                (low, high, sides, region.volume())
            }
            _ => {
                let problem = "is in a box from `low` to `high`, or in a `cylinder`";
                return Err(GrainsError::conflict(format!("{key}.place.pour"), problem));
            }
        };
        Ok(Some(Self { low, high, sides, volume, seed: *seed, gap, simulation_box, key }))
    }

    /// Draws the radii of the bodies of a group at `key`, which belongs to this pour.
    ///
    /// # Errors
    /// For invalid values, and [`GrainsError::TooLarge`].
    pub(super) fn radii(&self, group: &BodyGroup, key: &str) -> Result<Vec<f64>, GrainsError> {
        let (amount, under) = match group.place {
            Place::Pour { count, mass, fraction, .. } => {
                (Amount { count, mass, fraction }, format!("{key}.place.pour"))
            }
            Place::PourWith { count, mass, fraction, .. } => {
                (Amount { count, mass, fraction }, format!("{key}.place.pour-with"))
            }
            _ => return Ok(Vec::new()),
        };
        let at = |name: &str| format!("{under}.{name}");
        let too_many =
            |name: &str, value: f64| Err(GrainsError::out_of_range(at(name), "at most 67108864 bodies", value));
        let volume = |radius: &f64| ball_volume(*radius);
        // Each body adds a constant and a part in proportion to its volume to the total.
        let (name, total, [same, of_volume]) = match amount {
            Amount { count: Some(count), mass: None, fraction: None } => {
                if count > MOST {
                    return too_many("count", count as f64);
                }
                sizes::refuse_bodies(count, &at("count"))?;
                return radii(group, count, key);
            }
            Amount { count: None, mass: Some(mass), fraction: None } => {
                let of_body = match (group.mass, group.density) {
                    (Some(mass), _) => [mass, 0.0],
                    (None, Some(density)) => [0.0, density],
                    (None, None) => {
                        return Err(GrainsError::MissingKey { at: Location::of(key), missing: "density".into() });
                    }
                };
                ("mass", positive(at("mass"), mass)?, of_body)
            }
            Amount { count: None, mass: None, fraction: Some(fraction) } => {
                ("fraction", positive(at("fraction"), fraction)? * self.volume, [0.0, 1.0])
            }
            _ => {
                let problem = "a pour has one of `count`, `mass` and `fraction`";
                return Err(GrainsError::conflict(under, problem));
            }
        };
        // Radii are drawn body by body, so that drawing more radii keeps the first ones.
        let mut drawn = 64;
        loop {
            let radii = radii(group, drawn, key)?;
            let mut sum = 0.0;
            let fitting = radii.iter().take_while(|radius| {
                sum += same + of_volume * volume(radius);
                // The tolerance keeps the last body of a whole number of bodies despite rounding.
                sum <= total * (1.0 + 1e-9)
            });
            let count = fitting.count();
            if count < drawn {
                let none = GrainsError::out_of_range(at(name), "enough for one body at least", total);
                return if count == 0 { Err(none) } else { Ok(radii[..count].to_vec()) };
            }
            if drawn > MOST {
                return too_many(name, total);
            }
            // All drawn bodies fit: draw more.
            sizes::refuse_bodies(drawn, &at(name))?;
            drawn *= 2;
        }
    }

    /// Places spheres at random, one per radius, and returns their centres. A direction is periodic if it is periodic
    /// in the simulation box and the region spans this box.
    ///
    /// # Errors
    /// [`GrainsError::NoRoom`], and [`GrainsError::OutOfRange`] for a box that is too narrow.
    pub(super) fn centres(&self, radii: &[f64], present: &Present<'_>) -> Result<Vec<DVec3>, GrainsError> {
        let &Self { mut low, mut high, seed, gap, simulation_box, key, .. } = self;
        let key = format!("{key}.place.pour");
        let mut boundary = [Boundary::Open; 3];
        let mut periods = DVec3::ZERO;
        let widest = 2.0 * radii.iter().copied().fold(0.0, f64::max);
        for c in 0..3 {
            let periodic = simulation_box.filter(|space| space.boundary[c] == Boundary::Periodic);
            let period = periodic.map(|space| space.high[c] - space.low[c]);
            periods[c] = period.unwrap_or(0.0);
            match period {
                Some(period) if self.sides.is_empty() && high[c] - low[c] >= period * (1.0 - 1e-12) => {
                    (high[c], boundary[c]) = (low[c] + period, Boundary::Periodic);
                }
                _ if self.sides.is_empty() && high[c] - low[c] < widest => {
                    let range = "above `low` by the largest diameter at least";
                    return Err(GrainsError::out_of_range(format!("{key}.high"), range, high[c]));
                }
                // The gap is kept between spheres, but not from the sides of the box unless images may be beyond them.
                Some(_) => {}
                None => (low[c], high[c]) = (low[c] - 0.5 * gap, high[c] + 0.5 * gap),
            }
        }
        let domain = Domain::new(low, high, boundary).map_err(GrainsError::refused(key.as_str()))?;
        let grow = |sphere: &Sphere| Sphere { radius: sphere.radius + 0.5 * gap, ..*sphere };
        let spheres: Vec<Sphere> = present.spheres.iter().map(grow).collect();
        let walls: Vec<Wall> = present.walls.iter().chain(&self.sides).cloned().collect();
        let surroundings = Surroundings { spheres: &spheres, walls: &walls, periods };
        let grown: Vec<f64> = radii.iter().map(|radius| radius + 0.5 * gap).collect();
        random_packing_among(&surroundings, &domain, &grown, seed).map_err(|error| match error {
            DemError::Statics(StaticsError::DoesNotFit { bodies, fraction, .. }) => {
                GrainsError::NoRoom { at: Location::of(key), count: bodies, fraction, there: present.spheres.len() }
            }
            error => GrainsError::refused(key)(error),
        })
    }
}

/// Returns for each group the number of the group with which it is poured; none for groups without `pour-with`. `keys`
/// are the keys of all groups.
///
/// # Errors
/// For a group that is not there, or has no `pour`.
pub(super) fn leaders(scene: &Scene, keys: &[String]) -> Result<Vec<Option<usize>>, GrainsError> {
    let leader = |(values, key): (&BodyGroup, &String)| {
        let Place::PourWith { group, .. } = &values.place else { return Ok(None) };
        let key = format!("{key}.place.pour-with.group");
        let number = match group {
            NameOrNumber::Number(number) => *number,
            NameOrNumber::Name(name) => named(scene.bodies.iter().map(|group| &group.name), name, &key)?,
        };
        match scene.bodies.get(number).map(|leader| &leader.place) {
            Some(Place::Pour { .. }) => Ok(Some(number)),
            _ => {
                let problem = "is not the name, or the number from zero, of a group with a `pour`";
                Err(GrainsError::conflict(key, problem))
            }
        }
    };
    scene.bodies.iter().zip(keys).map(leader).collect()
}
