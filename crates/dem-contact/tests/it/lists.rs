//! Tests of neighbour lists against brute force.

use proptest::prelude::*;
use rrp_integrate::ScalarColumn;

use crate::prelude::*;

fn brute_force(domain: &Domain, skin: f64, radius: &[f64], position: &VectorColumn) -> Vec<[usize; 2]> {
    let mut pairs = Vec::new();
    for a in 0..radius.len() {
        for b in a + 1..radius.len() {
            let distance = domain.separation(position.get(a), position.get(b)).length();
            if radius[a] > 0.0 && radius[b] > 0.0 && distance < radius[a] + radius[b] + skin {
                pairs.push([a, b]);
            }
        }
    }
    pairs
}

fn column(radius: &[f64]) -> ScalarColumn {
    radius.iter().copied().collect()
}

fn boundary() -> impl Strategy<Value = Boundary> {
    prop_oneof![Just(Boundary::Periodic), Just(Boundary::Closed), Just(Boundary::Open)]
}

/// Radii from `largest` down to `largest / ratio`, of two sizes or of all between.
fn sizes(random: &mut Random, count: usize, largest: f64, ratio: f64, two: bool) -> Vec<f64> {
    let exponent = |share: f64| if two { (20.0 * share).ceil().min(2.0) - 1.0 } else { share };
    (0..count).map(|_| largest * ratio.powf(-exponent(random.next()))).collect()
}

/// Makes centres of which half just touch, or nearly touch, the previous one.
fn crumbs(random: &mut Random, domain: &Domain, radius: &[f64], skin: f64) -> VectorColumn {
    let mut centers: Vec<DVec3> = Vec::new();
    for (i, r) in radius.iter().enumerate() {
        let anywhere = domain.low() + random.vector() * (domain.high() - domain.low());
        let direction = (random.vector() - 0.5).normalize_or(DVec3::X);
        let mut beside = |before: DVec3| before + direction * (r + radius[i - 1] + skin * (2.0 * random.next() - 0.5));
        let mut center = centers.last().map_or(anywhere, |&before| beside(before));
        for c in 0..3 {
            let outside = !(domain.low()[c]..=domain.high()[c]).contains(&center[c]);
            if i % 2 == 0 || outside && domain.boundary()[c] == Boundary::Closed {
                center[c] = anywhere[c];
            }
        }
        centers.push(center);
    }
    centers.into_iter().collect()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(700) })]

    #[test]
    fn pairs_equal_brute_force(
        boundary in [boundary(), boundary(), boundary()],
        size in [2.0..9.0_f64, 2.0..9.0_f64, 2.0..30.0_f64],
        low in -20.0..20.0_f64,
        count in 0..300_usize,
        largest in 0.05..0.45_f64,
        magnitude in 0.0..2.0_f64,
        two: bool,
        touching: bool,
        skin in 0.001..0.1_f64,
        rounds in 0..3_i32,
        seed: u64,
    ) {
        let low = DVec3::new(low, 0.0, -low);
        let size = DVec3::from_array(size);
        let domain = Domain::new(low, low + size, boundary).unwrap();
        let mut random = Random::new(seed);
        let mut radius = sizes(&mut random, count, largest, 10.0_f64.powf(magnitude), two);
        let centers = if touching {
            crumbs(&mut random, &domain, &radius, skin)
        } else {
            (0..count).map(|_| low + random.vector() * size).collect()
        };
        radius.iter_mut().skip(16).step_by(17).for_each(|radius| *radius = 0.0);
        // Some bodies have gone round periodic directions.
        let mut round = || (random.vector() * f64::from(2 * rounds + 1)).floor() - f64::from(rounds);
        let position: VectorColumn = centers.iter().map(|center| center + domain.periods() * round()).collect();
        let mut list = NeighborList::new(domain, skin).unwrap();
        prop_assert!(list.update(&column(&radius), &position).unwrap() || count == 0);
        prop_assert_eq!(list.pairs(), brute_force(&domain, skin, &radius, &position));
        // After a small motion the list is valid, and still has all pairs that touch.
        let moved: VectorColumn = position.iter()
            .map(|x| x + (random.vector() - 0.5) * (0.999 * skin / 3.0_f64.sqrt()))
            .collect();
        let has_left = |x: DVec3| (0..3).any(|c| boundary[c] == Boundary::Closed
            && !(domain.low()[c]..=domain.high()[c]).contains(&x[c]));
        if moved.iter().any(has_left) {
            return Ok(());
        }
        prop_assert!(!list.update(&column(&radius), &moved).unwrap());
        for pair in brute_force(&domain, 0.0, &radius, &moved) {
            prop_assert!(list.pairs().contains(&pair));
        }
    }
}

/// Two large bodies among so many small ones that blocks, spans and words of the search all overflow.
#[test]
fn rows_of_thousands_of_neighbors_are_complete() {
    let mut random = Random::new(9);
    let boundary = [Boundary::Periodic, Boundary::Closed, Boundary::Periodic];
    let domain = Domain::new(DVec3::splat(-1.0), DVec3::splat(1.0), boundary).unwrap();
    let mut radius = vec![0.48, 0.49];
    let mut centers = vec![DVec3::splat(-0.9), DVec3::new(0.1, 0.05, 0.9)];
    while radius.len() < 6000 {
        let direction = (random.vector() - 0.5).normalize_or(DVec3::X);
        let large = radius.len() % 2;
        let center = centers[large] + direction * (radius[large] + 0.006 + 0.008 * random.next());
        if center.y.abs() < 1.0 {
            radius.push(0.005 + 0.001 * random.next());
            centers.push(center);
        }
    }
    let position: VectorColumn = centers.into_iter().collect();
    let mut list = NeighborList::new(domain, 0.005).unwrap();
    list.update(&column(&radius), &position).unwrap();
    let pairs = list.pairs();
    assert_eq!(pairs, brute_force(&domain, 0.005, &radius, &position));
    assert!((0..2).all(|large| pairs.iter().filter(|pair| pair.contains(&large)).count() > 1500));
    for threads in [1, 3] {
        let mut other = NeighborList::new(domain, 0.005).unwrap();
        on_threads(threads, || other.update(&column(&radius), &position)).unwrap();
        assert_eq!(other.pairs(), pairs);
    }
}

#[test]
fn a_body_that_jumps_is_never_missed() {
    let radius = [0.5; 3];
    let mut position: VectorColumn = [0.0, 5.0, 40.0].into_iter().map(|x| DVec3::X * x).collect();
    let mut list = NeighborList::new(Domain::OPEN, 0.1).unwrap();
    list.update(&column(&radius), &position).unwrap();
    assert!(list.pairs().is_empty());
    position.set(2, DVec3::X * 5.9);
    assert!(list.update(&column(&radius), &position).unwrap());
    assert_eq!(list.pairs(), [[1, 2]]);
    assert_eq!(list.builds(), 2);
    assert!(list.update(&column(&[0.5, 4.5, 0.5]), &position).unwrap());
    assert_eq!(list.pairs(), [[0, 1], [1, 2]]);
}

#[test]
fn bodies_that_flew_away_do_not_cost_the_others_their_neighbors() {
    let mut random = Random::new(5);
    let mut position: VectorColumn = (0..2000).map(|_| random.vector() * 9.0).collect();
    for (i, far) in [(3, DVec3::new(1e300, 2.0, 0.0)), (77, DVec3::splat(-1e9)), (78, DVec3::splat(-1e9 + 0.25))] {
        position.set(i, far);
    }
    // One body is beyond the grid on the same side as another, which is just beyond it.
    position.set(1500, DVec3::new(9.4, 4.0, 4.0));
    position.set(1501, DVec3::new(9.9, 4.0, 4.0));
    let radius = vec![0.25; 2000];
    let mut list = NeighborList::new(Domain::OPEN, 0.05).unwrap();
    list.update(&column(&radius), &position).unwrap();
    assert_eq!(list.pairs(), brute_force(&Domain::OPEN, 0.05, &radius, &position));
    assert!(list.pairs().contains(&[77, 78]));
}

#[test]
fn numbers_by_place_keep_the_pairs_and_bring_them_together() {
    let domain =
        Domain::new(DVec3::ZERO, DVec3::splat(12.0), [Boundary::Periodic, Boundary::Closed, Boundary::Open]).unwrap();
    let mut random = Random::new(3);
    for (polydispersity, share) in [(0.0, 0.3), (0.9, 0.8)] {
        let mut radius = Vec::new();
        let list = NeighborList::new(domain, 0.1).unwrap();
        let position: VectorColumn = (0..2000)
            .map(|_| {
                radius.push(0.5 * (1.0 - polydispersity * random.next()));
                random.vector() * 12.0
            })
            .collect();
        let radius = column(&radius);
        let numbering = list.spatial_order(&radius, &position).unwrap();
        let former = numbering.former();
        let sorted: VectorColumn = former.iter().map(|&i| position.get(i)).collect();
        let sorted_radius: ScalarColumn = former.iter().map(|&i| radius[i]).collect();
        let pairs = |radius: &ScalarColumn, position: &VectorColumn| {
            let mut list = list.clone();
            list.update(radius, position).unwrap();
            list.pairs()
        };
        let before = pairs(&radius, &position);
        let after = pairs(&sorted_radius, &sorted);
        let mut mapped: Vec<[usize; 2]> = after.iter().map(|pair| pair.map(|i| former[i])).collect();
        mapped.iter_mut().for_each(|pair| pair.sort_unstable());
        mapped.sort_unstable();
        assert_eq!(mapped, before);
        let apart = |pairs: &[[usize; 2]]| pairs.iter().map(|[a, b]| (b - a) as f64).sum::<f64>() / pairs.len() as f64;
        assert!(apart(&after) < share * apart(&before), "{} of {}", apart(&after), apart(&before));
        // Bodies that are already numbered by place keep their numbers.
        let again = list.spatial_order(&sorted_radius, &sorted).unwrap();
        assert!(again.former().iter().copied().eq(0..2000));
    }
    let two: VectorColumn = [DVec3::ONE; 2].into_iter().collect();
    let list = NeighborList::new(domain, 0.1).unwrap();
    assert_matches!(list.spatial_order(&column(&[0.5]), &two), Err(DemError::LengthMismatch { .. }));
}

/// Bodies flow along a periodic box, the upper ones faster, and tremble. A list outlives displacements of half the skin
/// and misses no contact; the moment of a new list depends only on where the bodies were and are.
#[test]
fn a_list_lasts_while_bodies_move_together() {
    let size = DVec3::new(6.0, 5.0, 14.0);
    let domain = Domain::new(DVec3::ZERO, size, [Boundary::Periodic, Boundary::Periodic, Boundary::Closed]).unwrap();
    for (drift, shear) in [(0.0, 0.3), (40.0, 0.3), (-40.0, 0.01)] {
        let mut random = Random::new(3);
        let radius = vec![0.4; 1200];
        let start: Vec<DVec3> = radius.iter().map(|_| random.vector() * (size - 1.0) + 0.5).collect();
        let velocity: Vec<DVec3> = start
            .iter()
            .map(|x| (drift + shear * x.z) * DVec3::X + 0.5 * drift * DVec3::Y + 2.0 * shear * (random.vector() - 0.5))
            .collect();
        let mut list = NeighborList::new(domain, 0.1).unwrap();
        let mut made_at = (0.0, list.clone());
        let mut most = 0.0_f64;
        let nonsense: VectorColumn = start.iter().map(|_| DVec3::NAN).collect();
        for step in 0..150 {
            let time = 1e-3 * f64::from(step);
            let now: VectorColumn = start.iter().zip(&velocity).map(|(x, v)| x + time * v).collect();
            let made = list.update(&column(&radius), &now).unwrap();
            if step % 7 == 3 {
                // A refused state leaves the list unchanged.
                assert!(list.update(&column(&radius), &nonsense).is_err());
                assert!(!list.update(&column(&radius), &now).unwrap());
            }
            // A list that did not read the states in between decides alike.
            assert_eq!(made, made_at.1.clone().update(&column(&radius), &now).unwrap(), "step {step}");
            if made {
                made_at = (time, list.clone());
            }
            let way = velocity.iter().map(|v| v.length() * (time - made_at.0)).fold(0.0, f64::max);
            most = most.max(way);
            if step % 10 == 0 || made {
                let pairs = list.pairs();
                for pair in brute_force(&domain, 0.0, &radius, &now) {
                    assert!(pairs.binary_search(&pair).is_ok(), "step {step}: {pair:?} is missing");
                }
            }
        }
        // Half the skin is 0.05. No list lasts further than a quarter of a period, and a step goes 0.045.
        let bounds = if drift == 0.0 { 0.05..0.5 } else { 0.6..1.3 };
        assert!(bounds.contains(&most), "{drift}: a list lasted for {most}");
        assert!(shear > 0.1 || most > 1.2, "{drift}: a list lasted for {most}");
        assert!(list.builds() > 1);
    }
}

#[test]
fn who_leaves_a_closed_domain_is_found_though_all_move_alike() {
    let boundary = [Boundary::Periodic, Boundary::Closed, Boundary::Closed];
    let domain = Domain::new(DVec3::ZERO, DVec3::splat(8.0), boundary).unwrap();
    let radius = column(&[0.4; 3]);
    let at = |z: f64| -> VectorColumn { (0..3).map(|i| DVec3::new(1.0 + 2.0 * f64::from(i), 4.0, z)).collect() };
    let mut list = NeighborList::new(domain, 0.1).unwrap();
    let mut z = 2.0;
    let error = loop {
        match list.update(&radius, &at(z)) {
            Ok(_) if z < 9.0 => z += 0.01,
            outcome => break outcome.unwrap_err(),
        }
    };
    assert_matches!(error, DemError::List(ListError::OutsideDomain { body: 0, direction: 2, .. }));
    assert!((8.0..8.07).contains(&z), "{z}");
    // With a new list after each half skin there would be a hundred.
    assert!(list.builds() < 5, "{}", list.builds());
}
