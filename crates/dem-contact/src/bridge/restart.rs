//! The stored form of bridges, and the checks of restored ones.

use crate::bridge::bridges::{Bridges, check_walls};
use crate::bridge::capillary::Capillary;
use crate::bridge::exchange::Moisture;
use crate::bridge::wet_wall::WetWall;
use crate::error::DemError;
use crate::neighbor::domain::Domain;

#[derive(serde::Serialize, serde::Deserialize)]
pub(super) struct Parts {
    surface_tension: f64,
    contact_angle: f64,
    share: f64,
    domain: Domain,
    walls: Vec<WetWall>,
    moisture: Moisture,
    skin: f64,
}

impl TryFrom<Parts> for Bridges {
    type Error = DemError;

    fn try_from(parts: Parts) -> Result<Self, DemError> {
        let Parts { surface_tension, contact_angle, share, domain, walls, moisture, skin } = parts;
        moisture.check(|wall| walls.iter().any(|wet| wet.number == wall))?;
        check_walls(&walls, &domain)?;
        let liquid = Capillary::new(surface_tension, contact_angle)?;
        Self::of_parts(liquid, share, domain, walls, moisture, skin)
    }
}

impl From<Bridges> for Parts {
    fn from(bridges: Bridges) -> Self {
        let (surface_tension, contact_angle) = bridges.liquid.parameters();
        let skin = bridges.list.skin();
        let Bridges { share, domain, walls, moisture, .. } = bridges;
        Self { surface_tension, contact_angle, share, domain, walls, moisture, skin }
    }
}
