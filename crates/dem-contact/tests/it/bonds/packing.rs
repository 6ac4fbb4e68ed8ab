//! Tests of which bodies of a packing are bonded.

use proptest::prelude::*;

use crate::prelude::*;

fn packing(rows: &[([f64; 3], f64)]) -> (Bodies, State) {
    let body = |&(_, radius): &([f64; 3], f64)| Body { radius, ..Body::spherical(1.0, 1.0) };
    placed(rows.iter().map(body), rows.iter().map(|row| row.0))
}

proptest! {
    #[test]
    fn pairs_are_those_of_a_search_through_all(
        rows in prop::collection::vec(([-5.0..5.0, -1.0..1.0, 3.0..9.0_f64], 0.0..0.6_f64), 0..60),
        stretch in prop::sample::select(vec![1.0, 1e-3, 1e3]),
        gap in 0.0..0.5_f64,
    ) {
        let rows: Vec<_> = rows.into_iter().map(|(x, radius)| (x.map(|c| c * stretch), radius)).collect();
        let (bodies, state) = packing(&rows);
        let close = |&[i, j]: &[usize; 2]| {
            let apart = (state.position().get(i) - state.position().get(j)).length();
            apart <= rows[i].1 + rows[j].1 + gap
        };
        let all = (0..rows.len()).flat_map(|i| (i + 1..rows.len()).map(move |j| [i, j]));
        prop_assert_eq!(bonded_pairs(&bodies, &state, gap).unwrap(), all.filter(close).collect::<Vec<_>>());
    }
}

#[test]
fn far_apart_bodies_need_no_memory() {
    let (bodies, mut state) = packing(&[([0.0; 3], 0.5), ([1.0, 0.0, 0.0], 0.5), ([1e300, -1e300, 1e300], 0.5)]);
    assert_eq!(bonded_pairs(&bodies, &state, 1e-9).unwrap(), [[0, 1]]);
    // The extent of the packing overflows, and so may the reach.
    state.position_mut().set(1, DVec3::X * -1.7e308);
    state.position_mut().set(2, DVec3::splat(1.7e308));
    assert!(bonded_pairs(&bodies, &state, 1e-9).unwrap().is_empty());
    state.position_mut().set(1, DVec3::X);
    assert!(bonded_pairs(&bodies, &state, f64::MAX).unwrap().contains(&[0, 1]));
    state.position_mut().set(2, DVec3::ZERO);
    let law = BondLaw { stretching: 1.0, ..BondLaw::default() };
    assert!(Bonds::of_packing(&bodies, &state, 0.0, law).unwrap_err().to_string().contains("bond 1"));
}

#[test]
fn a_lattice_is_bonded_to_its_nearest_neighbours() {
    let rows: Vec<_> = (0..27).map(|k| ([k % 3, k / 3 % 3, k / 9].map(f64::from), 0.49)).collect();
    let (bodies, state) = packing(&rows);
    let law = BondLaw { stretching: 1.0, ..BondLaw::default() };
    let bonds = Bonds::of_packing(&bodies, &state, 0.03, law).unwrap();
    assert_eq!(bonds.len(), 54);
    assert!(bonds.lengths().all(|length| (length - 1.0).abs() < 1e-15));
    assert!(bonds.iter().all(|bond| bond.bodies[0] < bond.bodies[1]));
}
