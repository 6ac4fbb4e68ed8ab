//! Setup of the contacts besides list and walls: laws, felt walls, spins of fixed bodies and sizes of bodies.

use rrp_integrate::{Bodies, Renumbering};

use crate::error::DemError;
use crate::force::NewBodies;
use crate::force::fixed_spins::FixedSpins;
use crate::force::tiles::scene::Needs;
use crate::force::wall_forces::felt_walls::FeltWalls;
use crate::law::material::assignment::LawAssignment;

/// Laws of the contacts, with the materials, groups, spins and sizes of the bodies on which they depend.
#[derive(Debug, Clone)]
pub(super) struct ContactSetup {
    pub(super) laws: LawAssignment,
    pub(super) felt: FeltWalls,
    pub(super) fixed_spins: FixedSpins,
    /// Whether the radii of the bodies differ or ever differed: contacts are then computed by the formulas for unequal
    /// radii, which round differently.
    pub(super) radii_differ: bool,
    /// Largest radius in m of all bodies of the run, if these are the contacts of one rank of several; otherwise zero.
    pub(super) largest_radius: f64,
}

impl ContactSetup {
    pub(super) fn new(laws: LawAssignment) -> Self {
        let felt = FeltWalls::default();
        let fixed_spins = FixedSpins::default();
        Self { laws, felt, fixed_spins, radii_differ: false, largest_radius: 0.0 }
    }

    /// Records whether the radii of the bodies differ. An empty set is ignored: later bodies may differ in size.
    pub(super) fn note_radii(&mut self, bodies: &Bodies) {
        self.radii_differ |= !bodies.is_empty() && bodies.radius().uniform().is_none();
    }

    /// Checks that these bodies have materials and groups, if needed, and that only fixed bodies have prescribed spins.
    ///
    /// # Errors
    /// [`DemError::LengthMismatch`],
    /// [`ContactError::SpinOfFreeBody`](crate::error::ContactError::SpinOfFreeBody).
    pub(super) fn check(&self, bodies: &Bodies) -> Result<(), DemError> {
        self.laws.check_bodies(bodies.len())?;
        self.felt.check_bodies(bodies.len())?;
        self.fixed_spins.check(bodies)
    }

    /// Returns what an evaluation has to compute, `elapsed` (s) after the accepted state.
    pub(super) fn needs(&self, bodies: &Bodies, elapsed: f64, keeps_ledger: bool) -> Needs {
        let radius = bodies.radius().uniform().filter(|_| !self.radii_differ);
        let needs = Needs::of(&self.laws, radius, elapsed);
        let dissipative = needs.motion && keeps_ledger;
        let energy = dissipative && (needs.hysteretic || self.laws.remember());
        Needs { dissipative, energy, largest_radius: self.largest_radius_of(bodies), ..needs }
    }

    fn largest_radius_of(&self, bodies: &Bodies) -> f64 {
        if !self.laws.act_at_a_distance() {
            return 0.0;
        }
        bodies.radius().iter().fold(self.largest_radius, |largest, &radius| largest.max(radius))
    }

    /// Largest gap in m at which two of these bodies act on each other; zero if no law acts at a distance.
    pub(super) fn range(&self, bodies: &Bodies) -> f64 {
        if self.laws.act_at_a_distance() { self.laws.range(self.largest_radius_of(bodies)) } else { 0.0 }
    }

    /// Returns the setup for `bodies`, those of a subdomain in the order of their new numbers. `number` returns the new
    /// number of a body; `None` for a body outside the subdomain.
    pub(super) fn of_bodies(&self, bodies: &[u32], number: impl Fn(usize) -> Option<usize>) -> Self {
        let LawAssignment { pairs, of_body, of_wall } = &self.laws;
        let material = |&body: &u32| of_body.get(body as usize).copied();
        let of_body = bodies.iter().filter_map(material).collect();
        let group = |&body: &u32| self.felt.group_of_body.get(body as usize).copied();
        let group_of_body = bodies.iter().filter_map(group).collect();
        Self {
            laws: LawAssignment { pairs: pairs.clone(), of_body, of_wall: of_wall.clone() },
            felt: FeltWalls { group_of_body, groups_of_wall: self.felt.groups_of_wall.clone() },
            fixed_spins: self.fixed_spins.with_numbers(number),
            ..*self
        }
    }

    /// Returns the setup after a renumbering of the bodies.
    ///
    /// # Errors
    /// [`DemError::LengthMismatch`], [`LawError::UnknownMaterial`](crate::error::LawError::UnknownMaterial).
    pub(super) fn renumbered(&self, numbering: &Renumbering, new: NewBodies<'_>) -> Result<Self, DemError> {
        let of_body = self.laws.renumbered(numbering, new.materials)?;
        let has_groups = self.felt.first_selective().is_some() || !self.felt.group_of_body.is_empty();
        let expected = numbering.new_bodies();
        let found = new.groups.len();
        if has_groups && expected != found {
            return Err(DemError::LengthMismatch { what: "groups of new bodies", expected, found });
        }
        let groups = &self.felt.group_of_body;
        let group_of_body = if has_groups { numbering.column_with(groups, new.groups)? } else { Vec::new() };
        Ok(Self {
            laws: LawAssignment { of_body, pairs: self.laws.pairs.clone(), of_wall: self.laws.of_wall.clone() },
            felt: FeltWalls { group_of_body, groups_of_wall: self.felt.groups_of_wall.clone() },
            fixed_spins: self.fixed_spins.renumbered(numbering),
            ..*self
        })
    }
}
