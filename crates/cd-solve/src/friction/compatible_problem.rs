use crate::error::{FrictionError, SolveError, check_finite, check_length, check_positive};
use crate::friction::contact_map::ContactMap;
use crate::friction::contact_rows::DOF;
use crate::friction::law::{derivative_in_metric, disk_derivative, project_in_metric, project_onto_disks};
use crate::friction::problem::{FrictionLaw, norm};
use crate::friction::springs::Springs;
use crate::problem::rows::FIXED;

/// Bound on the rounding error of a contact force, divided by the machine precision and by the sum of the absolute
/// values of the terms of the force. It is above one because displacements are rounded too.
const ROUNDINGS: f64 = 32.0;

/// Contacts between rigid bodies on springs under a load F: forces r = P(r₀ − K H U) with Hᵀ r = F, for displacements
/// U, the contact map H and initial forces r₀ of the springs.
///
/// P limits the normal force to non-negative values and the tangential force to μ times the normal one. K has the
/// stiffness of each contact along its normal, and κ times this stiffness along its tangents. Only ratios of
/// stiffnesses matter: K → s K and U → U/s leave the forces unchanged.
#[derive(Debug, Clone)]
pub struct CompatibleFrictionProblem<'a> {
    pub(super) map: &'a ContactMap,
    pub(super) load: &'a [f64],
    pub(super) stiffness: &'a [f64],
    pub(super) tangential_ratio: f64,
    pub(super) coefficients: &'a [f64],
    pub(super) history: Option<&'a [f64]>,
    pub(super) law: FrictionLaw,
    pub(super) inertia: f64,
}

impl<'a> CompatibleFrictionProblem<'a> {
    /// Poses the problem of contacts without initial forces. `load` (`6 n_b`) is the sum Hᵀ r of the contact forces for
    /// the contact map H = `map`, so the load that balances a weight points up. `stiffness` and `coefficients` (μ) have
    /// one number per contact. `tangential_ratio` is κ; 2/7 is the ratio of tangential to normal effective mass of
    /// solid spheres.
    ///
    /// # Errors
    /// [`FrictionError::InvalidBlock`] if contacts roll or twist, [`LengthMismatch`](SolveError::LengthMismatch),
    /// [`NotFinite`](SolveError::NotFinite), [`InvalidStiffness`](crate::error::ContactError::InvalidStiffness),
    /// [`InvalidParameter`](SolveError::InvalidParameter) or
    /// [`InvalidCoefficient`](FrictionError::InvalidCoefficient).
    pub fn new(
        map: &'a ContactMap,
        load: &'a [f64],
        stiffness: &'a [f64],
        tangential_ratio: f64,
        coefficients: &'a [f64],
    ) -> Result<Self, SolveError> {
        Springs { stiffness, tangential_ratio }.check(map.block(), map.contacts())?;
        check_length("loads", load, DOF * map.bodies())?;
        check_finite("load", load)?;
        check_length("sliding", coefficients, map.contacts())?;
        if let Some(contact) = coefficients.iter().position(|mu| !(mu.is_finite() && *mu >= 0.0)) {
            let value = coefficients[contact];
            return Err(FrictionError::InvalidCoefficient { kind: "sliding", contact, value }.into());
        }
        Ok(Self {
            map,
            load,
            stiffness,
            tangential_ratio,
            coefficients,
            history: None,
            law: FrictionLaw::Coulomb,
            inertia: 0.0,
        })
    }

    /// Sets the forces r₀ of the contacts before the load of this problem, the next one on a loading path.
    ///
    /// # Errors
    /// [`SolveError::LengthMismatch`] or [`NotFinite`](SolveError::NotFinite).
    pub fn with_history(self, forces: &'a [f64]) -> Result<Self, SolveError> {
        check_length("forces", forces, 3 * self.map.contacts())?;
        check_finite("force", forces)?;
        Ok(Self { history: Some(forces), ..self })
    }

    /// Sets the friction law. With the convex law the forces minimise the energy Σ rₙ²/(2 k) + |rₜ|²/(2 κ k) among all
    /// forces in the friction cone that balance the load, with stiffnesses k along normals and κ k along tangents.
    #[must_use]
    pub fn with_law(self, law: FrictionLaw) -> Self {
        Self { law, ..self }
    }

    /// Poses one time step of bodies with masses M: Hᵀ r = F + ε M U with the `compliance` ε, where ε U are the
    /// velocities after the step and −F is M times the velocities without contact forces.
    ///
    /// From rest, the forces differ from those without inertia by a multiple of ε, even for ε = 1e-10, since the
    /// unknowns are displacements, not velocities. Bodies that no contact holds move.
    ///
    /// # Errors
    /// [`SolveError::InvalidParameter`] unless ε is finite and positive.
    pub fn with_inertia(self, compliance: f64) -> Result<Self, SolveError> {
        check_positive("the compliance", compliance)?;
        Ok(Self { inertia: compliance, ..self })
    }

    /// Computes the residual ‖Hᵀ r − F‖ / ‖F‖ of the contact forces r under the load F; without a load ‖Hᵀ r‖.
    ///
    /// # Errors
    /// [`SolveError::LengthMismatch`].
    pub fn residual(&self, force: &[f64]) -> Result<f64, SolveError> {
        let mut wrench = vec![0.0; self.load.len()];
        self.map.apply_transpose(force, &mut wrench)?;
        wrench.iter_mut().zip(self.load).for_each(|(w, f)| *w -= f);
        Ok(self.relative(norm(wrench.iter().copied())))
    }

    pub(super) fn relative(&self, size: f64) -> f64 {
        let scale = norm(self.load.iter().copied());
        if scale > 0.0 { size / scale } else { size }
    }

    pub(super) fn row_stiffness(&self, contact: usize) -> [f64; 3] {
        let normal = self.stiffness[contact];
        [normal, self.tangential_ratio * normal, self.tangential_ratio * normal]
    }

    /// Bound on the rounding error of the force of `contact` at the displacement U: 32 times the machine precision
    /// times the terms of the spring force r₀ − K H U.
    pub(super) fn rounding(&self, contact: usize, displacement: &[f64]) -> f64 {
        let k = self.row_stiffness(contact);
        let rows = self.map.rows::<3>(contact);
        let start = |p: usize| self.history.map_or(0.0, |forces| forces[3 * contact + p].abs());
        let moved = |p: usize| -> f64 {
            let of = |(side, &body): (usize, &u32)| -> f64 {
                let row = &rows[p][side * DOF..(side + 1) * DOF];
                let of_body = &displacement[DOF * body as usize..DOF * (body as usize + 1)];
                row.iter().zip(of_body).map(|(x, u)| (x * u).abs()).sum()
            };
            self.map.pairs()[contact].iter().enumerate().filter(|(_, body)| **body != FIXED).map(of).sum()
        };
        ROUNDINGS * f64::EPSILON * (0..3).map(|p| start(p) + k[p] * moved(p)).fold(0.0, f64::max)
    }

    /// Computes the contact forces r and the trial forces y = r₀ − K H U, without friction, at the displacement U.
    pub(super) fn forces(&self, displacement: &[f64], trial: &mut [f64], force: &mut [f64]) {
        let history = self.history.map(|forces| forces.as_chunks::<3>().0);
        let trial = trial.as_chunks_mut::<3>().0;
        let force = force.as_chunks_mut::<3>().0;
        for (i, (y, r)) in trial.iter_mut().zip(force).enumerate() {
            let w = self.map.local_velocity::<3>(i, displacement);
            let k = self.row_stiffness(i);
            let start = history.map_or([0.0; 3], |forces| forces[i]);
            *y = std::array::from_fn(|p| start[p] - k[p] * w[p]);
            let mu = [self.coefficients[i], 0.0, 0.0];
            *r = match self.law {
                FrictionLaw::Coulomb => project_onto_disks(y, &mu),
                FrictionLaw::Convex => project_in_metric(y, &mu, &self.metric()),
            };
        }
    }

    /// Derivative of the force r of `contact` by its trial force y, the force of its springs before the law cuts it.
    pub(super) fn derivative(&self, contact: usize, y: &[f64; 3]) -> [[f64; 3]; 3] {
        let mu = [self.coefficients[contact], 0.0, 0.0];
        match self.law {
            FrictionLaw::Coulomb => disk_derivative(y, &mu),
            FrictionLaw::Convex => derivative_in_metric(y, &mu, &self.metric()),
        }
    }

    /// Square roots of the stiffnesses (normal, two tangential) relative to the normal stiffness.
    pub(super) fn metric(&self) -> [f64; 3] {
        let tangential = self.tangential_ratio.sqrt();
        [1.0, tangential, tangential]
    }
}
