//! Ties: pairs of spheres whose contact also pulls, `[DK21] section 3.3`.

use std::sync::Arc;

use rrp_geom::glam::DVec3;
use rrp_integrate::{Bodies, FieldError, ForceField, Potential, Renumbering, State, Wrenches};

use crate::bond::renumber::linked;
use crate::error::DemError;
use crate::error::bond::BondError;
use crate::error::contact::ContactError;
use crate::error::list::ListError;
use crate::error::parameter::positive;
use crate::neighbor::NeighborList;
use crate::neighbor::domain::Domain;
use crate::util::length::check_length;

/// Pairs of spheres that stick together, `[DK21] section 3.3`. The energy is k δ²/2 for both signs of the overlap `δ =
/// r_a + r_b − |r|`, so that tied spheres rest at a distance equal to the sum of their radii. Ties are central and
/// undamped, and do not resist rotation.
///
/// A tie replaces the contact of its pair: make the list of the contacts with [`NeighborList::without_pairs`] of
/// [`pairs`](Self::pairs). An implicit step takes ties by
/// [`ImplicitDem::with_ties`](crate::implicit::ImplicitDem::with_ties); for an explicit step, add them as a field to
/// the contacts. A sum of fields refuses a pair that has both a tie and a contact, with
/// [`ContactReplacedTwice`](rrp_integrate::IntegrateError::ContactReplacedTwice).
#[derive(Debug, Clone, PartialEq)]
pub struct Ties {
    domain: Domain,
    stiffness: f64,
    len: usize,
    pairs: Arc<[[usize; 2]]>,
    /// Bodies of each tie in both directions, (a, b) and (b, a), sorted, so that the ties of a body are contiguous.
    directed: Arc<[[u32; 2]]>,
}

impl Ties {
    /// Makes ties between these pairs of `len` bodies in `domain`, each with the stiffness k in N/m.
    ///
    /// # Errors
    /// [`DemError::InvalidParameter`] unless `stiffness` is finite and positive, [`BondError::InvalidLink`] for the
    /// first pair that is not two of the bodies or has a tie already, [`ListError::TooManyBodies`].
    pub fn new(
        domain: Domain,
        len: usize,
        pairs: impl IntoIterator<Item = [usize; 2]>,
        stiffness: f64,
    ) -> Result<Self, DemError> {
        domain.check_at_rest("ties")?;
        let stiffness = positive("the stiffness of a tie", stiffness)?;
        let limit = u32::MAX as usize / 2;
        if len > limit {
            return Err(DemError::List(ListError::TooManyBodies { bodies: len, limit }));
        }
        let pairs: Arc<[[usize; 2]]> = pairs.into_iter().map(|[a, b]| [a.min(b), a.max(b)]).collect();
        let mut sorted: Vec<([usize; 2], usize)> = pairs.iter().copied().zip(0..).collect();
        sorted.sort_unstable();
        let twice = sorted.windows(2).filter(|two| two[0].0 == two[1].0).map(|two| two[1].1);
        let bad = pairs.iter().position(|&[a, b]| a == b || b >= len);
        if let Some(tie) = bad.into_iter().chain(twice).min() {
            return Err(DemError::Bond(BondError::InvalidLink { what: "tie", which: tie, bodies: pairs[tie], len }));
        }
        let mut directed: Vec<[u32; 2]> =
            pairs.iter().flat_map(|&[a, b]| [[a as u32, b as u32], [b as u32, a as u32]]).collect();
        directed.sort_unstable();
        Ok(Self { domain, stiffness, len, pairs, directed: directed.into() })
    }

    /// Ties all pairs whose overlap at `state`, positive or negative, is within a hundredth of their mean diameter.
    ///
    /// # Errors
    /// Those of [`new`](Self::new), of [`NeighborList::update`], and of [`State::check_columns`] inside
    /// [`DemError::Integrate`].
    pub fn of_contacts(bodies: &Bodies, state: &State, domain: Domain, stiffness: f64) -> Result<Self, DemError> {
        state.check_columns(bodies)?;
        let radius = bodies.radius();
        let largest = radius.iter().fold(0.0, |largest: f64, &radius| largest.max(radius));
        if largest <= 0.0 {
            return Self::new(domain, bodies.len(), [], stiffness);
        }
        let mut list = NeighborList::new(domain, 0.02 * largest)?;
        list.update(radius, state.position())?;
        let near = |&[a, b]: &[usize; 2]| {
            let sum = radius[a] + radius[b];
            let distance = domain.separation(state.position().get(a), state.position().get(b)).length();
            (sum - distance).abs() < 0.01 * sum
        };
        Self::new(domain, bodies.len(), list.pairs().into_iter().filter(near), stiffness)
    }

    /// Renumbers the tied bodies between two steps.
    ///
    /// # Errors
    /// [`DemError::LengthMismatch`] if `numbering` is for another number of bodies, [`BondError::BodyGone`] if a tied
    /// body is removed, [`ListError::TooManyBodies`]. Nothing is then changed.
    pub fn renumber(&mut self, numbering: &Renumbering) -> Result<(), DemError> {
        let pairs = linked("tie", self.pairs.iter().copied(), numbering, self.len)?;
        *self = Self::new(self.domain, numbering.former().len(), pairs, self.stiffness)?;
        Ok(())
    }

    /// Returns the pairs of tied bodies, each with the lower number first, in the order in which they were given.
    #[must_use]
    pub fn pairs(&self) -> &[[usize; 2]] {
        &self.pairs
    }

    /// Stiffness k of each tie in N/m.
    #[must_use]
    pub fn stiffness(&self) -> f64 {
        self.stiffness
    }

    /// Number of bodies of the system, tied or not.
    #[must_use]
    pub fn bodies(&self) -> usize {
        self.len
    }

    /// Computes the force of the tie number `tie` at `state` in N, positive if it pushes the bodies apart.
    ///
    /// # Panics
    /// If there is no such tie or body.
    #[must_use]
    pub fn force(&self, bodies: &Bodies, state: &State, tie: usize) -> f64 {
        let [a, b] = self.pairs[tie];
        self.stiffness * self.overlap(bodies, self.separation(state, a, b).length(), a, b)
    }

    fn separation(&self, state: &State, a: usize, b: usize) -> DVec3 {
        self.domain.separation(state.position().get(a), state.position().get(b))
    }

    fn overlap(&self, bodies: &Bodies, distance: f64, a: usize, b: usize) -> f64 {
        bodies.radius()[a] + bodies.radius()[b] - distance
    }

    /// Returns the ties of `body`, sorted, each as the pair of `body` and its partner.
    pub(crate) fn of_body(&self, body: usize) -> &[[u32; 2]] {
        let first = self.directed.partition_point(|pair| (pair[0] as usize) < body);
        let own = &self.directed[first..];
        &own[..own.partition_point(|pair| pair[0] as usize == body)]
    }

    pub(crate) fn domain(&self) -> &Domain {
        &self.domain
    }

    fn evaluate(&self, bodies: &Bodies, state: &State, out: &mut Wrenches) -> Result<(), DemError> {
        check_length("bodies of ties", self.len, bodies.len())?;
        state.check_columns(bodies)?;
        out.check_length(self.len)?;
        for &[a, b] in &*self.pairs {
            let separation = self.separation(state, a, b);
            let distance = separation.length();
            let overlap = self.overlap(bodies, distance, a, b);
            if distance <= 0.0 {
                let radius = bodies.radius()[a].min(bodies.radius()[b]);
                return Err(DemError::Contact(ContactError::OverlapTooLarge { bodies: [a, b], overlap, radius }));
            }
            let force = separation * (self.stiffness * overlap / distance);
            out.force.add(a, -force);
            out.force.add(b, force);
        }
        Ok(())
    }
}

impl ForceField for Ties {
    fn accumulate(&mut self, bodies: &Bodies, state: &State, _: f64, out: &mut Wrenches) -> Result<(), FieldError> {
        self.evaluate(bodies, state, out).map_err(Into::into)
    }

    fn each_replaced_pair(&self, show: &mut dyn FnMut([usize; 2])) {
        self.pairs.iter().for_each(|&pair| show(pair));
    }
}

impl Potential for Ties {
    /// Elastic energy of all ties at `state` in J; NaN if `state` has another number of bodies.
    fn energy(&self, bodies: &Bodies, state: &State) -> f64 {
        if bodies.len() != self.len || state.len() != self.len {
            return f64::NAN;
        }
        let energy = |&[a, b]: &[usize; 2]| {
            let overlap = self.overlap(bodies, self.separation(state, a, b).length(), a, b);
            0.5 * self.stiffness * overlap * overlap
        };
        self.pairs.iter().map(energy).sum()
    }
}

#[cfg(feature = "serde")]
mod parts {
    use crate::bond::ties::Ties;
    use crate::error::DemError;
    use crate::neighbor::domain::Domain;

    #[derive(serde::Serialize, serde::Deserialize)]
    struct TieParts {
        domain: Domain,
        stiffness: f64,
        len: usize,
        pairs: Vec<[usize; 2]>,
    }

    impl serde::Serialize for Ties {
        fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
            let Self { domain, stiffness, len, ref pairs, .. } = *self;
            TieParts { domain, stiffness, len, pairs: pairs.to_vec() }.serialize(to)
        }
    }

    impl<'de> serde::Deserialize<'de> for Ties {
        fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
            let TieParts { domain, stiffness, len, pairs } = TieParts::deserialize(from)?;
            let made: Result<Self, DemError> = Self::new(domain, len, pairs, stiffness);
            made.map_err(serde::de::Error::custom)
        }
    }
}
