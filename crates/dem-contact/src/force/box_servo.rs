//! Servos of periodic boxes: a box deforms until it bears a target stress.

use rrp_geom::glam::{DMat3, DVec3};

use crate::error::DemError;
use crate::error::parameter::{finite, positive};
use crate::force::ContactForce;
use crate::wall::Schedule;

/// Shortest decay time of an error of the box stress under its servo, in steps. With 1 the servo would react from step
/// to step to the damping forces of contacts, a part of the stress that jumps with the strain rate.
const RESPONSE: f64 = 100.0;

/// Delay with which the strain rate follows the servo, over the decay time of an error of the stress: a quarter gives
/// critical damping.
const DELAY: f64 = 0.25;

/// Time in which a box servo learns the drift (a steady strain rate), over the decay time of an error of the stress.
const LEARNING: f64 = 4.0;

/// Largest drift (steady strain rate) of a servo over its rate at zero stress. From 1 on a loose box might never close.
const LARGEST_DRIFT: f64 = 0.9;

/// Fraction of the remembered modulus of a box that is forgotten in each step. Colliding grains are in contact across a
/// side for few steps only; without this memory the modulus would jump, and each jump would disturb the drift.
const FORGOTTEN: f64 = 1e-3;

/// Normal stresses of a periodic box, and the elastic modulus of its contacts.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct BoxStress {
    /// Contact part of the normal stresses of the periodic box along x, y and z in Pa, positive in compression.
    pub normal: DVec3,
    /// Modulus in Pa of the contacts against a compression of the box along one axis under affine motion of the bodies:
    /// the largest value of the three axes. Real packings are softer, since their bodies rearrange.
    pub modulus: f64,
}

/// Drive of a periodic box: a prescribed velocity gradient, with a servo along some axes that strains the box until its
/// stress reaches a target.
///
/// The servo of an axis has three parameters: the target p* (Pa) of the normal stress p; the largest strain rate `rate`
/// (1/s); and the `gain`, a number: at zero stress the servo asks for the strain rate `rate` times `gain`. It also has
/// a state, the drift z (1/s): the strain rate that causes no stress, as in a flow.
///
/// Before each step [`ContactForce::steer_box`] reads p at the last accepted state and sets the deformation of the box
/// in the next step: the box shrinks along the axis at the strain rate (p* - p)/D + z, at most at `rate`. The viscosity
/// D (Pa s) is p*/(`rate` `gain`), but at least K times 100 steps, where K is the modulus of the contacts, the largest
/// value of recent steps. The strain rate follows within 25 steps. So an error of the stress decays within D/K, and
/// never faster than in 100 steps.
///
/// The drift grows by the difference between K times the strain and the change of stress, over 4 D, and more slowly the
/// farther the stress is from p*. So a bed that strains steadily bears p* and not p* - D z, and in an elastic bed the
/// drift stays zero. Neither bed oscillates: see docs/decisions/0025.
///
/// To continue a run, store the [memory](Self::memory) of earlier steps.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct BoxDrive {
    gradient: DMat3,
    wanted: [Option<Schedule>; 3],
    rate: f64,
    gain: f64,
    memory: BoxMemory,
}

/// Memory of earlier steps in the servo of a periodic box. To continue a run, store the memory and [pass
/// it](BoxDrive::remembering) to the same drive.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct BoxMemory {
    /// Time (s) of the first step of the drive, from which its tables of target stresses count.
    began: Option<f64>,
    /// Drift of the servo: strain rates (1/s) along x, y and z that cause no stress, positive in compression.
    drift: DVec3,
    /// Last step of the box; `None` before the first step, and if the stress before the last step was not known.
    last: Option<LastStep>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct LastStep {
    /// Time (s) at which the last step began; `stress` has the normal stresses (Pa) of the box at this time.
    time: f64,
    stress: DVec3,
    /// Strain rates along x, y and z in the last step, in 1/s, positive in compression.
    rates: DVec3,
    /// Modulus in Pa of the contacts: the largest value of recent steps.
    modulus: f64,
}

impl BoxMemory {
    /// Returns this memory without the stress and the strain rates of the last step, so that a servo with other bodies
    /// or laws begins at strain rate zero. The start time and the drift stay.
    #[must_use]
    pub fn at_rest(self) -> Self {
        Self { last: None, ..self }
    }

    /// Returns the memory for a servo that follows another servo: the tables of target stresses start from the
    /// beginning, and the strain rates and the drift continue.
    #[must_use]
    pub fn begun_anew(self) -> Self {
        Self { began: None, ..self }
    }
}

impl BoxDrive {
    /// Makes the drive of a box that deforms at this velocity gradient (1/s) in each step, see
    /// [`Domain::deforming`](crate::neighbor::Domain::deforming).
    #[must_use]
    pub fn new(gradient: DMat3) -> Self {
        Self { gradient, wanted: [None, None, None], rate: 1.0, gain: 1.0, memory: BoxMemory::default() }
    }

    /// Sets target normal stresses of the box (Pa, positive in compression) along x, y and z, the largest strain rate
    /// `rate` (1/s) and the gain; see [`BoxDrive`]. Along an axis with `None` the box follows the prescribed velocity
    /// gradient. Along an axis with a target the diagonal element of this gradient is ignored.
    ///
    /// # Errors
    /// [`DemError::InvalidParameter`] unless all numbers are positive and finite.
    pub fn with_stress<S: Into<Schedule>>(
        self,
        wanted: [Option<S>; 3],
        rate: f64,
        gain: f64,
    ) -> Result<Self, DemError> {
        let wanted = wanted.map(|wanted| wanted.map(Into::into));
        for stress in wanted.iter().flatten().flat_map(Schedule::values) {
            positive("a stress that is wanted", stress)?;
        }
        positive("the rate of strain of a servo", rate)?;
        positive("the gain of a servo", gain)?;
        Ok(Self { wanted, rate, gain, ..self })
    }

    /// Returns this drive with a stored memory of earlier steps.
    ///
    /// # Errors
    /// [`DemError::InvalidParameter`] for numbers that are not finite.
    pub fn remembering(self, memory: BoxMemory) -> Result<Self, DemError> {
        let BoxMemory { began, drift, last } = memory;
        let of_last = last.into_iter().flat_map(|LastStep { time, stress, rates, modulus }| {
            [time, modulus].into_iter().chain(stress.to_array()).chain(rates.to_array())
        });
        for number in began.into_iter().chain(drift.to_array()).chain(of_last) {
            finite("the memory of a driven box", number)?;
        }
        Ok(Self { memory, ..self })
    }

    /// Memory of earlier steps, which the drive of a box needs to continue a run.
    #[must_use]
    pub fn memory(&self) -> BoxMemory {
        self.memory
    }

    /// Whether the box has a target stress along any axis.
    #[must_use]
    pub fn wants_stress(&self) -> bool {
        self.wanted.iter().any(Option::is_some)
    }

    /// Target normal stresses in Pa along x, y and z at `time` (s); `None` along axes without a target.
    #[must_use]
    pub fn wanted(&self, time: f64) -> [Option<f64>; 3] {
        self.wanted.each_ref().map(|wanted| Some(wanted.as_ref()?.at(self.elapsed(time))))
    }

    /// Whether the box strained along `axis` (0, 1, 2 for x, y, z) in the last step at 99% or more of the largest
    /// strain rate of its servo.
    #[must_use]
    pub fn is_at_its_rate(&self, axis: usize) -> bool {
        self.memory.last.is_some_and(|last| last.rates[axis].abs() > 0.99 * self.rate)
    }

    /// Whether the stress (Pa) differs from the target stress at `time` (s) by at most the fraction `share` of the
    /// target, along all axes with a target, and all targets have reached their last value.
    #[must_use]
    pub fn is_met(&self, stress: DVec3, time: f64, share: f64) -> bool {
        let mut schedules = self.wanted.iter().flatten();
        let mut wanted = self.wanted(time).into_iter().zip(stress.to_array());
        schedules.all(|schedule| schedule.is_over(self.elapsed(time)))
            && wanted.all(|(wanted, stress)| wanted.is_none_or(|wanted| (wanted - stress).abs() <= share * wanted))
    }

    /// Velocity gradient in 1/s of the box if its servo compresses it at the largest rate along all axes with a target
    /// stress.
    #[must_use]
    pub fn fastest(&self) -> DMat3 {
        self.with_rates(DVec3::splat(self.rate))
    }

    fn elapsed(&self, time: f64) -> f64 {
        time - self.memory.began.unwrap_or(time)
    }

    /// Velocity gradient (1/s) of the box with these strain rates (1/s, positive in compression) along axes with a
    /// target stress.
    fn with_rates(&self, rates: DVec3) -> DMat3 {
        let mut gradient = self.gradient;
        for axis in (0..3).filter(|&axis| self.wanted[axis].is_some()) {
            gradient.col_mut(axis)[axis] = -rates[axis];
        }
        gradient
    }

    /// Velocity gradient in 1/s of the box for the next step from `time` (s) on, as the servo sets it at this stress.
    /// If the stress is `None`, axes with a servo do not strain. A second call with the same time changes nothing.
    fn steer(&mut self, stress: Option<BoxStress>, time: f64) -> DMat3 {
        self.memory.began.get_or_insert(time);
        let Some(BoxStress { normal: stress, modulus }) = stress else {
            self.memory.last = None;
            return self.with_rates(DVec3::ZERO);
        };
        let wanted = self.wanted(time);
        let at_rest = LastStep { time, stress, rates: DVec3::ZERO, modulus };
        let before = self.memory.last.unwrap_or(at_rest);
        let mut rates = before.rates;
        let elapsed = time - before.time;
        let modulus = if elapsed > 0.0 { modulus.max((1.0 - FORGOTTEN) * before.modulus) } else { before.modulus };
        for (axis, wanted) in wanted.into_iter().enumerate() {
            let Some(wanted) = wanted else {
                rates[axis] = 0.0;
                self.memory.drift[axis] = 0.0;
                continue;
            };
            if elapsed <= 0.0 {
                continue;
            }
            let viscosity = (wanted / (self.rate * self.gain)).max(modulus * RESPONSE * elapsed);
            let drift = &mut self.memory.drift[axis];
            let elastic = modulus * elapsed * (before.rates[axis] - *drift);
            let answered = stress[axis] - before.stress[axis];
            let between = before.stress[axis].midpoint(stress[axis]).max(0.0);
            let nearness = between.min(wanted) / between.max(wanted);
            let most = LARGEST_DRIFT * wanted / viscosity;
            let learnt = nearness * nearness * (elastic - answered) / (LEARNING * viscosity);
            *drift = (*drift + learnt).clamp(-most, most);
            let aim = ((wanted - stress[axis]) / viscosity + *drift).clamp(-self.rate, self.rate);
            rates[axis] += (aim - rates[axis]) / (1.0 + DELAY * RESPONSE);
        }
        self.memory.last = Some(LastStep { time, stress, rates, modulus });
        self.with_rates(rates)
    }
}

impl ContactForce {
    /// Computes the stress of the periodic box even while the box is at rest, as a servo needs.
    #[must_use]
    pub fn watching_box(mut self) -> Self {
        self.box_loads.is_watched = true;
        self
    }

    /// Whether the stress of the periodic box is computed even while the box is at rest.
    #[must_use]
    pub fn is_watching_box(&self) -> bool {
        self.box_loads.is_watched
    }

    /// Contact part of the normal stresses along x, y and z at the last accepted state, in Pa, positive in compression:
    /// the sum of force times separation over all contacts between bodies, over the volume of the box. Walls add their
    /// forces times the positions of the bodies. Zero unless the box deforms or is [watched](Self::watching_box).
    #[must_use]
    pub fn box_stress(&self) -> DVec3 {
        self.box_loads.committed.stress.normal
    }

    /// Sets the deformation of the periodic box in the next step, from the `time` (s) of the state on. Call this before
    /// each step, with the same drive. Let `knows_stress` be false if the state has no wrenches yet: the stress is then
    /// not known. If the step fails, call this again with the same time.
    ///
    /// # Errors
    /// As [`Domain::deforming`](crate::neighbor::Domain::deforming), and for a stress that is not finite; nothing is
    /// then changed.
    pub fn steer_box(&mut self, drive: &mut BoxDrive, time: f64, knows_stress: bool) -> Result<(), DemError> {
        self.steer_box_under(knows_stress.then_some(self.box_loads.committed.stress), drive, time)
    }

    pub(super) fn steer_box_under(
        &mut self,
        stress: Option<BoxStress>,
        drive: &mut BoxDrive,
        time: f64,
    ) -> Result<(), DemError> {
        for value in stress.into_iter().flat_map(|stress| stress.normal.to_array().into_iter().chain([stress.modulus]))
        {
            finite("the stress of a box", value)?;
        }
        let mut steered = drive.clone();
        let gradient = steered.steer(stress, time);
        self.deform(time, gradient)?;
        *drive = steered;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the stress (Pa) of a simulated bed after each of `steps` steps of 1 ms, under a servo of 1000 Pa along x
    /// with the largest strain rate `rate` (1/s). The bed has a modulus (Pa), dampers that double its stress over
    /// `damping` steps, and a flow (1/s).
    fn stresses(rate: f64, [modulus, damping, flow]: [f64; 3], steps: usize) -> Vec<f64> {
        let dt = 1e-3;
        let mut elastic = 0.0;
        let mut stress = 0.0;
        let mut drive = BoxDrive::new(DMat3::ZERO).with_stress([Some(1000.0), None, None], rate, 1.0).unwrap();
        let mut found = Vec::new();
        for step in 0..steps {
            let load = BoxStress { normal: DVec3::X * stress, modulus };
            let strained = -drive.steer((step > 0).then_some(load), step as f64 * dt).x_axis.x;
            elastic += modulus * dt * (strained - flow);
            stress = elastic + modulus * damping * dt * strained;
            found.push(stress);
        }
        found
    }

    #[test]
    fn a_high_rate_over_dampers_does_not_swing_from_step_to_step() {
        // If the strain rate of a step depended only on the stress before the step, this bed would oscillate: D/K is
        // 0.5 steps.
        for damping in [0.0, 1.0, 10.0, 100.0] {
            let found = stresses(20.0, [1e5, damping, 0.0], 6000);
            let off = |stress: &f64| (stress / 1000.0 - 1.0).abs();
            assert!(found[5000..].iter().all(|stress| off(stress) < 1e-3), "{damping}: {:?}", &found[5990..]);
            let flips = found.windows(3).filter(|three| (three[1] - three[0]) * (three[2] - three[1]) < 0.0).count();
            assert!(flips < 5, "{damping}: {flips}");
        }
    }

    #[test]
    fn a_steady_flow_leaves_no_offset_and_an_elastic_bed_no_overshoot() {
        // The viscosity is 1000 Pa s: without the drift a flow of 0.1 / s would lower the stress by a tenth.
        let steady = stresses(1.0, [5e3, 2.0, 0.1], 8000);
        assert!((steady[7999] / 1000.0 - 1.0).abs() < 1e-3, "{}", steady[7999]);
        let elastic = stresses(1.0, [5e3, 0.0, 0.0], 8000);
        let highest = elastic.iter().fold(0.0_f64, |most, &stress| most.max(stress));
        assert!(highest < 1000.1 && elastic[7999] > 999.9, "{highest}");
        // An error decays within D/K = 0.2 s, or slightly faster because of the delay: by e² in 0.4 s.
        let [early, late] = [600, 1000].map(|step: usize| 1000.0 - elastic[step]);
        assert!((2.0..2.5).contains(&(early / late).ln()), "{early} {late}");
    }

    #[test]
    fn to_steer_twice_at_one_time_is_to_steer_once() {
        let wanted = [Some(Schedule::new([[0.0, 100.0], [0.1, 900.0]]).unwrap()), Some(Schedule::from(50.0)), None];
        let mut drive = BoxDrive::new(DMat3::ZERO).with_stress(wanted, 2.0, 3.0).unwrap();
        for step in 0..50 {
            let load = BoxStress { normal: DVec3::new(30.0, 60.0, 0.0) * f64::from(step), modulus: 1e4 };
            let time = 1e-3 * f64::from(step);
            let first = drive.steer(Some(load), time);
            let once = drive.clone();
            assert_eq!((drive.steer(Some(load), time), &drive), (first, &once));
        }
        assert!(drive.is_met(DVec3::new(900.0, 50.0, 0.0), 0.2, 0.01));
        assert!(!drive.is_met(DVec3::new(500.0, 50.0, 0.0), 0.05, 0.01), "the table goes on");
    }
}
