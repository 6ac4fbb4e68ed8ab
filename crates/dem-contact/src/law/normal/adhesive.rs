//! What normal laws have in common that remember how a contact was pressed, and one type for all of them.

use crate::error::DemError;
use crate::error::law::LawError;
use crate::error::parameter::not_negative;
use crate::law::contact_law::ContactLaw;
use crate::law::normal::dmt::Dmt;
use crate::law::normal::hertz::Hertz;
use crate::law::normal::jkr::Jkr;
use crate::law::normal::plastic::PlasticHooke;

/// A normal law of contacts that stick or yield: its force depends on what happened before, or jumps.
///
/// Overlaps δ and radii R are those of [`ContactLaw`]. [`Adhesive`](crate::law::Adhesive) keeps the memory of each
/// contact, and hands the law its elastic overlap.
pub trait AdhesiveLaw: ContactLaw {
    /// What the contact remembers after a step that ends with this overlap: one number. `before` is what it remembered
    /// so far, zero for a new contact. `None` if the surfaces do not act on each other: the contact then ends.
    fn remember(&self, overlap: f64, radius: f64, before: f64) -> Option<f64>;

    /// The overlap in m of which force, energy and damping are functions.
    fn elastic_overlap(&self, overlap: f64, memory: f64) -> f64 {
        let _ = memory;
        overlap
    }

    /// The radius of the contact in m.
    fn contact_radius(&self, overlap: f64, radius: f64) -> f64 {
        (radius * overlap).sqrt()
    }

    /// The load in N that is added to the normal force in the limits of friction, rolling and twisting.
    fn friction_load(&self, overlap: f64, radius: f64) -> f64;
}

/// Checks a work of adhesion (J/m²) beside an elastic law.
pub(super) fn sticking(elastic: &Hertz, adhesion: f64) -> Result<f64, DemError> {
    if elastic.is_capped() {
        return Err(DemError::Law(LawError::CappedAdhesion));
    }
    not_negative("the work of adhesion", adhesion)
}

/// Any law of contacts that stick or yield, chosen at each contact.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum AnyAdhesive {
    /// Soft bodies.
    Jkr(Jkr),
    /// Stiff bodies.
    Dmt(Dmt),
    /// Bodies that yield.
    Plastic(PlasticHooke),
}

/// Does the same for each law.
macro_rules! each {
    ($self:expr, $law:ident => $value:expr) => {
        match $self {
            AnyAdhesive::Jkr($law) => $value,
            AnyAdhesive::Dmt($law) => $value,
            AnyAdhesive::Plastic($law) => $value,
        }
    };
}

impl ContactLaw for AnyAdhesive {
    #[inline]
    fn energy(&self, overlap: f64, radius: f64) -> f64 {
        each!(self, law => law.energy(overlap, radius))
    }

    #[inline]
    fn force(&self, overlap: f64, radius: f64) -> f64 {
        each!(self, law => law.force(overlap, radius))
    }

    #[inline]
    fn stiffness(&self, overlap: f64, radius: f64) -> f64 {
        each!(self, law => law.stiffness(overlap, radius))
    }

    #[inline]
    fn damping(&self, overlap: f64, radius: f64, mass: f64) -> f64 {
        each!(self, law => law.damping(overlap, radius, mass))
    }

    fn is_damped(&self) -> bool {
        each!(self, law => law.is_damped())
    }

    #[inline]
    fn range(&self, radius: f64) -> f64 {
        each!(self, law => law.range(radius))
    }
}

impl AdhesiveLaw for AnyAdhesive {
    #[inline]
    fn remember(&self, overlap: f64, radius: f64, before: f64) -> Option<f64> {
        each!(self, law => law.remember(overlap, radius, before))
    }

    #[inline]
    fn elastic_overlap(&self, overlap: f64, memory: f64) -> f64 {
        each!(self, law => law.elastic_overlap(overlap, memory))
    }

    #[inline]
    fn contact_radius(&self, overlap: f64, radius: f64) -> f64 {
        each!(self, law => law.contact_radius(overlap, radius))
    }

    #[inline]
    fn friction_load(&self, overlap: f64, radius: f64) -> f64 {
        each!(self, law => law.friction_load(overlap, radius))
    }
}
