//! Full and half lists: in whose rows a pair is listed.

/// In whose rows each pair is listed; the method that uses the list chooses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum ListKind {
    /// In the rows of both bodies: each body sums the forces of its own row.
    #[default]
    Full,
    /// In the row of its home, in the order of full rows: each pair is evaluated once.
    Half,
    /// Rows of both kinds: sums by full rows, and a history for each pair.
    Both,
}

#[cfg(test)]
mod tests {
    use rrp_geom::glam::DVec3;
    use rrp_integrate::{ScalarColumn, VectorColumn};

    use super::*;
    use crate::error::list::ListError;
    use crate::neighbor::NeighborList;
    use crate::neighbor::domain::{Boundary, Domain};

    /// Centres and radii, from boxes a few cells wide to blocks of bodies, of one size, of two or of many.
    fn bodies(case: usize) -> (Domain, ScalarColumn, VectorColumn) {
        let mut seed = case as u64 + 1;
        let mut random = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 11) as f64 / (1_u64 << 53) as f64
        };
        let side = |bit: usize| if case >> bit & 1 == 0 { Boundary::Periodic } else { Boundary::Open };
        let size = DVec3::new(2.0 + random(), 2.0 + 3.0 * random(), 2.0 + 8.0 * random());
        let domain = Domain::new(DVec3::ZERO, size, [side(0), side(1), side(2)]).unwrap();
        let radius = |share: f64| match case % 3 {
            0 => 0.2,
            1 if share < 0.1 => 0.4,
            1 => 0.04,
            _ => 0.4 * 0.05_f64.powf(share),
        };
        let count = 100 + 300 * (case % 5);
        let radii: ScalarColumn = (0..count).map(|_| radius(random())).collect();
        (domain, radii, (0..count).map(|_| DVec3::new(random(), random(), random()) * size).collect())
    }

    /// All entries: slot, neighbour and code of the shift.
    fn entries(list: &NeighborList) -> Vec<[usize; 3]> {
        let mut entries = Vec::new();
        list.each_entry(&mut |slot, other, code| entries.push([slot, other, code]));
        entries
    }

    /// Those of half rows.
    fn half_entries(list: &NeighborList) -> Vec<[usize; 3]> {
        let pairs = list.half_rows().iter().enumerate().flat_map(|(block, pairs)| {
            (0..pairs.len()).map(move |pair| {
                let [a, b] = pairs.places(list.blocks().first(block), pair);
                [a, b, pairs.code(pair)]
            })
        });
        pairs.collect()
    }

    #[test]
    fn half_rows_are_full_ones_of_which_each_pair_is_in_one() {
        let (mut listed, mut turned_around) = (0, 0);
        for case in 0..60 {
            let (domain, radius, mut position) = bodies(case);
            let mut full = NeighborList::new(domain, 0.05).unwrap();
            full.update(&radius, &position).unwrap();
            // Made at once, and in the place of full rows when centres have moved.
            let mut half = full.fresh(full.skin()).unwrap();
            half.use_kind(ListKind::Half);
            half.update(&radius, &position).unwrap();
            let mut turned = full.clone();
            (0..position.len()).for_each(|i| position.add(i, DVec3::X * 1e-3));
            turned.use_kind(ListKind::Half);
            assert!(turned.update(&radius, &position).unwrap() && !turned.update(&radius, &position).unwrap());
            let sorted = |mut entries: Vec<[usize; 3]>| {
                entries.sort_unstable();
                entries
            };
            // Pairs are shown from the lower slot, whichever is their home.
            let pairs = sorted(entries(&full).into_iter().filter(|[slot, other, _]| slot < other).collect());
            assert!(sorted(entries(&half)) == pairs && sorted(entries(&turned)) == pairs, "case {case}");
            let is_home = |&[slot, other, _]: &[usize; 3]| full.homes().is_home(slot, other);
            let expected: Vec<_> = entries(&full).into_iter().filter(is_home).collect();
            assert!(half_entries(&half) == expected && expected.len() == pairs.len(), "case {case}");
            turned_around += expected.iter().filter(|[home, other, _]| home > other).count();
            assert_eq!(half.pairs(), full.pairs());
            assert!(full.pairs().iter().all(|&[a, b]| half.has_pair([b as u32, a as u32])));
            assert!((1..radius.len()).all(|b| full.has_pair([0, b as u32]) == half.has_pair([0, b as u32])));
            listed += full.pairs().len();
            for i in 0..radius.len() {
                let [mut one, mut other] = [&half, &full].map(|list| list.neighbors(i).collect::<Vec<_>>());
                one.sort_unstable();
                other.sort_unstable();
                assert_eq!(one, other, "case {case}, body {i}");
            }
            turned.use_kind(ListKind::Both);
            assert!(turned.update(&radius, &position).unwrap());
            assert!(entries(&turned) == entries(&full) && half_entries(&turned) == expected);
            turned.use_kind(ListKind::Full);
            assert!(!turned.update(&radius, &position).unwrap());
        }
        assert!(listed > 50_000 && turned_around > 1000, "{listed}, {turned_around}");
    }

    /// More blocks than those whose homes are all around the ring.
    #[test]
    fn half_rows_of_many_blocks_are_full_ones_of_which_each_pair_is_in_one() {
        let edge = 26;
        let count = edge * edge * edge;
        let radius: ScalarColumn = std::iter::repeat_n(0.5, count).collect();
        let at = |i: usize, step: usize| (i / edge.pow(step as u32) % edge) as f64 + 0.01 * (i % 7) as f64;
        let position: VectorColumn = (0..count).map(|i| DVec3::new(at(i, 0), at(i, 1), at(i, 2))).collect();
        for boundary in [Boundary::Periodic, Boundary::Open] {
            let domain = Domain::new(DVec3::ZERO, DVec3::splat(edge as f64 + 0.06), [boundary; 3]).unwrap();
            let mut full = NeighborList::new(domain, 0.1).unwrap();
            full.update(&radius, &position).unwrap();
            let mut half = full.fresh(full.skin()).unwrap();
            half.use_kind(ListKind::Half);
            half.update(&radius, &position).unwrap();
            assert!(full.blocks().count() > 32);
            let is_home = |&[slot, other, _]: &[usize; 3]| full.homes().is_home(slot, other);
            let expected: Vec<_> = entries(&full).into_iter().filter(is_home).collect();
            assert!(2 * expected.len() == entries(&full).len() && half_entries(&half) == expected);
            let turned_around = expected.iter().filter(|[home, other, _]| home > other).count();
            assert_eq!(turned_around > 100, boundary == Boundary::Periodic, "{turned_around}");
        }
    }

    #[test]
    fn another_kind_for_bodies_that_grew_beyond_the_periods_is_refused() {
        let domain = Domain::new(DVec3::ZERO, DVec3::splat(2.5), [Boundary::Periodic; 3]).unwrap();
        let position: VectorColumn = [DVec3::splat(0.5), DVec3::splat(2.0)].into_iter().collect();
        let [small, large] = [0.1, 0.7].map(|radius| [radius; 2].into_iter().collect::<ScalarColumn>());
        let mut list = NeighborList::new(domain, 0.1).unwrap();
        list.update(&small, &position).unwrap();
        list.use_kind(ListKind::Half);
        assert!(matches!(
            list.update(&large, &position),
            Err(crate::error::DemError::List(ListError::CutoffTooLarge { .. }))
        ));
        assert!(list.update(&small, &position).unwrap());
    }
}
