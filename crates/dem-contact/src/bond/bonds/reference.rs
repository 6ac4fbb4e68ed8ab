use rrp_geom::glam::DVec3;
use rrp_integrate::{Bodies, State};

use crate::bond::bonds::Bonds;
use crate::bond::force::Record;
use crate::bond::law::Bond;
use crate::error::DemError;
use crate::error::bond::BondError;
use crate::neighbor::domain::Domain;

/// Name of bonds across periodic sides in the error for a domain that deforms.
const ACROSS: &str = "bonds across its sides";

/// Bodies, state and domain in which new bonds store no energy.
#[derive(Clone, Copy)]
pub(super) struct Reference<'a> {
    pub(super) bodies: &'a Bodies,
    pub(super) state: &'a State,
    pub(super) domain: &'a Domain,
    /// Whether bonded bodies may overlap in the reference state, so that contacts of bonds push from the start.
    pub(super) prestressed: bool,
}

impl Reference<'_> {
    /// Checks one bond and computes its length and direction in the reference state. Body numbers must fit into u32.
    pub(super) fn record(&self, bond: usize, row: &Bond) -> Result<Record, DemError> {
        let &Self { bodies, state, domain, prestressed } = self;
        let &Bond { bodies: pair, law } = row;
        law.check(bond)?;
        let [i, j] = pair;
        if i == j || pair.iter().any(|&body| body >= bodies.len()) {
            let len = bodies.len();
            return Err(DemError::Bond(BondError::InvalidLink { what: "bond", which: bond, bodies: pair, len }));
        }
        let [first, second] = pair.map(|body| state.position().get(body));
        let offset = self.offset(first, second);
        if offset != DVec3::ZERO {
            domain.check_at_rest(ACROSS)?;
        }
        let apart = first - second + offset;
        let length = apart.length();
        let axis = apart / length;
        // Lengths whose squares overflow or underflow give no unit vector either.
        if !((axis.length() - 1.0).abs() < 1e-9 && length.recip().is_finite()) {
            return Err(DemError::Bond(BondError::BondWithoutLength { bond, bodies: pair, length }));
        }
        let diameter = bodies.radius()[i] + bodies.radius()[j];
        if !prestressed && law.contact() > 0.0 && length < diameter * (1.0 - 1e-9) {
            return Err(DemError::Bond(BondError::BondOverlap { bond, bodies: pair, length, diameter }));
        }
        Ok(Record { bodies: [i as u32, j as u32], offset, length, axis, law, set: 0 })
    }

    /// Returns the whole periods in m that, added to `first - second`, give the vector from the second body to the
    /// nearest image of the first.
    fn offset(&self, first: DVec3, second: DVec3) -> DVec3 {
        let periods = self.domain.periods();
        let whole = self.domain.separation(second, first) - (first - second);
        let along = |axis: usize| match periods[axis] {
            period if period > 0.0 => period * (whole[axis] / period).round(),
            _ => 0.0,
        };
        DVec3::new(along(0), along(1), along(2))
    }
}

impl Bonds {
    /// Whether any bond goes across a periodic side of the domain.
    #[must_use]
    pub fn has_bonds_across_sides(&self) -> bool {
        self.records.iter().any(|record| record.offset != DVec3::ZERO)
    }

    /// Checks that bonds across periodic sides can be evaluated in this domain: the domain does not deform, and the
    /// offset between the images that each bond joins is a whole number of its periods.
    ///
    /// # Errors
    /// [`ListError::Deforms`](crate::error::ListError::Deforms), [`BondError::OtherPeriods`].
    pub fn check_sides(&self, domain: &Domain) -> Result<(), DemError> {
        let periods = domain.periods();
        let across = self.records.iter().enumerate().filter(|(_, record)| record.offset != DVec3::ZERO);
        for (bond, &Record { offset, .. }) in across {
            domain.check_at_rest(ACROSS)?;
            let is_whole = |axis: usize| match (offset[axis], periods[axis]) {
                (0.0, _) => true,
                (offset, period) => period > 0.0 && (offset / period - (offset / period).round()).abs() < 1e-9,
            };
            if !(0..3).all(is_whole) {
                return Err(DemError::Bond(BondError::OtherPeriods { bond, offset, periods }));
            }
        }
        Ok(())
    }
}
