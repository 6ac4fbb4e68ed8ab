//! A user-defined contact law: spheres with a soft shell around a hard core move in a box. Prints energies, the number
//! of contacts and the forces on the walls.
//!
//! `cargo run --release --example dem_own_law`

#![allow(clippy::print_stdout, reason = "an example shows what it finds")]

use dem_contact::error::ContactError;
use dem_contact::error::DemError;
use dem_contact::force::{ContactForce, EnergyGuard, Ledger};
use dem_contact::law::{ContactLaw, CoulombViscous, Laws};
use dem_contact::neighbor::{Domain, NeighborList};
use dem_contact::wall::Wall;
use rrp_geom::glam::DVec3;
use rrp_integrate::{Bodies, Body, Explicit, IntegrateError, Map, NoForce, State, run};

/// Contact law F = k δ + c δ³, which stiffens with the overlap δ.
struct Shell {
    stiffness: f64,
    hardening: f64,
    damping: f64,
}

impl ContactLaw for Shell {
    fn energy(&self, overlap: f64, _radius: f64) -> f64 {
        0.5 * self.stiffness * overlap.powi(2) + 0.25 * self.hardening * overlap.powi(4)
    }

    fn force(&self, overlap: f64, _radius: f64) -> f64 {
        self.stiffness * overlap + self.hardening * overlap.powi(3)
    }

    fn stiffness(&self, overlap: f64, _radius: f64) -> f64 {
        self.stiffness + 3.0 * self.hardening * overlap.powi(2)
    }

    fn damping(&self, _overlap: f64, _radius: f64, mass: f64) -> f64 {
        self.damping * mass
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let side = 4;
    let bodies = Bodies::new((0..side * side * side).map(|_| Body::sphere(1.0, 0.5)))?;
    let mut state = State::at_rest(bodies.len());
    for i in 0..bodies.len() {
        let cell = DVec3::from_array([i % side, i / side % side, i / side / side].map(|k| k as f64));
        state.position_mut().set(i, 1.1 * (cell + 0.5));
        state.velocity_mut().set(i, 2.0 * DVec3::new((i as f64).sin(), (3.0 * i as f64).sin(), (7.0 * i as f64).sin()));
    }
    let law = Shell { stiffness: 1e4, hardening: 1e8, damping: 5.0 };
    let list = NeighborList::new(Domain::OPEN, 0.1)?;
    let contacts = ContactForce::new(list, Laws::of(law, CoulombViscous::new(20.0, 0.3)?))
        .with_walls(Wall::inside_of_box(DVec3::ZERO, DVec3::splat(1.1 * side as f64)))?
        .with_ledger();
    let dt = contacts.recommended_dt(&bodies, 4.0)?;
    let start = Ledger::read(&contacts, &NoForce, &bodies, &state)?;
    let mut field = EnergyGuard::new(contacts, 0.5, 100)?;
    let outcome = run(&mut Explicit::new(Map::Rodrigues25, dt)?, &bodies, &mut field, &mut state, 5000, |_| ());
    // The error of a field is boxed inside the error of the step.
    if let Err(IntegrateError::Field(error)) = &outcome
        && let Some(DemError::Contact(ContactError::EnergyExploded { time, .. })) = error.downcast_ref()
    {
        println!("the time step is too long: energy exploded at {time}");
    }
    outcome?;
    let contacts = field.field();
    let end = Ledger::read(contacts, &NoForce, &bodies, &state)?;
    println!("time step {dt:.2e} s, {} neighbour lists made", contacts.list().builds());
    println!("energy {:.4} J -> {:.4} J, dissipated {:.4} J", start.mechanical(), end.mechanical(), end.dissipated);
    println!("the energy balance has changed by {:.1e} J", end.balance() - start.balance());
    println!("{} contacts", contacts.contacts(&bodies, &state)?.len());
    for (w, load) in contacts.wall_loads().iter().enumerate() {
        println!("wall {w}: force {:.3} N from {} spheres", load.force, load.contacts);
    }
    Ok(())
}
