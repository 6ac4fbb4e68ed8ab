//! Faces of a mesh at which grains are inserted.

use std::f64::consts::FRAC_PI_2;
use std::sync::Arc;

use rrp_geom::glam::DVec3;

use crate::error::DemError;
use crate::error::mesh::MeshError;
use crate::error::parameter::{finite, positive};
use crate::wall::TriangleMesh;

/// Gap between a mesh face and a grain inserted at it, over the grain's radius, so that rounding causes no overlap.
const CLEARANCE: f64 = 1e-6;

/// Choice of the faces of a mesh at which grains are inserted: all, or those with a direction and in a box.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct FaceChoice {
    /// Cone of directions that chosen faces must face; without a cone, faces of any direction are chosen. An open mesh
    /// needs a cone, since its triangles have two faces.
    pub facing: Option<Facing>,
    /// Corners in m of a box in which the triangles of chosen faces must lie wholly; anywhere if there is no box.
    pub within: Option<[DVec3; 2]>,
}

/// Cone of directions of the faces at which grains are inserted.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Facing {
    /// Axis of the cone, of any length.
    pub direction: DVec3,
    /// Largest angle in rad between the axis of the cone and the normal of a face, up to a quarter turn.
    pub angle: f64,
}

impl Facing {
    fn check(&self) -> Result<(), DemError> {
        positive("the length of a direction", self.direction.length())?;
        if !(self.angle > 0.0 && self.angle <= FRAC_PI_2) {
            let parameter = "the angle between faces and a direction";
            let range = "in rad, positive, at most π/2";
            return Err(DemError::InvalidParameter { parameter, range, value: self.angle });
        }
        Ok(())
    }

    fn has(&self, normal: DVec3) -> bool {
        normal.dot(self.direction.normalize()) >= self.angle.cos()
    }
}

impl FaceChoice {
    fn check(&self) -> Result<(), DemError> {
        self.facing.iter().try_for_each(Facing::check)?;
        let mut numbers = self.within.iter().flatten().flat_map(|corner| corner.to_array());
        numbers.try_for_each(|value| finite("each corner of a box that has faces", value).map(|_| ()))
    }

    /// Returns the normal of the side of a triangle that faces the chosen directions, if there is one.
    fn normal(&self, mesh: &TriangleMesh, triangle: usize) -> Option<DVec3> {
        let is_taken = |normal: &DVec3| self.facing.is_none_or(|facing| facing.has(*normal));
        sides(mesh, triangle).find(is_taken)
    }

    fn lies_within(&self, corners: [DVec3; 3]) -> bool {
        let is_inside =
            |[low, high]: [DVec3; 2]| corners.iter().all(|point| point.cmpge(low).all() && point.cmple(high).all());
        self.within.is_none_or(is_inside)
    }

    fn no_faces(&self, mesh: &TriangleMesh) -> MeshError {
        let normals = (0..mesh.triangles().len()).flat_map(|triangle| sides(mesh, triangle));
        match self.facing {
            Some(facing) if !normals.clone().any(|normal| facing.has(normal)) => {
                let off = |normal: &DVec3| normal.angle_between(facing.direction);
                let nearest = normals.min_by(|one, other| off(one).total_cmp(&off(other))).unwrap_or(DVec3::ZERO);
                MeshError::NoFaceFacing { nearest, angle: off(&nearest) }
            }
            _ => MeshError::NoFaceWithin { bounds: mesh.bounds() },
        }
    }
}

/// Returns the normals of the faces of a triangle: one in a closed mesh, two opposite ones in an open mesh.
fn sides(mesh: &TriangleMesh, triangle: usize) -> impl Iterator<Item = DVec3> + Clone {
    let normal = mesh.normal(triangle);
    std::iter::once(normal).chain((!mesh.is_closed()).then_some(-normal))
}

/// Faces of a mesh at which grains are inserted. An inserted grain is a millionth of its radius away from a face, at a
/// point that is uniform over the area of all faces, and overlaps no other triangle of the mesh. Images of the mesh are
/// ignored. Copies share the mesh.
///
/// ```
/// use dem_contact::source::{FaceChoice, Facing, MeshFaces};
/// use dem_contact::wall::Revolution;
/// use rrp_geom::glam::DVec3;
///
/// // The upper end of a rod with 32 sides and radius 0.1 m.
/// let rod = Revolution::rod(DVec3::Z, 0.1, [0.0, 1.0])?.mesh(32)?;
/// let facing = Some(Facing { direction: DVec3::Z, angle: 0.1 });
/// let end = MeshFaces::new(rod, FaceChoice { facing, within: None })?;
/// assert!((end.area() / (16.0 * 0.01 * (std::f64::consts::TAU / 32.0).sin()) - 1.0).abs() < 1e-12);
/// # Ok::<(), dem_contact::error::DemError>(())
/// ```
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "Stored", into = "Stored"))]
pub struct MeshFaces {
    mesh: Arc<TriangleMesh>,
    choice: FaceChoice,
    triangles: Vec<u32>,
    /// Cumulative area in m² up to each face, from which a face is drawn in proportion to its area.
    areas: Vec<f64>,
}

impl MeshFaces {
    /// Chooses the faces of `mesh` that fit `choice`: of a closed mesh the sides to which normals point, of an open
    /// mesh those sides of its triangles that face the chosen directions.
    ///
    /// # Errors
    /// [`DemError::InvalidParameter`] for an invalid choice; [`MeshError::TwoSides`] for an open mesh without a
    /// direction; [`MeshError::NoFaceFacing`] and [`MeshError::NoFaceWithin`] if no face fits the choice.
    pub fn new(mesh: TriangleMesh, choice: FaceChoice) -> Result<Self, DemError> {
        Self::of(Arc::new(mesh), choice)
    }

    fn of(mesh: Arc<TriangleMesh>, choice: FaceChoice) -> Result<Self, DemError> {
        choice.check()?;
        if !mesh.is_closed() && choice.facing.is_none() {
            return Err(DemError::Mesh(MeshError::TwoSides));
        }
        let mut triangles = Vec::new();
        let mut areas = Vec::new();
        let mut area = 0.0;
        for triangle in 0..mesh.triangles().len() {
            let corners = mesh.corners(triangle);
            if choice.normal(&mesh, triangle).is_some() && choice.lies_within(corners) {
                let [a, b, c] = corners;
                area += 0.5 * (b - a).cross(c - a).length();
                triangles.push(triangle as u32);
                areas.push(area);
            }
        }
        if triangles.is_empty() {
            return Err(DemError::Mesh(choice.no_faces(&mesh)));
        }
        Ok(Self { mesh, choice, triangles, areas })
    }

    /// Returns the total area in m² of the faces at which grains are inserted.
    #[must_use]
    pub fn area(&self) -> f64 {
        self.areas.last().copied().unwrap_or(0.0)
    }

    /// Returns the unit normal of each face at which grains are inserted, towards the grains.
    pub fn normals(&self) -> impl Iterator<Item = DVec3> + '_ {
        self.triangles.iter().map(|&triangle| self.normal(triangle))
    }

    /// Returns the unit normal, towards the grains, of the chosen face of a mesh triangle.
    fn normal(&self, triangle: u32) -> DVec3 {
        self.choice.normal(&self.mesh, triangle as usize).unwrap_or(DVec3::ZERO)
    }

    fn corners(&self) -> impl Iterator<Item = [DVec3; 3]> + '_ {
        self.triangles.iter().map(|&triangle| self.mesh.corners(triangle as usize))
    }

    /// Returns the centre in m of the area of all faces.
    #[must_use]
    pub fn middle(&self) -> DVec3 {
        let mut sum = DVec3::ZERO;
        let mut before = 0.0;
        for (corners, area) in self.corners().zip(&self.areas) {
            sum += (area - before) / 3.0 * corners.iter().sum::<DVec3>();
            before = *area;
        }
        sum / self.area()
    }

    /// Returns the corners (m) of a box around all spheres of at most this radius (m) at the faces.
    pub(super) fn bounds(&self, largest: f64) -> [DVec3; 2] {
        let corners = || self.corners().flatten();
        let low = corners().fold(DVec3::INFINITY, DVec3::min);
        let high = corners().fold(DVec3::NEG_INFINITY, DVec3::max);
        let around = 2.0 * largest * (1.0 + CLEARANCE);
        [low - around, high + around]
    }

    /// Returns, for three uniform random numbers, centre (m) and normal for a sphere of this radius (m) at a face.
    pub(super) fn place(&self, radius: f64, [u, v, w]: [f64; 3]) -> [DVec3; 2] {
        let area = u * self.area();
        let number = self.areas.partition_point(|&sum| sum <= area).min(self.triangles.len() - 1);
        let triangle = self.triangles[number];
        let ([a, b, c], normal) = (self.mesh.corners(triangle as usize), self.normal(triangle));
        let across = v.sqrt();
        let point = a + across * ((b - a) + w * (c - b));
        [point + radius * (1.0 + CLEARANCE) * normal, normal]
    }

    /// Whether a sphere of this centre and radius (m) overlaps no triangle, and is outside of a closed mesh.
    pub(super) fn is_clear(&self, center: DVec3, radius: f64) -> bool {
        self.mesh.signed_distance(center) >= radius
    }
}

impl PartialEq for MeshFaces {
    fn eq(&self, other: &Self) -> bool {
        let numbers = |faces: &Self| (faces.mesh.sides(), faces.choice);
        numbers(self) == numbers(other)
            && self.mesh.points() == other.mesh.points()
            && self.mesh.triangles() == other.mesh.triangles()
    }
}

#[cfg(feature = "serde")]
#[derive(serde::Serialize, serde::Deserialize)]
struct Stored {
    #[serde(with = "crate::util::serde_checked::shared")]
    mesh: Arc<TriangleMesh>,
    choice: FaceChoice,
}

#[cfg(feature = "serde")]
impl TryFrom<Stored> for MeshFaces {
    type Error = DemError;

    fn try_from(Stored { mesh, choice }: Stored) -> Result<Self, DemError> {
        Self::of(mesh, choice)
    }
}

#[cfg(feature = "serde")]
impl From<MeshFaces> for Stored {
    fn from(MeshFaces { mesh, choice, .. }: MeshFaces) -> Self {
        Self { mesh, choice }
    }
}

#[cfg(test)]
mod tests {
    use rand::RngExt as _;

    use super::*;
    use crate::source::stream::GrainStream;

    /// Returns an inclined sheet of two triangles, with 3/4 and 1/4 of its area.
    fn sheet() -> TriangleMesh {
        let points = [[0.0, 0.0, 0.0], [3.0, 0.0, 1.0], [0.0, 2.0, 0.5], [4.0, 0.0, 4.0 / 3.0]];
        TriangleMesh::open(points.map(DVec3::from_array).into(), vec![[0, 1, 2], [1, 3, 2]]).unwrap()
    }

    #[test]
    fn grains_are_uniform_over_the_area_and_a_hair_off_it() {
        for sign in [1.0, -1.0] {
            let facing = Some(Facing { direction: sign * DVec3::Z, angle: 1.0 });
            let faces = MeshFaces::new(sheet(), FaceChoice { facing, within: None }).unwrap();
            let normal = sign * DVec3::new(3.0, 0.0, 1.0).cross(DVec3::new(0.0, 2.0, 0.5)).normalize();
            assert!((faces.area() - 4.0 / (normal.z * sign)).abs() < 1e-12);
            // Together they form one triangle, which is divided into nine equal ones by thirds of two sides.
            let count = 9000;
            let radius = 0.1;
            let corner = DVec3::ZERO;
            let first = DVec3::new(4.0, 0.0, 4.0 / 3.0);
            let second = DVec3::new(0.0, 2.0, 0.5);
            let mut found = [0_u32; 9];
            for grain in 0..count {
                let mut random = GrainStream { seed: 3, source: 1 }.of_grain(grain);
                let [center, out] = faces.place(radius, random.random());
                assert!((out - normal).length() < 1e-14 && faces.is_clear(center, radius));
                assert!(((center - corner).dot(normal) / radius - 1.0 - CLEARANCE).abs() < 1e-12);
                let at = center - radius * (1.0 + CLEARANCE) * normal;
                let along = 3.0 * at.x / first.x;
                let up = 3.0 * at.y / second.y;
                let i = along.floor();
                let j = up.floor();
                let is_upper = along - i + up - j > 1.0;
                let row = [0, 5, 8][(j as usize).min(2)];
                found[(row + 2 * i as usize + usize::from(is_upper)).min(8)] += 1;
            }
            let mean = f64::from(count as u32) / 9.0;
            let chi_squared: f64 = found.iter().map(|&n| (f64::from(n) - mean).powi(2) / mean).sum();
            // The 0.1 % quantile of chi-squared with 8 degrees of freedom is 26.1.
            assert!(chi_squared < 26.1, "{chi_squared} {found:?}");
            let middle = (first + second) / 3.0;
            assert!((faces.middle() - middle).length() < 1e-12);
            let [low, high] = faces.bounds(radius);
            assert!((low + 2.0 * radius - DVec3::ZERO).abs().max_element() < 1e-6 && high.x > 4.0 + 2.0 * radius);
        }
    }

    #[test]
    fn only_faces_that_face_and_lie_so_are_taken() {
        let cube = || crate::wall::Revolution::rod(DVec3::Z, 2.0_f64.sqrt(), [0.0, 2.0]).unwrap().mesh(4).unwrap();
        let area = |mesh: TriangleMesh, choice| MeshFaces::new(mesh, choice).map(|faces| faces.area());
        let up = Some(Facing { direction: 3.0 * DVec3::Z, angle: 0.1 });
        let is_about = |found: Result<f64, DemError>, area: f64| (found.unwrap() - area).abs() < 1e-12;
        assert!(is_about(area(cube(), FaceChoice::default()), 24.0));
        assert!(is_about(area(cube(), FaceChoice { facing: up, within: None }), 4.0));
        // In the flipped mesh the floor faces up.
        let floor = MeshFaces::new(cube().flipped(), FaceChoice { facing: up, within: None }).unwrap();
        assert!(floor.middle().length() < 1e-12 && (floor.area() - 4.0).abs() < 1e-12);
        // A sphere in the corner between floor and side would overlap the side.
        assert!(floor.is_clear(DVec3::Z * 0.5, 0.4) && !floor.is_clear(DVec3::new(0.7, 0.7, 0.5), 0.4));
        let above = Some([DVec3::new(-9.0, -9.0, 1.0), DVec3::splat(9.0)]);
        assert!(is_about(area(cube(), FaceChoice { facing: None, within: above }), 4.0));
        let nowhere = Some([DVec3::splat(7.0), DVec3::splat(9.0)]);
        let none = |choice| area(cube(), choice).unwrap_err();
        let DemError::Mesh(MeshError::NoFaceWithin { bounds }) = none(FaceChoice { facing: up, within: nowhere })
        else {
            panic!()
        };
        assert!((bounds[1] - DVec3::new(2.0_f64.sqrt(), 2.0_f64.sqrt(), 2.0)).length() < 1e-12);
        let aslant = Some(Facing { direction: DVec3::new(0.0, 1.0, 1.5), angle: 0.1 });
        let DemError::Mesh(MeshError::NoFaceFacing { nearest, angle }) =
            none(FaceChoice { facing: aslant, within: above })
        else {
            panic!()
        };
        assert!((nearest - DVec3::Z).length() < 1e-12 && (angle.tan() - 1.0 / 1.5).abs() < 1e-12);
        // Without a direction the side of a sheet would depend on the order of its corners.
        assert!(matches!(area(sheet(), FaceChoice::default()), Err(DemError::Mesh(MeshError::TwoSides))));
        for (direction, angle) in [(DVec3::ZERO, 0.1), (DVec3::Z, 0.0), (DVec3::Z, 30.0), (DVec3::NAN, 0.1)] {
            assert!(area(cube(), FaceChoice { facing: Some(Facing { direction, angle }), within: None }).is_err());
        }
    }
}
