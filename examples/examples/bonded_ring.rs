//! A ring of bonded spheres hits a wall, and bonds break under too large forces; ParaView opens the result.
//!
//! `cargo run --release --example bonded_ring`, then open `bonded-ring/ring.pvd` in the printed folder.
#![expect(clippy::print_stdout, reason = "an example prints its result")]

use dem_contact::bond::{Bond, BondLaw, BondLedger, Bonds, ElasticWall, Strength};
use dem_contact::io::PvdSeries;
use rrp_geom::glam::DVec3;
use rrp_integrate::Both;
use rrp_integrate::{Bodies, Body, Explicit, Integrator, Map, NoForce, State};

const GRAINS: usize = 80;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Unit spheres that touch their neighbours and move towards the wall x = 0.
    let radius = 0.5 / (std::f64::consts::PI / GRAINS as f64).sin();
    let bodies = Bodies::new([Body { radius: 0.5, ..Body::spherical(1.0, 1.0) }; GRAINS])?;
    let mut state = State::at_rest(GRAINS);
    for k in 0..GRAINS {
        let angle = std::f64::consts::TAU * k as f64 / GRAINS as f64;
        state.position_mut().set(k, DVec3::new(radius * (1.0 + angle.cos()) + 0.6, radius * angle.sin(), 0.0));
        state.velocity_mut().set(k, DVec3::new(-1.5, 0.0, 0.0));
    }
    let law = BondLaw {
        bending: 10.0,
        stretching: 200.0,
        shearing: 200.0,
        contact: 2100.0,
        strength: Strength::of_force(20.0),
    };
    let bonds = Bonds::new(&bodies, &state, (0..GRAINS).map(|k| Bond::new(k, (k + 1) % GRAINS, law)))?;
    let mut field = Both(bonds, ElasticWall::new(DVec3::ZERO, DVec3::X, 2100.0)?);

    let mut series = PvdSeries::create(std::env::temp_dir().join("bonded-ring"), "ring")?;
    let mut map = Explicit::new(Map::Rodrigues25, 2e-3)?;
    let start = BondLedger::read(&bodies, &state, &field.0, &[&field.1], &NoForce);
    println!(
        "{:>6}{:>10}{:>10}{:>10}{:>8}{:>14}{:>14}{:>14}",
        "time", "kinetic", "bonds", "released", "broken", "E/E0 - 1", "|dP|", "|dL|"
    );
    for step in 0..=12_500 {
        if step % 1250 == 0 {
            series.push(&bodies, &state, Some(&field.0))?;
            let now = BondLedger::read(&bodies, &state, &field.0, &[&field.1], &NoForce);
            println!(
                "{:6.1}{:10.3}{:10.3}{:10.3}{:8}{:14.1e}{:14.1e}{:14.1e}",
                now.time,
                now.kinetic.total(),
                now.bonds.total(),
                now.released,
                field.0.ruptures().len(),
                now.balance() / start.balance() - 1.0,
                (now.linear_balance() - start.linear_balance()).length(),
                (now.angular_balance() - start.angular_balance()).length(),
            );
        }
        map.step(&bodies, &mut field, &mut state)?;
    }
    println!("{}", series.path().display());
    Ok(())
}
