//! Rates at which springs and dampers of contacts change motion: the stability limit of explicit steps.

use std::f64::consts::PI;
use std::fmt;

use rrp_geom::glam::DVec3;
use rrp_integrate::Bodies;

use crate::error::DemError;
use crate::error::parameter::positive;
use crate::law::contact::ContactKinematics;
use crate::law::contact_law::ContactLaw;
use crate::law::material::pair_table::LawTable;
use crate::law::pair_law::LawTraits;

/// Number of explicit steps in the time π/[rate](ContactRate::rate), half a period of an undamped contact.
///
/// The longest stable step is 2 over the rate; a step of π/8 over the rate is a fifth of it. The margin is for bodies
/// with several contacts: a body between twelve neighbours that move against it has up to four times the rate of a
/// pair.
pub const STEPS_PER_HALF_PERIOD: f64 = 8.0;

/// Returns the rate in 1/s of a spring k and a damper c on a mass m: ω (ζ + √(1 + ζ²)) with ω² = k/m and 2 ζ ω = c/m.
///
/// Explicit steps of the length h compute the force from the new position and from the velocity in the middle of the
/// previous step: v' = v − h (c v + k x')/m, x' = x + h v. The trace of this map is 2 − h c/m − h² k/m and its
/// determinant 1 − h c/m. By Jury's criterion the map is stable if h² k/m + 2 h c/m < 4, that is up to h = 2 (√(1 + ζ²)
/// − ζ)/ω, two over this rate.
#[must_use]
pub fn damped_rate(stiffness_by_mass: f64, damping_by_mass: f64) -> f64 {
    let half = 0.5 * damping_by_mass;
    half + half.hypot(stiffness_by_mass.sqrt())
}

/// Kind of relative motion of two surfaces in contact that a contact law may resist.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ContactMotion {
    /// Approach of two surfaces in contact along the normal.
    Approach,
    /// Sliding: relative velocity of two surfaces at their contact point, without its component along the normal.
    Slip,
    /// Rolling of two surfaces in contact: relative rotation about an axis across the normal.
    Rolling,
    /// Twisting of two surfaces in contact: relative rotation about the normal.
    Twisting,
}

impl fmt::Display for ContactMotion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Approach => "approach",
            Self::Slip => "slip",
            Self::Rolling => "rolling",
            Self::Twisting => "twisting",
        })
    }
}

/// Largest rate (1/s) at which spring and damper of a contact change the motion of a body, and the kind of this motion.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactRate {
    /// Fastest rate in 1/s at which the spring and the damper of the contact move its bodies, see [`damped_rate`].
    pub rate: f64,
    /// Relative motion of the surfaces that the fastest spring and damper of the contact resist.
    pub motion: ContactMotion,
    /// Whether at least half of the contact's rate comes from its damper rather than its spring: damping ratio ζ >
    /// 1/√8.
    pub is_of_damper: bool,
    /// Smallest principal moment of inertia in kg m² of the body whose contact has this rate. The moment is relevant
    /// for all kinds of motion except approach.
    pub inertia: f64,
    /// Material numbers of the body whose contact has this rate, and of the surface that it touches.
    pub materials: [u16; 2],
}

impl ContactRate {
    /// Returns the explicit time step in s for this contact: π over the rate, divided by [`STEPS_PER_HALF_PERIOD`].
    #[must_use]
    pub fn step(&self) -> f64 {
        PI / self.rate / STEPS_PER_HALF_PERIOD
    }
}

/// Mass, radius, moment of inertia and material of a group of identical free bodies.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct BodyKind {
    pub(super) mass: f64,
    pub(super) radius: f64,
    pub(super) inertia: f64,
    pub(super) material: u16,
}

/// Returns the distinct kinds (mass, radius, inertia, material) of free bodies that have a radius, and the materials
/// that they may touch. Bodies without a material are of material 0.
pub(super) fn kinds(bodies: &Bodies, of_body: &[u16], of_walls: &[u16]) -> (Vec<BodyKind>, Vec<u16>) {
    let material = |body: usize| of_body.get(body).copied().unwrap_or(0);
    let radii = || bodies.radius().iter().enumerate().filter(|(_, radius)| **radius > 0.0);
    let mut met: Vec<u16> = radii().map(|(body, _)| material(body)).chain(of_walls.iter().copied()).collect();
    met.sort_unstable();
    met.dedup();
    let free = radii().filter(|(body, _)| bodies.mass()[*body].is_finite());
    let kind = |(body, &radius): (usize, &f64)| BodyKind {
        mass: bodies.mass()[body],
        radius,
        inertia: bodies.inertia().get(body).min_element(),
        material: material(body),
    };
    let mut kinds: Vec<BodyKind> = free.map(kind).collect();
    kinds.sort_unstable_by(|a, b| {
        let masses = a.mass.total_cmp(&b.mass).then(a.radius.total_cmp(&b.radius));
        masses.then(a.material.cmp(&b.material)).then(a.inertia.total_cmp(&b.inertia))
    });
    kinds.dedup();
    (kinds, met)
}

/// Returns the overlap in m at which a contact of this reduced `radius` (m) stores this elastic `energy` (J).
pub(super) fn overlap_of_energy(law: &dyn ContactLaw, radius: f64, energy: f64) -> f64 {
    let mut high = radius;
    while law.energy(high, radius) < energy && high < f64::MAX / 4.0 {
        high *= 2.0;
    }
    while law.energy(0.5 * high, radius) > energy && high > f64::MIN_POSITIVE {
        high *= 0.5;
    }
    let mut low = 0.5 * high;
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        let bound = if law.energy(middle, radius) < energy { &mut low } else { &mut high };
        *bound = middle;
    }
    0.5 * (low + high)
}

#[derive(Debug, Clone, Copy)]
struct SpringAndDamper {
    stiffness: f64,
    damping: f64,
}

impl LawTable {
    /// Returns the fastest rate of springs and dampers in impacts at `speed` (m/s), among impacts of two bodies like
    /// one of `bodies` and of a body at a wall. `None` if no contact resists a motion.
    ///
    /// Each body collides with bodies of its own kind and any material of a body or wall. Two unlike bodies are not
    /// faster than the faster one of them with its own kind: slip acts on 1/m + r²/I of each body, with the mass m, the
    /// radius r and the actual inertia I. Springs and dampers are those at the overlap at which all energy of an
    /// undamped impact is elastic. Resistances by a coefficient alone have no rate, since they never reverse a spin.
    ///
    /// The pair of slices has the material of each body and of each wall; bodies without a material are of material 0.
    ///
    /// # Errors
    /// [`DemError::InvalidParameter`] unless `speed` is finite and positive.
    pub fn fastest_contact_rate(
        &self,
        bodies: &Bodies,
        (of_body, of_walls): (&[u16], &[u16]),
        speed: f64,
    ) -> Result<Option<ContactRate>, DemError> {
        positive("the speed", speed)?;
        let (kinds, met) = kinds(bodies, of_body, of_walls);
        let mut fastest: Option<ContactRate> = None;
        for kind in kinds {
            for &other in &met {
                let traits = self.between(kind.material.into(), other.into()).traits();
                for (motion, rate, damping) in rates(traits, &kind, speed) {
                    if rate.is_finite() && rate > fastest.map_or(0.0, |fastest| fastest.rate) {
                        let materials = [kind.material, other];
                        let is_of_damper = damping >= 0.5 * rate;
                        fastest = Some(ContactRate { rate, motion, is_of_damper, inertia: kind.inertia, materials });
                    }
                }
            }
        }
        Ok(fastest)
    }
}

/// Returns each relative motion that a contact of two identical bodies resists, with the rate of its spring and damper,
/// and with the contribution c/m of the damper to this rate, both in 1/s.
fn rates(traits: &LawTraits, kind: &BodyKind, speed: f64) -> Vec<(ContactMotion, f64, f64)> {
    let &BodyKind { mass, radius, inertia, .. } = kind;
    let reduced_mass = 0.5 * mass;
    let reduced_radius = 0.5 * radius;
    let normal = &*traits.normal;
    let overlap = overlap_of_energy(normal, reduced_radius, 0.5 * reduced_mass * speed * speed);
    let mut found = Vec::new();
    let mut add = |motion, SpringAndDamper { stiffness, damping }: SpringAndDamper, inverse: f64| {
        let damping = damping * inverse;
        found.push((motion, damped_rate(stiffness * inverse, damping), damping));
    };
    let approach = SpringAndDamper {
        stiffness: normal.stiffness(overlap, reduced_radius).max(0.0),
        damping: normal.damping(overlap, reduced_radius, reduced_mass).max(0.0),
    };
    add(ContactMotion::Approach, approach, 1.0 / reduced_mass);
    let pair = ContactKinematics {
        velocity: DVec3::ZERO,
        normal: DVec3::X,
        normal_force: normal.force(overlap, reduced_radius),
        overlap,
        radius: reduced_radius,
        mass: reduced_mass,
        turning: 0.0,
        elapsed: 0.0,
        share: 1.0,
    };
    if traits.is_tangential {
        add(ContactMotion::Slip, slip(traits, &pair), 2.0 / mass + 2.0 * radius * radius / inertia);
    }
    if traits.resists_rolling {
        // Rolling acts at the reduced radius, so it is fastest at a wall. Twisting is evaluated between two bodies.
        let at_wall = ContactKinematics { radius, mass, ..pair };
        add(ContactMotion::Rolling, couple(traits, &at_wall, DVec3::Y), 1.0 / inertia);
        add(ContactMotion::Twisting, couple(traits, &pair, DVec3::X), 2.0 / inertia);
    }
    found
}

/// Returns the spring (N/m) and the damper (kg/s) with which a contact resists slip, from the tangential forces of the
/// law after one and after two seconds of slip.
fn slip(traits: &LawTraits, contact: &ContactKinematics) -> SpringAndDamper {
    let history = vec![0.0; traits.layout.width()];
    from_two_times(|elapsed| {
        let contact = ContactKinematics { elapsed, ..*contact };
        let (_, slope) = traits.tangential.force_and_slope(&contact, &history);
        -slope.by_velocity.y_axis.y
    })
}

/// Returns the spring (N m) and the damper (N m s) with which a contact resists relative rotation about `axis`.
fn couple(traits: &LawTraits, contact: &ContactKinematics, axis: DVec3) -> SpringAndDamper {
    // A spin this slow keeps the couple far below its limit.
    let spin = 1e-9 * contact.overlap / contact.radius;
    from_two_times(|elapsed| {
        let mut history = vec![0.0; traits.layout.width()];
        let contact = ContactKinematics { elapsed, ..*contact };
        let [_, couple] = traits.tangential.force_and_couple(&contact, axis * spin, &mut history);
        -couple.dot(axis) / spin
    })
}

/// Returns the spring k and the damper c of a contact that resists a motion of unit speed with k t + c after the time
/// t, from its `resistance` after one and after two seconds. A resistance that decreases with time is not a spring:
/// both values are then zero.
fn from_two_times(resistance: impl Fn(f64) -> f64) -> SpringAndDamper {
    let once = resistance(1.0);
    let twice = resistance(2.0);
    let stiffness = twice - once;
    // Rounding would give an undamped spring a small damper.
    let damping = if once - stiffness > 1e-12 * once.abs() { once - stiffness } else { 0.0 };
    if stiffness < -1e-6 * once.abs() {
        return SpringAndDamper { stiffness: 0.0, damping: 0.0 };
    }
    SpringAndDamper { stiffness: stiffness.max(0.0), damping }
}

#[cfg(test)]
mod tests {
    use rrp_integrate::Body;

    use super::*;
    use crate::law::{
        Damping, FrictionSpring, Frictionless, Hertz, Hooke, Laws, MindlinSpring, Rolling, SpringSlider, Viscous,
    };

    const MASS: f64 = 2.0;
    const RADIUS: f64 = 0.3;

    fn fastest(laws: Laws, body: Body) -> ContactRate {
        let bodies = Bodies::new([body]).unwrap();
        LawTable::from(laws).fastest_contact_rate(&bodies, (&[], &[]), 0.7).unwrap().unwrap()
    }

    fn sphere() -> Body {
        Body::sphere(MASS, RADIUS)
    }

    fn hooke(damping: Damping) -> Hooke {
        Hooke::new(500.0, damping).unwrap()
    }

    #[track_caller]
    fn assert_near(found: f64, right: f64) {
        assert!((found / right - 1.0).abs() < 1e-6, "{found} is not {right}");
    }

    /// Returns the spectral radius of an explicit step v' = v − h (c v + k x'), x' = x + h v, for the mass 1.
    fn spectral_radius(stiffness: f64, damping: f64, h: f64) -> f64 {
        let trace = 2.0 - h * damping - h * h * stiffness;
        let determinant = 1.0 - h * damping;
        let discriminant = 0.25 * trace * trace - determinant;
        if discriminant < 0.0 { determinant.sqrt() } else { 0.5 * trace.abs() + discriminant.sqrt() }
    }

    #[test]
    fn explicit_steps_are_stable_up_to_two_over_the_rate() {
        for (stiffness, damping) in [(1.0, 1e-3), (4.0, 1.0), (1.0, 2.0), (1.0, 30.0), (0.0, 5.0)] {
            let limit = 2.0 / damped_rate(stiffness, damping);
            assert!(spectral_radius(stiffness, damping, 0.999 * limit) <= 1.0, "{stiffness} {damping}");
            assert!(spectral_radius(stiffness, damping, 1.001 * limit) > 1.0, "{stiffness} {damping}");
        }
    }

    #[test]
    fn a_normal_damper_has_the_rate_of_the_reduced_mass() {
        let undamped = fastest(Laws::of(hooke(Damping::NONE), Frictionless), sphere());
        assert_near(undamped.rate, (2.0 * 500.0_f64 / MASS).sqrt());
        assert!(!undamped.is_of_damper);
        let damped = fastest(Laws::of(hooke(Damping::coefficient(3000.0).unwrap()), Frictionless), sphere());
        assert_near(damped.rate, 1500.0 + (1500.0_f64.powi(2) + 500.0).sqrt());
        assert!(damped.is_of_damper);
        assert_eq!(damped.motion, ContactMotion::Approach);
        // With Hertz' law an impact is stiffest where k/m = 15/8 (v/δ)² with δ⁵ = (5/4 m v²/K)²/R.
        let hertz = fastest(Laws::of(Hertz::new(1e6, Damping::NONE).unwrap(), Frictionless), sphere());
        let deepest = (1.25 * 0.5 * MASS * 0.49 / (1e6 * (0.5 * RADIUS).sqrt())).powf(0.4);
        assert_near(hertz.rate, 1.875_f64.sqrt() * 0.7 / deepest);
    }

    #[test]
    fn slip_acts_on_the_actual_inertia() {
        let spring = || FrictionSpring::new(400.0, 0.0, 0.5).unwrap();
        let laws = || Laws::of(hooke(Damping::NONE), spring());
        // Solid spheres have the rate √(7 k/m).
        assert_near(fastest(laws(), sphere()).rate, (7.0 * 400.0 / MASS).sqrt());
        let light = Body { radius: RADIUS, ..Body::spherical(MASS, 1e-8) };
        let found = fastest(laws(), light);
        assert_near(found.rate, (400.0 * (2.0 / MASS + 2.0 * RADIUS * RADIUS / 1e-8)).sqrt());
        assert_eq!(found.motion, ContactMotion::Slip);
        // The damping γ m_eff acts on the inverse mass 7/m.
        let viscous = fastest(Laws::of(hooke(Damping::NONE), Viscous::new(900.0).unwrap()), sphere());
        assert_near(viscous.rate, 3.5 * 900.0);
        assert!(viscous.is_of_damper);
        let both = fastest(Laws::of(hooke(Damping::NONE), FrictionSpring::new(400.0, 90.0, 0.5).unwrap()), sphere());
        assert_near(both.rate, damped_rate(7.0 * 400.0 / MASS, 3.5 * 90.0));
        let mindlin = Laws::of(Hertz::new(1e6, Damping::NONE).unwrap(), MindlinSpring::new(1.5e6, 0.0, 0.5).unwrap());
        let normal = fastest(Laws::of(Hertz::new(1e6, Damping::NONE).unwrap(), Frictionless), sphere()).rate;
        // Both stiffnesses are 3/2 K a, and slip acts on 3.5 times the inverse mass.
        assert_near(fastest(mindlin, sphere()).rate, 3.5_f64.sqrt() * normal);
    }

    #[test]
    fn rolling_and_twisting_act_on_the_inertia() {
        let inertia = 0.4 * MASS * RADIUS * RADIUS;
        let resisting = |rolling, twisting| {
            Laws::of(hooke(Damping::NONE), Rolling::with_resistances(Frictionless, rolling, twisting))
        };
        let stiff = SpringSlider::new(5e4, 70.0, 0.1).unwrap();
        let rolling = fastest(resisting(Some(stiff), None), sphere());
        let by_inertia = RADIUS * RADIUS / inertia;
        assert_eq!(rolling.motion, ContactMotion::Rolling);
        assert_near(rolling.rate, damped_rate(5e4 * by_inertia, 70.0 * by_inertia));
        let twisting = fastest(resisting(None, Some(stiff)), sphere());
        assert_eq!(twisting.motion, ContactMotion::Twisting);
        assert_near(twisting.rate, damped_rate(2.0 * 5e4 / inertia, 2.0 * 70.0 / inertia));
        let coefficient = SpringSlider::coefficient(0.1).unwrap();
        let constant = fastest(resisting(Some(coefficient), Some(coefficient)), sphere());
        assert_eq!(constant.motion, ContactMotion::Approach);
    }
}
