use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rrp_geom::glam::{DMat3, DVec3};

use crate::law::batch::{get, set};
use crate::law::{
    BATCH, CoRotating, ContactKinematics, ContactLaw, Contacts, CoulombViscous, Damping, Dmt, Forces, FrictionSpring,
    Frictionless, Hertz, Hooke, Jkr, LawTraits, Laws, Memory, MindlinDeresiewicz, MindlinSpring, PairLaw, PlasticHooke,
    Rolling, SpringSlider,
};

/// Linear normal law that acts across a gap of up to a tenth of the reduced radius.
struct Reaching(f64);

impl ContactLaw for Reaching {
    fn energy(&self, overlap: f64, _: f64) -> f64 {
        0.5 * self.0 * overlap * overlap
    }

    fn force(&self, overlap: f64, _: f64) -> f64 {
        self.0 * overlap
    }

    fn stiffness(&self, _: f64, _: f64) -> f64 {
        self.0
    }

    fn range(&self, radius: f64) -> f64 {
        0.1 * radius
    }
}

/// Linear hysteretic normal law whose memory is the number of steps since surfaces touched. Surfaces act on each other
/// only above an overlap of 1 µm.
struct Counting;

impl ContactLaw for Counting {
    fn energy(&self, overlap: f64, _: f64) -> f64 {
        0.5 * overlap * overlap
    }

    fn force(&self, overlap: f64, _: f64) -> f64 {
        overlap
    }

    fn stiffness(&self, _: f64, _: f64) -> f64 {
        1.0
    }

    fn is_hysteretic(&self) -> bool {
        true
    }

    fn remember(&self, overlap: f64, _: f64, before: f64) -> Memory {
        Memory { number: if overlap > 0.0 { before + 1.0 } else { 0.0 }, acts: overlap > 1e-6 }
    }
}

/// Returns combinations of laws that together use every way in which a batch of contacts is evaluated.
fn every_kind() -> Vec<Laws> {
    let damping = Damping::restitution(0.6).unwrap();
    let hooke = Hooke::new(2e5, damping).unwrap();
    let hertz = Hertz::new(1e8, damping).unwrap();
    let spring = FrictionSpring::new(6e4, 20.0, 0.4).unwrap();
    let mindlin = MindlinSpring::new(9e7, 0.0, 0.4).unwrap().damped(damping);
    let sticks = SpringSlider::as_stiff_as_slip(1e-3, 0.1).unwrap();
    let rolling = Rolling::new(mindlin, sticks).with_twisting(SpringSlider::coefficient(1e-4).unwrap());
    vec![
        Laws::of(hooke, spring),
        Laws::of(Hooke::new(2e5, Damping::restitution_capped(0.6).unwrap()).unwrap(), Frictionless),
        Laws::of(hertz, CoulombViscous::new(50.0, 0.3).unwrap()),
        Laws::of(hertz, mindlin),
        Laws::of(hertz, mindlin.as_in_lammps()),
        Laws::of(hertz, rolling),
        Laws::of(hertz, MindlinDeresiewicz::new(9e7, 0.4).unwrap().damped(damping)),
        Laws::of(hooke, CoRotating::new(spring)),
        Laws::of(hertz, CoRotating::new(rolling)),
        Laws::of(Reaching(3e4), spring),
        Laws::of(Jkr::new(hertz, 20.0).unwrap(), spring),
        Laws::of(Jkr::new(hertz, 20.0).unwrap(), CoRotating::new(rolling)),
        Laws::of(Dmt::new(hertz, 20.0).unwrap(), mindlin),
        Laws::of(PlasticHooke::new(hooke, 1e5).unwrap().with_adhesion(3e4).unwrap(), spring),
        Laws::of(Counting, rolling),
    ]
}

fn vector(rng: &mut ChaCha8Rng) -> DVec3 {
    DVec3::from_array(std::array::from_fn(|_| rng.random_range(-1.0..1.0)))
}

fn random_contacts(rng: &mut ChaCha8Rng) -> Contacts {
    let mut contacts = Contacts::new();
    (contacts.elapsed, contacts.slip_before_end, contacts.wants_energy, contacts.lanes) = (1e-4, 5e-5, true, BATCH);
    for slot in 0..BATCH {
        let normal = vector(rng).normalize_or(DVec3::Z);
        let slip = vector(rng);
        set(&mut contacts.normal, slot, normal);
        set(&mut contacts.slip, slot, slip - normal * slip.dot(normal));
        set(&mut contacts.spin, slot, 30.0 * vector(rng));
        contacts.radius[slot] = rng.random_range(0.5e-3..2e-3);
        contacts.overlap[slot] = contacts.radius[slot] * rng.random_range(-0.15..0.1);
        contacts.rate[slot] = rng.random_range(-1.0..1.0);
        contacts.mass[slot] = rng.random_range(1e-6..1e-4);
        contacts.turning[slot] = rng.random_range(-100.0..100.0);
        contacts.share[slot] = if slot % 5 == 0 { 0.25 } else { 1.0 };
    }
    contacts
}

fn moved(mut contacts: Contacts, rng: &mut ChaCha8Rng) -> Contacts {
    for slot in 0..BATCH {
        let normal = (get(&contacts.normal, slot) + 0.01 * vector(rng)).normalize();
        set(&mut contacts.normal, slot, normal);
        let slip = get(&contacts.slip, slot);
        set(&mut contacts.slip, slot, slip - normal * slip.dot(normal));
        contacts.overlap[slot] -= contacts.radius[slot] * rng.random_range(-0.02..0.06);
    }
    contacts
}

/// Returns the bits of all results for the contact in a slot: forces, energies, couple and the history `row`. The
/// couple counts as zero for laws that do not resist rolling.
fn bits(traits: &LawTraits, forces: &Forces, slot: usize, row: &[f64]) -> Vec<u64> {
    let Forces { elastic, normal, tangential, couple, elastic_energy, tangential_energy, .. } = forces;
    let couple = if traits.resists_rolling { get(couple, slot) } else { DVec3::ZERO };
    let mut numbers = vec![elastic[slot], normal[slot], elastic_energy[slot], tangential_energy[slot]];
    numbers.extend(get(tangential, slot).to_array());
    numbers.extend(couple.to_array());
    numbers.extend(row);
    // Signs of zeros do not matter, nor do the bits of NaN for surfaces that are apart.
    let bits = |number: f64| if number.is_nan() { u64::MAX } else { (number + 0.0).to_bits() };
    numbers.into_iter().map(bits).collect()
}

/// Evaluates the contact in a slot alone, not in a batch, and returns the bits of its results in the order of [`bits`].
fn bits_of_one(traits: &LawTraits, contacts: &Contacts, slot: usize, before: &[f64]) -> Vec<u64> {
    let law = &traits.normal;
    let mut contact = contacts.kinematics(slot);
    let ContactKinematics { overlap, radius, mass, .. } = contact;
    let mut row = before.to_vec();
    let own = row.len() - usize::from(traits.is_hysteretic);
    let (memory, elastic_overlap) = if traits.is_hysteretic {
        let memory = law.remember(overlap, radius, row[own]);
        (memory, law.elastic_overlap(overlap, memory.number))
    } else {
        (Memory { number: 0.0, acts: overlap > -law.range(radius) || law.range(radius) <= 0.0 }, overlap)
    };
    let mut forces = Forces::new();
    if memory.acts {
        let elastic = law.force(elastic_overlap, radius);
        let damped = elastic - law.damping(elastic_overlap, radius, mass) * contacts.rate[slot];
        let normal = damped.max(if law.is_capped() { 0.0 } else { f64::NEG_INFINITY });
        contact.normal_force = normal;
        if traits.is_hysteretic {
            contact.normal_force = (normal + law.friction_load(overlap, radius)).max(0.0);
            contact.overlap = law.contact_radius(overlap, radius).powi(2) / radius;
        }
        let turn = if traits.turns { contact.turning * contacts.slip_before_end } else { 0.0 };
        let about = DMat3::from_axis_angle(contact.normal, turn);
        let turned = |vector: DVec3| if traits.turns { about * vector } else { vector };
        let spin = turned(contacts.spin(slot));
        contact.velocity = turned(contact.velocity);
        let [tangential, couple] = traits.tangential.force_and_couple(&contact, spin, &mut row[..own]);
        forces.set(slot, elastic, normal, tangential);
        forces.set_couple(slot, couple);
        let stored = contact.share * traits.tangential.stored_energy(&contact, &row[..own]);
        forces.set_energy(slot, law.energy(elastic_overlap, radius), stored);
    } else {
        row.fill(0.0);
    }
    if traits.is_hysteretic {
        row[own] = memory.number;
    }
    bits(traits, &forces, slot, &row)
}

/// Evaluates a batch of contacts. Returns the [`bits`] of the results in each slot, and all histories after the step.
fn evaluate(laws: &Laws, contacts: &Contacts, before: &[f64]) -> (Vec<Vec<u64>>, Vec<f64>) {
    let traits = laws.traits();
    let width = laws.traits().layout.width();
    let mut after = vec![f64::NAN; width * BATCH];
    let mut forces = Forces::new();
    // Numbers of another law must be overwritten.
    (forces.tangential_energy, forces.acts) = ([7.0; BATCH], [false; BATCH]);
    laws.apply(contacts, before, &mut after, &mut forces).unwrap();
    let bits = |slot: usize| bits(traits, &forces, slot, &after[slot * width..(slot + 1) * width]);
    ((0..BATCH).map(bits).collect(), after)
}

#[test]
fn a_batch_gives_the_bits_of_one_contact_at_a_time() {
    for laws in every_kind() {
        let traits = laws.traits();
        let rng = &mut ChaCha8Rng::seed_from_u64(70);
        let width = traits.layout.width();
        let mut contacts = random_contacts(rng);
        let mut before = vec![0.0; width * BATCH];
        for step in 0..4 {
            let (found, after) = evaluate(&laws, &contacts, &before);
            for (slot, found) in found.iter().enumerate() {
                let row = &before[slot * width..(slot + 1) * width];
                assert_eq!(*found, bits_of_one(traits, &contacts, slot, row), "{traits:?}, {slot} in step {step}");
            }
            (contacts, before) = (moved(contacts, rng), after);
        }
    }
}

fn copy(contacts: &Contacts, from: usize, to: &mut Contacts, slot: usize) {
    set(&mut to.normal, slot, get(&contacts.normal, from));
    set(&mut to.slip, slot, get(&contacts.slip, from));
    set(&mut to.spin, slot, get(&contacts.spin, from));
    to.overlap[slot] = contacts.overlap[from];
    to.rate[slot] = contacts.rate[from];
    to.radius[slot] = contacts.radius[from];
    to.mass[slot] = contacts.mass[from];
    to.turning[slot] = contacts.turning[from];
    to.share[slot] = contacts.share[from];
}

#[test]
fn slots_do_not_influence_each_other() {
    // The stride 29 is coprime to the number of slots.
    let other = |slot: usize| (29 * slot + 7) % BATCH;
    for laws in every_kind() {
        let rng = &mut ChaCha8Rng::seed_from_u64(71);
        let width = laws.traits().layout.width();
        let first = random_contacts(rng);
        let (_, before) = evaluate(&laws, &first, &vec![0.0; width * BATCH]);
        let contacts = moved(first, rng);
        let mut shuffled = contacts.clone();
        let mut rows = before.clone();
        for slot in 0..BATCH {
            let from = other(slot);
            copy(&contacts, from, &mut shuffled, slot);
            rows[slot * width..(slot + 1) * width].copy_from_slice(&before[from * width..(from + 1) * width]);
        }
        let ((straight, _), (permuted, _)) = (evaluate(&laws, &contacts, &before), evaluate(&laws, &shuffled, &rows));
        for (slot, found) in permuted.iter().enumerate() {
            assert_eq!(*found, straight[other(slot)], "{laws:?}, {slot}");
        }
    }
}

/// Evaluates one contact with this overlap (m), separation rate and slip along x (m/s), and updates its history.
/// Returns the normal and the tangential force in N.
fn one_contact(laws: &Laws, overlap: f64, rate: f64, slip: f64, history: &mut [f64]) -> [f64; 2] {
    let mut contacts = Contacts::new();
    let mut forces = Forces::new();
    (contacts.lanes, contacts.elapsed) = (1, 1.0);
    set(&mut contacts.normal, 0, DVec3::Z);
    set(&mut contacts.slip, 0, DVec3::X * slip);
    (contacts.overlap[0], contacts.rate[0]) = (overlap, rate);
    let before = history.to_vec();
    laws.apply(&contacts, &before, history, &mut forces).unwrap();
    [forces.normal[0], get(&forces.tangential, 0).x]
}

#[test]
fn surfaces_that_overlap_but_do_not_act_on_each_other_remember_but_have_no_spring() {
    let laws = Laws::of(Counting, FrictionSpring::new(0.125, 0.0, 1e3).unwrap());
    let mut history = [0.0; 4];
    assert_eq!(laws.traits().layout.width(), history.len());
    let sheared = one_contact(&laws, 2e-6, 0.0, 1e-5, &mut history);
    assert_eq!((sheared, history), ([2e-6, -1.25e-6], [1e-5, 0.0, 0.0, 1.0]));
    let released = one_contact(&laws, 0.5e-6, 0.0, 1e-5, &mut history);
    assert_eq!((released, history), ([0.0; 2], [0.0, 0.0, 0.0, 2.0]));
    let again = one_contact(&laws, 2e-6, 0.0, 1e-5, &mut history);
    assert_eq!((again, history), (sheared, [1e-5, 0.0, 0.0, 3.0]));
    one_contact(&laws, -1e-9, 0.0, 1e-5, &mut history);
    assert_eq!(history.map(f64::to_bits), [0; 4]);
}

#[test]
fn laws_know_their_names_and_what_they_need() {
    let rolling = SpringSlider::coefficient(0.1).unwrap();
    let spring = FrictionSpring::new(6e4, 20.0, 0.4).unwrap().as_in_lammps();
    let laws = Laws::of(Jkr::new(Hertz::new(1e8, Damping::NONE).unwrap(), 20.0).unwrap(), {
        CoRotating::new(Rolling::new(spring, rolling))
    });
    let traits = laws.traits();
    assert_eq!(traits.names, ["Jkr", "CoRotating<Rolling<FrictionSpring>>"]);
    assert!(traits.is_hysteretic && traits.resists_rolling && traits.turns && traits.acts_at_a_distance());
    assert!(!traits.is_damped && traits.needs_motion());
    assert_eq!(traits.layout.width(), 3 + 3 + 1 + 3 + 1);
    assert_eq!(format!("{laws:?}"), "Jkr with CoRotating<Rolling<FrictionSpring>>");
    let relaxed = traits.relaxed.as_ref().unwrap()(0.3);
    assert!(relaxed.traits().relaxed.is_none() && !relaxed.traits().is_tangential && relaxed.traits().is_capped);
}
