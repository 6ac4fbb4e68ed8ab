//! Making a list from wrapped centres.
//!
//! Bodies are divided into size classes, each with a grid of cells of its own, and sorted by class and cell: that gives
//! their slots. Then the rows of each block are filled from the cells around, in parallel. Nothing here knows a law, a
//! wall or what the list is used for; positions, radii and the kind of list decide everything.

pub(crate) mod candidate_columns;
pub(crate) mod candidates;
pub(crate) mod cell_grid;
pub(crate) mod class_view;
pub(crate) mod f32_frame;
pub(crate) mod list_builder;
pub(crate) mod size_classes;
pub(crate) mod stencil;

use rrp_integrate::ScalarColumn;

use crate::error::DemError;
use crate::error::list::ListError;
use crate::force::old::half_rows::HalfRows;
use crate::force::old::homes::Homes;
use crate::neighbor::NeighborList;
use crate::neighbor::build::candidate_columns::PackedBodies;
use crate::neighbor::build::list_builder::{ListBuilder, NEIGHBORS};
use crate::neighbor::build::size_classes::SizeClasses;
use crate::neighbor::full_list::Rows;
use crate::neighbor::list_kind::ListKind;
use crate::parallel::blocks::Blocks;
use crate::parallel::fork_join::{PerBlock, all_blocks, for_each_block};

impl NeighborList {
    /// Makes the rows of the wanted kind for these radii (m) and wrapped centres (m).
    ///
    /// # Errors
    /// [`ListError::TooManyNeighbors`]; the list is then empty.
    pub(super) fn build(
        &mut self,
        radius: &ScalarColumn,
        center: &(impl Fn(usize) -> [f64; 3] + Sync),
    ) -> Result<(), DemError> {
        let (bodies, cutoff) = (radius.len(), self.cutoff(radius));
        self.drop_derived();
        self.kind = self.wanted_kind;
        self.order.resize(bodies, 0);
        self.packed.resize(bodies, [0.0; 4]);
        let blocks = Blocks::of(bodies).count();
        self.full_rows.resize_with(if self.kind == ListKind::Half { 0 } else { blocks }, Rows::default);
        self.half_rows.resize_with(if self.kind == ListKind::Full { 0 } else { blocks }, HalfRows::default);
        let classes = SizeClasses::sort(&self.domain, radius, self.skin, center, &mut self.order);
        self.homes = Homes::of(bodies, classes.as_slice().len());
        let order = &self.order;
        for_each_block(bodies, &mut self.packed[..], &|first, count, packed: &mut [[f64; 4]]| {
            for (row, &body) in packed.iter_mut().zip(&order[first..first + count]) {
                let [x, y, z] = center(body as usize);
                *row = [x, y, z, radius[body as usize]];
            }
        });
        let mut fixed = vec![false; if self.fixed.is_empty() { 0 } else { bodies }];
        for &body in &self.fixed {
            // A stored list may name bodies that do not exist.
            fixed.get_mut(body).into_iter().for_each(|fixed| *fixed = true);
        }
        let (homes, shifts) = (self.homes, self.shifts());
        let builder = ListBuilder {
            classes: classes.as_slice(),
            bodies: PackedBodies { packed: &self.packed, shifts: &shifts },
            order: &self.order,
            fixed: &fixed,
            excluded: &self.excluded,
            skin: self.skin,
            kind: self.kind,
            homes,
        };
        let output = (PerBlock(&mut self.full_rows), PerBlock(&mut self.half_rows));
        let fits = all_blocks(bodies, output, &|first, count, (full, half)| {
            // A half list makes its rows from full rows that nobody keeps.
            let mut scratch = Rows::default();
            let rows = full.0.first_mut().unwrap_or(&mut scratch);
            let filled = builder.fill(first, count, rows);
            half.0.iter_mut().for_each(|half| half.fill(rows, first, homes));
            filled.is_ok()
        });
        if !fits {
            self.order.clear();
            self.drop_rows();
            return Err(DemError::List(ListError::TooManyNeighbors { limit: NEIGHBORS, cutoff }));
        }
        self.builds += 1;
        self.path_length = 0.0;
        Ok(())
    }
}
