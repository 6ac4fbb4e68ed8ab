use std::collections::BTreeSet;

use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use rrp_geom::glam::DVec3;

use rrp_integrate::ScalarColumn;

use super::*;
use crate::error::list::ListError;
use crate::neighbor::domain::Boundary;
use crate::neighbor::image_shift::{INDEX_BITS, INDEX_MASK, opposite, signs};

/// Spheres that a tile should own: so few that some hundred make many tiles.
const FEW: usize = 40;

/// Spheres of one size, of two or of many, in domains with all kinds of sides; one of them may be far away.
fn spheres(case: u64) -> (Domain, ScalarColumn, Vec<[f64; 3]>) {
    let mut random = ChaCha8Rng::seed_from_u64(case);
    let side = |bit: usize| if case >> bit & 1 == 0 { Boundary::Periodic } else { Boundary::Open };
    let size = DVec3::new(1.3 + 0.7 * random.random::<f64>(), 2.0 + 2.0 * random.random::<f64>(), 7.5);
    let domain =
        Domain::new(DVec3::new(-1.0, 0.5, 3.0), DVec3::new(-1.0, 0.5, 3.0) + size, [side(0), side(1), side(2)]);
    let count = [60, 300, 450, 700][case as usize % 4];
    let mut radius = |k: usize| match case % 3 {
        0 => 0.1,
        1 if k.is_multiple_of(40) => 0.4,
        1 => 0.05,
        _ => 0.4 * 0.1_f64.powf(random.random::<f64>()),
    };
    let radii: ScalarColumn = (0..count).map(&mut radius).collect();
    let domain = domain.unwrap();
    let mut centres: Vec<[f64; 3]> = (0..count)
        .map(|_| {
            let share = DVec3::new(random.random::<f64>(), random.random::<f64>(), random.random::<f64>());
            (domain.low() + share * size).to_array()
        })
        .collect();
    if case.is_multiple_of(5) {
        let is_open = domain.boundary().map(|boundary| boundary == Boundary::Open);
        centres[7] = std::array::from_fn(|c| if is_open[c] { 1e12 } else { centres[7][c] });
    }
    (domain, radii, centres)
}

fn rows(radius: &ScalarColumn, centre: impl Fn(usize) -> [f64; 3]) -> Vec<[f64; 4]> {
    let row = |(i, &radius)| {
        let [x, y, z] = centre(i);
        [x, y, z, radius]
    };
    radius.iter().enumerate().map(row).collect()
}

fn listed(tiling: &Tiling, tile: &Tile) -> Vec<([u32; 2], usize)> {
    let numbers = |pair: &pair::Pair| pair.places().map(|place| tiling.order[place]);
    tile.pairs.iter().map(|pair| (numbers(pair), pair.code())).collect()
}

#[test]
fn each_pair_is_listed_by_the_tiles_of_its_spheres_and_by_no_other() {
    let (mut several, mut pairs) = (0, 0);
    for case in 0..40 {
        let (domain, radius, centres) = spheres(case);
        let mut ids: Vec<u32> = (0..centres.len() as u32).collect();
        ids.reverse();
        let input = ListInput { domain: &domain, skin: 0.02, ids: &ids, is_fixed: &[], excluded: &[] };
        let tiling = Tiling::new(&input, rows(&radius, |i| centres[i]), FEW).unwrap();
        several += usize::from(tiling.tiles.len() > 1);
        let mut tile_of = vec![usize::MAX; centres.len()];
        for (number, tile) in tiling.tiles.iter().enumerate() {
            tile.places.clone().for_each(|place| tile_of[tiling.order[place] as usize] = number);
        }
        assert!(tile_of.iter().all(|&tile| tile < tiling.tiles.len()));
        let mut expected = vec![BTreeSet::new(); tiling.tiles.len()];
        let table = domain.shifts();
        // In open directions there is one image.
        let is_image = |code: usize| (0..3).all(|c| signs(code)[c] == 0 || table[code][c].abs() > 0.0);
        let images: Vec<usize> = (0..27).filter(|&code| is_image(code)).collect();
        for a in 0..centres.len() {
            for b in a + 1..centres.len() {
                let cutoff = (radius[a] + radius[b]) + 0.02;
                for &code in &images {
                    let [x, y, z] = std::array::from_fn(|c| (centres[b][c] - centres[a][c]) + table[code][c]);
                    if x * x + y * y + z * z < cutoff * cutoff {
                        // Ids are reversed, so b is the sphere that a pair is seen from.
                        let entry = ([b as u32, a as u32], 26 - code);
                        expected[tile_of[a]].insert(entry);
                        expected[tile_of[b]].insert(entry);
                    }
                }
            }
        }
        for (tile, expected) in tiling.tiles.iter().zip(&expected) {
            let found = listed(&tiling, tile);
            assert_eq!(found.len(), expected.len(), "case {case}");
            assert!(found.iter().all(|entry| expected.contains(entry)), "case {case}");
            let rows = tile.pairs.iter().map(|pair| row(tile, *pair));
            assert!(rows.is_sorted(), "case {case}");
            pairs += found.len();
            check_full_rows(&tiling, tile);
        }
    }
    assert!(several >= 30, "{several} cases with several tiles");
    assert!(pairs > 10_000, "{pairs} pairs");
}

/// The rows of the spheres of a tile have each of its pairs once, as seen from them.
fn check_full_rows(tiling: &Tiling, tile: &Tile) {
    let rows = tiling.full_rows();
    for place in tile.places.clone() {
        let partner = |(index, pair): (u32, &pair::Pair)| match pair.places() {
            [a, b] if a == place => Some((index, b, pair.code())),
            [a, b] if b == place => Some((index, a, opposite(pair.code()))),
            _ => None,
        };
        let expected: Vec<_> = (0..).zip(&tile.pairs).filter_map(partner).collect();
        let entry =
            |(&index, &entry): (&u32, &u32)| (index, (entry & INDEX_MASK) as usize, (entry >> INDEX_BITS) as usize);
        let found: Vec<_> = rows.pairs_of_row(place).iter().zip(rows.row(place)).map(entry).collect();
        assert_eq!(found, expected);
    }
}

/// What the pairs of a tile are sorted by: the own sphere with the lower place, the other one and the shift it is seen
/// through.
fn row(tile: &Tile, pair: pair::Pair) -> (usize, usize, usize) {
    let [a, b] = pair.places();
    let is_seen_from_a = tile.places.contains(&a) && (a < b || !tile.places.contains(&b));
    if is_seen_from_a { (a, b, pair.code()) } else { (b, a, opposite(pair.code())) }
}

#[test]
fn a_list_does_not_depend_on_numbers() {
    for case in 0..12 {
        let (domain, radius, centres) = spheres(case);
        let count = centres.len();
        // Sphere `former[i]` gets number i, and keeps its id.
        let former: Vec<usize> = (0..count).map(|i| (i * 7919 + 13) % count).collect();
        let numbers: Vec<u32> = (0..count as u32).collect();
        let input = ListInput { domain: &domain, skin: 0.02, ids: &numbers, is_fixed: &[], excluded: &[] };
        let first = Tiling::new(&input, rows(&radius, |i| centres[i]), FEW).unwrap();
        let ids: Vec<u32> = former.iter().map(|&i| i as u32).collect();
        let input = ListInput { domain: &domain, skin: 0.02, ids: &ids, is_fixed: &[], excluded: &[] };
        let radii: ScalarColumn = former.iter().map(|&i| radius[i]).collect();
        let second = Tiling::new(&input, rows(&radii, |i| centres[former[i]]), FEW).unwrap();
        let seen: Vec<u32> = second.order.iter().map(|&number| ids[number as usize]).collect();
        assert_eq!(first.order, seen);
        for (a, b) in first.tiles.iter().zip(&second.tiles) {
            assert_eq!((&a.places, &a.pairs), (&b.places, &b.pairs));
        }
    }
}

#[test]
fn no_sphere_and_fixed_ones_make_no_pair() {
    let input = ListInput { domain: &Domain::OPEN, skin: 0.1, ids: &[], is_fixed: &[], excluded: &[] };
    assert_eq!(Tiling::new(&input, Vec::new(), FEW).unwrap().tiles.len(), 0);
    let input =
        ListInput { domain: &Domain::OPEN, skin: 0.1, ids: &[0, 1, 2], is_fixed: &[true, true, false], excluded: &[] };
    let radius = ScalarColumn::from_iter(vec![0.5; 3]);
    let tiling = Tiling::new(&input, rows(&radius, |i| [i as f64 * 0.3, 0.0, 0.0]), FEW).unwrap();
    let pairs = listed(&tiling, &tiling.tiles[0]);
    assert_eq!(pairs.into_iter().collect::<BTreeSet<_>>(), BTreeSet::from([([0, 2], 13), ([1, 2], 13)]));
}

#[test]
fn thousands_of_spheres_at_one_point_are_refused() {
    let ids: Vec<u32> = (0..4000).collect();
    let input = ListInput { domain: &Domain::OPEN, skin: 0.1, ids: &ids, is_fixed: &[], excluded: &[] };
    let radius = ScalarColumn::from_iter(vec![0.5; 4000]);
    let outcome = Tiling::new(&input, rows(&radius, |_| [0.0; 3]), FEW);
    assert!(matches!(outcome, Err(DemError::List(ListError::TooManyNeighbors { .. }))));
}
