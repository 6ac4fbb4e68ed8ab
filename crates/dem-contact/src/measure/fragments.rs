use super::bulk::Selection;
use super::snapshot::Snapshot;
use super::window::Window;
use crate::error::DemError;
use crate::util::length::check_length;

/// Grains with one label, such as grains joined by intact bonds: their number and mass.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fragment {
    /// Label of the fragment, which is the number of one of its bodies.
    pub label: usize,
    /// Number of selected grains of the fragment.
    pub grains: usize,
    /// Mass of the selected grains of the fragment in kg.
    pub mass: f64,
}

impl Snapshot<'_> {
    /// Returns the fragments that have a selected grain, the heaviest first; of equal masses the lower label first.
    /// `labels` has the fragment of each body as the number of a body, as from
    /// [`Bonds::fragments`](crate::bond::Bonds::fragments). A grain counts once if one of its images is inside. Fixed
    /// bodies do not count, and `least_contacts` is ignored.
    ///
    /// # Errors
    /// [`DemError::LengthMismatch`] unless there is a label, and a member entry, for each body;
    /// [`DemError::InvalidParameter`] for a label that is not the number of a body; errors of
    /// [`Extent::check`](super::Extent::check).
    pub fn fragments(&self, selection: &Selection, labels: &[usize]) -> Result<Vec<Fragment>, DemError> {
        let count = self.bodies.len();
        check_length("labels of fragments", count, labels.len())?;
        if let Some(&label) = labels.iter().find(|&&label| label >= count) {
            let parameter = "the label of a fragment";
            let range = "the number of a body";
            return Err(DemError::InvalidParameter { parameter, range, value: label as f64 });
        }
        self.check_members(selection.members.as_deref())?;
        let window = Window::new(selection.extent, &self.domain, 0.0)?;
        let mut by_label: Vec<Fragment> = (0..count).map(|label| Fragment { label, grains: 0, mass: 0.0 }).collect();
        let is_member = |grain: usize| selection.members.as_ref().is_none_or(|members| members[grain]);
        for grain in self.grains().filter(|&grain| is_member(grain)) {
            if window.count(self.state.position().get(grain)) > 0 {
                let fragment = &mut by_label[labels[grain]];
                fragment.grains += 1;
                fragment.mass += self.bodies.mass()[grain];
            }
        }
        by_label.retain(|fragment| fragment.grains > 0);
        by_label.sort_by(|one, other| other.mass.total_cmp(&one.mass));
        Ok(by_label)
    }
}

#[cfg(test)]
mod tests {
    use rrp_geom::glam::DVec3;
    use rrp_integrate::{Bodies, Body, State};

    use super::*;
    use crate::measure::Extent;
    use crate::neighbor::Domain;

    #[test]
    fn fragments_are_sorted_by_mass_and_cut_by_the_selection() {
        let bodies = [1.0, 1.0, 2.0, 4.0, f64::INFINITY, 1.0];
        let body = |mass: f64| if mass.is_finite() { Body::sphere(mass, 0.5) } else { Body::fixed(0.5) };
        let bodies = Bodies::new(bodies.map(body)).unwrap();
        let mut state = State::at_rest(6);
        (0..6).for_each(|i| state.position_mut().set(i, DVec3::X * i as f64));
        let snapshot = Snapshot::new(&bodies, &state, &Domain::OPEN, Vec::new()).unwrap();
        let labels = [0, 0, 0, 3, 4, 4];
        let found = |selection: &Selection| {
            let all = snapshot.fragments(selection, &labels).unwrap();
            all.iter().map(|fragment| (fragment.label, fragment.grains, fragment.mass)).collect::<Vec<_>>()
        };
        let whole = Selection::of(Extent::Whole);
        assert_eq!(found(&whole), [(0, 3, 4.0), (3, 1, 4.0), (4, 1, 1.0)]);
        let members = [false, true, true, false, true, false];
        assert_eq!(found(&whole.clone().with_members(members.into())), [(0, 2, 3.0)]);
        let half = Extent::Box { low: DVec3::new(1.5, -1.0, -1.0), high: DVec3::new(4.5, 1.0, 1.0) };
        assert_eq!(found(&Selection::of(half)), [(3, 1, 4.0), (0, 1, 2.0)]);
        for wrong in [&[0; 5][..], &[6; 6]] {
            assert!(snapshot.fragments(&whole, wrong).is_err());
        }
    }
}
