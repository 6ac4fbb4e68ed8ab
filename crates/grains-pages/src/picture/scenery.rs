//! Bodies, walls and lines of a picture, in metres.
use glam::DVec3;

/// Largest coordinate in metres that is drawn: squares of much larger ones overflow.
const LARGEST: f64 = 1e100;

/// Everything that a picture shows.
#[derive(Clone, Debug, Default)]
pub struct Scenery {
    /// Opaque balls. Those whose centre or radius is not finite, or whose radius is not positive, are left out.
    pub spheres: Vec<Sphere>,
    /// Walls, translucent and grey, visible from both sides. Lines are drawn where they end, fold, or turn
    /// away from the eye.
    pub walls: Vec<Triangle>,
    /// Lines such as force chains, bonds and edges of a box.
    pub strokes: Vec<Stroke>,
}

/// A ball.
#[derive(Clone, Copy, Debug)]
pub struct Sphere {
    /// Centre in m.
    pub centre: DVec3,
    /// Radius in m.
    pub radius: f64,
    /// Number that the [`Colouring`](super::Colouring) turns into a colour; grey if it is NaN.
    pub value: f64,
}

/// A triangle of a wall, with its corners in m.
#[derive(Clone, Copy, Debug)]
pub struct Triangle {
    /// Corners in either sense of rotation. Neighbours share corners bit for bit.
    pub corners: [DVec3; 3],
}

/// A straight line, drawn as a cylinder with rounded ends.
#[derive(Clone, Copy, Debug)]
pub struct Stroke {
    /// Both ends in m.
    pub ends: [DVec3; 2],
    /// Diameter in m. Lines that would be too thin to be seen are drawn a little wider than a pixel.
    pub width: f64,
    /// Colour.
    pub paint: Paint,
}

/// Meaning of the colour of a line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Paint {
    /// Red, green and blue.
    Fixed([u8; 3]),
    /// Number that the colouring of lines turns into a colour; grey if it is NaN.
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

/// Whether a point is finite and near enough to be drawn.
pub(super) fn is_near(point: DVec3) -> bool {
    point.abs().max_element() < LARGEST && !point.is_nan()
}
