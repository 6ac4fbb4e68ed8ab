//! Where all bodies are, what pulls at them, and the contacts they have.

use pulp::Arch;
use rrp_geom::glam::DVec3;
use rrp_integrate::{Bodies, ScalarColumn, State, VectorColumn};

use crate::error::DemError;
use crate::error::contact::ContactError;
use crate::law::contact::Contact;
use crate::law::contact_law::ContactLaw;
use crate::neighbor::NeighborList;
use crate::neighbor::image_shift::{INDEX_BITS, INDEX_MASK};
use crate::parallel::fork_join::{PerBlock, all_blocks};
use crate::statics::contact_rows::{Link, LinkRows, Links};
use crate::statics::double_double::{overlap, two_sum, wall_overlap};
use crate::wall::Wall;

/// A wall where it is: a point, and the normal into it.
pub(crate) type Plane = ([f64; 3], [f64; 3]);

/// All bodies in the order of the places of a list, which is made anew now and then.
#[derive(Debug)]
pub(crate) struct Configuration<'a> {
    radii: &'a ScalarColumn,
    pub(crate) list: NeighborList,
    pub(crate) planes: Vec<Plane>,
    /// The numbers of the walls that are planes, and the walls that are not, at rest.
    numbers: Vec<u32>,
    pub(crate) surfaces: Vec<(u32, Wall)>,
    /// By place: centres within the domain, as sums of two numbers, and what they were when the list was made.
    centre: Vec<[f64; 3]>,
    rest: Vec<[f64; 3]>,
    reference: Vec<[f64; 3]>,
    pub(crate) radius: Vec<f64>,
    /// Zero for fixed bodies.
    pub(crate) load: Vec<[f64; 3]>,
    pub(crate) movable: Vec<bool>,
    near: Vec<bool>,
    /// By body: centres and rests between two lists, the whole periods that centres have jumped, loads.
    by_body: ByBody,
    pub(crate) links: Links,
    /// Forces of load and contacts.
    pub(crate) force: Vec<[f64; 3]>,
    sums: Vec<Totals>,
}

#[derive(Debug)]
struct ByBody {
    position: VectorColumn,
    rest: Vec<DVec3>,
    jump: Vec<DVec3>,
    load: Vec<DVec3>,
}

/// LargestSquares over all contacts.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Totals {
    /// Elastic energy in J.
    pub(crate) energy: f64,
    /// Contacts, and the sum of their forces.
    pub(crate) contacts: f64,
    pub(crate) pressing: f64,
    /// The sum of their overlaps over the diameters.
    pub(crate) strain: f64,
    /// Largest stiffness of a contact.
    pub(crate) stiffest: f64,
    /// Largest force on a body, and the root of the sum of all their squares.
    pub(crate) unbalanced: f64,
    pub(crate) size: f64,
    /// Whether a pair overlaps by a radius or more.
    pub(crate) deep: bool,
}

impl Totals {
    /// Largest unbalanced force over the mean contact force, or over the largest load where there is no contact.
    pub(crate) fn residual(&self, load: f64) -> f64 {
        let scale = if self.contacts > 0.0 { self.mean_force() } else { load };
        if self.unbalanced > 0.0 { self.unbalanced / scale } else { self.unbalanced }
    }

    /// The mean overlap over the diameter, or zero; for a body at a wall over twice its diameter.
    pub(crate) fn mean_strain(&self) -> f64 {
        if self.contacts > 0.0 { self.strain / self.contacts } else { 0.0 }
    }

    /// The mean contact force, or zero.
    pub(crate) fn mean_force(&self) -> f64 {
        if self.contacts > 0.0 { self.pressing / self.contacts } else { 0.0 }
    }
}

impl<'a> Configuration<'a> {
    pub(crate) fn new(
        bodies: &'a Bodies,
        state: &State,
        list: NeighborList,
        walls: &[Wall],
        load: &VectorColumn,
    ) -> Result<Self, DemError> {
        let count = bodies.len();
        let (mut planes, mut numbers, mut surfaces) = (Vec::new(), Vec::new(), Vec::new());
        for (number, wall) in (0_u32..).zip(walls) {
            let placed = wall.placed(0.0);
            placed.check(number as usize, list.domain().periods())?;
            match placed.plane() {
                Some((origin, normal)) => {
                    planes.push((origin.to_array(), (-normal).to_array()));
                    numbers.push(number);
                }
                None => surfaces.push((number, wall.clone())),
            }
        }
        let mut configuration = Self {
            radii: bodies.radius(),
            list,
            planes,
            numbers,
            surfaces,
            centre: Vec::new(),
            rest: Vec::new(),
            reference: Vec::new(),
            radius: Vec::new(),
            load: Vec::new(),
            movable: Vec::new(),
            near: Vec::new(),
            by_body: ByBody {
                position: state.position().clone(),
                rest: vec![DVec3::ZERO; count],
                jump: vec![DVec3::ZERO; count],
                load: load.iter().collect(),
            },
            links: Links::default(),
            force: vec![[0.0; 3]; count],
            sums: Vec::new(),
        };
        configuration.list.set_fixed(bodies.fixed().into());
        configuration.read()?;
        Ok(configuration)
    }

    pub(crate) fn len(&self) -> usize {
        self.radii.len()
    }

    /// Makes a new list for where the bodies are; all places change.
    pub(crate) fn refresh(&mut self) -> Result<(), DemError> {
        self.write();
        let fixed = self.list.fixed().into();
        self.list.set_fixed(fixed);
        self.read()
    }

    /// Hands the centres over to the bodies.
    fn write(&mut self) {
        for (place, &i) in self.list.order().iter().enumerate() {
            self.by_body.position.set(i as usize, self.centre[place].into());
            self.by_body.rest[i as usize] = self.rest[place].into();
        }
    }

    /// Makes the list and takes the centres from the bodies.
    fn read(&mut self) -> Result<(), DemError> {
        let ByBody { position, rest, jump, load } = &mut self.by_body;
        self.list.update(self.radii, position)?;
        let places = || self.list.order().iter().zip(self.list.packed());
        for (&i, &[x, y, z, _]) in places() {
            // What is now elsewhere has gone round.
            jump[i as usize] += position.get(i as usize) - DVec3::new(x, y, z);
        }
        self.centre.clear();
        self.centre.extend(places().map(|(_, row)| [row[0], row[1], row[2]]));
        self.reference.clone_from(&self.centre);
        self.radius.clear();
        self.radius.extend(places().map(|(_, row)| row[3]));
        self.rest.clear();
        self.rest.extend(places().map(|(&i, _)| rest[i as usize].to_array()));
        self.movable.clear();
        self.movable.resize(self.radii.len(), true);
        for &i in self.list.fixed() {
            self.movable[self.list.slot_of_body()[i] as usize] = false;
        }
        let movable = self.movable.iter();
        self.near.clear();
        let (planes, surfaces, skin) = (&self.planes, &self.surfaces, self.list.skin());
        let mut pieces = Vec::new();
        self.near.extend(places().map(|(_, row)| {
            planes.iter().any(|&(origin, normal)| {
                wall_overlap([[row[0], row[1], row[2]], [0.0; 3]], row[3], origin, normal) > -1.5 * skin
            }) || surfaces.iter().any(|(_, wall)| {
                pieces.clear();
                wall.placed(0.0).near(DVec3::from_slice(&row[..3]), row[3] + 1.5 * skin, &mut pieces);
                !pieces.is_empty()
            })
        }));
        self.load.clear();
        self.load.extend(places().zip(movable).map(
            |((&i, _), &movable)| {
                if movable { load[i as usize].to_array() } else { [0.0; 3] }
            },
        ));
        Ok(())
    }

    /// How far the furthest centre is from where the list was made, in m.
    pub(crate) fn drift(&self) -> f64 {
        let square = |(a, b): (&[f64; 3], &[f64; 3])| (0..3).map(|c| (a[c] - b[c]).powi(2)).sum::<f64>();
        self.centre.iter().zip(&self.reference).map(square).fold(0.0, f64::max).sqrt()
    }

    /// Moves all centres by `t` `s`.
    pub(crate) fn advance(&mut self, t: f64, s: &[[f64; 3]]) {
        for ((centre, rest), s) in self.centre.iter_mut().zip(&mut self.rest).zip(s) {
            for c in 0..3 {
                [centre[c], rest[c]] = two_sum(centre[c], rest[c] + t * s[c]);
            }
        }
    }

    /// The centres, to come back to.
    pub(crate) fn save(&self, kept: &mut [Vec<[f64; 3]>; 2]) {
        kept[0].clone_from(&self.centre);
        kept[1].clone_from(&self.rest);
    }

    pub(crate) fn restore(&mut self, kept: &[Vec<[f64; 3]>; 2]) {
        self.centre.clone_from(&kept[0]);
        self.rest.clone_from(&kept[1]);
    }

    /// Centre of the body at a place, within the domain.
    pub(crate) fn centre(&self, place: usize) -> DVec3 {
        self.centre[place].into()
    }

    /// Where each body is now, in the image that it started from, in m.
    pub(crate) fn positions(&mut self) -> VectorColumn {
        self.write();
        let ByBody { position, rest, jump, .. } = &self.by_body;
        (0..self.len()).map(|i| (position.get(i) + rest[i]) + jump[i]).collect()
    }

    /// Finds links and forces where the bodies are.
    pub(crate) fn evaluate<L: ContactLaw>(&mut self, law: &L) -> Totals {
        let (count, blocks) = (self.len(), self.list.blocks());
        let Self {
            list, planes, numbers, surfaces, near, centre, rest, radius, load, movable, links, force, sums, ..
        } = self;
        links.blocks.resize_with(blocks.count(), LinkRows::default);
        sums.clear();
        sums.resize(blocks.count(), Totals::default());
        let (shifts, rows) = (list.shifts(), list.rows());
        let output = (PerBlock(&mut links.blocks), PerBlock(&mut sums[..]), &mut force[..]);
        all_blocks(count, output, &|first, _, (links, sums, force)| {
            let ([links], [sums], Some(rows)) = (links.0, sums.0, rows.get(blocks.at(first))) else { return true };
            links.clear();
            let (mut pieces, mut patches) = (Vec::new(), Vec::new());
            for (k, force) in force.iter_mut().enumerate() {
                let place = first + k;
                *force = load[place];
                if movable[place] {
                    let a = [centre[place], rest[place]];
                    Arch::new().dispatch(
                        #[inline(always)]
                        || {
                            for &entry in rows.row(k) {
                                let other = (entry & INDEX_MASK) as usize;
                                let shift = shifts[(entry >> INDEX_BITS) as usize];
                                let reach = radius[place] + radius[other];
                                let b = [centre[other], rest[other]];
                                let (normal, overlap, distance) = overlap(a, b, shift, reach);
                                let fixed = if movable[other] { 0 } else { Link::FIXED };
                                let reduced = radius[place] * radius[other] / reach;
                                sums.deep |= overlap >= radius[place].min(radius[other]);
                                let other = other as u32 | fixed;
                                links.links.push(Link { other, normal, overlap, radius: reduced, distance });
                            }
                        },
                    );
                    for (wall, &(origin, normal)) in numbers.iter().zip(&*planes) {
                        let overlap = wall_overlap(a, radius[place], origin, normal);
                        if near[place] && radius[place] > 0.0 {
                            let other = wall | Link::WALL | Link::FIXED;
                            let radius = radius[place];
                            sums.deep |= overlap >= radius;
                            links.links.push(Link { other, normal, overlap, radius, distance: f64::INFINITY });
                        }
                    }
                }
                if movable[place] && near[place] && radius[place] > 0.0 {
                    for (wall, surface) in &*surfaces {
                        patches.clear();
                        let (radius, at) = (radius[place], DVec3::from_array(centre[place]));
                        surface.placed(0.0).patches(at, radius, &mut pieces, &mut patches);
                        for patch in &patches {
                            let overlap = links.add_patch(k, *wall, patch, (radius, rest[place].into()));
                            sums.deep |= overlap >= radius || overlap.is_nan();
                        }
                    }
                }
                for link in &links.links[*links.start.last().unwrap_or(&0) as usize..] {
                    if link.overlap > 0.0 {
                        let push = law.force(link.overlap, link.radius);
                        (0..3).for_each(|c| force[c] -= push * link.normal[c]);
                        sums.energy += link.share() * law.energy(link.overlap, link.radius);
                        sums.pressing += link.share() * push;
                        sums.contacts += link.share();
                        sums.strain += link.share() * link.overlap / (4.0 * link.radius);
                        sums.stiffest = sums.stiffest.max(law.stiffness(link.overlap, link.radius));
                    }
                }
                for (whole, taken) in links.taken_from_last(k).filter(|(_, taken)| taken.overlap > 0.0) {
                    let push = law.force(taken.overlap, taken.radius);
                    (0..3).for_each(|c| force[c] += push * taken.normal[c]);
                    sums.energy -= law.energy(taken.overlap, taken.radius);
                    sums.pressing -= push;
                    // What is common to many facets is one contact.
                    sums.contacts -= (push / law.force(whole.overlap, whole.radius)).min(1.0);
                    sums.strain -= taken.overlap / (4.0 * taken.radius);
                }
                links.start.push(links.links.len() as u32);
                let unbalanced = force.iter().map(|x| x * x).sum::<f64>();
                sums.size += unbalanced;
                sums.unbalanced =
                    if unbalanced > sums.unbalanced || unbalanced.is_nan() { unbalanced } else { sums.unbalanced };
            }
            true
        });
        let mut total = sums.iter().fold(Totals::default(), |sum, part| Totals {
            energy: sum.energy + part.energy,
            contacts: sum.contacts + part.contacts,
            pressing: sum.pressing + part.pressing,
            strain: sum.strain + part.strain,
            unbalanced: if part.unbalanced > sum.unbalanced || part.unbalanced.is_nan() {
                part.unbalanced
            } else {
                sum.unbalanced
            },
            stiffest: sum.stiffest.max(part.stiffest),
            size: sum.size + part.size,
            deep: sum.deep | part.deep,
        });
        (total.unbalanced, total.size) = (total.unbalanced.sqrt(), total.size.sqrt());
        total
    }

    /// All contacts, and how many bodies that can move have none.
    pub(crate) fn contacts<L: ContactLaw>(&self, law: &L) -> (Vec<Contact>, usize) {
        let order = self.list.order();
        let mut found = Vec::new();
        let mut touched = vec![false; self.len()];
        self.links.each_touching(&mut |place, link, taken| {
            touched[place] = true;
            let (body, normal) = (order[place] as usize, DVec3::from_array(link.normal));
            let with_wall = link.wall().is_some();
            let (a, b, normal, from) = match link.wall() {
                Some(wall) => (body, wall, normal, place),
                None => match order[link.place()] as usize {
                    other if body < other => (body, other, normal, place),
                    // A fixed body has no row of its own.
                    other if link.is_held() => (other, body, -normal, link.place()),
                    _ => return,
                },
            };
            let whole = [law.force(link.overlap, link.radius), law.energy(link.overlap, link.radius)];
            let [push, energy] = taken.map_or([0.0; 2], |taken| {
                [law.force(taken.overlap, taken.radius), law.energy(taken.overlap, taken.radius)]
            });
            let lost = taken.map_or(DVec3::ZERO, |taken| DVec3::from_array(taken.normal) * -push);
            let along = lost.dot(normal);
            let arm = self.radius[from] - if with_wall { link.overlap } else { 0.5 * link.overlap };
            found.push(Contact {
                a,
                b,
                with_wall,
                normal,
                point: self.by_body.position.get(a) + self.by_body.jump[a] + arm * normal,
                overlap: link.overlap,
                normal_force: whole[0] + along,
                tangential_force: lost - along * normal,
                couple: DVec3::ZERO,
                elastic_energy: whole[1] - energy,
                tangential_energy: 0.0,
                friction_work: None,
                dissipated_power: 0.0,
            });
        });
        found.sort_by_key(
            |contact| {
                if contact.with_wall { (true, contact.b, contact.a) } else { (false, contact.a, contact.b) }
            },
        );
        let free = touched.iter().zip(&self.movable).filter(|&(&touched, &movable)| movable && !touched).count();
        (found, free)
    }

    /// The error for the deepest contact there is.
    pub(crate) fn deepest(&self) -> DemError {
        let mut worst = (
            f64::NEG_INFINITY,
            DemError::Contact(ContactError::OverlapTooLarge { bodies: [0; 2], overlap: 0.0, radius: 0.0 }),
        );
        let order = self.list.order();
        for (block, rows) in self.links.blocks.iter().enumerate() {
            for k in 0..rows.start.len() - 1 {
                let place = self.list.blocks().first(block) + k;
                for link in rows.row(k) {
                    let (overlap, body) = (link.overlap, order[place] as usize);
                    let (radius, error) = match link.wall() {
                        Some(wall) => {
                            let radius = self.radius[place];
                            (radius, DemError::Contact(ContactError::BehindWall { body, wall, overlap, radius }))
                        }
                        None => {
                            let radius = self.radius[place].min(self.radius[link.place()]);
                            let other = order[link.place()] as usize;
                            let bodies = [body.min(other), body.max(other)];
                            (radius, DemError::Contact(ContactError::OverlapTooLarge { bodies, overlap, radius }))
                        }
                    };
                    if overlap / radius > worst.0 {
                        worst = (overlap / radius, error);
                    }
                }
            }
        }
        worst.1
    }
}
