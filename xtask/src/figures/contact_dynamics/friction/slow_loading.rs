//! The pyramid of `[OK18]` with friction, and its contact forces after the weight has grown slowly from zero. Units are
//! the mass m, diameter d and weight m g of one sphere.
use anyhow::{Result, ensure};
use cd_solve::Options;
use cd_solve::conformance::{FrictionSpheres, Pyramid};
use cd_solve::friction::{CompatibleFriction, CompatibleFrictionProblem, ContactMap, Frame, FrictionLaw, Resistance};
use rrp_geom::glam::DVec3;

/// Ratio of the tangential to the normal stiffness of contacts.
pub(super) const KAPPA: f64 = 2.0 / 7.0;

/// Pyramid of spheres with friction under its own weight.
pub(super) struct FrictionPile {
    pub(super) pyramid: Pyramid,
    map: ContactMap,
}

/// Contact forces in m g in the frames of the contacts: one normal and two tangential components per contact.
#[derive(Clone, Debug)]
pub(super) struct Forces(pub(super) Vec<f64>);

impl Forces {
    pub(super) fn normal(&self) -> Vec<f64> {
        self.0.iter().step_by(3).copied().collect()
    }

    /// Returns the share of the loaded contacts that slide at this coefficient of friction.
    pub(super) fn sliding(&self, friction: f64) -> f64 {
        let contacts = self.0.chunks_exact(3);
        let closed = contacts.clone().filter(|r| r[0] > 1e-9).count();
        let slides = |r: &[f64]| r[0] > 1e-9 && r[1].hypot(r[2]) > friction * r[0] * (1.0 - 1e-9);
        contacts.filter(|r| slides(r)).count() as f64 / closed as f64
    }
}

impl FrictionPile {
    pub(super) fn new(layers: usize) -> Result<Self> {
        let pyramid = Pyramid::new(layers);
        let FrictionSpheres { map, .. } = FrictionSpheres::pyramid(&pyramid, Resistance::Sliding)?;
        Ok(Self { pyramid, map })
    }

    pub(super) fn contacts(&self) -> usize {
        self.map.contacts()
    }

    /// Computes the contact forces after the weight has grown slowly from zero, with this coefficient of friction and
    /// friction law.
    pub(super) fn forces(&self, friction: f64, law: FrictionLaw) -> Result<Forces> {
        let load = [0.0, 0.0, 1.0, 0.0, 0.0, 0.0].repeat(self.map.bodies());
        let stiffness = vec![1.0; self.contacts()];
        let friction = vec![friction; self.contacts()];
        let problem = CompatibleFrictionProblem::new(&self.map, &load, &stiffness, KAPPA, &friction)?.with_law(law);
        let mut force = vec![0.0; 3 * self.contacts()];
        let report = CompatibleFriction::new(Options::new(1e-12, 1000)).solve(&problem, &mut force)?;
        ensure!(report.converged(), "slow loading: {report:?}");
        Ok(Forces(force))
    }

    /// Returns the force on the second sphere of each contact in the world frame, in m g.
    pub(super) fn world(&self, forces: &Forces) -> Vec<DVec3> {
        let centre = self.pyramid.centre();
        let world = |(&[a, b], r): (&[usize; 2], &[f64])| {
            let normal = (DVec3::from(centre[b]) - DVec3::from(centre[a])).normalize();
            let Frame { normal, tangents, .. } = Frame::from_normal(normal.to_array());
            r[0] * DVec3::from(normal) + r[1] * DVec3::from(tangents[0]) + r[2] * DVec3::from(tangents[1])
        };
        self.pyramid.pairs().iter().zip(forces.0.chunks_exact(3)).map(world).collect()
    }
}

/// Computes the relative distance ‖a − b‖/‖b‖ of two sets of contact forces.
pub(super) fn apart(a: &[DVec3], b: &[DVec3]) -> f64 {
    let rest: f64 = a.iter().zip(b).map(|(a, b)| (*a - *b).length_squared()).sum();
    (rest / b.iter().map(|b| b.length_squared()).sum::<f64>()).sqrt()
}
