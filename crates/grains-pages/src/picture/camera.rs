//! Camera of a picture: direction of view, projection and frame.
use glam::{DVec2, DVec3, dvec2, dvec3};

use super::scenery::{Scenery, is_near};

/// Distance of the eye of a perspective picture from the middle of the frame, in half diagonals of the frame. Halving
/// it makes parallel lines converge strongly, doubling it hardly at all.
const EYE: f64 = 4.0;

/// Direction from which a picture is taken, and its projection.
#[derive(Clone, Copy, Debug)]
pub struct Camera {
    toward_eye: DVec3,
    up: DVec3,
    has_perspective: bool,
    frame: Option<[DVec3; 2]>,
}

impl Default for Camera {
    /// An orthographic view from the front, the right and above, with z upwards.
    fn default() -> Self {
        Self { toward_eye: dvec3(0.5, -1.0, 0.35), up: DVec3::Z, has_perspective: false, frame: None }
    }
}

impl Camera {
    /// Returns a camera that looks from this direction, of any length, at the middle of the scenery; the default
    /// direction if the vector is zero or not finite.
    #[must_use]
    pub fn from_direction(toward_eye: DVec3) -> Self {
        Self { toward_eye, ..Self::default() }
    }

    /// Sets the direction that points upwards in the picture, z by default.
    #[must_use]
    pub fn up(mut self, up: DVec3) -> Self {
        self.up = up;
        self
    }

    /// Makes near objects slightly larger than far ones. Without this call the projection is orthographic, so that
    /// lengths across the line of sight can be measured in the picture.
    #[must_use]
    pub fn perspective(mut self) -> Self {
        self.has_perspective = true;
        self
    }

    /// Makes the picture show the box with the opposite corners `low` and `high` in m, if they are finite. Without this
    /// call each picture is fitted to its scenery, so that the pictures of a film would differ in scale.
    #[must_use]
    pub fn frame(mut self, low: DVec3, high: DVec3) -> Self {
        self.frame = Some([low, high]);
        self
    }

    /// Returns the unit vectors to the right, upwards and towards the eye.
    fn axes(&self) -> [DVec3; 3] {
        let toward = self.toward_eye.try_normalize().unwrap_or_else(|| Self::default().toward_eye.normalize());
        let right = [self.up, DVec3::Z, DVec3::Y]
            .into_iter()
            .filter_map(DVec3::try_normalize)
            .map(|up| up.cross(toward))
            .find(|right| right.length_squared() > 1e-12)
            .map_or(DVec3::X, DVec3::normalize);
        [right, toward.cross(right), toward]
    }
}

/// Part of a picture that the scenery fills, in dots from the top left.
#[derive(Clone, Copy, Debug)]
pub(super) struct Area {
    pub(super) low: DVec2,
    pub(super) high: DVec2,
}

/// A line of sight: points `origin + s direction`, away from the eye as s grows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ray {
    pub(super) origin: DVec3,
    pub(super) direction: DVec3,
}

/// Map from space to the dots of a picture.
///
/// View coordinates have their origin in the middle of the frame and its half diagonal as unit: x to the right, y
/// upwards, z (the depth) towards the eye. Scenery of any size in metres then has coordinates of about one.
#[derive(Clone, Debug)]
pub(super) struct View {
    axes: [DVec3; 3],
    origin: DVec3,
    unit: f64,
    /// Inverse of the distance from the origin to the eye; zero for an orthographic view.
    closeness: f64,
    /// Number of dots per unit length in the plane through the origin of view coordinates.
    scale: f64,
    /// Position, in dots from the top left, of the image of the origin.
    shift: DVec2,
}

impl View {
    /// Places the camera so that the scenery, or the camera's frame, fills the area.
    pub(super) fn fit(camera: &Camera, scenery: &Scenery, area: Area) -> Self {
        let frame = camera.frame.filter(|corners| corners.iter().copied().all(is_near));
        // Points, each with a radius around it that must be visible.
        let corners = |low: DVec3, high: DVec3| {
            (0..8).map(move |i| {
                let pick = |bit: i32, low: f64, high: f64| if i & bit == 0 { low } else { high };
                dvec3(pick(1, low.x, high.x), pick(2, low.y, high.y), pick(4, low.z, high.z))
            })
        };
        let spheres = scenery.spheres.iter().filter(|s| s.is_drawable()).map(|s| (s.centre, s.radius));
        let walls = scenery.walls.iter().filter(|t| t.is_drawable()).flat_map(|t| t.corners).map(|p| (p, 0.0));
        let strokes = scenery.strokes.iter().filter(|s| s.is_drawable());
        let strokes = strokes.flat_map(|s| s.ends.map(|p| (p, 0.5 * s.width.abs())));
        let shown: Vec<(DVec3, f64)> = spheres.chain(walls).chain(strokes).collect();
        let framed = frame.map_or_else(|| shown.clone(), |[low, high]| corners(low, high).map(|p| (p, 0.0)).collect());

        let low = framed.iter().map(|(p, r)| *p - *r).reduce(DVec3::min).unwrap_or_default();
        let high = framed.iter().map(|(p, r)| *p + *r).reduce(DVec3::max).unwrap_or_default();
        let unit = 0.5 * (high - low).length();
        let unit = if unit > 0.0 { unit } else { 1.0 };
        let mut view = Self {
            axes: camera.axes(),
            origin: 0.5 * (low + high),
            unit,
            closeness: 0.0,
            scale: 1.0,
            shift: DVec2::ZERO,
        };
        if camera.has_perspective {
            // No scenery may be behind the eye.
            let nearest = shown.iter().map(|(p, r)| view.place(*p).z + r / unit).fold(0.0, f64::max);
            view.closeness = EYE.max(1.5 * nearest).recip();
        }
        let images = || framed.iter().filter_map(|(p, r)| view.bounds(view.place(*p), r / unit));
        let low = images().map(|[low, _]| low).reduce(DVec2::min).unwrap_or(-DVec2::ONE);
        let high = images().map(|[_, high]| high).reduce(DVec2::max).unwrap_or(DVec2::ONE);
        let room = (area.high - area.low).max(DVec2::ONE);
        let scale = (room / (high - low)).min_element();
        view.scale = if scale.is_finite() { scale } else { room.min_element() };
        view.shift = 0.5 * (area.low + area.high) - 0.5 * view.scale * (low + high);
        view
    }

    /// Returns the view coordinates of a point in m.
    pub(super) fn place(&self, point: DVec3) -> DVec3 {
        let from_origin = (point - self.origin) / self.unit;
        DVec3::from_array(self.axes.map(|axis| axis.dot(from_origin)))
    }

    /// Converts a length in m to view coordinates.
    pub(super) fn length(&self, length: f64) -> f64 {
        length / self.unit
    }

    /// Returns the image of a direction in space: its components to the right and downwards in the picture.
    pub(super) fn direction(&self, direction: DVec3) -> DVec2 {
        dvec2(self.axes[0].dot(direction), -self.axes[1].dot(direction))
    }

    /// Returns the position, in dots from the top left, of the image of a point in view coordinates.
    pub(super) fn dot(&self, place: DVec3) -> DVec2 {
        self.shift + self.scale / (1.0 - self.closeness * place.z) * dvec2(place.x, -place.y)
    }

    /// Returns the smallest rectangle of dots that has the image of a ball, given in view coordinates. Lines of sight
    /// that touch the ball determine the rectangle. `None` if the ball is not in front of the eye.
    pub(super) fn bounds(&self, centre: DVec3, radius: f64) -> Option<[DVec2; 2]> {
        let depth = 1.0 - self.closeness * centre.z;
        let across = self.closeness * radius;
        let denominator = depth * depth - across * across;
        if depth <= 0.0 || denominator <= 0.0 {
            return None;
        }
        let middle = dvec2(centre.x, -centre.y);
        let half = (self.closeness * self.closeness * middle * middle + denominator).map(f64::sqrt) * radius;
        let at = |sign: f64| self.shift + self.scale * (depth * middle + sign * half) / denominator;
        Some([at(-1.0), at(1.0)])
    }

    /// Returns the line of sight through the middle of a dot.
    pub(super) fn ray(&self, column: usize, row: usize) -> Ray {
        let image = (dvec2(column as f64 + 0.5, row as f64 + 0.5) - self.shift) / self.scale;
        let origin = dvec3(image.x, -image.y, 0.0);
        Ray { origin, direction: dvec3(origin.x * self.closeness, origin.y * self.closeness, -1.0) }
    }

    /// Returns a vector from a point in view coordinates towards the eye.
    pub(super) fn toward_eye(&self, place: DVec3) -> DVec3 {
        dvec3(-self.closeness * place.x, -self.closeness * place.y, 1.0 - self.closeness * place.z)
    }

    /// Returns the length of one dot in view coordinates at the depth z.
    pub(super) fn dot_length(&self, z: f64) -> f64 {
        (1.0 - self.closeness * z) / self.scale
    }

    /// Returns the length of one dot in m at the depth of the origin.
    pub(super) fn metres_in_a_dot(&self) -> f64 {
        self.unit / self.scale
    }

    pub(super) fn has_perspective(&self) -> bool {
        self.closeness > 0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::Sphere;

    fn view(camera: Camera) -> View {
        let ball = |x: f64| Sphere { centre: dvec3(x, 20.0, 30.0), radius: 2.0, value: 0.0 };
        let scenery = Scenery { spheres: vec![ball(0.0), ball(7.0)], ..Scenery::default() };
        View::fit(&camera, &scenery, Area { low: dvec2(10.0, 20.0), high: dvec2(410.0, 320.0) })
    }

    #[test]
    fn lengths_across_the_line_of_sight_are_those_of_the_scale() {
        for camera in [Camera::from_direction(-DVec3::Y), Camera::from_direction(-DVec3::Y).perspective()] {
            let view = view(camera);
            let dot = |x: f64, y: f64, z: f64| view.dot(view.place(dvec3(x, y, z)));
            let metres = |from: DVec2, to: DVec2| (to - from) * view.metres_in_a_dot();
            let middle = dot(3.5, 20.0, 30.0);
            assert!((metres(middle, dot(5.5, 20.0, 30.0)) - dvec2(2.0, 0.0)).length() < 1e-12);
            assert!((metres(middle, dot(3.5, 20.0, 31.0)) - dvec2(0.0, -1.0)).length() < 1e-12);
            let nearer = metres(dot(3.5, 19.0, 30.0), dot(5.5, 19.0, 30.0)).x;
            assert!(if view.has_perspective() { nearer > 2.01 } else { (nearer - 2.0).abs() < 1e-12 });
        }
    }

    #[test]
    fn rectangles_are_those_of_all_points_of_a_ball_and_the_scenery_fills_the_area() {
        for camera in [Camera::default(), Camera::default().perspective()] {
            let view = view(camera);
            let points = (0..100_000).map(|i| {
                let (angle, z) = (2.4 * f64::from(i), f64::from(i) / 5e4 - 1.0);
                let radius = (1.0 - z * z).sqrt();
                dvec3(radius * angle.cos(), radius * angle.sin(), z)
            });
            let centre = view.place(dvec3(7.0, 20.0, 30.0));
            let radius = view.length(2.0);
            let dots: Vec<DVec2> = points.map(|point| view.dot(centre + radius * point)).collect();
            let [low, high] = view.bounds(centre, radius).unwrap();
            assert!((dots.iter().copied().reduce(DVec2::min).unwrap() - low).abs().max_element() < 0.05);
            assert!((dots.iter().copied().reduce(DVec2::max).unwrap() - high).abs().max_element() < 0.05);
            let other = view.bounds(view.place(dvec3(0.0, 20.0, 30.0)), radius).unwrap();
            let width = high.max(other[1]).x - low.min(other[0]).x;
            assert!((width - 400.0).abs() < 1e-9, "{width}");
        }
    }
}
