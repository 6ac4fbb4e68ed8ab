use rrp_geom::glam::DVec3;
use rrp_integrate::{Bodies, FieldError, ForceField, IntegrateError, Potential, State, Wrenches};

use crate::cuboid::contact::sphere_contact;
use crate::cuboid::shape::Cuboid;
use crate::error::DemError;
use crate::error::contact::ContactError;
use crate::force::contact_model::{ContactState, contact_forces};
use crate::law::contact::{Contact, Partner, PowerByMotion};
use crate::law::contact_law::ContactLaw;
use crate::law::laws::Laws;
use crate::law::pair_law::{LawTraits, PairLaw as _};
use crate::law::tangential::memoryless::Frictionless;
use crate::neighbor::domain::Domain;

/// Force field of normal forces between spheres and cuboids, with damping and without friction.
///
/// The law uses the radius of the sphere, as at a wall, and the reduced mass of the two bodies. The [`Potential`] is
/// the elastic energy. For spheres of two materials, use two fields with [separate spheres](Self::touching). Each
/// cuboid checks all spheres, so the field suits a few cuboids. The integrator has to rotate bodies of any inertia.
#[derive(Debug, Clone)]
pub struct CuboidForce {
    domain: Domain,
    cuboids: Box<[Cuboid]>,
    laws: LawTraits,
    spheres: Option<Box<[usize]>>,
}

impl CuboidForce {
    /// Makes the field of contacts between all spheres and these cuboids by a normal law.
    ///
    /// # Errors
    /// [`StepError::InvalidCuboid`](crate::error::StepError::InvalidCuboid).
    pub fn new(
        domain: Domain,
        cuboids: impl IntoIterator<Item = Cuboid>,
        law: impl ContactLaw + 'static,
    ) -> Result<Self, DemError> {
        let cuboids: Box<[Cuboid]> = cuboids.into_iter().collect();
        Cuboid::check_shapes(&cuboids)?;
        let laws = Laws::of(law, Frictionless).traits().clone();
        Ok(Self { domain, cuboids, laws, spheres: None })
    }

    /// Restricts the contacts to the spheres of these numbers.
    #[must_use]
    pub fn touching(self, spheres: impl IntoIterator<Item = usize>) -> Self {
        let mut spheres: Vec<usize> = spheres.into_iter().collect();
        spheres.sort_unstable();
        spheres.dedup();
        Self { spheres: Some(spheres.into()), ..self }
    }

    /// Returns the cuboids that spheres touch.
    #[must_use]
    pub fn cuboids(&self) -> &[Cuboid] {
        &self.cuboids
    }

    /// Returns all touching contacts at `state`, sorted by `a`, the body of the cuboid, then by `b`, the sphere.
    ///
    /// # Errors
    /// [`StepError::InvalidCuboid`](crate::error::StepError::InvalidCuboid),
    /// [`CutoffTooLarge`](crate::error::ListError::CutoffTooLarge),
    /// [`OverlapTooLarge`](ContactError::OverlapTooLarge), and
    /// [`IntegrateError::LengthMismatch`] or [`NoAttitudes`](IntegrateError::NoAttitudes) inside
    /// [`DemError::Integrate`].
    pub fn contacts(&self, bodies: &Bodies, state: &State) -> Result<Vec<Contact>, DemError> {
        let mut contacts = Vec::new();
        self.each_contact(bodies, state, &mut |TouchingSphere { cuboid, sphere, arm, state: contact }| {
            let forces = contact_forces(&self.laws, &contact, &mut []);
            let ContactState { normal, overlap, radius, velocity, .. } = contact;
            contacts.push(Contact {
                a: cuboid,
                b: Partner::Body(sphere),
                normal,
                point: state.position().get(cuboid) + arm - 0.5 * overlap * normal,
                overlap,
                normal_force: forces.normal,
                tangential_force: DVec3::ZERO,
                couple: DVec3::ZERO,
                elastic_energy: self.laws.normal.energy(overlap, radius),
                tangential_energy: 0.0,
                dissipated_power: -forces.dissipative(normal).dot(velocity),
                power_by_motion: PowerByMotion {
                    normal: -forces.dissipative(normal).dot(velocity),
                    ..PowerByMotion::default()
                },
            });
        })?;
        contacts.sort_by_key(|contact| (contact.a, contact.b));
        Ok(contacts)
    }

    fn each_contact(
        &self,
        bodies: &Bodies,
        state: &State,
        visit: &mut dyn FnMut(TouchingSphere),
    ) -> Result<(), DemError> {
        let largest = bodies.radius().iter().fold(0.0_f64, |most, radius| most.max(*radius));
        Cuboid::check_all(&self.cuboids, bodies, &self.domain, largest)?;
        state.check_columns(bodies)?;
        let len = bodies.len();
        if !state.has_attitudes() {
            return Err(IntegrateError::NoAttitudes.into());
        }
        for cuboid in &self.cuboids {
            let mut check = |sphere: usize| {
                self.touching_sphere(bodies, state, cuboid, sphere).map(|found| found.into_iter().for_each(&mut *visit))
            };
            match &self.spheres {
                None => (0..len).try_for_each(&mut check)?,
                Some(spheres) => spheres.iter().copied().take_while(|&i| i < len).try_for_each(&mut check)?,
            }
        }
        Ok(())
    }

    /// Returns the contact of a cuboid with a sphere if they touch and at least one of them is free.
    fn touching_sphere(
        &self,
        bodies: &Bodies,
        state: &State,
        cuboid: &Cuboid,
        sphere: usize,
    ) -> Result<Option<TouchingSphere>, DemError> {
        let mass = (bodies.inverse_mass()[cuboid.body] + bodies.inverse_mass()[sphere]).recip();
        let Some(contact) = sphere_contact(&self.domain, cuboid, sphere, bodies, state, 0.0) else { return Ok(None) };
        if contact.gap >= 0.0 || !mass.is_finite() {
            return Ok(None);
        }
        let overlap = -contact.gap;
        let radius = bodies.radius()[sphere];
        let normal = contact.normal;
        if overlap >= radius {
            let bodies = [cuboid.body, sphere];
            return Err(DemError::Contact(ContactError::OverlapTooLarge { bodies, overlap, radius }));
        }
        let point_velocity = state.velocity().get(cuboid.body) + state.spin(bodies, cuboid.body).cross(contact.arm);
        let velocity = state.velocity().get(sphere) - point_velocity;
        let spin = DVec3::ZERO;
        let turning = DVec3::ZERO;
        let elapsed = 0.0;
        let state = ContactState { normal, overlap, radius, mass, velocity, spin, turning, elapsed, share: 1.0 };
        Ok(Some(TouchingSphere { cuboid: cuboid.body, sphere, arm: contact.arm, state }))
    }
}

struct TouchingSphere {
    cuboid: usize,
    sphere: usize,
    /// Vector from the centre of the cuboid to the contact, in m, world frame.
    arm: DVec3,
    state: ContactState,
}

impl ForceField for CuboidForce {
    fn accumulate(&mut self, bodies: &Bodies, state: &State, _: f64, out: &mut Wrenches) -> Result<(), FieldError> {
        out.check_length(bodies.len()).map_err(DemError::from)?;
        self.each_contact(bodies, state, &mut |TouchingSphere { cuboid, sphere, arm, state: contact }| {
            let force = contact.normal * contact_forces(&self.laws, &contact, &mut []).normal;
            out.force.add(sphere, force);
            out.force.add(cuboid, -force);
            out.torque.add(cuboid, -arm.cross(force));
        })?;
        Ok(())
    }
}

impl Potential for CuboidForce {
    /// Returns the elastic energy of all contacts at `state` in J; NaN where [`CuboidForce::contacts`] fails.
    fn energy(&self, bodies: &Bodies, state: &State) -> f64 {
        let mut energy = 0.0;
        let law = &*self.laws.normal;
        let mut add = |contact: TouchingSphere| energy += law.energy(contact.state.overlap, contact.state.radius);
        if self.each_contact(bodies, state, &mut add).is_ok() { energy } else { f64::NAN }
    }
}
