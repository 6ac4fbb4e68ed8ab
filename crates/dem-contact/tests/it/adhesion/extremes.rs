//! Tests of extreme adhesion (finite forces), of bad input, and of equal bits on all threads and after restarts.

use dem_contact::law::{Dmt, PairLaw as _};
use proptest::prelude::*;

use super::hertz;
use crate::prelude::*;

/// Makes damped grains with friction and resistance to rolling.
fn bed(law: impl ContactLaw + 'static, count: usize) -> (Bodies, State, ContactForce) {
    let spring = MindlinSpring::new(2e4, 3.0, 0.4).unwrap();
    grains(Laws::of(law, Rolling::new(spring, SpringSlider::new(1e3, 1.0, 0.1).unwrap())), count, 0.08)
}

fn damped_jkr(adhesion: f64) -> Jkr {
    Jkr::new(hertz(Damping::restitution(0.6).unwrap()), adhesion).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Two grains at any overlap, also at overlaps beyond physical ones, with any work of adhesion.
    #[test]
    fn no_adhesion_gives_what_is_no_number(
        exponent in -300.0_f64..12.0,
        depth in -1.5_f64..1.5,
        is_stretched in any::<bool>(),
        [x, y, z, spin] in [-10.0_f64..10.0, -10.0_f64..10.0, -10.0_f64..10.0, -10.0_f64..10.0],
        friction in 0.0_f64..3.0,
        restitution in 0.01_f64..1.0,
        by_coefficient in any::<bool>(),
    ) {
        let adhesion = 10.0_f64.powf(exponent);
        let elastic = hertz(Damping::restitution(restitution).unwrap());
        let spring = MindlinSpring::new(2e4, 3.0, friction).unwrap();
        let rolling = if by_coefficient {
            SpringSlider::coefficient(friction).unwrap()
        } else {
            SpringSlider::new(1e3, 1.0, friction).unwrap()
        };
        let tangential = Rolling::new(spring, rolling).with_twisting(rolling);
        let jkr = Jkr::new(elastic, adhesion).unwrap();
        let dmt = Dmt::new(elastic, adhesion).unwrap();
        for laws in [Laws::of(jkr, tangential), Laws::of(dmt, tangential)] {
            let list = NeighborList::new(Domain::OPEN, 0.05).unwrap();
            let mut field = ContactForce::new(list, laws.clone()).with_ledger();
            let bodies = Bodies::new([Body::sphere(1.0, 0.5), Body::sphere(3.0, 0.8)]).unwrap();
            let mut state = State::at_rest(2);
            // The spheres touch first. The gap is then a share of the range, or the overlap a share of the radius.
            let range = laws.traits().normal.range(0.4 / 1.3).min(1.0);
            let overlap = if is_stretched { (depth * range).min(0.4) } else { depth.abs().min(0.8) * 0.5 };
            for (k, overlap) in [1e-9, overlap, 0.9 * overlap].into_iter().enumerate() {
                state.position_mut().set(1, DVec3::X * (1.3 - overlap));
                state.velocity_mut().set(1, DVec3::new(x, y, z));
                state.set_spin(&bodies, 0, DVec3::new(spin, -spin, 0.5 * spin));
                let out = wrenches_after(&bodies, &mut field, &state, 1e-4 * k as f64);
                field.commit();
                prop_assert!(out.force.iter().chain(out.torque.iter()).all(|v| v.is_finite()), "{laws:?} {overlap}");
                let ledger = energies(&bodies, &field, &state);
                prop_assert!(ledger.balance().is_finite() && ledger.dissipated.is_finite(), "{ledger:?}");
            }
        }
    }
}

#[test]
fn threads_do_not_show() {
    same_on_threads(&[3], || {
        let (bodies, mut state, mut field) = bed(damped_jkr(1.0), 4000);
        advance(&bodies, &mut field, &mut state, 2e-3, 15);
        assert!(field.list().builds() > 1);
        (bits(&state), energies(&bodies, &field, &state))
    });
}

#[cfg(feature = "serde")]
#[test]
fn a_restart_goes_on_with_the_same_bits() {
    let (bodies, mut state, mut field) = bed(damped_jkr(1.0), 300);
    advance(&bodies, &mut field, &mut state, 2e-3, 20);
    // Some contacts have formed and are stretched: they attract only if the law remembers that they formed.
    assert!(field.contacts(&bodies, &state).unwrap().iter().any(|contact| contact.overlap < 0.0));
    assert_goes_on(&bodies, &mut field, &mut state, 2e-3, 20);
}

#[test]
fn what_has_no_meaning_is_refused() {
    for adhesion in [-1.0, f64::NAN, f64::INFINITY] {
        for refused in [Jkr::new(hertz(Damping::NONE), adhesion).err(), Dmt::new(hertz(Damping::NONE), adhesion).err()]
        {
            let refused = refused.unwrap();
            assert_matches!(refused, DemError::InvalidParameter { parameter: "the work of adhesion", .. });
        }
    }
    let capped = Hertz::new(1e4, Damping::restitution_capped(0.5).unwrap()).unwrap();
    assert_matches!(Jkr::new(capped, 1.0), Err(DemError::Law(LawError::CappedAdhesion)));
    assert_matches!(Dmt::new(hertz(Damping::NONE).capped(), 1.0), Err(DemError::Law(LawError::CappedAdhesion)));
    assert!(SpringSlider::coefficient(-0.1).is_err());
    // The range exceeds any box.
    let (bodies, state, mut far) = bed(damped_jkr(1e12), 8);
    let refused = far.accumulate(&bodies, &state, 0.0, &mut Wrenches::zeros(bodies.len())).unwrap_err();
    assert_matches!(refused.downcast_ref(), Some(DemError::List(ListError::CutoffTooLarge { .. })), "{refused}");
    // Implicit steps do not keep the memory of contacts.
    let refused = ImplicitDem::new(bed(damped_jkr(0.0), 8).2, 1e-3).unwrap_err();
    assert_matches!(refused, DemError::Law(LawError::ExplicitOnly));
}
