use rrp_parallel::{for_each_part, sum_parts};

use crate::leaves::leaves;
use crate::problem::body_blocks::BodyBlocks;
use crate::problem::power_law::PowerLaw;
use crate::problem::rows::{FIXED, Rows, add_scaled, chunks, dot};

/// Energy of elastic contacts E(x) = ½ (x − x₀)ᵀ M (x − x₀) + F·x + Σ k/p [−(B (x + y) + s)]₊ᵖ, with masses M, load F,
/// contact Jacobian B, base point y, stiffnesses k, exponent p and gaps s. M, F, s and y are optional: without M and s
/// the minimum is the displacement of bodies under a load, with them the velocity after a time step.
#[derive(Debug, Clone, Copy)]
pub(super) struct PenaltyEnergy<'a, const D: usize, const K: usize> {
    pub(super) rows: &'a Rows<D, K>,
    pub(super) law: PowerLaw,
    /// Stiffness k of each contact in the energy of elastic contacts.
    pub(super) stiffness: Scaled<'a>,
    /// For each contact, whether the contact is kept open, without force; `None` if no contact is.
    pub(super) open: Option<&'a [bool]>,
    /// Load F: the external force on each coordinate of a body.
    pub(super) load: Option<Scaled<'a>>,
    /// Offset s of the gap of each contact, which is added to B (x + y), with the contact Jacobian B.
    pub(crate) offset: Option<&'a [f64]>,
    /// Base point y, a number for each coordinate of a body, that is added to x before compressions are computed.
    pub(super) base: Option<&'a [f64]>,
    pub(super) inertia: Option<Inertia<'a>>,
    /// Lower bound of the squared norm of external forces in the residual, from reference forces that the caller
    /// states.
    pub(super) least_external: f64,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Scaled<'a> {
    pub(super) values: &'a [f64],
    pub(super) factor: f64,
}

/// Inertia term ½ (x − x₀)ᵀ M (x − x₀) of the energy, for velocities x of the bodies.
#[derive(Debug, Clone, Copy)]
pub(super) struct Inertia<'a> {
    pub(crate) mass: &'a BodyBlocks,
    /// Centre x₀ of the inertia term, a number for each coordinate of a body.
    pub(super) center: &'a [f64],
}

/// Proximal term ρ/2 Σ s (x − y)² of strength ρ over the body coordinates x, which keeps a minimum near y.
#[derive(Debug, Clone, Copy)]
pub(super) struct ProximalTerm<'a> {
    pub(super) strength: f64,
    pub(super) scale: &'a [f64],
    pub(super) prox_center: &'a [f64],
}

impl ProximalTerm<'_> {
    #[inline(always)]
    fn gradient<const D: usize>(&self, body: usize, x: &[f64; D]) -> [f64; D] {
        let scale = &chunks::<D>(self.scale)[body];
        let prox_center = &chunks::<D>(self.prox_center)[body];
        std::array::from_fn(|d| self.strength * scale[d] * (x[d] - prox_center[d]))
    }
}

/// Squared norms of the forces at one point of the minimisation, for the residual.
#[derive(Debug, Clone, Copy)]
pub(super) struct ForceBalance {
    /// Squared norm of the gradient of the energy: the imbalance of all forces.
    pub(super) gradient: f64,
    /// Squared norm of the external forces (load, inertia and proximal term), raised to `least_external` if it is smaller.
    pub(super) external: f64,
    /// Squared norm of the contact forces on bodies, Bᵀ f.
    contact: f64,
}

impl ForceBalance {
    /// The residual ‖gradient‖ / max(‖external‖, ‖contact‖) that Newton's method compares with the tolerance. For a
    /// compatibility problem it is ‖Bᵀ f − F‖ / max(‖F‖, ‖Bᵀ f‖), at most
    /// [`CompatibilityProblem::residual`](crate::CompatibilityProblem::residual), and equal to it near zero.
    pub(crate) fn residual(&self) -> f64 {
        let scale = self.external.max(self.contact);
        if scale > 0.0 { (self.gradient / scale).sqrt() } else { self.gradient.sqrt() }
    }
}

impl<const D: usize, const K: usize> PenaltyEnergy<'_, D, K> {
    /// Stiffness of contact `i`, zero if the contact is kept open.
    #[inline(always)]
    fn stiffness(&self, i: usize) -> f64 {
        if self.is_open(i) { 0.0 } else { self.stiffness.values[i] * self.stiffness.factor }
    }

    #[inline(always)]
    pub(super) fn is_open(&self, i: usize) -> bool {
        self.open.is_some_and(|open| open[i])
    }

    /// Computes the compressions −(B (x + y) + s) of all contacts. x and y are added body by body before the
    /// multiplication by B, so that common parts cancel: the compressions of bodies that have nearly stopped would
    /// otherwise be rounding errors.
    pub(super) fn compress(&self, x: &[f64], compression: &mut [f64]) {
        let x = chunks::<D>(x);
        let base = self.base.map(chunks::<D>);
        let at = |body: usize| {
            let x = x.get(body)?;
            Some(base.map_or(*x, |base| std::array::from_fn(|d| x[d] + base[body][d])))
        };
        let columns = (&self.rows.contacts[..], &mut *compression);
        for_each_part(leaves(self.rows.contacts.len()), columns, &|part, (rows, compression)| {
            for (contact, (row, c)) in part.rows.zip(rows.iter().zip(compression)) {
                *c = -row.times_at(at) - self.offset.map_or(0.0, |offset| offset[contact]);
            }
        });
    }

    /// Computes the forces of all contacts and the gradient at `x`, where the contacts have this `compression`.
    pub(super) fn evaluate(
        &self,
        x: &[f64],
        proximal: ProximalTerm<'_>,
        compression: &[f64],
        force: &mut [f64],
        gradient: &mut [f64],
    ) -> ForceBalance {
        let x = chunks::<D>(x);
        for_each_part(leaves(compression.len()), (compression, &mut *force), &|part, (compression, force)| {
            for (contact, (c, f)) in part.rows.zip(compression.iter().zip(force)) {
                *f = self.stiffness(contact) * self.law.force(*c);
            }
        });
        let [gradient, external, contact] = self.rows.transpose_with(force, gradient, &|body, sum| {
            let contact = *sum;
            let mut external = [0.0; D];
            if let Some(Scaled { values: load, factor }) = self.load {
                add_scaled(&mut external, factor, &chunks::<D>(load)[body]);
            }
            if let Some(Inertia { mass, center }) = self.inertia {
                let center = &chunks::<D>(center)[body];
                let away = std::array::from_fn(|d| x[body][d] - center[d]);
                add_scaled(&mut external, 1.0, &mass.times(body, &away));
            }
            if proximal.strength > 0.0 {
                add_scaled(&mut external, 1.0, &proximal.gradient(body, &x[body]));
            }
            *sum = std::array::from_fn(|d| external[d] - contact[d]);
            [dot(sum, sum), dot(&external, &external), dot(&contact, &contact)]
        });
        ForceBalance { gradient, external: external.max(self.least_external), contact }
    }

    /// Computes the weight of each contact in the Hessian: its tangent stiffness, zero where it is open.
    pub(super) fn weights(&self, compression: &[f64], weights: &mut [f64]) {
        for_each_part(leaves(compression.len()), (compression, weights), &|part, (compression, weights)| {
            for (contact, (c, w)) in part.rows.zip(compression.iter().zip(weights)) {
                *w = self.stiffness(contact) * self.law.stiffness(*c);
            }
        });
    }

    /// Computes the weights of contacts in the Hessian for equal compression of all contacts, up to a common factor:
    /// the stiffness of each contact, zero if the contact is kept open.
    pub(super) fn unit_weights(&self, weights: &mut [f64]) {
        for_each_part(leaves(weights.len()), weights, &|part, weights| {
            part.rows.zip(weights).for_each(|(contact, w)| *w = self.stiffness(contact));
        });
    }

    /// Computes the weights of contacts in the Hessian of linear springs: the force `typical` over the compression that
    /// it causes; zero for open contacts.
    pub(super) fn weights_at_force(&self, typical: f64, weights: &mut [f64]) {
        for_each_part(leaves(weights.len()), weights, &|part, weights| {
            for (contact, w) in part.rows.zip(weights) {
                let stiffness = self.stiffness(contact);
                *w = if stiffness > 0.0 { typical / self.law.compression(typical / stiffness) } else { 0.0 };
            }
        });
    }

    /// Returns the largest of the forces that would each stop one contact with this compression rate within a time
    /// step, without other contacts. Only the diagonal of the mass matrix is used.
    pub(super) fn largest_stopping_force(&self, compression: &[f64], mass: &BodyBlocks) -> f64 {
        let stopping = compression.iter().enumerate().map(|(i, c)| c / self.rows.mobility(i, mass));
        stopping.fold(0.0_f64, f64::max)
    }

    /// Prepares the energy along the line x + t `d` from a point x at which contacts have this `compression`.
    pub(super) fn line<'a>(
        &'a self,
        x: &[f64],
        d: &[f64],
        proximal: ProximalTerm<'_>,
        compression: &'a [f64],
        rate: &'a mut [f64],
    ) -> Line<'a, D, K> {
        let x = chunks::<D>(x);
        let columns = chunks::<D>(d);
        for_each_part(leaves(rate.len()), (&self.rows.contacts[..], &mut *rate), &|_, (rows, rate)| {
            rows.iter().zip(rate).for_each(|(row, rate)| *rate = -row.times(columns));
        });
        let [start, growth] = sum_parts(leaves(columns.len()), columns, &|part, columns| {
            let mut start = 0.0;
            let mut growth = 0.0;
            for (body, column) in part.rows.zip(columns) {
                if let Some(Scaled { values: load, factor }) = self.load {
                    start += factor * dot(&chunks::<D>(load)[body], column);
                }
                if let Some(Inertia { mass, center }) = self.inertia {
                    let center = &chunks::<D>(center)[body];
                    let momentum = mass.times(body, column);
                    start += dot(&std::array::from_fn(|d| x[body][d] - center[d]), &momentum);
                    growth += dot(column, &momentum);
                }
                if proximal.strength > 0.0 {
                    let scale = &chunks::<D>(proximal.scale)[body];
                    start += dot(&proximal.gradient(body, &x[body]), column);
                    growth += (0..D).map(|d| proximal.strength * scale[d] * column[d] * column[d]).sum::<f64>();
                }
            }
            [start, growth]
        });
        Line { penalty: self, compression, rate, start, growth }
    }
}

impl<const D: usize, const K: usize> Rows<D, K> {
    /// Change of the gap rate of contact `i` by a unit force, from the diagonal of the mass matrix.
    pub(super) fn mobility(&self, i: usize, mass: &BodyBlocks) -> f64 {
        let row = &self.contacts[i];
        let of_side = |side: usize| {
            let b = row.side::<D>(side);
            (0..D).map(|d| b[d] * b[d] / mass.entry(row.body[side] as usize, d, d)).sum::<f64>()
        };
        (0..2).filter(|&side| row.body[side] != FIXED).map(of_side).sum()
    }
}

/// The energy along a line x + t d, for a line search over t.
#[derive(Debug)]
pub(super) struct Line<'a, const D: usize, const K: usize> {
    penalty: &'a PenaltyEnergy<'a, D, K>,
    compression: &'a [f64],
    rate: &'a [f64],
    start: f64,
    growth: f64,
}

impl<const D: usize, const K: usize> Line<'_, D, K> {
    pub(super) fn slope(&self, t: f64) -> f64 {
        let columns = (self.compression, self.rate);
        let [work] = sum_parts(leaves(self.rate.len()), columns, &|part, (compression, rate)| {
            let mut work = 0.0;
            for (contact, (c, rate)) in part.rows.zip(compression.iter().zip(rate)) {
                work += self.penalty.stiffness(contact) * self.penalty.law.force(c + t * rate) * rate;
            }
            [work]
        });
        self.start + t * self.growth + work
    }
}

pub(super) fn advance(x: &mut [f64], t: f64, d: &[f64]) {
    for_each_part(leaves(d.len()), (x, d), &|_, (x, d)| x.iter_mut().zip(d).for_each(|(x, d)| *x += t * d));
}
