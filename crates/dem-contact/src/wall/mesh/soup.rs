//! Repair of the triangles of a file: corners are joined, cracks closed, useless triangles left out.

use std::collections::BTreeMap;

use rrp_geom::glam::DVec3;

use crate::error::DemError;
use crate::error::mesh::MeshError;
use crate::wall::mesh::aabb_tree::Tree;
use crate::wall::mesh::topology::{Side, of_one_edge, sorted_sides};
use crate::wall::mesh::triangle_mesh::area_vector;

/// Triangles of a file with indices of points, before they are joined to a surface.
#[derive(Debug, Clone)]
pub(super) struct Soup {
    pub(super) points: Vec<DVec3>,
    pub(super) triangles: Vec<[u32; 3]>,
    /// Number of each triangle in the file; some triangles of the file are left out.
    pub(super) numbers: Vec<u32>,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct LeftOut {
    pub(super) triangle: usize,
    pub(super) corners: [DVec3; 3],
}

/// Largest number of rounds in which triangles are cut at corners on their edges; a round cuts at most one edge of each
/// triangle.
const ROUNDS: usize = 64;

impl Soup {
    /// Makes triangles of the facets of a file, and joins corners with the same coordinates. Points are numbered in the
    /// order of the file.
    pub(super) fn new(facets: &[[DVec3; 3]]) -> Result<Self, DemError> {
        if facets.len() > u32::MAX as usize / 64 {
            return Err(DemError::Mesh(MeshError::MeshSize { triangles: facets.len() }));
        }
        for (triangle, corners) in facets.iter().enumerate() {
            if corners.iter().any(|corner| !corner.is_finite()) {
                return Err(DemError::Mesh(MeshError::DegenerateTriangle { triangle, corners: *corners }));
            }
        }
        // Adding zero turns minus zero into zero.
        let corners: Vec<DVec3> = facets.iter().flatten().map(|corner| *corner + 0.0).collect();
        let key = |k: &u32| corners[*k as usize].to_array().map(f64::to_bits);
        let mut order: Vec<u32> = (0..corners.len() as u32).collect();
        order.sort_unstable_by_key(|k| (key(k), *k));
        let mut first = vec![0_u32; corners.len()];
        for same in order.chunk_by(|a, b| key(a) == key(b)) {
            same.iter().for_each(|&k| first[k as usize] = same[0]);
        }
        let mut points = Vec::new();
        let mut joined = vec![0_u32; corners.len()];
        for k in 0..corners.len() {
            if first[k] as usize == k {
                joined[k] = points.len() as u32;
                points.push(corners[k]);
            } else {
                joined[k] = joined[first[k] as usize];
            }
        }
        let triangles = joined.as_chunks().0.to_vec();
        Ok(Self { points, triangles, numbers: (0..facets.len() as u32).collect() })
    }

    pub(super) fn size(&self) -> f64 {
        self.points.iter().fold(0.0, |most, point| point.abs().max_element().max(most))
    }

    /// Leaves out triangles without area and repeated triangles with the same corners, and closes cracks up to the
    /// width `join` (m). Returns the triangles without area.
    ///
    /// # Errors
    /// [`MeshError::DegenerateTriangle`] if the area of a triangle is too large for a number.
    pub(super) fn tidy(&mut self, join: f64) -> Result<Vec<LeftOut>, DemError> {
        let mut left_out = self.leave_out()?;
        if self.open_sides().is_empty() {
            return Ok(left_out);
        }
        self.join_corners(join);
        left_out.extend(self.leave_out()?);
        for _ in 0..ROUNDS {
            if !self.cut_at_corners(join) {
                break;
            }
            left_out.extend(self.leave_out()?);
        }
        Ok(left_out)
    }

    fn corners(&self, triangle: usize) -> [DVec3; 3] {
        self.triangles[triangle].map(|point| self.points[point as usize])
    }

    fn leave_out(&mut self) -> Result<Vec<LeftOut>, DemError> {
        let mut left_out = Vec::new();
        let mut stays = vec![true; self.triangles.len()];
        for (t, stays) in stays.iter_mut().enumerate() {
            let corners = self.corners(t);
            if area_vector(corners).is_none() {
                let [a, b, c] = corners;
                if !(b - a).cross(c - a).length().is_finite() {
                    let triangle = self.numbers[t] as usize;
                    return Err(DemError::Mesh(MeshError::DegenerateTriangle { triangle, corners }));
                }
                *stays = false;
                left_out.push(LeftOut { triangle: self.numbers[t] as usize, corners });
            }
        }
        let mut same: BTreeMap<[u32; 3], Vec<usize>> = BTreeMap::new();
        for t in (0..stays.len()).filter(|&t| stays[t]) {
            let mut corners = self.triangles[t];
            corners.sort_unstable();
            same.entry(corners).or_default().push(t);
        }
        let groups: Vec<Vec<usize>> = same.into_values().filter(|group| group.len() > 1).collect();
        let is_inner = self.inner_faces(&stays, &groups);
        for (group, is_inner) in groups.iter().zip(is_inner) {
            group.iter().skip(usize::from(!is_inner)).for_each(|&t| stays[t] = false);
        }
        let mut keep = stays.iter();
        self.triangles.retain(|_| keep.next().is_some_and(|&stays| stays));
        let mut keep = stays.iter();
        self.numbers.retain(|_| keep.next().is_some_and(|&stays| stays));
        Ok(left_out)
    }

    /// Whether each group of triangles with the same corners is a face between two solids that touch there. Connected
    /// groups of two triangles are such faces if two other triangles meet at each edge of the border of the groups. A
    /// sheet whose triangles are stored twice has an open border instead.
    fn inner_faces(&self, stays: &[bool], groups: &[Vec<usize>]) -> Vec<bool> {
        let mut group_of = vec![None; stays.len()];
        for (k, group) in groups.iter().enumerate() {
            group.iter().for_each(|&t| group_of[t] = Some(k));
        }
        let is_pair =
            |group: &Vec<usize>| group.len() == 2 && is_turned(self.triangles[group[0]], self.triangles[group[1]]);
        let mut may_be_inner: Vec<bool> = groups.iter().map(is_pair).collect();
        let mut is_bordered = vec![false; groups.len()];
        let mut connected = vec![Vec::new(); groups.len()];
        for edge in sorted_sides(&self.triangles).chunk_by(of_one_edge) {
            let here = || edge.iter().map(|side| side.triangle as usize).filter(|&t| stays[t]);
            let mut of_groups: Vec<usize> = here().filter_map(|t| group_of[t]).collect();
            of_groups.sort_unstable();
            of_groups.dedup();
            let others = here().filter(|&t| group_of[t].is_none()).count();
            for &group in &of_groups {
                is_bordered[group] |= others > 1;
                may_be_inner[group] &= others > 1 || others == 0 && of_groups.len() > 1;
                connected[group].extend(of_groups.iter().copied().filter(|&other| other != group));
            }
        }
        let mut inner = vec![false; groups.len()];
        let mut is_known = vec![false; groups.len()];
        for first in 0..groups.len() {
            let mut face = Vec::new();
            let mut waiting = vec![first];
            while let Some(group) = waiting.pop() {
                if !std::mem::replace(&mut is_known[group], true) {
                    face.push(group);
                    waiting.extend(&connected[group]);
                }
            }
            let is_inner =
                face.iter().all(|&group| may_be_inner[group]) && face.iter().any(|&group| is_bordered[group]);
            face.iter().for_each(|&group| inner[group] = is_inner);
        }
        inner
    }

    fn open_sides(&self) -> Vec<Side> {
        let sides = sorted_sides(&self.triangles);
        sides.chunk_by(of_one_edge).filter(|edge| edge.len() == 1).map(|edge| edge[0]).collect()
    }

    /// Joins ends of open edges that are at most `join` (m) apart, unless an edge connects them.
    fn join_corners(&mut self, join: f64) {
        let sides = sorted_sides(&self.triangles);
        let open = sides.chunk_by(of_one_edge).filter(|edge| edge.len() == 1);
        let mut ends: Vec<u32> = open.flat_map(|edge| edge[0].points).collect();
        ends.sort_unstable();
        ends.dedup();
        let tree = Tree::new(ends.iter().map(|&end| [self.points[end as usize]; 3]));
        let mut target: Vec<u32> = (0..self.points.len() as u32).collect();
        let mut near = Vec::new();
        for &end in &ends {
            let point = self.points[end as usize];
            near.clear();
            tree.near(point, join, &mut near);
            for other in near.iter().map(|&k| ends[k as usize]).filter(|&other| other < end) {
                let connected = sides.binary_search_by(|side| side.points.cmp(&[other, end])).is_ok();
                if !connected && self.points[other as usize].distance(point) <= join {
                    target[end as usize] = target[end as usize].min(target[other as usize]);
                }
            }
        }
        self.triangles.iter_mut().flatten().for_each(|point| *point = target[*point as usize]);
    }

    /// Cuts triangles at ends of open edges that lie on an edge of the triangle, at most one edge of each triangle.
    /// Returns whether any triangle was cut.
    fn cut_at_corners(&mut self, join: f64) -> bool {
        let open = self.open_sides();
        let sides = sorted_sides(&self.triangles);
        let segment = |side: &Side| side.points.map(|point| self.points[point as usize]);
        let tree = Tree::new(sides.iter().map(|side| {
            let [a, b] = segment(side);
            [a, b, b]
        }));
        let mut ends: Vec<u32> = open.iter().flat_map(|side| side.points).collect();
        ends.sort_unstable();
        ends.dedup();
        // Cuts of each side of a triangle: fraction of the way along the side, and the point there.
        let mut cuts: BTreeMap<(u32, u32), Vec<(f64, u32)>> = BTreeMap::new();
        let mut near = Vec::new();
        for &end in &ends {
            let point = self.points[end as usize];
            near.clear();
            tree.near(point, join, &mut near);
            for side in near.iter().map(|&k| &sides[k as usize]) {
                let [a, b] = segment(side);
                let share = (point - a).dot(b - a) / (b - a).length_squared();
                let apart = point.distance(a + share * (b - a));
                let is_within = point.distance(a).min(point.distance(b)) > join && share > 0.0 && share < 1.0;
                if is_within && apart <= join && !self.triangles[side.triangle as usize].contains(&end) {
                    cuts.entry((side.triangle, side.side)).or_default().push((share, end));
                }
            }
        }
        let mut last = None;
        for ((triangle, side), mut points) in cuts {
            if last.replace(triangle) == Some(triangle) {
                continue;
            }
            points.sort_unstable_by(|one, other| one.0.total_cmp(&other.0).then(one.1.cmp(&other.1)));
            let corners = self.triangles[triangle as usize];
            let [a, b, c] = [0, 1, 2].map(|k| corners[(side as usize + k) % 3]);
            // Fractions count from the end with the smaller number.
            if a > b {
                points.reverse();
            }
            let chain: Vec<u32> = std::iter::once(a).chain(points.iter().map(|cut| cut.1)).chain([b]).collect();
            let parts: Vec<[u32; 3]> = chain.windows(2).map(|two| [two[0], two[1], c]).collect();
            self.triangles[triangle as usize] = parts[0];
            self.triangles.extend_from_slice(&parts[1..]);
            self.numbers.extend(std::iter::repeat_n(self.numbers[triangle as usize], parts.len() - 1));
        }
        last.is_some()
    }
}

fn is_turned([a, b, c]: [u32; 3], other: [u32; 3]) -> bool {
    ![[a, b, c], [b, c, a], [c, a, b]].contains(&other)
}
