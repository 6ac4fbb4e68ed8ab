//! The contact laws of all pairs of bodies and walls, by material.

use rrp_integrate::Renumbering;

use crate::error::DemError;
use crate::error::law::LawError;
use crate::law::material::pair_table::{LawTable, pair_index};
use crate::law::pair_law::{LawRecord, LawTraits, PairLaw};

/// Contact laws of all pairs of materials, and the materials of bodies and walls.
#[derive(Debug, Clone)]
pub(crate) struct LawAssignment {
    pub(crate) pairs: LawTable,
    /// Material of each body, by body number; empty if there is only one material.
    pub(crate) of_body: Vec<u16>,
    /// Material of each wall, by wall number; 0 for walls beyond the end.
    pub(crate) of_wall: Vec<u16>,
}

impl LawAssignment {
    pub(crate) fn new(laws: impl Into<LawTable>) -> Self {
        Self { pairs: laws.into(), of_body: Vec::new(), of_wall: Vec::new() }
    }

    fn is_uniform(&self) -> bool {
        self.pairs.materials() == 1
    }

    #[inline(always)]
    pub(crate) fn first(&self) -> &dyn PairLaw {
        &**self.pairs.between(0, 0)
    }

    /// Index of the laws of two materials among those of all pairs, see [`by_index`](Self::by_index). A number beyond
    /// the last material counts as the last material.
    #[inline(always)]
    pub(crate) fn index_of(&self, kinds: [u16; 2]) -> usize {
        let last = self.pairs.materials() - 1;
        let [a, b] = kinds.map(|kind| usize::from(kind).min(last));
        pair_index(a, b)
    }

    #[inline(always)]
    pub(crate) fn by_index(&self, index: usize) -> &dyn PairLaw {
        &*self.pairs.all()[index]
    }

    #[inline(always)]
    pub(crate) fn index_of_bodies(&self, a: u32, b: u32) -> usize {
        self.index_of([self.body(a), self.body(b)])
    }

    #[inline(always)]
    pub(crate) fn index_at_wall(&self, a: u32, wall: usize) -> usize {
        self.index_of([self.body(a), self.of_wall.get(wall).copied().unwrap_or(0)])
    }

    #[inline(always)]
    pub(crate) fn of_bodies(&self, a: u32, b: u32) -> &dyn PairLaw {
        self.by_index(self.index_of_bodies(a, b))
    }

    #[inline(always)]
    pub(crate) fn at_wall(&self, a: u32, wall: usize) -> &dyn PairLaw {
        self.by_index(self.index_at_wall(a, wall))
    }

    #[inline(always)]
    fn body(&self, i: u32) -> u16 {
        self.of_body.get(i as usize).copied().unwrap_or(0)
    }

    pub(crate) fn any(&self, property: impl Fn(&LawTraits) -> bool) -> bool {
        self.pairs.all().iter().any(|laws| property(laws.traits()))
    }

    pub(crate) fn act_at_a_distance(&self) -> bool {
        self.any(LawTraits::acts_at_a_distance)
    }

    pub(crate) fn range(&self, largest: f64) -> f64 {
        self.pairs.all().iter().fold(0.0, |range, laws| range.max(laws.traits().normal.range(largest)))
    }

    pub(crate) fn are_hysteretic(&self) -> bool {
        self.any(|traits| traits.is_hysteretic)
    }

    pub(crate) fn dissipate(&self) -> bool {
        self.any(LawTraits::needs_motion)
    }

    pub(crate) fn are_tangential(&self) -> bool {
        self.any(|traits| traits.is_tangential || traits.resists_rolling)
    }

    pub(crate) fn remember(&self) -> bool {
        self.any(|traits| traits.layout.width() > 0)
    }

    pub(crate) fn records(&self) -> Vec<LawRecord> {
        self.pairs.all().iter().map(|laws| laws.traits().record()).collect()
    }

    /// Returns the material of each body after a renumbering; `new` has the materials of the added bodies.
    ///
    /// # Errors
    /// [`DemError::LengthMismatch`], [`LawError::UnknownMaterial`].
    pub(crate) fn renumbered(&self, numbering: &Renumbering, new: &[u16]) -> Result<Vec<u16>, DemError> {
        let what = "materials of new bodies";
        let expected = numbering.new_bodies();
        let found = new.len();
        if expected != found && !(self.is_uniform() && new.is_empty()) {
            return Err(DemError::LengthMismatch { what, expected, found });
        }
        let materials = self.pairs.materials();
        if let Some(which) = new.iter().position(|&material| usize::from(material) >= materials) {
            let what = "new body";
            let material = new[which].into();
            return Err(DemError::Law(LawError::UnknownMaterial { what, which, material, materials }));
        }
        // With one material, or before the first body, there is nothing to renumber.
        if self.of_body.is_empty() && (self.is_uniform() || numbering.keeps_all()) {
            return Ok(Vec::new());
        }
        Ok(numbering.column_with(&self.of_body, new)?)
    }

    /// Checks the materials by [`check`](Self::check), and drops those of bodies if there is only one material.
    pub(crate) fn checked(mut self) -> Result<Self, DemError> {
        self.check()?;
        if self.is_uniform() {
            self.of_body = Vec::new();
        }
        Ok(self)
    }

    pub(crate) fn check(&self) -> Result<(), DemError> {
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
        Ok(())
    }

    /// Checks that each of `bodies` bodies has a material, unless there is only one material.
    pub(crate) fn check_bodies(&self, bodies: usize) -> Result<(), DemError> {
        if self.is_uniform() || self.of_body.len() == bodies {
            return Ok(());
        }
        Err(DemError::LengthMismatch { what: "materials", expected: bodies, found: self.of_body.len() })
    }

    /// Checks that there is only one material; the error names `what`, the method that needs this.
    pub(crate) fn check_uniform(&self, what: &'static str) -> Result<(), DemError> {
        if self.is_uniform() {
            Ok(())
        } else {
            Err(DemError::Law(LawError::OneMaterialOnly { what, materials: self.pairs.materials() }))
        }
    }
}
