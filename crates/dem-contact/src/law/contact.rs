//! The conventions of signs and frames of a contact.
//!
//! A contact joins the bodies a and b; b may be a wall, which counts as a body of infinite mass and radius. The normal
//! n points from a to b. The gap is positive if the surfaces are apart; the overlap δ is minus the gap. A normal force
//! F ≥ 0 is repulsive: it acts on b along n and on a against n. Velocities are those of b relative to a, so the overlap
//! grows at −v·n. The contact point of two bodies lies in the middle of the overlap, at the distance l = r − δ/2 from
//! each centre; on a wall it lies at l = r − δ. `[DK21] (22)-(25)` with `r_ij = −|r_ij| n`.

use rrp_geom::glam::DVec3;

/// State of one contact of bodies a and b, as a tangential law reads it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactKinematics {
    /// Tangential velocity `v_t` of b relative to a at the contact point, in m/s, world frame. In explicit steps this
    /// is the velocity in the middle of the step, turned with the normal to the end of the step, unless tangential
    /// forces act at the radius.
    pub velocity: DVec3,
    /// Unit normal of the contact from body a to body b, world frame.
    pub normal: DVec3,
    /// Normal force of the contact in N, damping included; positive if repulsive. For a
    /// [hysteretic](crate::law::ContactLaw::is_hysteretic) normal law: the normal force plus its
    /// [`friction_load`](crate::law::ContactLaw::friction_load), or zero if this sum is negative.
    pub normal_force: f64,
    /// Overlap δ of the contact in m, negative where surfaces are apart. For a
    /// [hysteretic](crate::law::ContactLaw::is_hysteretic) normal law: the overlap at which Hertz' contact has the
    /// [`contact_radius`](crate::law::ContactLaw::contact_radius) of the normal law.
    pub overlap: f64,
    /// Reduced radius of the contact `r_a r_b/(r_a + r_b)` in m; at a wall the radius of body a.
    pub radius: f64,
    /// Reduced mass of the contact `m_a m_b/(m_a + m_b)` in kg; at a wall the mass of body a.
    pub mass: f64,
    /// Spin of the contact about its normal in rad/s: the component along the normal of the mean spin of both bodies,
    /// or of body and wall. Only laws with a history may read it, and only in explicit steps; see
    /// [`TangentialLaw::turns`](crate::law::TangentialLaw::turns).
    pub turning: f64,
    /// Time in s since the accepted state at which the history of the contact was stored.
    pub elapsed: f64,
    /// Fraction of the elastic force that is counted at this contact. It is one, unless the contact is at a patch of a
    /// wall with a [`Saddle`](crate::wall::Saddle): the overlap up to the saddle is counted at another patch. Laws
    /// return the forces of the whole contact; the caller multiplies damping, tangential force, and torque against
    /// rolling and twisting by this fraction, and subtracts the elastic force at the saddle.
    pub share: f64,
}

/// Partner of a body in a contact: another body or a wall.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Partner {
    /// Contact of the body with another body, given by its number.
    Body(usize),
    /// Contact of the body with a wall, given by its number.
    Wall(usize),
}

impl Partner {
    /// Number of the other body in the contact; `None` for a contact with a wall.
    #[must_use]
    pub fn body(self) -> Option<usize> {
        match self {
            Self::Body(body) => Some(body),
            Self::Wall(_) => None,
        }
    }

    /// Number of the wall in the contact; `None` for a contact of two bodies.
    #[must_use]
    pub fn wall(self) -> Option<usize> {
        match self {
            Self::Body(_) => None,
            Self::Wall(wall) => Some(wall),
        }
    }
}

/// Power in W that a contact takes out of the motion of its bodies, by kind of motion. Each part includes the power
/// that springs store, and is negative while springs release energy.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PowerByMotion {
    /// Power in W that the contact takes out of approach and separation, by normal damping.
    pub normal: f64,
    /// Power in W that the contact takes out of slip, by friction and tangential damping.
    pub sliding: f64,
    /// Power in W that the contact takes out of rolling, by its torque across the normal.
    pub rolling: f64,
    /// Power in W that the contact takes out of twisting, by its torque along the normal.
    pub twisting: f64,
}

impl PowerByMotion {
    /// Returns the powers by kind of motion, each multiplied by `share`.
    #[must_use]
    pub fn times(self, share: f64) -> Self {
        let Self { normal, sliding, rolling, twisting } = self;
        Self { normal: share * normal, sliding: share * sliding, rolling: share * rolling, twisting: share * twisting }
    }

    /// Power in W that the contact takes out of all four kinds of motion: approach, slip, rolling and twisting.
    #[must_use]
    pub fn total(self) -> f64 {
        self.normal + self.sliding + self.rolling + self.twisting
    }
}

impl std::ops::AddAssign for PowerByMotion {
    fn add_assign(&mut self, other: Self) {
        self.normal += other.normal;
        self.sliding += other.sliding;
        self.rolling += other.rolling;
        self.twisting += other.twisting;
    }
}

/// Contact as read from a state: surfaces that touch, or that are within the range of their law.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Contact {
    /// Number of the first body of the contact, body a.
    pub a: usize,
    /// Body or wall b that body a touches in this contact.
    pub b: Partner,
    /// Unit normal n of the contact from body a to body or wall b, world frame.
    pub normal: DVec3,
    /// Contact point in m, near the position of body a in the state (not near another periodic image of a).
    pub point: DVec3,
    /// Overlap δ of the surfaces in m, positive if the surfaces touch. Where a law has a
    /// [range](crate::law::ContactLaw::range), contacts of surfaces that are apart are read too, with δ ≤ 0.
    pub overlap: f64,
    /// Normal force of the contact in N, damping included; positive if repulsive. At a patch with a
    /// [`Saddle`](crate::wall::Saddle) the part that is counted at another patch is subtracted, here and in the elastic
    /// energy.
    pub normal_force: f64,
    /// Tangential force on body b in N, world frame. At a patch with a saddle the force includes the part of the
    /// elastic force across the normal, and can exceed the friction limit.
    pub tangential_force: DVec3,
    /// Torque on body b in N m by which the contact resists rolling and twisting, world frame.
    pub couple: DVec3,
    /// Energy in J that the normal law stores at this contact.
    pub elastic_energy: f64,
    /// Energy in J that the tangential springs of the contact store.
    pub tangential_energy: f64,
    /// Power in W that damping and tangential law of the contact take out of the motion, including the power that
    /// springs store.
    pub dissipated_power: f64,
    /// Power in W that the contact takes out of the motion, by kind of motion.
    pub power_by_motion: PowerByMotion,
}

/// Sorts contacts: pairs of bodies come first, by body a, then b; contacts with walls follow, wall by wall.
pub(crate) fn sort_contacts(contacts: &mut [Contact]) {
    contacts.sort_by_key(|contact| (contact.b.wall(), contact.a, contact.b));
}
