//! The state of a run in numbers: energies, momenta, contacts, loads on walls.

use dem_contact::bridge::Moisture;
use dem_contact::contact_dynamics::RigidContact;
use dem_contact::law::{Contact, Partner, PowerByMotion};
use dem_contact::wall::WallLoad;
use rrp_geom::glam::DVec3;
use rrp_integrate::body::KineticEnergy;
use rrp_integrate::{Bodies, State, angular_momentum, kinetic_energy, linear_momentum};
use serde::{Deserialize, Serialize};

/// Energies of a run in J besides the kinetic energy; none if an integrator does not record them.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Energies {
    /// Elastic energy in J of contacts, ties and elastic walls.
    pub elastic: f64,
    /// Potential energy of gravity in J.
    pub external: f64,
    /// Potential energy of gravity in J half a step back, minus the present one: contact dynamics needs this term,
    /// since its positions are half a step ahead of its velocities.
    pub staggered: f64,
    /// Elastic energy in J stored in bonds.
    pub bonds: f64,
    /// Energy in J that broken bonds have released so far.
    pub released: f64,
    /// Work in J extracted by jumps of bond forces at ruptures so far.
    pub jump_work: f64,
    /// Energy in J dissipated so far by damping and tangential forces, and by contacts that stick or yield.
    pub dissipated: Option<f64>,
    /// Surface energy of liquid bridges in J, negative.
    pub capillary: f64,
    /// Energy in J lost at formation and rupture of liquid bridges so far.
    pub capillary_loss: f64,
    /// Energy in J dissipated by global damping so far.
    pub damped: f64,
    /// Largest drop in J of the dissipated energy below an earlier value: energy that contacts have created.
    pub gained: Option<f64>,
    /// Work in J that moving walls have done on bodies so far.
    pub wall_work: Option<f64>,
    /// Work in J that the deforming box has done on bodies so far.
    pub box_work: f64,
    /// Mechanical energy in J that came with new bodies, walls and changes of gravity, minus that of removed bodies.
    pub supplied: f64,
}

/// Work of contacts and walls since the start of a run in J, for engines whose library keeps no ledger.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub(crate) struct Work {
    /// Energy in J dissipated by contacts.
    pub(crate) dissipated: f64,
    /// Work in J done by walls on bodies.
    pub(crate) by_walls: f64,
    /// Energy in J added by moving overlapping rigid bodies apart.
    pub(crate) supplied: f64,
}

impl Work {
    pub(crate) fn added_to(self, energies: Energies) -> Energies {
        let Self { dissipated, by_walls, supplied } = self;
        Energies { dissipated: Some(dissipated), wall_work: Some(by_walls), supplied, ..energies }
    }
}

/// Volumes of liquid in m³: on bodies, in bridges, and removed.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Liquid {
    /// Number of liquid bridges.
    pub bridges: usize,
    /// Volume of liquid on all bodies in m³.
    pub on_bodies: f64,
    /// Volume of liquid in all bridges in m³.
    pub in_bridges: f64,
    /// Volume of liquid in m³ that has left the run with removed bodies.
    pub removed: f64,
}

impl Liquid {
    pub(crate) fn of(moisture: &Moisture) -> Self {
        Self {
            bridges: moisture.bridges.len(),
            on_bodies: moisture.on_all_bodies(),
            in_bridges: moisture.in_bridges(),
            removed: moisture.removed,
        }
    }
}

/// A touching contact of elastic or rigid bodies.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactRow {
    /// Number of the contact's first partner, body a.
    pub a: usize,
    /// Second partner of the contact, b: a body or a wall.
    pub b: Partner,
    /// Contact point in m; see [`Contact::point`] and [`RigidContact::point`].
    pub point: DVec3,
    /// Gap of the contact in m, negative for an overlap.
    pub gap: f64,
    /// Unit normal of the contact, from a to b.
    pub normal: DVec3,
    /// Normal force of the contact in N, positive for repulsion.
    pub normal_force: f64,
    /// Tangential force of the contact on its partner b, in N.
    pub tangential_force: DVec3,
    /// Elastic energy of the contact in J, with that of friction springs.
    pub elastic_energy: f64,
    /// Power dissipated by the contact in W.
    pub dissipated_power: f64,
    /// Power in W that the contact extracts from the motion of its bodies, by kind of motion.
    pub power_by_motion: PowerByMotion,
}

impl From<&Contact> for ContactRow {
    fn from(contact: &Contact) -> Self {
        Self {
            a: contact.a,
            b: contact.b,
            point: contact.point,
            gap: -contact.overlap,
            normal: contact.normal,
            normal_force: contact.normal_force,
            tangential_force: contact.tangential_force,
            elastic_energy: contact.elastic_energy + contact.tangential_energy,
            dissipated_power: contact.dissipated_power,
            power_by_motion: contact.power_by_motion,
        }
    }
}

impl From<&RigidContact> for ContactRow {
    fn from(contact: &RigidContact) -> Self {
        Self {
            a: contact.a,
            b: if contact.with_wall { Partner::Wall(contact.b) } else { Partner::Body(contact.b) },
            point: contact.point,
            gap: contact.gap,
            normal: contact.normal,
            normal_force: contact.best_force(),
            tangential_force: contact.tangential_force,
            elastic_energy: 0.0,
            dissipated_power: contact.power_by_motion.total(),
            power_by_motion: contact.power_by_motion,
        }
    }
}

/// The contact with the largest overlap relative to the smaller radius of its bodies.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DeepestContact {
    /// Overlap of the deepest contact, relative to the smaller radius.
    pub overlap: f64,
    /// Number of the contact's first partner, body a.
    pub a: usize,
    /// Second partner of the contact, b: a body or a wall.
    pub b: Partner,
}

impl DeepestContact {
    /// Finds the contact with the largest overlap relative to the smaller radius, if any.
    fn of(bodies: &Bodies, contacts: &[ContactRow]) -> Option<Self> {
        let radius = |body: usize| Some(bodies.radius()[body]).filter(|&radius| radius > 0.0);
        let overlapping = contacts.iter().filter(|row| row.gap < 0.0);
        let depths = overlapping.filter_map(|&ContactRow { a, b, gap, .. }| {
            let other = b.body().and_then(radius).unwrap_or(f64::INFINITY);
            Some(Self { overlap: -gap / radius(a)?.min(other), a, b })
        });
        depths.max_by(|one, other| one.overlap.total_cmp(&other.overlap))
    }
}

/// A reading: the state of a run in numbers.
#[derive(Debug, Clone, PartialEq)]
pub struct Reading {
    /// Simulated time of the state in s.
    pub time: f64,
    /// Kinetic energy of all bodies in J.
    pub kinetic: KineticEnergy,
    /// Energies in J besides the kinetic energy.
    pub energies: Energies,
    /// Linear momentum of all bodies, Σ m v, in kg m/s.
    pub linear_momentum: DVec3,
    /// Angular momentum of all bodies about the origin, Σ x × m v + L, in kg m²/s.
    pub angular_momentum: DVec3,
    /// Mean kinetic energy of a free body in J, `[DK21] (35)`.
    pub mean_kinetic: f64,
    /// Variance of a velocity component of free bodies, the mean over x, y and z, in m²/s², `[DK21] (36)`.
    pub velocity_variance: f64,
    /// Number of bonds that have broken since they were made.
    pub broken_bonds: usize,
    /// Volumes of liquid, if the scene has liquid.
    pub liquid: Option<Liquid>,
    /// All touching contacts of bodies with bodies and walls.
    pub contacts: Vec<ContactRow>,
    /// Mean number of contacts of a free body.
    pub contacts_per_body: f64,
    /// The contact with the largest overlap relative to the smaller radius, if any.
    pub deepest: Option<DeepestContact>,
    /// Force on each wall in N, elastic walls last.
    pub wall_forces: Vec<DVec3>,
    /// Torque in N m of the contacts on each wall about the wall's point, without elastic walls. Empty in static
    /// equilibrium.
    pub wall_torques: Vec<DVec3>,
    /// Normal stresses of the contacts along x, y and z in Pa, positive in compression; none unless the box deforms.
    pub box_stress: Option<DVec3>,
}

impl Energies {
    /// Mechanical energy in J: the sum of the kinetic energy `kinetic` (J) and of these elastic and potential energies.
    pub(crate) fn mechanical(&self, kinetic: f64) -> f64 {
        kinetic + self.elastic + self.external + self.staggered + self.bonds + self.capillary
    }

    /// Sum in J of the kinetic energy `kinetic` (J) and the absolute elastic and potential energies.
    pub(crate) fn scale(&self, kinetic: f64) -> f64 {
        let signed = [self.elastic, self.external, self.staggered, self.bonds, self.capillary];
        kinetic + signed.map(f64::abs).iter().sum::<f64>()
    }
}

impl Reading {
    /// Builds a reading from the quantities that depend on the integrator, and computes the other quantities.
    pub(crate) fn new(
        bodies: &Bodies,
        state: &State,
        energies: Energies,
        contacts: Vec<ContactRow>,
        wall_forces: Vec<DVec3>,
    ) -> Self {
        let free = |i: &usize| bodies.inverse_mass()[*i] > 0.0;
        let count = (0..bodies.len()).filter(free).count().max(1) as f64;
        let velocities = || (0..bodies.len()).filter(free).map(|i| state.velocity().get(i));
        let mean = velocities().sum::<DVec3>() / count;
        let variance = velocities().map(|velocity| (velocity - mean).length_squared()).sum::<f64>() / (3.0 * count);
        let ends = |row: &ContactRow| usize::from(free(&row.a)) + row.b.body().map_or(0, |b| usize::from(free(&b)));
        let kinetic = kinetic_energy(bodies, state);
        Self {
            time: state.time(),
            kinetic,
            energies,
            linear_momentum: linear_momentum(bodies, state),
            angular_momentum: angular_momentum(bodies, state),
            mean_kinetic: kinetic.total() / count,
            velocity_variance: variance,
            broken_bonds: 0,
            liquid: None,
            contacts_per_body: contacts.iter().map(ends).sum::<usize>() as f64 / count,
            deepest: DeepestContact::of(bodies, &contacts),
            contacts,
            wall_forces,
            wall_torques: Vec::new(),
            box_stress: None,
        }
    }

    /// Computes the mean force on a free body divided by the mean contact force. None without contacts or forces.
    pub(crate) fn unbalanced_force(&self, bodies: &Bodies, state: &State) -> Option<f64> {
        let free = || (0..bodies.len()).filter(|&body| bodies.inverse_mass()[body] > 0.0);
        let wrenches = state.wrenches()?;
        let on_bodies = free().map(|body| wrenches.force.get(body).length()).sum::<f64>() / free().count() as f64;
        let force = |row: &ContactRow| (row.normal_force * row.normal + row.tangential_force).length();
        let of_contacts = self.contacts.iter().map(force).sum::<f64>() / self.contacts.len() as f64;
        Some(on_bodies / of_contacts).filter(|ratio| ratio.is_finite())
    }

    /// Mechanical energy in J: kinetic, elastic, external, staggered, bond and capillary energy.
    #[must_use]
    pub fn mechanical(&self) -> f64 {
        self.energies.mechanical(self.kinetic.total())
    }

    /// Largest overlap of a contact, relative to the smaller radius; zero without contacts.
    #[must_use]
    pub fn largest_overlap(&self) -> f64 {
        self.deepest.map_or(0.0, |deepest| deepest.overlap)
    }

    pub(crate) fn scale(&self) -> f64 {
        self.energies.scale(self.kinetic.total())
    }

    /// Turned-over energy in J, the scale for errors of the energy balance: kinetic and elastic energy, energy of bonds
    /// and bridges, and all energy lost or converted by work so far. Unlike the energy of gravity, it is independent of
    /// the origin.
    pub(crate) fn turned_over(&self) -> f64 {
        let Energies { elastic, bonds, capillary, released, jump_work, capillary_loss, damped, .. } = self.energies;
        let Energies { dissipated, wall_work, box_work, .. } = self.energies;
        let of_parts = [elastic, bonds, capillary, released, jump_work, capillary_loss, damped, box_work];
        let of_ledgers = [dissipated, wall_work].map(Option::unwrap_or_default);
        self.kinetic.total() + of_parts.into_iter().chain(of_ledgers).map(f64::abs).sum::<f64>()
    }

    pub(crate) fn with_torques(self, loads: &[WallLoad]) -> Self {
        Self { wall_torques: loads.iter().map(|load| load.torque).collect(), ..self }
    }

    /// Energy balance in J: mechanical, released and dissipated energy plus the work of jumps, minus the work of walls
    /// and of the box and the supplied energy. It is constant up to the order of the integrator. None if the integrator
    /// does not record one of these terms.
    #[must_use]
    pub fn balance(&self) -> Option<f64> {
        let Energies { released, jump_work, capillary_loss, damped, .. } = self.energies;
        let Energies { dissipated, wall_work, box_work, supplied, .. } = self.energies;
        let lost = released + jump_work + capillary_loss + damped;
        Some(self.mechanical() + lost + dissipated? - wall_work? - box_work - supplied)
    }
}
