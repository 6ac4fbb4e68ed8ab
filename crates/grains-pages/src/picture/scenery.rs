//! Bodies, walls and lines of a picture, in metres.
use glam::DVec3;

/// Largest drawn coordinate in metres: squares of much larger ones overflow.
const LARGEST: f64 = 1e100;

/// The objects of a picture.
#[derive(Clone, Debug, Default)]
pub struct Scenery {
    /// Opaque balls. Balls with a centre or radius that is not finite, or a radius that is not positive, are left out.
    pub spheres: Vec<Sphere>,
    /// Walls, translucent and grey, visible from both sides. Lines mark their borders, folds and contours.
    pub walls: Vec<Triangle>,
    /// Lines such as force chains, bonds and edges of a box.
    pub strokes: Vec<Stroke>,
}

/// A ball in a picture.
#[derive(Clone, Copy, Debug)]
pub struct Sphere {
    /// Centre of the ball in m.
    pub centre: DVec3,
    /// Radius of the ball in m.
    pub radius: f64,
    /// Number that the [`Colouring`](super::Colouring) converts to a colour; NaN is grey.
    pub value: f64,
}

/// A triangle of a wall, with its corners in m.
#[derive(Clone, Copy, Debug)]
pub struct Triangle {
    /// Corners of the triangle in m, in either sense of rotation. Common corners of neighbouring triangles must be
    /// equal to the last bit.
    pub corners: [DVec3; 3],
}

/// A straight line, drawn as a cylinder with rounded ends.
#[derive(Clone, Copy, Debug)]
pub struct Stroke {
    /// Both ends of the line in m.
    pub ends: [DVec3; 2],
    /// Diameter of the line in m. Very thin lines are drawn slightly wider than a pixel.
    pub width: f64,
    /// Colour of the line.
    pub paint: Paint,
}

/// Meaning of the colour of a line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Paint {
    /// A fixed colour: red, green and blue.
    Fixed([u8; 3]),
    /// Number that the colouring of lines converts to a colour; NaN is grey.
    Value(f64),
}

impl Sphere {
    pub(super) fn is_drawable(&self) -> bool {
        is_near(self.centre) && self.radius > 0.0 && self.radius < LARGEST
    }
}

impl Triangle {
    pub(super) fn is_drawable(&self) -> bool {
        self.corners.into_iter().all(is_near)
    }
}

impl Stroke {
    pub(super) fn is_drawable(&self) -> bool {
        self.ends.into_iter().all(is_near) && self.width.abs() < LARGEST
    }
}

pub(super) fn is_near(point: DVec3) -> bool {
    point.abs().max_element() < LARGEST && !point.is_nan()
}
