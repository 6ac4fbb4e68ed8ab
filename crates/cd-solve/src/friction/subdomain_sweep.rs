//! Sweeps over the contacts of many bodies, on several threads.

use rrp_parallel::for_each_part;

use crate::friction::contact_map::{ContactMap, DOF};
use crate::friction::contact_rows::ContactRows;
use crate::friction::one_contact;
use crate::friction::problem::FrictionProblem;
use crate::friction::subdomains::{StagePart, Subdomains};
use crate::leaves::leaves;

/// The contacts of a map in the order of [`Subdomains`]. A sweep has the same bits for any number of threads.
#[derive(Debug, Clone, Default)]
pub(crate) struct SubdomainSweep {
    subdomains: Subdomains,
    contacts: ContactRows,
    /// By slot.
    velocity: Vec<f64>,
    /// In the order of the contacts.
    force: Vec<f64>,
}

impl SubdomainSweep {
    /// Lays out the contacts of `map`.
    pub(crate) fn lay_out<const M: usize>(&mut self, map: &ContactMap) {
        self.subdomains.lay_out(map.bodies(), map.pairs());
        self.contacts.arrange::<M>(map.contact_rows(), self.subdomains.order(), self.subdomains.pair());
        self.velocity.resize(DOF * map.bodies(), 0.0);
        self.force.resize(M * map.contacts(), 0.0);
    }

    /// One sweep over `image`.
    pub(crate) fn sweep<const M: usize>(&mut self, problem: &FrictionProblem<'_>, image: &mut [f64]) {
        let Self { subdomains, contacts, velocity, force } = self;
        let (order, place) = (subdomains.order(), subdomains.place());
        let (image, force) = (image.as_chunks_mut::<M>().0, force.as_chunks_mut::<M>().0);
        let old = &*image;
        for_each_part(leaves(order.len()), (&mut *force, order), &|_, (force, order)| {
            force.iter_mut().zip(order).for_each(|(force, &contact)| *force = old[contact as usize]);
        });
        velocity.fill(0.0);
        subdomains.for_each_part(force, velocity, &|StagePart { first, local, velocity }: StagePart<'_, M>| {
            for (k, force) in local.iter().enumerate() {
                contacts.accelerate(first + k, force, velocity);
            }
        });
        subdomains.for_each_part(force, velocity, &|part: StagePart<'_, M>| {
            sweep_contacts(problem, contacts, Some(order), part);
        });
        let new = &*force;
        for_each_part(leaves(place.len()), (image, place), &|_, (image, place)| {
            image.iter_mut().zip(place).for_each(|(image, &place)| *image = new[place as usize]);
        });
    }
}

/// Solves contacts one after the other, each given all others. `order` has their numbers in the problem, where those are
/// not their places.
pub(crate) fn sweep_contacts<const M: usize>(
    problem: &FrictionProblem<'_>,
    contacts: &ContactRows,
    order: Option<&[u32]>,
    part: StagePart<'_, M>,
) {
    let (offset, coefficients) = (problem.offset().as_chunks::<M>().0, problem.coefficients());
    let StagePart { first, local, velocity } = part;
    for (k, force) in local.iter_mut().enumerate() {
        let place = first + k;
        let contact = order.map_or(place, |order| order[place] as usize);
        let w = contacts.diagonal_block::<M>(place);
        let u = contacts.local_velocity::<M>(place, velocity);
        let b = local_offset(w, &u, &offset[contact], force);
        let new = one_contact::solve(w, &b, &coefficients[contact], force);
        let change: [f64; M] = std::array::from_fn(|d| new[d] - force[d]);
        if change.iter().any(|x| x.abs() > 0.0) {
            contacts.accelerate(place, &change, velocity);
            *force = new;
        }
    }
}

/// The velocity of a contact without its own force: that of W r, plus q, less that of its own force.
#[inline(always)]
pub(crate) fn local_offset<const M: usize>(w: &[[f64; M]; M], u: &[f64; M], q: &[f64; M], r: &[f64; M]) -> [f64; M] {
    std::array::from_fn(|p| {
        let mut own = 0.0;
        (0..M).for_each(|l| own += w[p][l] * r[l]);
        u[p] + q[p] - own
    })
}
