//! Penalty forces between spheres and planks.

use rrp_geom::glam::DVec3;
use rrp_integrate::{Bodies, FieldError, ForceField, IntegrateError, Potential, State, Wrenches};

use crate::cuboid::contact::meet;
use crate::cuboid::shape::Cuboid;
use crate::error::DemError;
use crate::error::contact::ContactError;
use crate::force::contact_model::{ContactState, contact_forces};
use crate::law::contact::Contact;
use crate::law::contact_law::ContactLaw;
use crate::law::tangential::memoryless::Frictionless;
use crate::neighbor::domain::Domain;

/// Forces between spheres and planks by a normal law, damping included, without friction: a field of its own.
///
/// The law sees the radius of the sphere, as at a wall, and the reduced mass of the two bodies. As a [`Potential`] it is the
/// elastic energy. Planks that some spheres touch by another law are two fields, each with [its spheres](Self::touching).
/// Each plank looks at all spheres: meant for a few planks. The integrator has to turn bodies of any shape.
#[derive(Debug, Clone)]
pub struct CuboidForce<L> {
    domain: Domain,
    planks: Box<[Cuboid]>,
    law: L,
    spheres: Option<Box<[usize]>>,
}

impl<L: ContactLaw> CuboidForce<L> {
    /// Contacts of all spheres with these planks.
    ///
    /// # Errors
    /// [`StepError::InvalidPlank`](crate::error::StepError::InvalidPlank).
    pub fn new(domain: Domain, planks: impl IntoIterator<Item = Cuboid>, law: L) -> Result<Self, DemError> {
        let planks: Box<[Cuboid]> = planks.into_iter().collect();
        Cuboid::check_shapes(&planks)?;
        Ok(Self { domain, planks, law, spheres: None })
    }

    /// The same for contacts with these spheres alone.
    #[must_use]
    pub fn touching(self, spheres: impl IntoIterator<Item = usize>) -> Self {
        let mut spheres: Vec<usize> = spheres.into_iter().collect();
        spheres.sort_unstable();
        spheres.dedup();
        Self { spheres: Some(spheres.into()), ..self }
    }

    /// The planks.
    #[must_use]
    pub fn planks(&self) -> &[Cuboid] {
        &self.planks
    }

    /// All touching contacts at `state`, a the plank's body and b the sphere, sorted.
    ///
    /// # Errors
    /// [`StepError::InvalidPlank`](crate::error::StepError::InvalidPlank), [`CutoffTooLarge`](ListError::CutoffTooLarge),
    /// [`OverlapTooLarge`](ContactError::OverlapTooLarge), and [`IntegrateError::LengthMismatch`] or
    /// [`NoAttitudes`](IntegrateError::NoAttitudes) inside [`DemError::Integrate`].
    pub fn contacts(&self, bodies: &Bodies, state: &State) -> Result<Vec<Contact>, DemError> {
        let mut contacts = Vec::new();
        self.each(bodies, state, &mut |plank, sphere, arm, touch| {
            let push = contact_forces(&self.law, &Frictionless, self.law.is_capped(), &touch, &mut ());
            let ContactState { normal, overlap, radius, velocity, .. } = touch;
            contacts.push(Contact {
                a: plank,
                b: sphere,
                with_wall: false,
                normal,
                point: state.position().get(plank) + arm - 0.5 * overlap * normal,
                overlap,
                normal_force: push.normal,
                tangential_force: DVec3::ZERO,
                couple: DVec3::ZERO,
                elastic_energy: self.law.energy(overlap, radius),
                tangential_energy: 0.0,
                friction_work: None,
                dissipated_power: -push.dissipative(normal).dot(velocity),
            });
        })?;
        contacts.sort_by_key(|contact| (contact.a, contact.b));
        Ok(contacts)
    }

    /// Shows plank, sphere, the arm of the plank and the state of each touching contact.
    fn each(
        &self,
        bodies: &Bodies,
        state: &State,
        show: &mut dyn FnMut(usize, usize, DVec3, ContactState),
    ) -> Result<(), DemError> {
        let largest = bodies.radius().iter().fold(0.0_f64, |most, radius| most.max(*radius));
        Cuboid::check_all(&self.planks, bodies, &self.domain, largest)?;
        state.check_columns(bodies)?;
        let expected = bodies.len();
        if !state.has_attitudes() {
            return Err(IntegrateError::NoAttitudes.into());
        }
        let inverse_mass = |i: usize| bodies.inverse_mass()[i];
        for plank in &self.planks {
            let mut look = |sphere: usize| {
                let mass = (inverse_mass(plank.body) + inverse_mass(sphere)).recip();
                let Some(meeting) = meet(&self.domain, plank, sphere, bodies, state, 0.0) else { return Ok(()) };
                if meeting.gap >= 0.0 || !mass.is_finite() {
                    return Ok(());
                }
                let (overlap, radius, normal) = (-meeting.gap, bodies.radius()[sphere], meeting.normal);
                if overlap >= radius {
                    return Err(DemError::Contact(ContactError::OverlapTooLarge {
                        bodies: [plank.body, sphere],
                        overlap,
                        radius,
                    }));
                }
                let point_velocity =
                    state.velocity().get(plank.body) + state.spin(bodies, plank.body).cross(meeting.arm);
                let velocity = state.velocity().get(sphere) - point_velocity;
                let (spin, turning, elapsed) = (DVec3::ZERO, DVec3::ZERO, 0.0);
                let touch =
                    ContactState { normal, overlap, radius, mass, velocity, spin, turning, elapsed, share: 1.0 };
                show(plank.body, sphere, meeting.arm, touch);
                Ok(())
            };
            match &self.spheres {
                None => (0..expected).try_for_each(&mut look)?,
                Some(spheres) => spheres.iter().copied().take_while(|&i| i < expected).try_for_each(&mut look)?,
            }
        }
        Ok(())
    }
}

impl<L: ContactLaw> ForceField for CuboidForce<L> {
    fn accumulate(&mut self, bodies: &Bodies, state: &State, _: f64, out: &mut Wrenches) -> Result<(), FieldError> {
        let (law, capped) = (&self.law, self.law.is_capped());
        out.check_length(bodies.len()).map_err(DemError::from)?;
        self.each(bodies, state, &mut |plank, sphere, arm, touch| {
            let force = touch.normal * contact_forces(law, &Frictionless, capped, &touch, &mut ()).normal;
            out.force.add(sphere, force);
            out.force.add(plank, -force);
            out.torque.add(plank, -arm.cross(force));
        })?;
        Ok(())
    }
}

impl<L: ContactLaw> Potential for CuboidForce<L> {
    /// NaN where [`CuboidForce::contacts`] fails.
    fn energy(&self, bodies: &Bodies, state: &State) -> f64 {
        let mut sum = 0.0;
        let outcome =
            self.each(bodies, state, &mut |_, _, _, touch| sum += self.law.energy(touch.overlap, touch.radius));
        if outcome.is_ok() { sum } else { f64::NAN }
    }
}
