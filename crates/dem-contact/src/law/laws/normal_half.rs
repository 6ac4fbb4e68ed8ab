//! The loop of a normal law over the contacts of a batch.

use pulp::Arch;

use crate::law::batch::{BATCH, Column, Contacts, Forces};
use crate::law::contact_law::{ContactLaw, Memory};
use crate::util::vectorized::vectorized;

/// Normal law that evaluates contacts batch by batch, so that a batch costs one virtual call.
pub(super) trait NormalHalf: Send + Sync {
    /// Computes the normal forces of a batch by a law whose force is a function of the overlap, the energies if the
    /// batch wants them, and `acts` if the law has a range.
    fn press(&self, contacts: &Contacts, forces: &mut Forces);

    /// Computes the normal forces of a batch by a hysteretic law, the energies if the batch wants them, and what the
    /// tangential law reads; updates the memory of each contact.
    fn press_with_memory(&self, contacts: &Contacts, memory: &mut Column, forces: &mut Forces);
}

impl<L: ContactLaw> NormalHalf for L {
    fn press(&self, contacts: &Contacts, forces: &mut Forces) {
        vectorized(
            Arch::new(),
            #[inline(always)]
            || press(self, contacts, forces),
        );
    }

    fn press_with_memory(&self, contacts: &Contacts, memory: &mut Column, forces: &mut Forces) {
        // This condition is constant for a law, so that the loop is not compiled for laws without a memory.
        if self.is_hysteretic() {
            vectorized(
                Arch::new(),
                #[inline(always)]
                || press_with_memory(self, contacts, memory, forces),
            );
        }
    }
}

#[inline(always)]
fn normal_forces<L: ContactLaw>(law: &L, contacts: &Contacts, slot: usize, overlap: f64) -> [f64; 2] {
    let radius = contacts.radius[slot];
    let mass = contacts.mass[slot];
    let elastic = law.force(overlap, radius);
    let damped = elastic - law.damping(overlap, radius, mass) * contacts.rate[slot];
    [elastic, damped.max(if law.is_capped() { 0.0 } else { f64::NEG_INFINITY })]
}

/// Computes the normal forces of a batch as [`NormalHalf::press`], for a law that is known at compile time.
///
/// The loop is a separate function with references as arguments: so the compiler knows that columns do not overlap.
#[inline(always)]
fn press<L: ContactLaw>(law: &L, contacts: &Contacts, forces: &mut Forces) {
    let lanes = contacts.lanes.min(BATCH);
    let Forces { elastic, normal, elastic_energy, acts, .. } = forces;
    for slot in 0..lanes {
        [elastic[slot], normal[slot]] = normal_forces(law, contacts, slot, contacts.overlap[slot]);
    }
    if contacts.wants_energy {
        for (slot, energy) in elastic_energy.iter_mut().enumerate().take(lanes) {
            *energy = law.energy(contacts.overlap[slot], contacts.radius[slot]);
        }
    }
    if law.range(1.0) > 0.0 {
        for (slot, acts) in acts.iter_mut().enumerate().take(lanes) {
            *acts = contacts.overlap[slot] > -law.range(contacts.radius[slot]);
        }
    }
}

#[inline(always)]
fn press_with_memory<L: ContactLaw>(law: &L, contacts: &Contacts, memory: &mut Column, forces: &mut Forces) {
    for (slot, memory) in memory.iter_mut().enumerate().take(contacts.lanes) {
        let overlap = contacts.overlap[slot];
        let radius = contacts.radius[slot];
        let Memory { number, acts } = law.remember(overlap, radius, *memory);
        *memory = number;
        forces.acts[slot] = acts;
        let elastic_overlap = law.elastic_overlap(overlap, number);
        forces.elastic_overlap[slot] = elastic_overlap;
        let [elastic, normal] = normal_forces(law, contacts, slot, elastic_overlap);
        forces.elastic[slot] = elastic;
        forces.normal[slot] = normal;
        let contact_radius = law.contact_radius(overlap, radius);
        forces.load[slot] = (normal + law.friction_load(overlap, radius)).max(0.0);
        forces.loaded_overlap[slot] = contact_radius * contact_radius / radius;
        if contacts.wants_energy {
            forces.elastic_energy[slot] = law.energy(elastic_overlap, radius);
        }
    }
}
