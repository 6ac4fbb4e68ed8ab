//! The bits of a run depend neither on the number of ranks nor on who owns what.

use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicU64, AtomicUsize};

use dem_contact::neighbor::Boundary;
use dem_ranks::{Alone, EvenRuns, RankRun, Scene, TileOwners};
use proptest::prelude::*;
use rrp_integrate::State;

use crate::scenes::{alone, bed, bits, equal, mixed_bed, on_ranks};

/// Owners drawn by dice, anew for each list.
#[derive(Debug)]
struct Dice(AtomicU64);

impl Clone for Dice {
    fn clone(&self) -> Self {
        Self(AtomicU64::new(self.0.load(Relaxed)))
    }
}

impl TileOwners for Dice {
    fn owners(&self, work: &[u64], ranks: usize) -> Vec<usize> {
        let throw = |_| {
            let seed =
                self.0.load(Relaxed).wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            self.0.store(seed, Relaxed);
            (seed >> 33) as usize % ranks
        };
        work.iter().map(throw).collect()
    }
}

/// Number of steps, in which a list with a thin skin is made several times.
const STEPS: usize = 20;

/// Checks that runs on `ranks` ranks have the bits of the run alone. Returns the number of lists, of bodies that
/// changed the rank, and of ranks without bodies at the end.
fn assert_same_bits(
    ranks: usize,
    bed: &(Scene, State),
    owners: impl TileOwners + Clone + Sync + 'static,
    expected: &[u64],
) -> [usize; 3] {
    let ends = on_ranks(ranks, bed, owners, |run| {
        let before = run.own_numbers().to_vec();
        run.take_steps(10)?;
        run.take_steps(STEPS as u64 - 10)?;
        let came = run.own_numbers().iter().filter(|number| !before.contains(number)).count();
        Ok((run.gather()?, run.lists(), came, run.own_bodies()))
    });
    let ends: Vec<_> = ends.into_iter().map(Result::unwrap).collect();
    assert!(bits(ends[0].0.as_ref().unwrap()) == expected, "{ranks} ranks");
    assert!(ends[1..].iter().all(|end| end.0.is_none() && end.1 == ends[0].1));
    assert_eq!(ends.iter().map(|end| end.3).sum::<usize>(), bed.0.bodies.len());
    [ends[0].1 as usize, ends.iter().map(|end| end.2).sum(), ends.iter().filter(|end| end.3 == 0).count()]
}

#[test]
fn any_number_of_ranks_has_the_bits_of_one_process() {
    let bed = mixed_bed();
    let (end, contacts) = alone(&bed.0, &bed.1, STEPS);
    let expected = bits(&end);
    assert!(contacts.wall_loads()[0].contacts > 50, "{:?}", contacts.wall_loads());
    for ranks in [1, 2, 3, 5, 8] {
        let [lists, came, _] = assert_same_bits(ranks, &bed, EvenRuns, &expected);
        assert!(lists as u64 == contacts.list().builds() && lists > 4, "{lists} lists");
        assert!(ranks == 1 || came > 0, "no body came to another rank");
    }
}

#[test]
fn ranks_without_bodies_step_along() {
    // Two tiles of spheres of one size, between periodic sides.
    let bed = bed([9, 9, 13], [Boundary::Periodic; 3], equal);
    let expected = bits(&alone(&bed.0, &bed.1, STEPS).0);
    let [.., empty] = assert_same_bits(5, &bed, EvenRuns, &expected);
    assert_eq!(empty, 3);
    let mut run = RankRun::new(Alone::default(), bed.0, &bed.1, Box::new(EvenRuns)).unwrap();
    run.take_steps(STEPS as u64).unwrap();
    assert!(bits(&run.gather().unwrap().unwrap()) == expected);
}

#[test]
fn owners_by_dice_change_no_bit() {
    let bed = bed([14, 14, 22], [Boundary::Open, Boundary::Periodic, Boundary::Open], equal);
    let expected = bits(&alone(&bed.0, &bed.1, STEPS).0);
    let config =
        ProptestConfig { cases: 4, failure_persistence: None, max_shrink_iters: 0, ..ProptestConfig::default() };
    // In one case the dice may end as they began, so that all bodies are back on their first rank.
    let all_came = AtomicUsize::new(0);
    proptest!(config, |(ranks in 2..7_usize, seed in any::<u64>())| {
        let [_, came, _] = assert_same_bits(ranks, &bed, Dice(AtomicU64::new(seed)), &expected);
        all_came.fetch_add(came, Relaxed);
    });
    let all_came = all_came.into_inner();
    assert!(all_came > 400, "{all_came} bodies came to another rank");
}

#[test]
fn ranks_have_even_work_where_contacts_are_not_even() {
    let (scene, mut start) = bed([10, 10, 70], [Boundary::Open; 3], equal);
    // The upper half is a gas: each body has few neighbours.
    for body in 3500..7000 {
        let height = start.position().get(body).z;
        start.position_mut().add(body, 3.0 * (height - 34.0) * rrp_geom::glam::DVec3::Z);
    }
    // By pairs, as the run begins and later on, and by tiles, which have about the same number of bodies each.
    let by_pairs = on_ranks(4, &(scene.clone(), start.clone()), EvenRuns, |run| {
        let first = run.load().work;
        run.take_steps(10)?;
        Ok([first, run.load().work])
    });
    let by_tiles = on_ranks(4, &(scene, start), EvenTiles, |run| Ok([run.load().work; 2]));
    let imbalance = |ends: Vec<Result<[u64; 2], _>>| {
        let ends: Vec<[u64; 2]> = ends.into_iter().map(Result::unwrap).collect();
        [0, 1].map(|k| {
            let (all, most) = ends.iter().fold((0, 0), |(all, most), end| (all + end[k], most.max(end[k])));
            most as f64 * ends.len() as f64 / all as f64
        })
    };
    let [by_pairs, by_tiles] = [by_pairs, by_tiles].map(imbalance);
    println!("largest work over mean: {by_pairs:.2?}, by tiles {:.2}", by_tiles[0]);
    assert!(by_tiles[0] > 1.3 && by_pairs.iter().all(|&imbalance| imbalance < 1.2), "{by_pairs:?} {by_tiles:?}");
}

/// Runs of tiles, one for each rank, of about equal numbers of tiles.
#[derive(Clone)]
struct EvenTiles;

impl TileOwners for EvenTiles {
    fn owners(&self, work: &[u64], ranks: usize) -> Vec<usize> {
        (0..work.len()).map(|tile| tile * ranks / work.len()).collect()
    }
}
