//! Drawing of spheres, lines and walls on a depth buffer.
use glam::{DVec2, DVec3, dvec3};

use super::camera::{Ray, View};
use super::depth_buffer::{DepthBuffer, mixed};

const WALL: [u8; 3] = [0x84, 0x94, 0xA6];
/// Opacity of walls over the objects behind them.
const WALL_OPACITY: f64 = 0.14;
/// Smallest radius in dots of a drawn line; a pixel is two dots wide.
const THINNEST: f64 = 1.4;
/// Length in dots of the pieces of a line, short enough for each piece to fill most of its bounding rectangle.
const PIECE: f64 = 48.0;
/// Largest number of pieces of a line, which bounds the time for lines far longer than the picture.
const MOST_PIECES: f64 = 500.0;

pub(super) fn sphere(buffer: &mut DepthBuffer, view: &View, centre: DVec3, radius: f64, colour: [u8; 3]) {
    ball(buffer, view, centre, radius, |normal| shaded(colour, normal));
}

/// Draws a ball whose colour is a function of its outward normal.
fn ball(buffer: &mut DepthBuffer, view: &View, centre: DVec3, radius: f64, colour: impl Fn(DVec3) -> [u8; 3]) {
    let Some(bounds) = view.bounds(centre, radius) else { return };
    let nearest = (centre.z + radius) as f32;
    let [columns, rows] = buffer.inside(bounds);
    for row in rows {
        for column in columns.clone() {
            let dot = row * buffer.width + column;
            if buffer.depth[dot] >= nearest {
                continue;
            }
            let Ray { origin, direction } = view.ray(column, row);
            let from_centre = origin - centre;
            let closest = -from_centre.dot(direction) / direction.length_squared();
            let square = radius * radius - (from_centre + closest * direction).length_squared();
            if square >= 0.0 {
                let normal = from_centre + (closest - (square / direction.length_squared()).sqrt()) * direction;
                buffer.put(dot, centre.z + normal.z, || colour(normal / radius));
            }
        }
    }
}

/// Draws a line between two points in view coordinates, as a cylinder with balls at its ends.
pub(super) fn stroke(buffer: &mut DepthBuffer, view: &View, ends: [DVec3; 2], radius: f64, colour: [u8; 3]) {
    let [from, to] = ends;
    let thinnest = THINNEST * view.dot_length(0.5 * (from.z + to.z));
    // Shading would only darken a line that is hardly wider than a dot.
    let shade = |normal: DVec3| if radius > thinnest { shaded(colour, normal) } else { colour };
    let radius = radius.max(thinnest);
    for end in ends {
        ball(buffer, view, end, radius, shade);
    }
    let pieces = (view.dot(from).distance(view.dot(to)) / PIECE).ceil().min(MOST_PIECES);
    let at = |i: usize| from.lerp(to, i as f64 / pieces);
    for i in 0..pieces as usize {
        cylinder(buffer, view, [at(i), at(i + 1)], radius, shade);
    }
}

/// Draws a cylinder without end caps, at the nearer of the two points where a line of sight intersects it.
fn cylinder(
    buffer: &mut DepthBuffer,
    view: &View,
    [from, to]: [DVec3; 2],
    radius: f64,
    colour: impl Fn(DVec3) -> [u8; 3],
) {
    let (Some(a), Some(b)) = (view.bounds(from, radius), view.bounds(to, radius)) else { return };
    let axis = to - from;
    let length_squared = axis.length_squared();
    let across = |v: DVec3| v - v.dot(axis) / length_squared * axis;
    let [columns, rows] = buffer.inside([a[0].min(b[0]), a[1].max(b[1])]);
    for row in rows {
        for column in columns.clone() {
            let Ray { origin, direction } = view.ray(column, row);
            let sideways = across(direction);
            let offset = across(origin - from);
            let closest = -offset.dot(sideways) / sideways.length_squared();
            let square = radius * radius - (offset + closest * sideways).length_squared();
            let at = closest - (square / sideways.length_squared()).sqrt();
            let hit = origin + at * direction;
            let along = (hit - from).dot(axis);
            // Comparisons with NaN, for lines of sight along the axis or past the cylinder, are false.
            if square >= 0.0 && along >= 0.0 && along <= length_squared {
                buffer.put(row * buffer.width + column, hit.z, || colour(across(hit - from) / radius));
            }
        }
    }
}

/// Draws translucent triangles of walls, the farthest first, with corners in view coordinates.
pub(super) fn walls(buffer: &mut DepthBuffer, view: &View, mut triangles: Vec<[DVec3; 3]>) {
    triangles.sort_by(|a, b| (a[0].z + a[1].z + a[2].z).total_cmp(&(b[0].z + b[1].z + b[2].z)));
    for corners in triangles {
        wall(buffer, view, corners);
    }
}

fn wall(buffer: &mut DepthBuffer, view: &View, corners: [DVec3; 3]) {
    let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]).normalize_or_zero();
    // In perspective the sign of z does not tell which side is seen: on walls along the line of sight, such as a drum seen
    // along its axis, it is that of rounding errors, and neighbours would be light and dark in turns.
    let colour = shaded(WALL, normal * normal.dot(view.toward_eye(corners[0])).signum());
    let [a, b, c] = corners.map(|corner| view.dot(corner));
    // Twice the area, with a sign that reverses clockwise triangles.
    let turn = (b - a).perp_dot(c - a);
    let edges = [Edge::new(a, b, turn), Edge::new(b, c, turn), Edge::new(c, a, turn)];
    let [columns, rows] = buffer.inside([a.min(b).min(c), a.max(b).max(c)]);
    for row in rows {
        for column in columns.clone() {
            let middle = DVec2::new(column as f64 + 0.5, row as f64 + 0.5);
            if !edges.iter().all(|edge| edge.has_inside(middle)) {
                continue;
            }
            let Ray { origin, direction } = view.ray(column, row);
            let at = (corners[0] - origin).dot(normal) / direction.dot(normal);
            let dot = row * buffer.width + column;
            if at.is_finite() && -at > f64::from(buffer.depth[dot]) {
                buffer.colour[dot] = mixed(buffer.colour[dot], colour, WALL_OPACITY);
            }
        }
    }
}

/// An edge of a triangle, to decide on which side of the edge a dot lies. Two triangles with a common edge compute this
/// from the same numbers, so that each dot is in exactly one of them.
struct Edge {
    from: DVec2,
    along: DVec2,
    is_left_inside: bool,
}

impl Edge {
    fn new(from: DVec2, to: DVec2, turn: f64) -> Self {
        let is_forward = (from.x, from.y) < (to.x, to.y);
        let (start, end) = if is_forward { (from, to) } else { (to, from) };
        Self { from: start, along: end - start, is_left_inside: is_forward == (turn > 0.0) }
    }

    fn has_inside(&self, point: DVec2) -> bool {
        (self.along.perp_dot(point - self.from) > 0.0) == self.is_left_inside
    }
}

/// Shades the colour of a surface with this outward normal in view coordinates: unchanged if it faces the eye, lighter
/// towards the light at the upper left, darker away from it and at the edge, so that neighbours can be distinguished.
fn shaded(colour: [u8; 3], normal: DVec3) -> [u8; 3] {
    const LIGHT: DVec3 = dvec3(-0.36, 0.48, 0.8);
    let excess = normal.dot(LIGHT) - LIGHT.z;
    if excess > 0.0 {
        return mixed(colour, [255; 3], 1.6 * excess);
    }
    let edge = 1.0 - normal.z.clamp(0.0, 1.0);
    mixed([0; 3], colour, (1.0 + 0.55 * excess - 0.3 * edge * edge * edge).max(0.0))
}

#[cfg(test)]
mod tests {
    use std::f64::consts::TAU;

    use super::*;
    use crate::picture::Camera;
    use crate::picture::camera::Area;
    use crate::picture::scenery::{Scenery, Triangle};

    #[test]
    fn both_triangles_of_a_face_along_the_line_of_sight_have_one_shade() {
        let axis = dvec3(0.3, -1.0, 0.2).normalize();
        let (out, along) = axis.any_orthonormal_pair();
        let corner = |part: usize, height: f64| {
            let (sin, cos) = (TAU * part as f64 / 48.0).sin_cos();
            cos * out + sin * along + height * axis
        };
        let face = |part: usize| {
            let [a, b] = [corner(part, -0.2), corner(part, 0.2)];
            let [d, c] = [corner(part + 1, -0.2), corner(part + 1, 0.2)];
            [[a, b, c], [a, c, d]]
        };
        let walls = (0..48).flat_map(face).map(|corners| Triangle { corners }).collect();
        let area = Area { low: DVec2::ZERO, high: DVec2::new(400.0, 400.0) };
        let camera = Camera::from_direction(axis).perspective();
        let view = View::fit(&camera, &Scenery { walls, ..Scenery::default() }, area);
        for part in 0..48 {
            let [one, other] = face(part).map(|corners| {
                let mut buffer = DepthBuffer::new(400, 400);
                wall(&mut buffer, &view, corners.map(|corner| view.place(corner)));
                buffer.colour.into_iter().find(|colour| *colour != [255; 3])
            });
            assert!(one.is_some() && one == other, "face {part}: {one:?} {other:?}");
        }
    }
}
