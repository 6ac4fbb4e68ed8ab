//! Tests of laws that act at a distance: contacts begin and end at the range of the law.

use rrp_geom::glam::DVec3;
use rrp_integrate::{Bodies, Body, ForceField as _, State, Wrenches};

use super::spring;
use crate::force::ContactForce;
use crate::law::{ContactLaw, LawTable, Laws};
use crate::neighbor::{Domain, NeighborList};
use crate::wall::{Revolution, Wall};

/// Contact law of a square well: a constant attraction up to a gap, and a spring if bodies overlap.
#[derive(Debug, Clone, Copy)]
struct Bridge {
    attraction: f64,
    range: f64,
}

impl ContactLaw for Bridge {
    fn energy(&self, overlap: f64, _: f64) -> f64 {
        0.5e5 * overlap.max(0.0).powi(2) - self.attraction * (overlap + self.range)
    }

    fn force(&self, overlap: f64, _: f64) -> f64 {
        assert!(overlap >= -self.range || overlap.is_nan(), "{overlap}");
        1e5 * overlap.max(0.0) - self.attraction
    }

    fn stiffness(&self, overlap: f64, _: f64) -> f64 {
        if overlap > 0.0 { 1e5 } else { 0.0 }
    }

    fn is_damped(&self) -> bool {
        false
    }

    fn range(&self, _: f64) -> f64 {
        self.range
    }
}

const WET: Bridge = Bridge { attraction: 7.0, range: 0.05 };
const DRY: Bridge = Bridge { attraction: 0.0, range: 0.0 };

/// Returns the contacts of bodies of materials 0 and 1: material 0 attracts itself at a distance, other pairs do not.
fn field(materials: [u16; 2], walls: impl IntoIterator<Item = Wall>) -> ContactForce {
    let laws = LawTable::new(2, |a, b| Ok(Laws::of(if a + b == 0 { WET } else { DRY }, spring()))).unwrap();
    let list = NeighborList::new(Domain::OPEN, 0.02).unwrap();
    ContactForce::by_material(list, laws, materials).unwrap().with_walls(walls).unwrap()
}

/// Moves sphere 1 along x to each of these gaps (m) from sphere 0, with a slip along y. Returns for each gap the force
/// on sphere 1 and the number of histories.
fn approach(mut field: ContactForce, gaps: &[f64]) -> Vec<(DVec3, usize)> {
    let bodies = Bodies::new([Body::fixed(0.5), Body::sphere(1.0, 0.5)]).unwrap();
    let mut state = State::at_rest(2);
    state.velocity_mut().set(1, DVec3::Y * 1e-3);
    let step = |gap: &f64| {
        state.position_mut().set(1, DVec3::X * (1.0 + gap));
        let mut out = Wrenches::zeros(2);
        field.accumulate(&bodies, &state, 1e-3, &mut out).unwrap();
        field.commit();
        let energy = field.elastic_energy(&bodies, &state).unwrap();
        assert_eq!(energy.abs() > 0.0, out.force.get(1).length() > 0.0, "{gap}");
        let histories = field.histories.committed(field.law_assignment());
        (out.force.get(1), histories.pairs.len() + histories.walls.len())
    };
    gaps.iter().map(step).collect()
}

/// Gaps (m) between two spheres that approach into the range of a law, overlap, leave the range and enter it again.
/// They pass the skin several times.
const GAPS: [f64; 9] = [0.3, 0.0501, 0.0499, 0.01, -0.01, 0.03, 0.0499, 0.0501, 0.02];

#[test]
fn a_pair_acts_and_remembers_up_to_the_range_of_its_law() {
    let found = approach(field([0, 0], []), &GAPS);
    for (gap, (force, histories)) in GAPS.into_iter().zip(found) {
        let expected = if gap < 0.05 { -7.0 + 1e5 * f64::max(-gap, 0.0) } else { 0.0 };
        assert!((force.x - expected).abs() < 1e-9, "{gap}: {force}");
        assert_eq!(histories, usize::from(gap < 0.05), "{gap}");
    }
    for (gap, (force, _)) in GAPS.into_iter().zip(approach(field([0, 1], []), &GAPS)) {
        let expected = if gap < 0.0 { 1e5 * -gap } else { 0.0 };
        assert!((force.x - expected).abs() < 1e-9, "{gap}: {force}");
    }
}

#[test]
fn a_wall_acts_and_remembers_up_to_the_range_of_its_law() {
    let plane = || Wall::plane(DVec3::X * 0.5, DVec3::X);
    let disc = || Wall::new(Revolution::disc(DVec3::X, 3.0, 0.0).unwrap().mesh(24).unwrap(), DVec3::X * 0.5);
    for wall in [plane as fn() -> Wall, disc] {
        for (material, reach) in [(0, 0.05), (1, 0.0)] {
            let found = approach(field([1, material], [wall()]).with_wall_materials([0]).unwrap(), &GAPS);
            for (gap, (force, histories)) in GAPS.into_iter().zip(found) {
                let acts = gap < reach;
                let attraction = if material == 0 { 7.0 } else { 0.0 };
                let overlap = f64::max(-gap, 0.0);
                let expected = if acts { 1e5 * overlap - attraction } else { 0.0 } + 1e5 * overlap;
                assert!((force.x - expected).abs() < 1e-6, "{gap}: {force}");
                assert!(histories >= usize::from(acts), "{gap}: {histories}");
                assert!(acts || histories <= 1, "{gap}: {histories}");
            }
        }
    }
}

#[test]
fn no_pair_within_the_range_is_missed_while_a_list_holds() {
    // Sphere 1 approaches in steps shorter than half the skin, from just outside the first list.
    let gaps: Vec<f64> = (0..30).map(|k| 0.0705 - 0.002 * f64::from(k)).collect();
    for (gap, (force, _)) in gaps.iter().zip(approach(field([0, 0], []), &gaps)) {
        assert_eq!(force.x < 0.0, *gap < 0.05, "{gap}: {force}");
    }
}
