//! The laws of a contact layer, and the materials of its bodies and walls.

use rrp_integrate::Renumbering;

use crate::error::DemError;
use crate::error::law::LawError;
use crate::law::contact_law::{ContactLaw, TangentialLaw};
use crate::law::material::law_table::LawTable;
use crate::law::tangential::lever_arm::LeverArm;

/// The laws of all pairs of materials, and the materials of bodies and walls.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct LawAssignment<L, T> {
    pub(crate) pairs: LawTable<L, T>,
    /// Material by body; empty where all bodies are of material 0.
    pub(crate) of_body: Vec<u16>,
    /// Material by wall; walls beyond the end are of material 0.
    pub(crate) of_wall: Vec<u16>,
}

impl<L: ContactLaw, T: TangentialLaw> LawAssignment<L, T> {
    /// One pair of laws for all contacts.
    pub(crate) fn uniform(law: L, tangential: T) -> Self {
        Self { pairs: LawTable::uniform(law, tangential), of_body: Vec::new(), of_wall: Vec::new() }
    }

    /// Whether one pair of laws holds for all contacts.
    pub(crate) fn is_uniform(&self) -> bool {
        self.pairs.materials() == 1
    }

    /// The laws of material 0 with itself.
    #[inline(always)]
    pub(crate) fn first(&self) -> &(L, T) {
        self.pairs.between(0, 0)
    }

    /// The laws of two bodies.
    #[inline(always)]
    pub(crate) fn of_bodies(&self, a: u32, b: u32) -> &(L, T) {
        self.pairs.between(self.body(a), self.body(b))
    }

    /// The laws of a body and a wall.
    #[inline(always)]
    pub(crate) fn at_wall(&self, a: u32, wall: usize) -> &(L, T) {
        self.pairs.between(self.body(a), self.of_wall.get(wall).copied().unwrap_or(0).into())
    }

    #[inline(always)]
    fn body(&self, i: u32) -> usize {
        self.of_body.get(i as usize).copied().unwrap_or(0).into()
    }

    /// Whether any pair of laws has a property.
    pub(crate) fn any(&self, property: impl Fn(&L, &T) -> bool) -> bool {
        self.pairs.all().iter().any(|(law, tangential)| property(law, tangential))
    }

    /// Whether surfaces act on each other at a distance.
    pub(crate) fn act_at_a_distance(&self) -> bool {
        self.any(|law, _| law.range(1.0) > 0.0)
    }

    /// The largest gap (m) at which two surfaces of the reduced radius `largest` (m) act on each other.
    pub(crate) fn range(&self, largest: f64) -> f64 {
        self.pairs.all().iter().fold(0.0, |range, (law, _)| range.max(law.range(largest)))
    }

    /// Whether a normal force depends on the history, or jumps.
    pub(crate) fn are_hysteretic(&self) -> bool {
        self.any(|_, tangential| tangential.is_hysteretic())
    }

    /// Whether anything depends on velocities.
    pub(crate) fn dissipate(&self) -> bool {
        self.any(|law, _| law.is_damped()) || self.are_tangential()
    }

    /// Whether there are tangential forces, or couples.
    pub(crate) fn are_tangential(&self) -> bool {
        self.any(|_, tangential| tangential.is_active() || tangential.resists_rolling())
    }

    /// The share of the overlap that is taken off the arm of tangential forces at a wall.
    #[inline(always)]
    pub(crate) fn lever(&self) -> f64 {
        self.first().1.lever().share()
    }

    /// The material of each body with new numbers; `new` has those of new bodies.
    ///
    /// # Errors
    /// [`DemError::LengthMismatch`], [`LawError::UnknownMaterial`].
    pub(crate) fn renumbered(&self, numbering: &Renumbering, new: &[u16]) -> Result<Vec<u16>, DemError> {
        let (what, expected, found) = ("materials of new bodies", numbering.new_bodies(), new.len());
        if expected != found && !(self.is_uniform() && new.is_empty()) {
            return Err(DemError::LengthMismatch { what, expected, found });
        }
        let materials = self.pairs.materials();
        if let Some(which) = new.iter().position(|&material| usize::from(material) >= materials) {
            let (what, material) = ("new body", new[which].into());
            return Err(DemError::Law(LawError::UnknownMaterial { what, which, material, materials }));
        }
        // There is nothing to renumber if there is one material, or no body yet.
        if self.of_body.is_empty() && (self.is_uniform() || numbering.keeps_all()) {
            return Ok(Vec::new());
        }
        Ok(numbering.column_with(&self.of_body, new)?)
    }

    /// Checks the laws and the materials, and drops the materials where there is only one.
    pub(crate) fn checked(mut self) -> Result<Self, DemError> {
        self.check()?;
        if self.is_uniform() {
            self.of_body = Vec::new();
        }
        Ok(self)
    }

    /// Checks that the laws act on the same arms and that every material has laws.
    pub(crate) fn check(&self) -> Result<(), DemError> {
        let lever = self.first().1.lever();
        let materials = self.pairs.materials();
        let unknown = |of: &[u16]| of.iter().position(|&material| usize::from(material) >= materials);
        if let Some(body) = unknown(&self.of_body) {
            return Err(DemError::Law(LawError::UnknownMaterial {
                what: "body",
                which: body,
                material: self.of_body[body].into(),
                materials,
            }));
        }
        if let Some(wall) = unknown(&self.of_wall) {
            return Err(DemError::Law(LawError::UnknownMaterial {
                what: "wall",
                which: wall,
                material: self.of_wall[wall].into(),
                materials,
            }));
        }
        if self.any(|_, tangential| tangential.lever() != lever) {
            return Err(DemError::Law(LawError::MixedLevers { first: lever.name(), other: other_than(lever).name() }));
        }
        Ok(())
    }

    /// Checks that each of so many bodies has a material, where there are several.
    pub(crate) fn check_bodies(&self, bodies: usize) -> Result<(), DemError> {
        if self.is_uniform() || self.of_body.len() == bodies {
            return Ok(());
        }
        Err(DemError::LengthMismatch { what: "materials", expected: bodies, found: self.of_body.len() })
    }

    /// Checks that one pair of laws holds for all contacts; `what` is the part of the crate that knows no more.
    pub(crate) fn check_uniform(&self, what: &'static str) -> Result<(), DemError> {
        if self.is_uniform() {
            Ok(())
        } else {
            Err(DemError::Law(LawError::OneMaterialOnly { what, materials: self.pairs.materials() }))
        }
    }
}

fn other_than(lever: LeverArm) -> LeverArm {
    if lever == LeverArm::Radius { LeverArm::ContactPoint } else { LeverArm::Radius }
}
