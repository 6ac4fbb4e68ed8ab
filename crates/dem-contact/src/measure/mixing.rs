use super::grid::Grid;
use super::snapshot::Snapshot;
use super::window::Window;
use crate::error::DemError;

impl Snapshot<'_> {
    /// Lacey's index of mixing of the grains of `members` (one entry for each body) among all grains: 0 if no cell of
    /// the grid has both kinds, about 1 for a random mixture; `None` without both kinds or without a cell of several
    /// grains.
    ///
    /// With the fraction pᵢ of members among the nᵢ grains of a cell, and the fraction p among all, the index is (σ₀² −
    /// S²)/(σ₀² − σᵣ²): S² is the mean of (pᵢ − p)² weighted with nᵢ, σ₀² = p (1 − p) and σᵣ² = σ₀²/n, with the mean n
    /// of nᵢ over cells that are not empty. P. M. C. Lacey, J. Appl. Chem. 4 (1954).
    ///
    /// # Errors
    /// Errors of [`Grid::check`] and [`Extent::check`](super::Extent::check); [`DemError::LengthMismatch`].
    pub fn mixing(&self, members: &[bool], grid: Grid) -> Result<Option<f64>, DemError> {
        grid.check()?;
        self.check_members(Some(members))?;
        let window = Window::new(grid.extent(), &self.domain, 0.0)?;
        // Numbers of members and of all grains in each cell.
        let mut counts = vec![[0_u32; 2]; grid.cells.iter().product()];
        for grain in self.grains() {
            let center = self.state.position().get(grain);
            for shift in window.images([center; 2], 0.0) {
                if let Some(cell) = grid.cell_of(center + shift) {
                    counts[cell][0] += u32::from(members[grain]);
                    counts[cell][1] += 1;
                }
            }
        }
        let occupied = || counts.iter().filter(|[_, all]| *all > 0).map(|count| count.map(f64::from));
        let [members, all, cells] = occupied().fold([0.0; 3], |sum, [k, n]| [sum[0] + k, sum[1] + n, sum[2] + 1.0]);
        let share = members / all;
        let segregated = share * (1.0 - share);
        let random = segregated * cells / all;
        let variance = occupied().map(|[k, n]| n * (k / n - share).powi(2)).sum::<f64>() / all;
        let index = (segregated - variance) / (segregated - random);
        Ok(Some(index).filter(|index| index.is_finite()))
    }
}

#[cfg(test)]
mod tests {
    use rrp_geom::glam::DVec3;
    use rrp_integrate::{Bodies, Body, State};

    use super::*;
    use crate::neighbor::Domain;

    /// Computes Lacey's index of 4 x 4 x 4 grains in cells of 8 grains; `is_member` tells the kind of each grain.
    fn index(is_member: impl Fn([usize; 3]) -> bool) -> Option<f64> {
        let places = (0..64_usize).map(|i| [i % 4, i / 4 % 4, i / 16]);
        let bodies = Bodies::new(vec![Body::sphere(1.0, 0.5); 64]).unwrap();
        let mut state = State::at_rest(64);
        for (i, place) in places.clone().enumerate() {
            state.position_mut().set(i, DVec3::from_array(place.map(|index| index as f64 + 0.5)));
        }
        let grid = Grid { low: DVec3::ZERO, high: DVec3::splat(4.0), cells: [2; 3] };
        let snapshot = Snapshot::new(&bodies, &state, &Domain::OPEN, Vec::new()).unwrap();
        snapshot.mixing(&places.map(is_member).collect::<Vec<_>>(), grid).unwrap()
    }

    #[test]
    fn layers_are_not_mixed_and_a_chessboard_is_better_than_at_random() {
        assert!(index(|[_, _, z]| z < 2).unwrap().abs() < 1e-14);
        // S² = 0, so the index is σ₀²/(σ₀² − σ₀²/8).
        assert!((index(|[x, y, z]| (x + y + z) % 2 == 0).unwrap() - 8.0 / 7.0).abs() < 1e-14);
        // Four of the eight cells have equal parts, the others one kind: S² is half of σ₀².
        let half = index(|[x, y, z]| if x < 2 { (x + y + z) % 2 == 0 } else { z < 2 });
        assert!((half.unwrap() - 4.0 / 7.0).abs() < 1e-14, "{half:?}");
        assert_eq!(index(|_| true), None);
    }
}
