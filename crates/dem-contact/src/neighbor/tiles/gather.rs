//! Reading present centres in the order of the tiles.

use std::ops::Range;

use pulp::Arch;
use rrp_integrate::{ScalarColumn, VectorColumn};
use rrp_parallel::{Parts, PerPart, for_each_part};

use crate::neighbor::minimum_image::MinimumImage;
use crate::neighbor::tiles::Tiling;
use crate::util::vectorized::vectorized;

/// Largest displacements of the centres of the spheres that one tile owns.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::neighbor) struct TileTravel {
    /// Largest displacement in m of a centre since the list was made.
    pub(in crate::neighbor) displacement: f64,
    /// Largest displacement in m of a centre since centres were read last.
    pub(in crate::neighbor) step: f64,
    /// Whether all radii are those of the list, and all centres are finite and few enough periods away to be counted.
    pub(in crate::neighbor) are_known: bool,
}

impl Tiling {
    /// Writes present centres and radii (m) to `position`, in the order of the tiles. A centre is the periodic image
    /// nearest to its position when the list was made. Returns for each tile the displacements since the list was made,
    /// and from the former values of `position`.
    pub(in crate::neighbor) fn gather(
        &self,
        nearest: MinimumImage,
        radius: &ScalarColumn,
        centre: &VectorColumn,
        position: &mut [[f64; 4]],
    ) -> Vec<TileTravel> {
        let arch = Arch::new();
        let mut travels = vec![TileTravel::default(); self.tiles.len()];
        for_each_part(Parts::of(&self.ends), (position, PerPart(&mut travels)), &|tile, (position, travel)| {
            let found = vectorized(
                arch,
                #[inline(always)]
                || self.gather_tile(nearest, radius, centre, tile.rows.clone(), position),
            );
            travel.0.fill(found);
        });
        travels
    }

    #[inline(always)]
    fn gather_tile(
        &self,
        nearest: MinimumImage,
        radius: &ScalarColumn,
        centre: &VectorColumn,
        places: Range<usize>,
        position: &mut [[f64; 4]],
    ) -> TileTravel {
        let [x, y, z] = centre.slices();
        let spheres = self.order[places.clone()].iter().zip(&self.reference[places]);
        let mut displacement = 0.0_f64;
        let mut step = 0.0_f64;
        let mut are_known = true;
        for (row, (&number, start)) in position.iter_mut().zip(spheres) {
            let i = number as usize;
            let (now, square) = nearest.wrap([x[i], y[i], z[i], radius[i]], *start);
            let [dx, dy, dz, _]: [f64; 4] = std::array::from_fn(|c| now[c] - row[c]);
            let moved = dx * dx + dy * dy + dz * dz;
            displacement = if square > displacement { square } else { displacement };
            step = if moved > step { moved } else { step };
            are_known &= (square < f64::INFINITY) & (now[3].to_bits() == start[3].to_bits());
            *row = now;
        }
        TileTravel { displacement: displacement.sqrt(), step: step.sqrt(), are_known }
    }
}
