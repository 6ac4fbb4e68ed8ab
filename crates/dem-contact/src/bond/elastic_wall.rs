use rrp_geom::glam::DVec3;
use rrp_integrate::{Bodies, FieldError, ForceField, Potential, State, Wrenches};

use crate::error::DemError;
use crate::error::parameter::{finite, fraction, positive};
use crate::error::wall::{WallError, check_finite};

/// A plane at rest that repels each body with the energy U = 2/5 K [1 − s/(D/2)]₊^{5/2} of `[BG21] (56)`, where s is
/// the height of the centre above the plane and D the diameter of the body.
///
/// The wall is elastic and frictionless. It sums up its impulse, so that momentum balances close to round-off at every
/// accepted state, also during contact. Bodies without radius do not touch the wall.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "WallParts", into = "WallParts"))]
pub struct ElasticWall {
    point: DVec3,
    normal: DVec3,
    stiffness: f64,
    old_force_weight: f64,
    committed: Tally,
    pending: Tally,
}

/// Impulse that all bodies together have given to an elastic wall.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct WallImpulse {
    /// Time integral ∫F dt of the force on the wall in N s, world frame.
    pub linear: DVec3,
    /// Time integral ∫x × F dt of the moment on the wall about the world origin, in N m s.
    pub angular: DVec3,
}

/// Load on an elastic wall at one state, and the impulse up to this state with the compensation of its rounding errors.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Tally {
    force: DVec3,
    torque: DVec3,
    impulse: WallImpulse,
    residue: WallImpulse,
}

impl Tally {
    /// Returns all numbers of the load and the impulse, for the check of a restored wall.
    #[cfg(feature = "serde")]
    fn numbers(&self) -> impl Iterator<Item = f64> {
        let of_impulse = |impulse: WallImpulse| [impulse.linear, impulse.angular];
        let vectors = [[self.force, self.torque], of_impulse(self.impulse), of_impulse(self.residue)];
        vectors.into_iter().flatten().flat_map(|vector| vector.to_array())
    }
}

impl ElasticWall {
    /// Makes a wall through `point` (m) with the stiffness K (J); `normal`, of any length, points to the bodies.
    ///
    /// # Errors
    /// [`WallError::InvalidWall`] with the number 0 for a normal without direction; [`DemError::InvalidParameter`]
    /// unless the stiffness is finite and positive.
    pub fn new(point: DVec3, normal: DVec3, stiffness: f64) -> Result<Self, DemError> {
        let unit = normal.normalize_or_zero();
        check_finite(0, [("point", point), ("normal", normal)])?;
        if unit.length_squared() < 0.5 {
            let parameter = "length of the normal";
            let range = "positive and finite";
            let value = normal.length();
            return Err(DemError::Wall(WallError::InvalidWall { wall: 0, parameter, range, value }));
        }
        let stiffness = positive("the stiffness of the wall", stiffness)?;
        let nothing = Tally::default();
        Ok(Self { point, normal: unit, stiffness, old_force_weight: 0.5, committed: nothing, pending: nothing })
    }

    /// Sets the weight φ of the wall's force at the start of a step in the impulse; the force at the end has 1 − φ.
    ///
    /// φ is 1/2 (default) for kick-drift-kick steps, 1 for the symplectic Euler step, `[BG21] (27)`. Only for these two
    /// is the angular impulse exact: a step with another φ, by (26), kicks with the new force at the old position.
    ///
    /// # Errors
    /// [`DemError::InvalidParameter`] unless 0 ≤ φ ≤ 1.
    pub fn with_old_force_weight(self, weight: f64) -> Result<Self, DemError> {
        Ok(Self { old_force_weight: fraction("the weight of the old force", weight)?, ..self })
    }

    /// Impulse of the bodies on the wall from the start of the run to the last accepted state.
    #[must_use]
    pub fn impulse(&self) -> WallImpulse {
        self.committed.impulse
    }

    /// Force of all bodies on the wall in N at the last accepted state.
    #[must_use]
    pub fn force(&self) -> DVec3 {
        self.committed.force
    }

    /// Overlap [1 − s/(D/2)]₊ of the wall with a body at height s with diameter D; NaN for a position that is NaN.
    #[inline(always)]
    fn overlap(&self, position: DVec3, radius: f64) -> f64 {
        let overlap = if radius > 0.0 { 1.0 - (position - self.point).dot(self.normal) / radius } else { 0.0 };
        // Not `max`: it would turn NaN into zero.
        if overlap < 0.0 { 0.0 } else { overlap }
    }

    fn evaluate(&mut self, bodies: &Bodies, state: &State, elapsed: f64, out: &mut Wrenches) -> Result<(), DemError> {
        state.check_columns(bodies)?;
        out.check_length(bodies.len())?;
        finite("the time since the committed state", elapsed)?;
        let mut now = Tally { ..self.committed };
        (now.force, now.torque) = (DVec3::ZERO, DVec3::ZERO);
        for (i, (position, &radius)) in state.position().iter().zip(bodies.radius().iter()).enumerate() {
            let overlap = self.overlap(position, radius);
            if overlap <= 0.0 {
                continue;
            }
            let force = self.stiffness / radius * overlap * overlap.sqrt() * self.normal;
            out.force.add(i, force);
            now.force -= force;
            now.torque -= position.cross(force);
        }
        if elapsed > 0.0 {
            let old = elapsed * self.old_force_weight;
            let new = elapsed * (1.0 - self.old_force_weight);
            let WallImpulse { linear, angular } = &mut now.impulse;
            add(linear, &mut now.residue.linear, old * self.committed.force + new * now.force);
            add(angular, &mut now.residue.angular, old * self.committed.torque + new * now.torque);
        } else if now.force.is_finite() && now.torque.is_finite() {
            // This is the committed state itself.
            self.committed = now;
        }
        self.pending = now;
        Ok(())
    }
}

/// Adds `term` to `sum` by compensated (Kahan) summation; `residue` is the rounding error of earlier additions, which
/// is still to be added, and is updated.
fn add(sum: &mut DVec3, residue: &mut DVec3, term: DVec3) {
    let term = term + *residue;
    let next = *sum + term;
    *residue = term - (next - *sum);
    *sum = next;
}

impl ForceField for ElasticWall {
    fn accumulate(
        &mut self,
        bodies: &Bodies,
        state: &State,
        elapsed: f64,
        out: &mut Wrenches,
    ) -> Result<(), FieldError> {
        self.evaluate(bodies, state, elapsed, out).map_err(Into::into)
    }

    fn commit(&mut self) {
        self.committed = self.pending;
    }
}

impl Potential for ElasticWall {
    /// Elastic energy of the wall at `state` in J; NaN if the numbers of bodies differ or a position is NaN.
    fn energy(&self, bodies: &Bodies, state: &State) -> f64 {
        if bodies.len() != state.len() {
            return f64::NAN;
        }
        let energy = |(position, &radius): (DVec3, &f64)| {
            let overlap = self.overlap(position, radius);
            0.4 * self.stiffness * overlap * overlap * overlap.sqrt()
        };
        state.position().iter().zip(bodies.radius().iter()).map(energy).sum()
    }
}

#[cfg(feature = "serde")]
#[derive(serde::Serialize, serde::Deserialize)]
struct WallParts {
    point: DVec3,
    normal: DVec3,
    stiffness: f64,
    old_force_weight: f64,
    committed: Tally,
}

#[cfg(feature = "serde")]
impl TryFrom<WallParts> for ElasticWall {
    type Error = DemError;

    fn try_from(parts: WallParts) -> Result<Self, DemError> {
        let WallParts { point, normal, stiffness, old_force_weight, committed } = parts;
        let checked = Self::new(point, normal, stiffness)?.with_old_force_weight(old_force_weight)?;
        for number in committed.numbers() {
            finite("what a wall has taken", number)?;
        }
        // The normal keeps its bits, which a second normalisation might change.
        let normal = if (checked.normal - normal).length() < 1e-12 { normal } else { checked.normal };
        Ok(Self { normal, committed, pending: committed, ..checked })
    }
}

#[cfg(feature = "serde")]
impl From<ElasticWall> for WallParts {
    fn from(wall: ElasticWall) -> Self {
        let ElasticWall { point, normal, stiffness, old_force_weight, committed, .. } = wall;
        Self { point, normal, stiffness, old_force_weight, committed }
    }
}

#[cfg(all(test, feature = "serde"))]
mod tests {
    use super::*;

    #[test]
    fn stored_numbers_that_are_not_finite_are_refused() {
        for (wrong, is_refused) in [(f64::NAN, true), (f64::INFINITY, true), (1.0, false)] {
            let mut parts = WallParts::from(ElasticWall::new(DVec3::ZERO, DVec3::Z, 1.0).unwrap());
            parts.committed.force = DVec3::new(0.0, wrong, 2.0);
            let outcome = ElasticWall::try_from(parts);
            assert_eq!(matches!(outcome, Err(DemError::InvalidParameter { .. })), is_refused, "{outcome:?}");
        }
    }
}
