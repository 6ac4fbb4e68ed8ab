use pulp::Arch;
use rrp_geom::glam::DVec3;
use rrp_parallel::{Parts, PerPart, for_each_part};

use crate::law::contact_law::ContactLaw;
use crate::neighbor::image_shift::{INDEX_BITS, INDEX_MASK};
use crate::statics::configuration::{Configuration, Plane};
use crate::statics::contact_rows::{BlockContacts, NearContact};
use crate::statics::double_double::{overlap, wall_overlap};
use crate::statics::totals::Totals;
use crate::wall::Wall;
use crate::wall::images::{Touched, TouchedPoints};

impl Configuration<'_> {
    /// Finds the contacts of the bodies at their present centres and computes forces by this contact law.
    pub(super) fn evaluate(&mut self, law: &dyn ContactLaw) -> Totals {
        let blocks = Parts::blocks(self.len());
        let Self { list, force, block_totals, rows, .. } = self;
        rows.blocks.resize_with(blocks.count(), BlockContacts::default);
        block_totals.clear();
        block_totals.resize(blocks.count(), Totals::default());
        let shifts = list.shifts();
        let list_rows = list.full_rows();
        let bodies = BodyData {
            planes: &self.planes,
            plane_numbers: &self.plane_numbers,
            surfaces: &self.surfaces,
            periods: list.domain().periods(),
            centre: &self.centre,
            centre_low: &self.centre_low,
            radius: &self.radius,
            movable: &self.movable,
            near_wall: &self.near_wall,
        };
        let load = &self.load;
        let output = (PerPart(&mut rows.blocks), PerPart(&mut block_totals[..]), &mut force[..]);
        for_each_part(blocks, output, &|part, (contacts, totals, force)| {
            // Each slice has one element for this block, or none if there are no bodies.
            for (contacts, totals) in contacts.0.iter_mut().zip(totals.0) {
                contacts.clear();
                let mut points = TouchedPoints::default();
                for (k, force) in force.iter_mut().enumerate() {
                    let place = part.rows.start + k;
                    *force = load[place];
                    if bodies.movable[place] {
                        bodies.add_pairs(place, list_rows.row(place), &shifts, contacts, totals);
                        bodies.add_planes(place, contacts, totals);
                        bodies.add_surfaces(place, k, contacts, totals, &mut points);
                    }
                    add_forces(law, k, contacts, totals, force);
                    contacts.end_row();
                    totals.add_square(force.iter().map(|x| x * x).sum::<f64>());
                }
            }
        });
        Totals::of_blocks(block_totals)
    }
}

/// Data of bodies and walls from which contacts are found, bodies in the order of the neighbour list.
struct BodyData<'a> {
    planes: &'a [Plane],
    plane_numbers: &'a [u32],
    surfaces: &'a [(u32, Wall)],
    /// Periods of the domain in m; zero in directions that are not periodic.
    periods: DVec3,
    centre: &'a [[f64; 3]],
    centre_low: &'a [[f64; 3]],
    radius: &'a [f64],
    movable: &'a [bool],
    near_wall: &'a [bool],
}

impl BodyData<'_> {
    /// Adds the listed pairs of a body to its row of near contacts.
    #[inline(always)]
    fn add_pairs(
        &self,
        place: usize,
        entries: &[u32],
        shifts: &[[f64; 4]; 32],
        contacts: &mut BlockContacts,
        totals: &mut Totals,
    ) {
        let Self { centre, centre_low, radius, movable, .. } = *self;
        let a = [centre[place], centre_low[place]];
        Arch::new().dispatch(
            #[inline(always)]
            || {
                for &entry in entries {
                    let other = (entry & INDEX_MASK) as usize;
                    let shift = shifts[(entry >> INDEX_BITS) as usize];
                    let sum_of_radii = radius[place] + radius[other];
                    let b = [centre[other], centre_low[other]];
                    let (normal, overlap, distance) = overlap(a, b, shift, sum_of_radii);
                    let fixed = if movable[other] { 0 } else { NearContact::FIXED };
                    let reduced = radius[place] * radius[other] / sum_of_radii;
                    totals.too_deep |= overlap >= radius[place].min(radius[other]);
                    let other = other as u32 | fixed;
                    contacts.entries.push(NearContact { other, normal, overlap, radius: reduced, distance });
                }
            },
        );
    }

    /// Adds the contacts of a body with near planes to its row.
    #[inline(always)]
    fn add_planes(&self, place: usize, contacts: &mut BlockContacts, totals: &mut Totals) {
        let radius = self.radius[place];
        if !self.near_wall[place] || radius <= 0.0 {
            return;
        }
        let centre = [self.centre[place], self.centre_low[place]];
        for (wall, &Plane { origin, normal }) in self.plane_numbers.iter().zip(self.planes) {
            let overlap = wall_overlap(centre, radius, origin, normal);
            let other = wall | NearContact::WALL | NearContact::FIXED;
            totals.too_deep |= overlap >= radius;
            contacts.entries.push(NearContact { other, normal, overlap, radius, distance: f64::INFINITY });
        }
    }

    /// Adds the touched points of curved walls and meshes to a body's row; `k` is the number of the body in the block.
    #[inline(always)]
    fn add_surfaces(
        &self,
        place: usize,
        k: usize,
        contacts: &mut BlockContacts,
        totals: &mut Totals,
        points: &mut TouchedPoints,
    ) {
        let radius = self.radius[place];
        let centre = DVec3::from_array(self.centre[place]);
        if !self.near_wall[place] || radius <= 0.0 {
            return;
        }
        for (wall, surface) in self.surfaces {
            surface.placed(0.0).touch(centre, radius, self.periods, points);
            for Touched { patch, .. } in &points.touched {
                let overlap = contacts.add_patch(k, *wall, patch, radius, self.centre_low[place].into());
                totals.too_deep |= overlap >= radius || overlap.is_nan();
            }
        }
    }
}

/// Adds the contacts in the row of body number `k` of the block, the last row, to the body's force and to the totals.
#[inline(always)]
fn add_forces(law: &dyn ContactLaw, k: usize, contacts: &BlockContacts, totals: &mut Totals, force: &mut [f64; 3]) {
    for contact in contacts.open_row().iter().filter(|contact| contact.overlap > 0.0) {
        let push = law.force(contact.overlap, contact.radius);
        (0..3).for_each(|c| force[c] -= push * contact.normal[c]);
        totals.energy += contact.share() * law.energy(contact.overlap, contact.radius);
        totals.force_sum += contact.share() * push;
        totals.contacts += contact.share();
        totals.strain += contact.share() * contact.overlap / (4.0 * contact.radius);
        totals.stiffest = totals.stiffest.max(law.stiffness(contact.overlap, contact.radius));
    }
    for (whole, shared) in contacts.shared_of_open_row(k).filter(|(_, shared)| shared.overlap > 0.0) {
        let push = law.force(shared.overlap, shared.radius);
        (0..3).for_each(|c| force[c] += push * shared.normal[c]);
        totals.energy -= law.energy(shared.overlap, shared.radius);
        totals.force_sum -= push;
        totals.contacts -= (push / law.force(whole.overlap, whole.radius)).min(1.0);
        totals.strain -= shared.overlap / (4.0 * shared.radius);
    }
}
