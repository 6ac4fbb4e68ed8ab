use rrp_integrate::{ScalarColumn, VectorColumn};

use crate::error::DemError;
use crate::neighbor::NeighborList;
use crate::statics::relaxation::damping::RayleighQuotient;

/// Data of the bodies of a relaxation, in the order of the neighbour list. The centres with their radii are those of
/// the list itself (`position`), so that steps copy no data while the list is valid.
#[derive(Debug, Default)]
pub(super) struct RelaxationBodies {
    order: Vec<u32>,
    /// Whole periods in m between each body's position and its centre wrapped into the domain.
    offset: Vec<[f64; 4]>,
    /// Velocity of each body in m/s, and its reciprocal mass in 1/kg.
    pub(in crate::statics) velocity: Vec<[f64; 4]>,
    /// Constant force on each body in N besides contacts.
    pub(in crate::statics) load: Vec<[f64; 4]>,
    /// Positions (m) and forces (N) at the start of a window of steps over which damping is tuned.
    window: [Vec<[f64; 4]>; 2],
    reference: Vec<[f64; 4]>,
    /// Scratch memory to reorder a column for a new neighbour list.
    spare: Vec<[f64; 4]>,
}

impl RelaxationBodies {
    /// Makes the data of bodies at rest, in the order of their numbers.
    pub(super) fn new(position: &VectorColumn, load: &VectorColumn, inverse_mass: &[f64]) -> Self {
        let rows = |column: &VectorColumn| column.iter().map(|v| [v.x, v.y, v.z, 0.0]).collect::<Vec<_>>();
        Self {
            order: (0..position.len() as u32).collect(),
            velocity: inverse_mass.iter().map(|&inverse| [0.0, 0.0, 0.0, inverse]).collect(),
            load: rows(load),
            window: [rows(position), vec![[0.0; 4]; position.len()]],
            ..Self::default()
        }
    }

    pub(in crate::statics) fn order(&self) -> &[u32] {
        &self.order
    }

    /// Builds the list for these radii and positions, and puts all columns into its order.
    ///
    /// # Errors
    /// Errors of building a list.
    pub(super) fn rebuild_list(
        &mut self,
        list: &mut NeighborList,
        radius: &ScalarColumn,
        position: &VectorColumn,
    ) -> Result<(), DemError> {
        let mut old_place = vec![0_u32; self.order.len()];
        (0..).zip(&self.order).for_each(|(place, &i)| old_place[i as usize] = place);
        list.forget();
        list.update(radius, position)?;
        let Self { order, offset, velocity, load, window: [before, forces], reference, spare } = self;
        order.clear();
        order.extend_from_slice(list.order());
        for column in [velocity, load, before, forces] {
            spare.clear();
            spare.extend(order.iter().map(|&i| column[old_place[i as usize] as usize]));
            std::mem::swap(column, spare);
        }
        reference.clear();
        reference.extend_from_slice(list.position());
        offset.clear();
        offset.extend(order.iter().zip(list.position()).map(|(&i, row)| {
            let p = position.get(i as usize);
            [p.x - row[0], p.y - row[1], p.z - row[2], 0.0]
        }));
        Ok(())
    }

    /// Writes these centres (m) to a column of positions by body number; does nothing without a neighbour list.
    pub(super) fn write(&self, position: &[[f64; 4]], column: &mut VectorColumn) {
        let [x, y, z] = column.slices_mut();
        for ((&i, row), offset) in self.order.iter().zip(position).zip(&self.offset) {
            let i = i as usize;
            (x[i], y[i], z[i]) = (row[0] + offset[0], row[1] + offset[1], row[2] + offset[2]);
        }
    }

    /// Largest distance in m of these centres from their positions when the list was built; infinite if one is NaN.
    pub(super) fn drift(&self, position: &[[f64; 4]]) -> f64 {
        let mut furthest = 0.0_f64;
        for (a, b) in position.iter().zip(&self.reference) {
            let square = (a[0] - b[0]).powi(2) + (a[1] - b[1]).powi(2) + (a[2] - b[2]).powi(2);
            furthest = if square <= furthest || furthest.is_nan() { furthest } else { square };
        }
        if furthest.is_nan() { f64::INFINITY } else { furthest.sqrt() }
    }

    /// Begins a window of steps at these centres and forces; returns the Rayleigh quotient of the previous window.
    pub(super) fn begin_window(&mut self, position: &[[f64; 4]], force: &[[f64; 4]]) -> RayleighQuotient {
        let [before, forces] = &mut self.window;
        let mut stiffness = 0.0;
        let mut mass = 0.0;
        let rows = position.iter().zip(force).zip(&self.offset).zip(&self.velocity);
        for ((((row, now), offset), velocity), (x, f)) in rows.zip(before.iter_mut().zip(forces)) {
            for c in 0..3 {
                let at = row[c] + offset[c];
                let step = at - x[c];
                if velocity[3] > 0.0 {
                    stiffness += (f[c] - now[c]) * step;
                    mass += step * step / velocity[3];
                }
                (x[c], f[c]) = (at, now[c]);
            }
        }
        RayleighQuotient { stiffness, mass }
    }
}
