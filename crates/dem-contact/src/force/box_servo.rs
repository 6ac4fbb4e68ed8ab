//! Periodic boxes that bodies load as wanted.

use rrp_geom::glam::{DMat3, DVec3};

use crate::error::DemError;
use crate::error::parameter::{finite, positive};
use crate::force::ContactForce;

/// How a periodic box deforms: at a prescribed velocity gradient, and along some axes until the stress is as wanted.
///
/// Before each step [`ContactForce::steer_box`] reads the stress of the last accepted state and sets how the box
/// deforms in the next one. Along an axis with a wanted stress p* the box shrinks at the rate
/// `rate` × `gain` × (p* - p)/p*, at most at `rate`, where p is the contact part of the normal stress, positive in
/// compression. Bodies of a modulus K then lose an error within p*/(K `rate` `gain`). That should be several contact
/// times.
///
/// It keeps nothing: all that it needs next is in the box and its load.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct BoxDrive {
    gradient: DMat3,
    wanted: [Option<f64>; 3],
    rate: f64,
    gain: f64,
}

impl BoxDrive {
    /// A box that deforms at this velocity gradient (1/s) in each step, see
    /// [`Domain::deforming`](crate::neighbor::Domain::deforming).
    #[must_use]
    pub fn new(gradient: DMat3) -> Self {
        Self { gradient, wanted: [None; 3], rate: 1.0, gain: 1.0 }
    }

    /// The same with normal stresses (Pa, positive in compression) that are wanted along some axes, a largest rate of
    /// strain (1/s) and a gain. There the velocity gradient is no longer prescribed.
    ///
    /// # Errors
    /// [`DemError::InvalidParameter`] unless all are positive and finite.
    pub fn with_stress(self, wanted: [Option<f64>; 3], rate: f64, gain: f64) -> Result<Self, DemError> {
        for stress in wanted.into_iter().flatten() {
            positive("a stress that is wanted", stress)?;
        }
        positive("the rate of strain of a servo", rate)?;
        positive("the gain of a servo", gain)?;
        Ok(Self { wanted, rate, gain, ..self })
    }

    /// Whether a stress is wanted along any axis.
    #[must_use]
    pub fn wants_stress(&self) -> bool {
        self.wanted.iter().any(Option::is_some)
    }

    /// Whether this stress (Pa) is the one that is wanted, within this share, along all axes with a wanted one.
    #[must_use]
    pub fn is_met(&self, stress: DVec3, share: f64) -> bool {
        let mut wanted = self.wanted.iter().zip(stress.to_array());
        wanted.all(|(wanted, stress)| wanted.is_none_or(|wanted| (wanted - stress).abs() <= share * wanted))
    }

    /// The velocity gradient in 1/s under a stress (Pa). Without one, axes with a wanted stress stay as they are.
    #[must_use]
    pub fn gradient(&self, stress: Option<DVec3>) -> DMat3 {
        let mut gradient = self.gradient;
        for (axis, wanted) in self.wanted.iter().enumerate() {
            if let Some(wanted) = wanted {
                let lacking = stress.map_or(0.0, |stress| (wanted - stress[axis]) / wanted);
                gradient.col_mut(axis)[axis] = -self.rate * (self.gain * lacking).clamp(-1.0, 1.0);
            }
        }
        gradient
    }
}

impl ContactForce {
    /// The same contacts, which read the stress of their periodic box also while it is at rest. A servo needs that.
    #[must_use]
    pub fn watching_box(mut self) -> Self {
        self.box_loads.is_watched = true;
        self
    }

    /// Whether it reads the stress of its box also while it is at rest.
    #[must_use]
    pub fn is_watching_box(&self) -> bool {
        self.box_loads.is_watched
    }

    /// Contact part of the normal stresses along x, y and z at the last accepted state, in Pa, positive in compression:
    /// the sum of force times separation over all contacts of bodies, by the volume of the box. Walls add their forces
    /// times the positions of the bodies. Zero unless the box deforms or is [watched](Self::watching_box).
    #[must_use]
    pub fn box_stress(&self) -> DVec3 {
        self.box_loads.committed.stress
    }

    /// Sets how the box deforms in the next step, from the `time` (s) of the state on. Call it before each step. Let
    /// `knows_stress` be false if the state has no wrenches yet: then the stress is not known.
    ///
    /// # Errors
    /// As [`Domain::deforming`](crate::neighbor::Domain::deforming), and for a stress that is not finite; nothing is
    /// then changed.
    pub fn steer_box(&mut self, drive: &BoxDrive, time: f64, knows_stress: bool) -> Result<(), DemError> {
        let stress = self.box_stress();
        for value in stress.to_array() {
            finite("the stress of a box", value)?;
        }
        self.deform(time, drive.gradient(knows_stress.then_some(stress)))
    }
}
