use std::collections::BTreeSet;

use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use rrp_geom::glam::DVec3;

use rrp_integrate::ScalarColumn;

use super::*;
use crate::neighbor::NeighborList;
use crate::neighbor::domain::Boundary;
use crate::neighbor::image_shift::{INDEX_BITS, INDEX_MASK, opposite, signs};
use crate::neighbor::tiles::pair::Pair;
use crate::neighbor::tiles::tile::Segment;

/// Number of spheres that a tile should own: small, so that a few hundred spheres make many tiles.
const FEW: usize = 40;

/// Makes spheres of one, two or many sizes in domains with all kinds of sides; one of the spheres may be far away.
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

fn input<'a>(domain: &'a Domain, ids: &'a [u32], kinds: &'a [u16]) -> ListInput<'a> {
    ListInput { domain, skin: 0.02, ids, is_fixed: &[], excluded: &[], kinds }
}

fn rows(radius: &ScalarColumn, centre: impl Fn(usize) -> [f64; 3]) -> Vec<[f64; 4]> {
    let row = |(i, &radius)| {
        let [x, y, z] = centre(i);
        [x, y, z, radius]
    };
    radius.iter().enumerate().map(row).collect()
}

fn listed(tiling: &Tiling, tile: &Tile) -> Vec<([u32; 2], usize)> {
    let numbers = |pair: Pair| pair.places().map(|place| tiling.order[place]);
    tile.iter_pairs().map(|pair| (numbers(pair), pair.code())).collect()
}

#[test]
fn each_pair_is_listed_by_the_tiles_of_its_spheres_and_by_no_other() {
    let mut several = 0;
    let mut pairs = 0;
    for case in 0..40 {
        let (domain, radius, centres) = spheres(case);
        let mut ids: Vec<u32> = (0..centres.len() as u32).collect();
        ids.reverse();
        let tiling = Tiling::new(&input(&domain, &ids, &[]), rows(&radius, |i| centres[i]), FEW).unwrap();
        several += usize::from(tiling.tiles.len() > 1);
        let mut tile_of = vec![usize::MAX; centres.len()];
        for (number, tile) in tiling.tiles.iter().enumerate() {
            tile.places.clone().for_each(|place| tile_of[tiling.order[place] as usize] = number);
        }
        assert!(tile_of.iter().all(|&tile| tile < tiling.tiles.len()));
        let mut expected = vec![BTreeSet::new(); tiling.tiles.len()];
        let table = domain.shifts();
        let is_image = |code: usize| (0..3).all(|c| signs(code)[c] == 0 || table[code][c].abs() > 0.0);
        let images: Vec<usize> = (0..27).filter(|&code| is_image(code)).collect();
        for a in 0..centres.len() {
            for b in a + 1..centres.len() {
                let cutoff = (radius[a] + radius[b]) + 0.02;
                for &code in &images {
                    let [x, y, z] = std::array::from_fn(|c| (centres[b][c] - centres[a][c]) + table[code][c]);
                    if x * x + y * y + z * z < cutoff * cutoff {
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
            pairs += found.len();
            check_full_rows(&tiling, tile);
        }
    }
    assert!(several >= 30, "{several} cases with several tiles");
    assert!(pairs > 10_000, "{pairs} pairs");
}

/// Checks that the full rows of the spheres of a tile have each pair once, as seen from the sphere of the row.
fn check_full_rows(tiling: &Tiling, tile: &Tile) {
    let rows = tiling.full_rows();
    for place in tile.places.clone() {
        let partner = |(index, pair): (u32, Pair)| match pair.places() {
            [a, b] if a == place => Some((index, b, pair.code())),
            [a, b] if b == place => Some((index, a, opposite(pair.code()))),
            _ => None,
        };
        let expected: Vec<_> = (0..).zip(tile.iter_pairs()).filter_map(partner).collect();
        let entry =
            |(&index, &entry): (&u32, &u32)| (index, (entry & INDEX_MASK) as usize, (entry >> INDEX_BITS) as usize);
        let found: Vec<_> = rows.pairs_of_row(place).iter().zip(rows.row(place)).map(entry).collect();
        assert_eq!(found, expected);
    }
}

/// Sort key of the pairs of a segment: place of the own sphere (the lower place of two own spheres), then the place of
/// the other sphere and the code of its shift.
fn order_of(tile: &Tile, pair: Pair) -> (usize, usize, usize) {
    let [a, b] = pair.places();
    let is_seen_from_a = tile.places.contains(&a) && (a < b || !tile.places.contains(&b));
    if is_seen_from_a { (a, b, pair.code()) } else { (b, a, opposite(pair.code())) }
}

/// Returns random kinds 0 to 2. In every fourth case the last spheres get no kind, which means kind 0.
fn random_kinds(case: u64, count: usize) -> Vec<u16> {
    let mut random = ChaCha8Rng::seed_from_u64(1000 + case);
    let given = if case % 4 == 3 { count / 2 } else { count };
    (0..given).map(|_| random.random_range(0..3)).collect()
}

#[test]
fn pairs_are_sorted_by_kinds_then_image_and_name_rows_of_the_tile() {
    let mut images = 0;
    let mut ghosts = 0;
    for case in 0..24 {
        let (domain, radius, centres) = spheres(case);
        let ids: Vec<u32> = (0..centres.len() as u32).rev().collect();
        let kinds = random_kinds(case, centres.len());
        let tiling = Tiling::new(&input(&domain, &ids, &kinds), rows(&radius, |i| centres[i]), FEW).unwrap();
        let kind = |place: usize| kinds.get(tiling.order[place] as usize).copied().unwrap_or(0);
        for tile in &tiling.tiles {
            let pairs: Vec<Pair> = tile.iter_pairs().collect();
            assert_eq!(pairs.len(), tile.pairs.len());
            assert!((0..).zip(&pairs).all(|(index, &pair)| tile.pair(index) == pair));
            let others = pairs.iter().flat_map(|pair| pair.places()).filter(|place| !tile.places.contains(place));
            let others: BTreeSet<u32> = others.map(|place| place as u32).collect();
            assert!(others.iter().eq(&tile.ghosts), "case {case}");
            ghosts += others.len();
            let places = tile.places.clone().chain(others.iter().map(|&place| place as usize));
            assert!(places.eq((0..tile.rows() as u32).map(|row| tile.place_of_row(row))));
            // The search orders pairs; the tile sorts them by kinds and shift without changing the order of equal keys.
            let key = |pair: Pair| {
                let [a, b] = pair.places().map(kind);
                let low = u32::from(a.min(b));
                let high = u32::from(a.max(b));
                (high * (high + 1) / 2 + low, pair.code())
            };
            let mut expected = pairs.clone();
            expected.sort_by_key(|&pair| order_of(tile, pair));
            expected.sort_by_key(|&pair| key(pair));
            assert_eq!(pairs, expected, "case {case}");
            check_segments(tile, &pairs, key, kind);
            images += tile.segments.iter().filter(|segment| segment.code != 13).count();
        }
    }
    assert!(images > 100 && ghosts > 1000, "{images} segments of images, {ghosts} ghosts");
}

/// Checks that the segments and runs of a tile cover all of its pairs, with the kinds and shifts of these pairs.
fn check_segments(tile: &Tile, pairs: &[Pair], key: impl Fn(Pair) -> (u32, usize), kind: impl Fn(usize) -> u16) {
    let mut first = 0;
    for (at, &Segment { kinds, code, end }) in tile.segments.iter().enumerate() {
        assert!(first < end as usize);
        for &pair in &pairs[first..end as usize] {
            let [a, b] = pair.places().map(&kind);
            assert_eq!((kinds, usize::from(code)), ([a.min(b), a.max(b)], pair.code()));
        }
        first = end as usize;
        assert!(at == 0 || key(pairs[first - 1]) > key(tile.pair(tile.segments[at - 1].end as usize - 1)));
    }
    assert_eq!(first, pairs.len());
    let mut next = 0;
    let mut kinds = BTreeSet::new();
    for run in tile.runs() {
        assert!(kinds.insert(run.kinds()) && run.segments.iter().all(|segment| segment.kinds == run.kinds()));
        for (part, segment) in run.parts().zip(run.segments) {
            assert_eq!(part, (next..segment.end as usize, segment.code));
            next = part.0.end;
        }
    }
    assert_eq!(next, pairs.len());
}

#[test]
fn ranks_see_the_rows_segments_and_kinds_of_a_run_alone() {
    let (domain, radius, centres) = spheres(2);
    let copies = |&[x, y, z]: &[f64; 3]| (0..8).map(move |k| DVec3::new(x, y, z + 0.9 * f64::from(k)));
    let domain = Domain::new(domain.low(), domain.high(), [Boundary::Periodic, Boundary::Periodic, Boundary::Open]);
    let position: rrp_integrate::VectorColumn = centres.iter().flat_map(copies).collect();
    let radius: ScalarColumn = radius.iter().flat_map(|&radius| [0.3 * radius; 8]).collect();
    let kinds: Vec<u16> = (0..position.len()).map(|i| (i % 3) as u16).collect();
    let mut list = NeighborList::new(domain.unwrap(), 0.02).unwrap();
    list.set_kinds(&kinds);
    list.update(&radius, &position).unwrap();
    let decomposition = list.decompose(&radius, &position, *list.domain()).unwrap();
    let all = &list.tiling().tiles;
    assert!(all.len() > 3);
    for rank in 0..2 {
        let subdomain = decomposition.subdomain(|tile| tile % 2 == rank).unwrap();
        let bodies = subdomain.bodies().to_vec();
        let expected: Vec<u16> = bodies.iter().map(|&body| kinds[body as usize]).collect();
        let mut part = list.of_subdomain(subdomain);
        part.set_kinds(&expected);
        assert!(!part.is_empty(), "the list of a subdomain has its kinds");
        for (tile, whole) in part.tiling().tiles.iter().zip(all.iter().skip(rank).step_by(2)) {
            assert_eq!((&tile.pairs, &tile.segments), (&whole.pairs, &whole.segments));
            let seen = (0..tile.rows() as u32).map(|row| bodies[part.order()[tile.place_of_row(row)] as usize]);
            assert!(seen.eq((0..whole.rows() as u32).map(|row| list.order()[whole.place_of_row(row)])));
        }
    }
}

#[test]
fn new_kinds_make_a_list_for_the_centres_of_the_accepted_one() {
    let (domain, radius, centres) = spheres(1);
    let at = |moved: f64| centres.iter().map(|&[x, y, z]| DVec3::new(x, y, z + moved)).collect();
    let mut list = NeighborList::new(domain, 0.02).unwrap();
    list.update(&radius, &at(0.0)).unwrap();
    let before = list.accepted_centres().unwrap();
    assert!(!list.update(&radius, &at(0.001)).unwrap());
    let kinds = random_kinds(1, centres.len());
    for _ in 0..2 {
        // The second call sets the same kinds, so the list stays.
        list.set_kinds(&kinds);
        list.update(&radius, &at(0.002)).unwrap();
        assert_eq!((list.builds(), list.accepted_centres().unwrap() == before), (2, true));
    }
    assert!(list.tiling().tiles.iter().any(|tile| tile.segments.iter().any(|segment| segment.kinds == [1, 2])));
}

#[test]
fn a_list_does_not_depend_on_numbers() {
    for case in 0..12 {
        let (domain, radius, centres) = spheres(case);
        let count = centres.len();
        let kinds = random_kinds(case, count);
        // Sphere `former[i]` gets number i, and keeps its id and its kind.
        let former: Vec<usize> = (0..count).map(|i| (i * 7919 + 13) % count).collect();
        let numbers: Vec<u32> = (0..count as u32).collect();
        let first = Tiling::new(&input(&domain, &numbers, &kinds), rows(&radius, |i| centres[i]), FEW).unwrap();
        let kinds_of_ids: Vec<u16> = former.iter().map(|&i| kinds.get(i).copied().unwrap_or(0)).collect();
        let ids: Vec<u32> = former.iter().map(|&i| i as u32).collect();
        let radii: ScalarColumn = former.iter().map(|&i| radius[i]).collect();
        let second =
            Tiling::new(&input(&domain, &ids, &kinds_of_ids), rows(&radii, |i| centres[former[i]]), FEW).unwrap();
        let seen: Vec<u32> = second.order.iter().map(|&number| ids[number as usize]).collect();
        assert_eq!(first.order, seen);
        for (a, b) in first.tiles.iter().zip(&second.tiles) {
            assert_eq!(a, b);
        }
    }
}

#[test]
fn no_sphere_and_fixed_ones_make_no_pair() {
    assert_eq!(Tiling::new(&input(&Domain::OPEN, &[], &[]), Vec::new(), FEW).unwrap().tiles.len(), 0);
    let radius = ScalarColumn::from_iter(vec![0.5; 3]);
    let tiling = Tiling::new(
        &ListInput { is_fixed: &[true, true, false], ..input(&Domain::OPEN, &[0, 1, 2], &[]) },
        rows(&radius, |i| [i as f64 * 0.3, 0.0, 0.0]),
        FEW,
    )
    .unwrap();
    let pairs = listed(&tiling, &tiling.tiles[0]);
    assert_eq!(pairs.into_iter().collect::<BTreeSet<_>>(), BTreeSet::from([([0, 2], 13), ([1, 2], 13)]));
}
