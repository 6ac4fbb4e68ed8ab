//! Bridges as they are stored, and the checks of restored ones.

use crate::bridge::bridges::Bridges;
use crate::bridge::capillary::Capillary;
use crate::bridge::exchange::Moisture;
use crate::bridge::wet_plane::WetPlane;
use crate::error::DemError;
use crate::neighbor::domain::Domain;

#[derive(serde::Serialize, serde::Deserialize)]
pub(super) struct Parts {
    surface_tension: f64,
    contact_angle: f64,
    share: f64,
    domain: Domain,
    planes: Vec<WetPlane>,
    moisture: Moisture,
    skin: f64,
}

impl TryFrom<Parts> for Bridges {
    type Error = DemError;

    fn try_from(parts: Parts) -> Result<Self, DemError> {
        let Parts { surface_tension, contact_angle, share, domain, planes, moisture, skin } = parts;
        moisture.check(planes.len())?;
        for (number, plane) in planes.iter().enumerate() {
            plane.checked(number, &domain)?;
        }
        let liquid = Capillary::new(surface_tension, contact_angle)?;
        Self::of_parts(liquid, share, domain, planes, moisture, skin)
    }
}

impl From<Bridges> for Parts {
    fn from(bridges: Bridges) -> Self {
        let (surface_tension, contact_angle) = bridges.liquid.parameters();
        let skin = bridges.list.skin();
        let Bridges { share, domain, planes, moisture, .. } = bridges;
        Self { surface_tension, contact_angle, share, domain, planes, moisture, skin }
    }
}
