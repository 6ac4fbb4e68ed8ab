//! Contacts and near contacts, row by row, and the Hessian of the energy.

use rrp_geom::glam::{DMat3, DVec3};
use rrp_parallel::BLOCK;

use crate::law::contact_law::ContactLaw;
use crate::stiffness::pair_matrix::{PairMatrix, PairStiffness};
use crate::wall::surface::{Bend, Patch};

/// Contact or near contact of a listed pair, or of a body and a wall, seen from the body in whose row it is stored.
#[derive(Debug, Clone, Copy)]
pub(super) struct NearContact {
    /// Index of the other body in the order of the neighbour list, or number of the wall, with mark bits.
    pub(super) other: u32,
    /// Unit normal from the body of the row to the other body or wall.
    pub(super) normal: [f64; 3],
    pub(super) overlap: f64,
    pub(super) radius: f64,
    /// Distance of the two centres in m; infinite for a plane. For another wall it is the reciprocal of the turn of the
    /// normal per displacement of the centre that is equal in all directions (`Bend::even`).
    pub(super) distance: f64,
}

impl NearContact {
    /// Mark bit of a contact with a fixed body; the other bits are the body's index in the order of the neighbour list.
    pub(super) const FIXED: u32 = 1 << 31;
    /// Mark bit of a contact with a wall; the other bits are its number. Walls have the mark bit of fixed bodies, too.
    pub(super) const WALL: u32 = 1 << 30;

    #[inline(always)]
    pub(super) fn is_held(&self) -> bool {
        self.other & Self::FIXED != 0
    }

    pub(super) fn wall(&self) -> Option<usize> {
        (self.other & Self::WALL != 0).then_some((self.other & !(Self::FIXED | Self::WALL)) as usize)
    }

    /// Returns the index of the other body, fixed or not, in the order of the neighbour list.
    pub(super) fn place(&self) -> usize {
        (self.other & !Self::FIXED) as usize
    }

    /// Weight of this entry in sums over contacts: one half for movable pairs, which have two entries.
    #[inline(always)]
    pub(super) fn share(&self) -> f64 {
        if self.is_held() { 1.0 } else { 0.5 }
    }
}

/// Contacts and near contacts of all bodies, in one row for each body.
#[derive(Debug, Clone, Default)]
pub(super) struct ContactRows {
    pub(super) blocks: Vec<BlockContacts>,
}

/// Near contacts of a block of consecutive bodies, in one row for each; the last row may be incomplete.
#[derive(Debug, Clone, Default)]
pub(super) struct BlockContacts {
    /// Index in `entries` of the first near contact of each body.
    start: Vec<u32>,
    pub(super) entries: Vec<NearContact>,
    /// Overlaps that contacts with walls share with other contacts of the same body, in the order of the contacts.
    shared: Vec<SharedOverlap>,
    ridges: Vec<Ridge>,
}

/// Overlap that a contact with a wall shares with another contact of the same body; its force is subtracted.
#[derive(Debug, Clone, Copy)]
struct SharedOverlap {
    /// Index of the body within its block.
    k: u32,
    /// Index in `entries` of the contact whose force is reduced.
    entry: u32,
    contact: NearContact,
}

/// Additional curvature of a wall along one direction at a contact.
#[derive(Debug, Clone, Copy)]
struct Ridge {
    /// Index of the body within its block.
    k: u32,
    direction: [f64; 3],
    curvature: f64,
    overlap: f64,
    radius: f64,
    /// Sign of the contact's force: 1, or −1 for a shared overlap.
    sign: f64,
}

impl BlockContacts {
    pub(super) fn clear(&mut self) {
        self.start.clear();
        self.start.push(0);
        self.entries.clear();
        self.shared.clear();
        self.ridges.clear();
    }

    /// Adds the contact with a nearest point (`patch`) of a wall to the row of body number `k` of the block, and
    /// returns the overlap (m). `radius` is the radius of the body in m; `centre_low` has the rounding error of its
    /// centre, which the patch does not contain.
    pub(crate) fn add_patch(&mut self, k: usize, wall: u32, patch: &Patch, radius: f64, centre_low: DVec3) -> f64 {
        let mut make = |normal: DVec3, distance: f64, turning: &DMat3, sign: f64| {
            let overlap = (radius - distance) - normal.dot(centre_low);
            let bend = Bend::new(normal, turning);
            if bend.more > 0.0 {
                let k = k as u32;
                let direction = bend.ridge.to_array();
                let curvature = bend.more;
                self.ridges.push(Ridge { k, direction, curvature, overlap, radius, sign });
            }
            let (other, normal) = (wall | NearContact::WALL | NearContact::FIXED, (-normal).to_array());
            NearContact { other, normal, overlap, radius, distance: bend.even.recip() }
        };
        let whole = make(patch.normal, patch.distance, &patch.turning, 1.0);
        if let Some(saddle) = &patch.saddle {
            let contact = make(saddle.normal, saddle.distance, &saddle.turning, -1.0);
            self.shared.push(SharedOverlap { k: k as u32, entry: self.entries.len() as u32, contact });
        }
        self.entries.push(whole);
        whole.overlap
    }

    /// Returns the near contacts in the row that is being filled.
    #[inline(always)]
    pub(super) fn open_row(&self) -> &[NearContact] {
        &self.entries[*self.start.last().unwrap_or(&0) as usize..]
    }

    /// Returns the contacts of body number `k` of the block, whose row is being filled, that share an overlap with
    /// another contact, each with the shared overlap.
    pub(super) fn shared_of_open_row(&self, k: usize) -> impl Iterator<Item = (&NearContact, &NearContact)> {
        let last = self.shared.iter().rev().take_while(move |shared| shared.k as usize == k);
        last.map(|shared| (&self.entries[shared.entry as usize], &shared.contact))
    }

    #[inline(always)]
    pub(super) fn end_row(&mut self) {
        self.start.push(self.entries.len() as u32);
    }

    #[inline(always)]
    fn row(&self, k: usize) -> &[NearContact] {
        &self.entries[self.start[k] as usize..self.start[k + 1] as usize]
    }

    /// Number of bodies of the block with complete rows.
    fn len(&self) -> usize {
        self.start.len().saturating_sub(1)
    }
}

impl ContactRows {
    /// Visits all near contacts, each with the index of the body of its row in the order of the neighbour list.
    pub(super) fn each(&self, visit: &mut dyn FnMut(usize, &NearContact)) {
        let mut first = 0;
        for rows in &self.blocks {
            for k in 0..rows.len() {
                rows.row(k).iter().for_each(|contact| visit(first + k, contact));
            }
            first += rows.len();
        }
    }

    /// Visits each touching contact with the index of the body of its row in the order of the neighbour list, and with
    /// the overlap that the contact shares with another one.
    pub(super) fn each_touching(&self, visit: &mut dyn FnMut(usize, &NearContact, Option<&NearContact>)) {
        let mut first = 0;
        for rows in &self.blocks {
            let mut shared = rows.shared.iter().peekable();
            for k in 0..rows.len() {
                for (entry, contact) in (rows.start[k]..).zip(rows.row(k)) {
                    let shared = shared.next_if(|shared| shared.entry == entry).map(|shared| &shared.contact);
                    if contact.overlap > 0.0 {
                        visit(first + k, contact, shared.filter(|shared| shared.overlap > 0.0));
                    }
                }
            }
            first += rows.len();
        }
    }

    /// Writes the Hessian of the energy to `matrix`: dF/dδ along the normals and −F/d across them, for the contact
    /// force F, overlap δ and distance d of the centres, with `tether` (N/m) added to the diagonal of each body.
    pub(super) fn hessian(&self, law: &dyn ContactLaw, tether: &[f64], matrix: &mut PairMatrix) {
        let body = |place: usize| [tether[place], 0.0, 0.0, tether[place], 0.0, tether[place]];
        matrix.rebuild_rows(tether.len(), &body, &|place, filler| {
            let rows = &self.blocks[place / BLOCK];
            let k = place % BLOCK;
            for contact in rows.row(k).iter().filter(|contact| contact.overlap > 0.0) {
                let along = law.stiffness(contact.overlap, contact.radius);
                let across = -law.force(contact.overlap, contact.radius) / contact.distance;
                let other = (!contact.is_held()).then_some(contact.other as usize);
                filler.add(other, contact.normal, PairStiffness { along, across });
            }
            let shared = &rows.shared[rows.shared.partition_point(|shared| (shared.k as usize) < k)..];
            let shared = shared.iter().take_while(|shared| shared.k as usize == k);
            for SharedOverlap { contact, .. } in shared.filter(|shared| shared.contact.overlap > 0.0) {
                let along = -law.stiffness(contact.overlap, contact.radius);
                let across = law.force(contact.overlap, contact.radius) / contact.distance;
                filler.add(None, contact.normal, PairStiffness { along, across });
            }
            let ridges = &rows.ridges[rows.ridges.partition_point(|ridge| (ridge.k as usize) < k)..];
            let ridges = ridges.iter().take_while(|ridge| ridge.k as usize == k);
            for ridge in ridges.filter(|ridge| ridge.overlap > 0.0) {
                let along = -ridge.sign * law.force(ridge.overlap, ridge.radius) * ridge.curvature;
                filler.add(None, ridge.direction, PairStiffness { along, across: 0.0 });
            }
        });
    }
}

#[inline(always)]
pub(super) fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}
