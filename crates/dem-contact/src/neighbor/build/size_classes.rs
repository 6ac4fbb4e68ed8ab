//! Bodies of different sizes, each class in cells of its own.

use rrp_integrate::ScalarColumn;

use crate::neighbor::build::cell_grid::CellGrid;
use crate::neighbor::domain::Domain;

/// Bodies of similar size and the grid they are sorted into.
///
/// In cells as large as the largest body, small bodies would have thousands of candidates each. Slots follow the
/// classes, the largest bodies first, so threads begin with the longest rows.
#[derive(Debug, Default)]
pub(crate) struct SizeClass {
    pub(crate) cells: CellGrid,
    /// The largest radius in m.
    pub(crate) largest: f64,
    /// The slot after the last one of this class.
    pub(crate) end: usize,
}

/// All size classes, from the largest bodies to the smallest.
#[derive(Debug)]
pub(crate) struct SizeClasses(Vec<SizeClass>);

impl SizeClasses {
    /// Least ratio of the cell sizes of neighbouring classes.
    const RATIO: f64 = 1.5;

    /// Largest number of classes; the last one holds all smaller bodies.
    const MOST: usize = 32;

    pub(crate) fn as_slice(&self) -> &[SizeClass] {
        &self.0
    }

    /// Sorts bodies by class, cell and number into `order`, given their wrapped centres.
    pub(crate) fn sort(
        domain: &Domain,
        radius: &ScalarColumn,
        skin: f64,
        center: &(impl Fn(usize) -> [f64; 3] + Sync),
        order: &mut [u32],
    ) -> Self {
        let largest = Self::largest(radius, skin);
        let mut classes: Vec<SizeClass> =
            largest.iter().map(|&largest| SizeClass { largest, ..SizeClass::default() }).collect();
        let cutoff = |class: usize| 2.0 * largest[class] + skin;
        if let [class] = &mut classes[..] {
            class.end = order.len();
            class.cells.lay_out(domain, cutoff(0), order.len(), center);
            class.cells.sort(0, center, order);
            return Self(classes);
        }
        let mut members = vec![Vec::new(); largest.len()];
        for (i, &radius) in (0..).zip(radius.iter()) {
            members[Self::class(&largest, radius)].push(i);
        }
        let mut first = 0;
        for (k, (class, members)) in classes.iter_mut().zip(&members).enumerate() {
            let center = |member: usize| center(members[member] as usize);
            let order = &mut order[first..first + members.len()];
            class.cells.lay_out(domain, cutoff(k), order.len(), &center);
            class.cells.sort(first, &center, order);
            order.iter_mut().for_each(|body| *body = members[*body as usize]);
            first += members.len();
            class.end = first;
        }
        Self(classes)
    }

    /// The largest radius of each class, at least one.
    fn largest(radius: &ScalarColumn, skin: f64) -> Vec<f64> {
        let below =
            |bound: f64| radius.iter().fold(0.0, |largest: f64, &r| if r < bound { largest.max(r) } else { largest });
        let mut largest = vec![radius.uniform().unwrap_or_else(|| below(f64::INFINITY))];
        while radius.uniform().is_none() && largest.len() < Self::MOST {
            let cutoff = 2.0 * largest[largest.len() - 1] + skin;
            let next = below(0.5 * (cutoff / Self::RATIO - skin));
            if next <= 0.0 {
                break;
            }
            largest.push(next);
        }
        largest
    }

    /// The class of a radius. Bodies that touch nothing are in the first class, where they cost least.
    fn class(largest: &[f64], radius: f64) -> usize {
        if radius > 0.0 { largest.partition_point(|&largest| largest >= radius).saturating_sub(1) } else { 0 }
    }
}
