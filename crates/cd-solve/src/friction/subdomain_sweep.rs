use rrp_parallel::for_each_part;

use crate::friction::contact_map::ContactMap;
use crate::friction::contact_rows::{ContactRows, DOF};
use crate::friction::law::Coefficients;
use crate::friction::one_contact;
use crate::friction::problem::FrictionProblem;
use crate::friction::subdomains::{Stretch, Subdomains};
use crate::leaves::leaves;

/// Sweep over friction contacts in the order of [`Subdomains`], with the same bits for any number of threads.
#[derive(Debug, Clone, Default)]
pub(super) struct SubdomainSweep {
    subdomains: Subdomains,
    contacts: ContactRows,
    offset: Vec<f64>,
    coefficients: Vec<Coefficients>,
    force: Vec<f64>,
    /// Velocities of the bodies, six numbers each, by slot: the place of a body in the order of [`Subdomains`].
    velocity: Vec<f64>,
}

/// Data of all contacts that a sweep of friction contacts reads, in the order of the sweep.
#[derive(Debug, Clone, Copy)]
pub(super) struct SweepData<'a> {
    pub(super) contacts: &'a ContactRows,
    pub(super) offset: &'a [f64],
    pub(super) coefficients: &'a [Coefficients],
}

impl SubdomainSweep {
    /// Lays out the contacts of `problem`, whose contact map is `map`, in the order of sweeps.
    pub(super) fn lay_out<const M: usize>(&mut self, problem: &FrictionProblem<'_>, map: &ContactMap) {
        self.subdomains.lay_out(map.bodies(), map.pairs());
        if !self.is_worthwhile() {
            return;
        }
        let order = self.subdomains.order();
        self.contacts.arrange::<M>(map.contact_rows(), order, self.subdomains.pair());
        let offset = problem.offset().as_chunks::<M>().0;
        self.offset.clear();
        self.offset.extend(order.iter().flat_map(|&contact| offset[contact as usize]));
        self.coefficients.clear();
        self.coefficients.extend(order.iter().map(|&contact| problem.coefficients()[contact as usize]));
        self.velocity.resize(DOF * map.bodies(), 0.0);
        self.force.resize(M * map.contacts(), 0.0);
    }

    /// Whether there are several subdomains. With one, a sweep in the given order is faster.
    pub(super) fn is_worthwhile(&self) -> bool {
        self.subdomains.are_several()
    }

    pub(super) fn sweep<const M: usize>(&mut self, image: &mut [f64]) {
        let Self { subdomains, contacts, offset, coefficients, force, velocity } = self;
        let order = subdomains.order();
        let place = subdomains.place();
        let image = image.as_chunks_mut::<M>().0;
        let force = force.as_chunks_mut::<M>().0;
        let old = &*image;
        for_each_part(leaves(order.len()), (&mut *force, order), &|_, (force, order)| {
            force.iter_mut().zip(order).for_each(|(force, &contact)| *force = old[contact as usize]);
        });
        velocity.fill(0.0);
        subdomains.for_each_part(force, velocity, &|Stretch { first, local, velocity }: Stretch<'_, M>| {
            for (k, force) in local.iter().enumerate() {
                contacts.accelerate(first + k, force, velocity);
            }
        });
        let data = SweepData { contacts, offset, coefficients };
        subdomains.for_each_part(force, velocity, &|stretch: Stretch<'_, M>| sweep_contacts(data, stretch));
        let new = &*force;
        for_each_part(leaves(place.len()), (image, place), &|_, (image, place)| {
            image.iter_mut().zip(place).for_each(|(image, &place)| *image = new[place as usize]);
        });
    }
}

/// Solves the contacts of one part of a sweep one after the other, each with the present forces of the other contacts.
pub(super) fn sweep_contacts<const M: usize>(data: SweepData<'_>, stretch: Stretch<'_, M>) {
    let SweepData { contacts, offset, coefficients } = data;
    let Stretch { first, local, velocity } = stretch;
    let offset = offset.as_chunks::<M>().0;
    for (k, force) in (first..).zip(local) {
        let w = contacts.diagonal_block::<M>(k);
        let u = contacts.local_velocity::<M>(k, velocity);
        let b = local_offset(w, &u, &offset[k], force);
        let new = one_contact::solve(w, &b, &coefficients[k], force);
        let change: [f64; M] = std::array::from_fn(|d| new[d] - force[d]);
        if change.iter().any(|x| x.abs() > 0.0) {
            contacts.accelerate(k, &change, velocity);
            *force = new;
        }
    }
}

/// Local velocity W r + q of a contact minus w r, the part of its own force r through its diagonal block w.
#[inline(always)]
pub(super) fn local_offset<const M: usize>(w: &[[f64; M]; M], u: &[f64; M], q: &[f64; M], r: &[f64; M]) -> [f64; M] {
    std::array::from_fn(|p| {
        let mut own = 0.0;
        (0..M).for_each(|l| own += w[p][l] * r[l]);
        u[p] + q[p] - own
    })
}
