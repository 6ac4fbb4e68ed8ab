//! Contacts and ties of two bodies in an implicit step.

use rrp_geom::glam::DVec3;

use crate::implicit::body_equations::{BodyEquations, ContactBody};
use crate::implicit::contact::{ContactGeometry, DissipativeForce, ElasticForce, ImplicitContact, arm, side};
use crate::implicit::discrete_gradient::discrete_gradient;
use crate::law::pair_law::LawTraits;

impl<const D: usize> BodyEquations<'_, D> {
    /// Whether two bodies touch where the step evaluates forces; with exact energy also at the start or at the end of
    /// the step. `separation` (m) is that at the start, `velocity` (m/s) the relative velocity during the step.
    #[inline(always)]
    pub(super) fn may_touch<const ELASTIC: bool>(&self, separation: DVec3, velocity: DVec3, sum_of_radii: f64) -> bool {
        let weights = &self.context.weights;
        let touches = |time: f64| (separation + velocity * time).length_squared() < sum_of_radii * sum_of_radii;
        touches(weights.evaluation_time) | (!ELASTIC && weights.exact && (touches(0.0) | touches(weights.step)))
    }

    /// Computes the contact of two bodies a and b. `None` if they do not touch where forces are evaluated, except with
    /// exact energy. `separation` (m) is from a to b at the start of the step, `velocity` (m/s) that of b relative to
    /// a. A new contact has no `history`.
    #[inline(always)]
    pub(super) fn pair<const ELASTIC: bool>(
        &self,
        separation: DVec3,
        velocity: DVec3,
        bodies: [&ContactBody; 2],
        history: Option<&[f64]>,
    ) -> Option<ImplicitContact> {
        let [a, b] = bodies;
        let traits = self.laws.of_bodies(a.body, b.body).traits();
        let law = &*traits.normal;
        let radius = a.radius * b.radius / (a.radius + b.radius);
        let sum_of_radii = a.radius + b.radius;
        let geometry = self.pair_geometry(separation, velocity, bodies);
        let elastic = if !ELASTIC && self.context.weights.exact {
            let mean = |from, to| discrete_gradient(law, from, to, radius);
            self.discrete_gradient_force(separation, velocity, sum_of_radii, mean)
        } else if geometry.overlap > 0.0 {
            let overlap = geometry.overlap;
            self.elastic(&geometry, law.force(overlap, radius), law.stiffness(overlap, radius))
        } else {
            return None;
        };
        let dissipative = if ELASTIC { None } else { self.dissipative(traits, &geometry, history) };
        Some(ImplicitContact { geometry, elastic, dissipative })
    }

    /// Computes the force of a tie (two spheres that stick together) in the form of a contact.
    pub(super) fn tie(
        &self,
        stiffness: f64,
        separation: DVec3,
        velocity: DVec3,
        bodies: [&ContactBody; 2],
    ) -> ImplicitContact {
        let geometry = self.pair_geometry(separation, velocity, bodies);
        let elastic = if self.context.weights.exact {
            let mean = |from: f64, to: f64| [0.5 * stiffness * (from + to), 0.5 * stiffness];
            self.discrete_gradient_force(separation, velocity, bodies[0].radius + bodies[1].radius, mean)
        } else {
            self.elastic(&geometry, stiffness * geometry.overlap, stiffness)
        };
        ImplicitContact { geometry, elastic, dissipative: None }
    }

    #[inline(always)]
    pub(super) fn pair_geometry(
        &self,
        separation: DVec3,
        velocity: DVec3,
        [a, b]: [&ContactBody; 2],
    ) -> ContactGeometry {
        let here = separation + velocity * self.context.weights.evaluation_time;
        let distance = here.length();
        let overlap = (a.radius + b.radius) - distance;
        let curvature = distance.recip();
        let mut geometry = ContactGeometry {
            normal: here * curvature,
            curvature,
            ridge: (DVec3::ZERO, 0.0),
            overlap,
            arm: arm(a.radius, overlap),
            arm_loss: 0.5,
            radius: a.radius * b.radius / (a.radius + b.radius),
            mass: (a.inverse_mass + b.inverse_mass).recip(),
            velocity,
            arm_spins: DVec3::ZERO,
            lost_spins: DVec3::ZERO,
            side: side(a.id, b.id),
            share: ContactGeometry::WHOLE,
        };
        if D > 3 {
            geometry.arm_spins = a.spin * geometry.arm + b.spin * arm(b.radius, overlap);
            geometry.lost_spins = (a.spin + b.spin) * geometry.arm_loss;
        }
        geometry
    }

    /// Computes the damping and the tangential force of a contact; `None` if no law dissipates or if the bodies do not
    /// touch where forces are evaluated. A new contact has no `history`.
    #[inline(always)]
    pub(super) fn dissipative(
        &self,
        traits: &LawTraits,
        geometry: &ContactGeometry,
        history: Option<&[f64]>,
    ) -> Option<DissipativeForce> {
        (self.dissipates && geometry.overlap > 0.0).then(|| {
            let history = history.unwrap_or_else(|| self.new_history(traits));
            DissipativeForce::new(traits, geometry, &self.context.weights, history, self.slopes)
        })
    }

    fn new_history(&self, traits: &LawTraits) -> &[f64] {
        &self.zeros[..traits.layout.width()]
    }

    /// Writes the history of a contact at the end of the step to `after`. A new contact has no history `before`.
    pub(super) fn write_history(
        &self,
        traits: &LawTraits,
        geometry: &ContactGeometry,
        before: Option<&[f64]>,
        after: &mut Vec<f64>,
    ) {
        after.clear();
        after.extend_from_slice(before.unwrap_or_else(|| self.new_history(traits)));
        if self.dissipates && geometry.overlap > 0.0 {
            geometry.advance_history(traits, &self.context.weights, after);
        }
    }

    /// Returns the elastic force of a contact at the point of the step where all forces are evaluated.
    #[inline(always)]
    pub(super) fn elastic(&self, geometry: &ContactGeometry, size: f64, slope: f64) -> ElasticForce {
        let direction = geometry.normal;
        let falling = geometry.normal;
        let turn = geometry.curvature;
        ElasticForce { size, slope, direction, falling, turn, travel_time: self.context.weights.evaluation_time }
    }

    /// Computes the force that conserves the energy E exactly, −(E' − E)/(|r'|² − |r|²) (r + r') for separations r
    /// before and r' after the step. `mean` gives the mean force between two overlaps and its derivative by the second.
    #[inline]
    fn discrete_gradient_force(
        &self,
        separation: DVec3,
        velocity: DVec3,
        sum_of_radii: f64,
        mean: impl Fn(f64, f64) -> [f64; 2],
    ) -> ElasticForce {
        let travel_time = self.context.weights.step;
        let to = separation + velocity * travel_time;
        let [before, after] = [separation.length(), to.length()];
        let [size, slope] = mean(sum_of_radii - before, sum_of_radii - after);
        let turn = (before + after).recip();
        ElasticForce { size, slope, direction: (separation + to) * turn, falling: to / after, turn, travel_time }
    }
}
