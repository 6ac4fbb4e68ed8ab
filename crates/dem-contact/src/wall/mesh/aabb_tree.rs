//! A tree of axis-aligned boxes that finds the triangles near a point.

use rrp_geom::glam::DVec3;

const LEAF: usize = 4;

#[derive(Debug, Clone, Copy)]
struct Bounds {
    low: DVec3,
    high: DVec3,
}

impl Bounds {
    const EMPTY: Self = Self { low: DVec3::INFINITY, high: DVec3::NEG_INFINITY };

    fn and(self, other: Self) -> Self {
        Self { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    /// Square of the distance of a point from this box in m²; zero inside.
    #[inline(always)]
    fn distance_squared(&self, point: DVec3) -> f64 {
        (self.low - point).max(point - self.high).max(DVec3::ZERO).length_squared()
    }
}

#[derive(Debug, Clone, Copy)]
struct Node {
    bounds: Bounds,
    /// Index in `order` of the first of the `count` triangles of a leaf. An inner node has `count` zero; its first
    /// child is the next node, its second child is the node `first`.
    first: u32,
    count: u32,
}

/// Tree of axis-aligned boxes around triangles, in the frame of the mesh, so that a motion of the mesh does not change
/// it.
#[derive(Debug, Clone, Default)]
pub(super) struct Tree {
    nodes: Vec<Node>,
    order: Vec<u32>,
    bounds: Vec<Bounds>,
}

impl Tree {
    pub(super) fn new(corners: impl Iterator<Item = [DVec3; 3]>) -> Self {
        let bounds: Vec<Bounds> =
            corners.map(|[a, b, c]| Bounds { low: a.min(b).min(c), high: a.max(b).max(c) }).collect();
        let order = (0..bounds.len() as u32).collect();
        let mut tree = Self { nodes: Vec::new(), order, bounds };
        if !tree.order.is_empty() {
            tree.split(0, tree.order.len());
        }
        tree
    }

    fn split(&mut self, from: usize, to: usize) {
        let bounds = &self.bounds;
        let whole = self.order[from..to].iter().fold(Bounds::EMPTY, |sum, &t| sum.and(bounds[t as usize]));
        let node = self.nodes.len();
        self.nodes.push(Node { bounds: whole, first: from as u32, count: (to - from) as u32 });
        if to - from <= LEAF {
            return;
        }
        let size = whole.high - whole.low;
        let axis = (0..3).fold(0, |most, c| if size[c] > size[most] { c } else { most });
        let middle = |t: u32| bounds[t as usize].low[axis] + bounds[t as usize].high[axis];
        self.order[from..to].sort_unstable_by(|&a, &b| middle(a).total_cmp(&middle(b)).then(a.cmp(&b)));
        let half = usize::midpoint(from, to);
        self.split(from, half);
        let second = self.nodes.len() as u32;
        self.split(half, to);
        (self.nodes[node].first, self.nodes[node].count) = (second, 0);
    }

    /// Adds to `found` the numbers of the triangles whose boxes are at most `reach` (m) from `centre`.
    pub(super) fn near(&self, centre: DVec3, reach: f64, found: &mut Vec<u32>) {
        let square = reach * reach;
        let mut waiting = [0_u32; 64];
        let mut depth = usize::from(!self.nodes.is_empty());
        while depth > 0 {
            depth -= 1;
            let at = waiting[depth] as usize;
            let node = &self.nodes[at];
            if node.bounds.distance_squared(centre) > square {
                continue;
            }
            if node.count == 0 {
                // The tree is balanced: with 2³² triangles its depth is 32.
                (waiting[depth], waiting[depth + 1]) = (node.first, at as u32 + 1);
                depth += 2;
                continue;
            }
            let triangles = &self.order[node.first as usize..(node.first + node.count) as usize];
            found.extend(triangles.iter().filter(|&&t| self.distance_squared(t, centre) <= square));
        }
    }

    /// Returns the number of the triangle nearest to `centre`, of equally near triangles the lowest number; `distance`
    /// returns the squared distance (m²) of a triangle from `centre`. `None` if there are no triangles.
    pub(super) fn nearest(&self, centre: DVec3, distance: impl Fn(u32) -> f64) -> Option<u32> {
        let mut best: Option<(f64, u32)> = None;
        let mut waiting: Vec<u32> = (0..self.nodes.len().min(1) as u32).collect();
        while let Some(at) = waiting.pop() {
            let node = &self.nodes[at as usize];
            if best.is_some_and(|(least, _)| node.bounds.distance_squared(centre) > least) {
                continue;
            }
            if node.count == 0 {
                let children = [at + 1, node.first];
                let [one, other] = children.map(|child| self.nodes[child as usize].bounds.distance_squared(centre));
                waiting.extend(if one <= other { [children[1], children[0]] } else { children });
                continue;
            }
            for &triangle in &self.order[node.first as usize..(node.first + node.count) as usize] {
                let candidate = (distance(triangle), triangle);
                if best.is_none_or(|best| candidate < best) {
                    best = Some(candidate);
                }
            }
        }
        best.map(|(_, triangle)| triangle)
    }

    #[inline(always)]
    pub(super) fn distance_squared(&self, triangle: u32, centre: DVec3) -> f64 {
        self.bounds[triangle as usize].distance_squared(centre)
    }

    pub(super) fn low_and_high(&self) -> [DVec3; 2] {
        self.nodes.first().map_or([DVec3::ZERO; 2], |root| [root.bounds.low, root.bounds.high])
    }
}
