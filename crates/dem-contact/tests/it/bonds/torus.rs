//! Tests of the torus of `[BG21]` section 4.1: energies of the reference and conservation.

use crate::bonds::problems::unit_grains;
use crate::bonds::reference::larger;
use crate::prelude::*;

/// Energies by term at a few times agree with an independent program in f64.
#[test]
fn energies_are_those_of_the_reference() {
    for (name, diameter) in [("Dt=3", 3.0), ("Dp=1", unit_grains())] {
        let mut torus = Torus::new(diameter, ShearForm::Printed, Map::Rodrigues25);
        let mut time = 0.0;
        for row in reference("energies").at(name).rows() {
            let [until, expected @ ..] = row.numbers::<10>();
            torus.run(Map::Rodrigues25, 1e-3, ((until - time) * 1e3_f64).round() as usize, |_| ());
            time = until;
            let ledger = torus.ledger();
            let bonds = ledger.bonds;
            let found = [
                ledger.kinetic.translation,
                ledger.kinetic.rotation,
                bonds.bending,
                bonds.stretching,
                bonds.shearing,
                bonds.contact,
                ledger.walls[0],
                ledger.mechanical(),
                ledger.linear_momentum.x,
            ];
            // With D_t = 3 a difference of 1e-15 grows by e^5.4 per unit time.
            if name == "Dt=3" && until > 2.0 {
                assert!((ledger.linear_momentum.x - 40.9457).abs() < 5e-5, "{}", ledger.linear_momentum.x);
                continue;
            }
            for (k, (found, expected)) in found.into_iter().zip(expected).enumerate() {
                assert!((found - expected).abs() <= 1e-6, "{name}, t = {until}, term {k}: {found}, not {expected}");
            }
        }
    }
}

#[test]
fn momenta_balance_with_the_impulse_on_the_wall_at_every_step() {
    for form in [ShearForm::Printed, ShearForm::Decoupled, ShearForm::Monotone] {
        for map in [Map::Rodrigues23, Map::Rodrigues25, Map::Rodrigues27] {
            let mut torus = Torus::new(3.0, form, map);
            let start = torus.ledger();
            let mut contact = false;
            let mut worst = [0.0_f64; 3];
            for _ in 0..400 {
                torus.run(map, 1e-3, 10, |_| ());
                let now = torus.ledger();
                contact |= torus.field.1.force().x < 0.0;
                let errors = [
                    now.linear_balance() - start.linear_balance(),
                    now.angular_balance() - start.angular_balance(),
                    now.spin_momentum - start.spin_momentum,
                ];
                for (worst, error) in worst.iter_mut().zip(errors) {
                    *worst = error.abs().to_array().into_iter().fold(*worst, larger);
                }
            }
            assert!(contact, "the wall is hit");
            let [linear, angular, spin] = worst;
            let kept = if form == ShearForm::Printed { spin } else { angular };
            // This symmetric impact keeps the other momenta, whose loss the free ring below tests.
            assert!(linear <= 1e-12 && kept <= 1e-12, "{form:?} {map:?}: {worst:?}");
        }
    }
}

/// A free ring that spins and tumbles: A and B keep its angular momentum, the printed form does not.
#[test]
fn a_free_ring_keeps_its_angular_momentum_with_objective_bonds_only() {
    let drift = |form| {
        let mut torus = Torus::new(3.0, form, Map::Rodrigues25);
        for k in 0..torus.state.len() {
            let x = torus.state.position().get(k);
            let velocity = DVec3::new(0.02, -0.03, 0.04).cross(x) + DVec3::Z * 0.1 * (x.x * x.y);
            torus.state.velocity_mut().set(k, velocity);
            torus.state.position_mut().add(k, DVec3::X * 100.0);
            torus.state.angular_momentum_mut().set(k, DVec3::new(0.01, 0.05, 0.03) * x.y);
        }
        let start = torus.ledger();
        let mut worst = 0.0_f64;
        for _ in 0..100 {
            torus.run(Map::Rodrigues25, 1e-3, 20, |_| ());
            // Momentum is taken about the centre of mass: about the distant origin rounding of the arm would dominate.
            let now = torus.ledger();
            let arm = DVec3::X * 100.0;
            let about = |row: &dem_contact::bond::BondLedger| row.angular_momentum - arm.cross(row.linear_momentum);
            worst = larger(worst, (about(&now) - about(&start)).length());
        }
        worst
    };
    assert!(drift(ShearForm::Decoupled) < 1e-12, "{:e}", drift(ShearForm::Decoupled));
    assert!(drift(ShearForm::Monotone) < 1e-12, "{:e}", drift(ShearForm::Monotone));
    assert!(drift(ShearForm::Printed) > 1e-2, "{:e}", drift(ShearForm::Printed));
}
