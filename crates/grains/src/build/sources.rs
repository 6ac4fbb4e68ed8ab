//! Sources and gates of a scene, checked and translated for `dem-contact`.

use dem_contact::source::{GateShape, GrainSource, GrainStream, MeshFaces, Region, Sizes};
use rrp_geom::glam::DVec3;
use rrp_integrate::{Bodies, Body, State};

use super::bodies::smallest_radius;
use super::radii::{ball_volume, sizes};
use super::situation::{MaterialNumbers, Situation};
use crate::error::GrainsError;
use crate::scene::Scene;
use crate::scene::output::Interval;
use crate::scene::regions::{BoxRegion, CylinderRegion};
use crate::scene::sources::{Amount, FaceRegion, Gate, Source, SourceRegion};
use crate::value::{finite, material_number, not_negative, positive, vector};

/// A source of a scene, checked and ready to insert grains.
#[derive(Debug, Clone)]
pub(crate) struct PlannedSource {
    pub(crate) grains: GrainSource,
    /// Density of the grains in kg/m³.
    density: f64,
    pub(crate) velocity: DVec3,
    /// Speed in m/s of a grain away from the mesh face where it appears; zero for other regions.
    pub(crate) speed: f64,
    pub(crate) spin: DVec3,
    pub(crate) material: u16,
    pub(crate) rate: Option<Amount>,
    pub(crate) total: Option<Amount>,
    pub(crate) every: Interval,
}

impl PlannedSource {
    /// Makes a grain of the source with this radius (m).
    pub(crate) fn body(&self, radius: f64) -> Body {
        Body::sphere(self.density * ball_volume(radius), radius)
    }

    /// Returns the mesh faces where the source's grains appear; none for sources with other regions.
    pub(crate) fn faces(&self) -> Option<&MeshFaces> {
        match &self.grains.region {
            Region::Faces(faces) => Some(faces),
            _ => None,
        }
    }

    /// Returns an upper bound of the velocity (m/s) of the source's grains: all grains leave their faces along
    /// `velocity`.
    fn largest_velocity(&self) -> DVec3 {
        self.velocity + self.speed * self.velocity.try_normalize().unwrap_or(DVec3::Z)
    }

    /// Returns the contribution of a grain of this radius (m) to an amount of grains, in the amount's unit: one for a
    /// number, its mass for a mass, its share of the region's volume for a fraction.
    pub(crate) fn part(&self, amount: Amount, radius: f64) -> f64 {
        match amount {
            Amount::Count(_) => 1.0,
            Amount::Mass(_) => self.density * ball_volume(radius),
            Amount::Fraction(_) => ball_volume(radius) / self.grains.region.volume(),
        }
    }
}

impl Amount {
    /// Returns the value of the amount in its own unit: a number, a mass in kg, or a fraction of the volume.
    pub(crate) fn value(self) -> f64 {
        match self {
            Self::Count(value) | Self::Mass(value) | Self::Fraction(value) => value,
        }
    }
}

/// Makes the sources of `scene`. `faces_of` returns the mesh faces of the source with this index.
///
/// # Errors
/// For invalid sources, with the key, and errors of `faces_of`.
pub(crate) fn sources(
    scene: &Scene,
    faces_of: impl Fn(usize, &FaceRegion) -> Result<MeshFaces, GrainsError>,
) -> Result<Vec<PlannedSource>, GrainsError> {
    let names = scene.contact.as_ref().map_or_else(Vec::new, |model| model.names());
    let source = |(index, source): (usize, &Source)| {
        let key = format!("sources[{index}]");
        let under = |name: &str| format!("{key}.{name}");
        let region = region(&source.region, |group| faces_of(index, group), &under("region"))?;
        let volume = region.volume();
        let stream = GrainStream { seed: source.seed, source: index as u64 };
        let grains = GrainSource { region, sizes: sizes(&source.sizes, &under("sizes"))?, stream };
        grains.check().map_err(GrainsError::refused(under("region")))?;
        for (name, amount) in [("rate", source.rate), ("total", source.total)] {
            let Some(amount) = amount else { continue };
            not_negative(under(name), amount.value())?;
            if matches!(amount, Amount::Fraction(_)) && volume <= 0.0 {
                let problem = "the region has no volume: give `count` or `mass`";
                return Err(GrainsError::conflict(under(name), problem));
            }
        }
        source.every.check(&under("every"))?;
        let material = match &source.material {
            Some(name) => material_number(&names, name, &under("material"))?,
            None => 0,
        };
        let speed = match &source.region {
            SourceRegion::Faces(FaceRegion { speed, .. }) => speed_off_faces(under("region.faces.speed"), *speed)?,
            _ => 0.0,
        };
        Ok(PlannedSource {
            grains,
            speed,
            density: positive(under("density"), source.density)?,
            velocity: vector(under("velocity"), source.velocity)?,
            spin: vector(under("spin"), source.spin)?,
            material,
            rate: source.rate,
            total: source.total,
            every: source.every,
        })
    };
    scene.sources.iter().enumerate().map(source).collect()
}

fn speed_off_faces(key: String, speed: f64) -> Result<f64, GrainsError> {
    if speed < 0.0 {
        let problem = "is away from the face, so not negative: turn `facing` around, or take `inside`";
        return Err(GrainsError::conflict(key, problem));
    }
    finite(key, speed)
}

/// Makes the shapes of the gates of `scene`.
///
/// # Errors
/// For invalid gates; the error names the key.
pub(crate) fn gates(scene: &Scene) -> Result<Vec<GateShape>, GrainsError> {
    let gate = |(index, gate): (usize, &Gate)| {
        let key = format!("gates[{index}]");
        gate.every.check(&format!("{key}.every"))?;
        gate.shape.check().map_err(GrainsError::refused(format!("{key}.shape")))?;
        Ok(gate.shape)
    };
    scene.gates.iter().enumerate().map(gate).collect()
}

fn region(
    region: &SourceRegion,
    faces: impl FnOnce(&FaceRegion) -> Result<MeshFaces, GrainsError>,
    key: &str,
) -> Result<Region, GrainsError> {
    let at = |name: &str, value| vector(format!("{key}.{name}"), value);
    Ok(match *region {
        SourceRegion::Box(BoxRegion { low, high }) => {
            Region::Box { low: at("box.low", low)?, high: at("box.high", high)? }
        }
        SourceRegion::Cylinder(CylinderRegion { point, axis, radius }) => {
            Region::Cylinder { point: at("cylinder.point", point)?, axis: at("cylinder.axis", axis)?, radius }
        }
        SourceRegion::Disc { point, normal, radius } => {
            Region::Disc { point: at("disc.point", point)?, normal: at("disc.normal", normal)?, radius }
        }
        SourceRegion::Faces(ref group) => Region::Faces(Box::new(faces(group)?)),
    })
}

/// Returns the laws of the radii of all sources.
fn sizes_of_sources(scene: &Scene) -> impl Iterator<Item = Result<Sizes, GrainsError>> {
    let all = scene.sources.iter().enumerate();
    all.map(|(index, source)| sizes(&source.sizes, &format!("sources[{index}].sizes")))
}

/// Returns the smallest radius (m) of the present bodies and of the grains of sources; 1 if there are none.
pub(super) fn smallest(scene: &Scene, bodies: &Bodies) -> Result<f64, GrainsError> {
    let mut least = if bodies.is_empty() { f64::INFINITY } else { smallest_radius(bodies) };
    for coming in sizes_of_sources(scene) {
        least = least.min(coming?.smallest());
    }
    Ok(if least.is_finite() { least } else { 1.0 })
}

/// Returns whether grains of sources will make radii differ, from each other or from the equal radii of present bodies.
/// If radii of present bodies differ already, the contact force notices this itself.
pub(super) fn sizes_will_differ(scene: &Scene, bodies: &Bodies) -> Result<bool, GrainsError> {
    let mut radii = Vec::from_iter(bodies.radius().uniform());
    for coming in sizes_of_sources(scene) {
        let coming = coming?;
        radii.extend([coming.smallest(), coming.largest()]);
    }
    Ok(radii.iter().any(|radius| radius.to_bits() != radii[0].to_bits()))
}

/// Calls `task` with the bodies of `situation` and the smallest and the largest grain of each of these sources, since
/// time steps have to suit the grains that will be inserted.
///
/// # Errors
/// For invalid grains.
pub(crate) fn with_coming<R>(
    scene: &Scene,
    sources: &[PlannedSource],
    situation: &Situation<'_>,
    task: impl FnOnce(&Situation<'_>) -> Result<R, GrainsError>,
) -> Result<R, GrainsError> {
    if sources.is_empty() {
        return task(situation);
    }
    let &Situation { bodies: there, state: now, materials, groups, names, bonds, driven } = situation;
    let mut rows: Vec<Body> = (0..there.len()).map(|i| there.get(i)).collect();
    let mut motions: Vec<[DVec3; 2]> =
        (0..there.len()).map(|i| [now.position().get(i), now.velocity().get(i)]).collect();
    let mut numbers = materials.bodies.clone();
    let mut of_bodies = groups.to_vec();
    for (source, table) in sources.iter().zip(&scene.sources) {
        let number = names.iter().position(|known| known.is_some() && *known == table.name);
        let group = number.map_or(u32::MAX, |number| number as u32);
        let sizes = &source.grains.sizes;
        for radius in [sizes.smallest(), sizes.largest()] {
            rows.push(source.body(radius));
            of_bodies.push(group);
            motions.push([source.grains.region.middle(), source.largest_velocity()]);
            if scene.contact.as_ref().is_some_and(|model| model.names().len() > 1) {
                numbers.push(source.material);
            }
        }
    }
    let bodies = Bodies::new(rows).map_err(|error| GrainsError::refused("sources")(error.into()))?;
    let mut state = State::at_rest(bodies.len());
    for (i, [position, velocity]) in motions.into_iter().enumerate() {
        state.position_mut().set(i, position);
        state.velocity_mut().set(i, velocity);
    }
    let materials = MaterialNumbers { bodies: numbers, walls: materials.walls.clone() };
    task(&Situation { bodies: &bodies, state: &state, materials: &materials, groups: &of_bodies, names, bonds, driven })
}
