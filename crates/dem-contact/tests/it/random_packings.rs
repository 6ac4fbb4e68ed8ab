//! Tests of random packings: no overlaps, reproducible by seed, refused without room; and a run of a mix.

use dem_contact::error::StaticsError;
use dem_contact::packing::random_packing;

use crate::prelude::*;

fn domain(side: f64, boundary: [Boundary; 3]) -> Domain {
    Domain::new(DVec3::splat(-1.0), DVec3::splat(side - 1.0), boundary).unwrap()
}

/// Returns the largest overlap of two spheres, or of a sphere with a closed side, over the smaller radius.
fn overlap(domain: &Domain, radii: &[f64], centers: &[DVec3]) -> f64 {
    let mut most = f64::NEG_INFINITY;
    for (a, (&x, &r)) in centers.iter().zip(radii).enumerate() {
        for c in (0..3).filter(|&c| domain.boundary()[c] != Boundary::Periodic) {
            most = most.max((domain.low()[c] - x[c] + r).max(x[c] + r - domain.high()[c]) / r - 1e-12);
        }
        for (&y, &s) in centers[..a].iter().zip(radii) {
            most = most.max((r + s - domain.separation(x, y).length()) / r.min(s));
        }
    }
    most
}

#[test]
fn packings_of_equal_and_of_mixed_spheres_have_no_overlaps() {
    use Boundary::{Closed, Open, Periodic};
    let equal = vec![0.5; 600];
    let mixed: Vec<f64> = (0..800).map(|i| if i % 100 == 0 { 0.8 } else { 0.16 }).collect();
    for boundary in [[Periodic; 3], [Periodic, Closed, Open], [Closed; 3]] {
        for (radii, fraction) in [(&equal, 0.5), (&mixed, 0.5)] {
            let volume: f64 = radii.iter().map(|r| 4.0 / 3.0 * std::f64::consts::PI * r * r * r).sum();
            let domain = domain((volume / fraction).cbrt(), boundary);
            let centers = random_packing(&domain, radii, 7).unwrap();
            assert!(overlap(&domain, radii, &centers) <= 0.0);
            assert_eq!(centers, random_packing(&domain, radii, 7).unwrap());
            assert_ne!(centers, random_packing(&domain, radii, 8).unwrap());
        }
    }
}

#[test]
fn one_to_a_hundred_is_packed() {
    let radii: Vec<f64> = (0..4001).map(|i| if i == 2000 { 50.0 } else { 0.5 }).collect();
    for (side, kind) in [(104.0, Boundary::Closed), (201.0, Boundary::Periodic)] {
        let domain = domain(side, [kind; 3]);
        let centers = random_packing(&domain, &radii, 5).unwrap();
        assert!(overlap(&domain, &radii, &centers) <= 0.0);
        // The small spheres are on all sides of the large one.
        let ways: DVec3 =
            centers.iter().map(|&center| domain.separation(centers[2000], center).normalize_or_zero()).sum();
        assert!(ways.length() < 0.2 * 4000.0, "{ways}");
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    let open = domain(4.0, [Boundary::Open; 3]);
    let closed = domain(4.0, [Boundary::Closed; 3]);
    assert!(random_packing(&open, &[], 1).unwrap().is_empty());
    // The spheres fill too much of the box, are too large for it, or are too dense for a random packing.
    for radii in [&[0.5; 150][..], &[2.1], &[0.5; 90]] {
        let error = random_packing(&closed, radii, 1).unwrap_err();
        assert_matches!(error, DemError::Statics(StaticsError::DoesNotFit { bodies, .. }) if bodies == radii.len());
    }
    let periodic = domain(4.0, [Boundary::Periodic; 3]);
    assert_matches!(random_packing(&periodic, &[1.5], 1), Err(DemError::List(ListError::CutoffTooLarge { .. })));
    for radius in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert_matches!(random_packing(&open, &[0.1, radius], 1), Err(DemError::InvalidParameter { .. }));
    }
}

/// A sphere a hundred times as large as the many that it is thrown into, in a box, with friction and rolling resistance.
struct Thrown {
    bodies: Bodies,
    state: State,
    field: ContactForce,
}

impl Thrown {
    fn new() -> Self {
        let radii = [vec![50.0], vec![0.5; 12_000]].concat();
        let size = DVec3::splat(106.0);
        let domain = Domain::new(DVec3::ZERO, size, [Boundary::Closed; 3]).unwrap();
        let mut state = State::at_rest(radii.len()).without_attitudes();
        let mut random = Random::new(7);
        for (i, center) in random_packing(&domain, &radii, 3).unwrap().into_iter().enumerate() {
            state.position_mut().set(i, center);
            let way = if i == 0 { DVec3::new(4.0, -3.0, 5.0) } else { 4.0 * (random.vector() - 0.5) };
            state.velocity_mut().set(i, way);
        }
        let bodies = Bodies::new(radii.iter().map(|r| Body::sphere((2.0 * r).powi(3), *r))).unwrap();
        let hooke = Hooke::new(2e4, Damping::restitution(0.7).unwrap()).unwrap();
        let law = Rolling::new(FrictionSpring::new(6e3, 0.0, 0.4).unwrap(), SpringSlider::new(2e3, 1.0, 0.1).unwrap());
        let field = contacts(NeighborList::new(domain, 0.1).unwrap(), hooke, law);
        let field = field.with_walls(Wall::inside_of_box(DVec3::ZERO, size)).unwrap().with_ledger();
        Self { bodies, state, field }
    }

    fn ledger(&self) -> Ledger {
        Ledger::read(&self.field, &NoForce, &self.bodies, &self.state).unwrap()
    }
}

#[test]
fn one_to_a_hundred_runs_and_its_balance_closes() {
    let start = Thrown::new();
    assert!(start.field.contacts(&start.bodies, &start.state).unwrap().is_empty());
    let before = start.ledger().balance();
    let worst = [1e-4, 5e-5].map(|dt| {
        let mut run = Thrown::new();
        let mut worst = 0.0_f64;
        let mut touched = 0;
        for _ in 0..5 {
            advance(&run.bodies, &mut run.field, &mut run.state, dt, (0.01 / dt).round() as usize);
            worst = worst.max((run.ledger().balance() - before).abs());
            let contacts = run.field.contacts(&run.bodies, &run.state).unwrap();
            touched =
                touched.max(contacts.iter().filter(|contact| contact.b.body().is_some() && contact.a == 0).count());
        }
        assert!(touched >= 20, "{touched}");
        (worst, run.ledger().dissipated)
    });
    let [(coarse, _), (fine, dissipated)] = worst;
    println!("one to a hundred: of {dissipated:.1} J dissipated the balance is off by {coarse:.2e} and {fine:.2e} J");
    assert!(dissipated > 100.0, "{dissipated}");
    assert!(fine < 1e-5 * dissipated && fine < 0.4 * coarse, "{worst:?}");
}
