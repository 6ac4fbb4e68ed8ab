//! The pyramid of rigid spheres with its equations for classic and compatible contact forces. Units are the mass m, the
//! diameter d and the weight m g of one sphere.
use anyhow::{Result, ensure};
use cd_solve::conformance::{Assembly, Pyramid, Species};
use cd_solve::{
    BodyBlocks, CompatibilitySolver, CompatibleForces, ContactJacobian, Delassus, Lcp, LcpMatrix, LcpSolver, Options,
    Report,
};

use super::law::Law;

/// Square pyramid of frictionless spheres under its own weight; the base layer is fixed.
#[derive(Debug)]
pub(super) struct Pile {
    pub(super) pyramid: Pyramid,
    pub(super) law: Law,
    assembly: Assembly,
    map: ContactJacobian,
    inverse_mass: BodyBlocks,
}

impl Pile {
    pub(super) fn new(layers: usize, law: Law) -> Result<Self> {
        Self::of_species(layers, law, law.species())
    }

    /// Makes a pyramid with `species` of soft and stiff spheres that may differ from those of the law.
    pub(super) fn of_species(layers: usize, law: Law, species: Species) -> Result<Self> {
        let pyramid = Pyramid::new(layers);
        let assembly = pyramid.assembly(species);
        let map = assembly.jacobian()?;
        let inverse_mass = assembly.inverse_mass()?;
        Ok(Self { pyramid, law, assembly, map, inverse_mass })
    }

    pub(super) fn contacts(&self) -> usize {
        self.pyramid.pairs().len()
    }

    /// Returns the number of layers, including the fixed base.
    pub(super) fn layers(&self) -> usize {
        (self.pyramid.fixed() as f64).sqrt().round() as usize
    }

    /// Returns the contact map B, which turns the velocities of the free spheres into the rates of the gaps.
    pub(super) fn map(&self) -> &ContactJacobian {
        &self.map
    }

    /// Returns the inverse masses of the free spheres, which are all one in these units.
    pub(super) fn inverse_mass(&self) -> &BodyBlocks {
        &self.inverse_mass
    }

    /// Returns the load in m g that contact forces must balance, three components per free sphere.
    pub(super) fn load(&self) -> &[f64] {
        &self.assembly.load
    }

    /// Returns the stiffness of each contact relative to that of the stiffest contact.
    pub(super) fn stiffness(&self) -> &[f64] {
        &self.assembly.stiffness
    }

    /// Computes the compatible contact forces in m g, which are the limit of the forces of ever stiffer elastic
    /// spheres.
    pub(super) fn compatible(&self) -> Result<Vec<f64>> {
        self.forces_of(&self.assembly)
    }

    /// Computes the compatible contact forces under the load of `assembly`.
    fn forces_of(&self, assembly: &Assembly) -> Result<Vec<f64>> {
        let mut force = vec![0.0; self.contacts()];
        let problem = assembly.problem(&self.map, self.law.exponent())?;
        let report = CompatibleForces::new(Options::new(1e-12, 500)).solve(&problem, &mut force)?;
        ensure!(report.converged(), "compatible forces: {report:?}");
        Ok(force)
    }

    /// Computes the compatible contact forces under the load that the `classic` forces balance, as in step 2 of
    /// `[OK18]` Algorithm 1.
    pub(super) fn compatible_with(&self, classic: &[f64]) -> Result<Vec<f64>> {
        let mut load = vec![0.0; self.map.columns()];
        self.map.apply_transpose(classic, &mut load)?;
        self.forces_of(&Assembly { load, ..self.assembly.clone() })
    }

    /// Computes the contact forces in m g of classic contact dynamics by `solver`, which starts with the force `start`
    /// at every contact; fails without convergence.
    pub(super) fn classic(&self, solver: &mut dyn LcpSolver, start: f64) -> Result<(Vec<f64>, Report)> {
        let delassus = Delassus::new(&self.map, &self.inverse_mass)?;
        let offset = self.assembly.offset(&delassus)?;
        let mut force = vec![start; self.contacts()];
        let report = solver.solve(&Lcp::new(LcpMatrix::Delassus(&delassus), &offset)?, &mut force)?;
        ensure!(report.converged(), "classic forces: {report:?}");
        Ok((force, report))
    }

    /// Computes the imbalance ‖Bᵀ f − F‖/‖F‖ between the contact forces f and the weights F; B is the contact map.
    pub(super) fn imbalance(&self, force: &[f64]) -> Result<f64> {
        let mut balance = vec![0.0; self.map.columns()];
        self.map.apply_transpose(force, &mut balance)?;
        let rest = balance.iter().zip(&self.assembly.load).map(|(a, b)| (a - b).powi(2)).sum::<f64>();
        Ok((rest / self.assembly.load.iter().map(|load| load * load).sum::<f64>()).sqrt())
    }

    /// Returns the number of the contact onto which each contact falls under two reflections of the pyramid: the
    /// exchange of x and y, and the reversal of x.
    pub(super) fn mirror(&self) -> [Vec<usize>; 2] {
        let side = |sphere: usize| {
            let mut first = 0;
            let mut side = self.layers();
            while sphere >= first + side * side {
                first += side * side;
                side -= 1;
            }
            (first, side, (sphere - first) / side, (sphere - first) % side)
        };
        let exchanged = |sphere| {
            let (first, side, i, j) = side(sphere);
            first + j * side + i
        };
        let reversed = |sphere| {
            let (first, side, i, j) = side(sphere);
            first + (side - 1 - i) * side + j
        };
        let image = |of: &dyn Fn(usize) -> usize| {
            let pairs = self.pyramid.pairs();
            let contact = |pair: &[usize; 2]| {
                let [a, b] = pair.map(of);
                pairs.binary_search(&[a.min(b), a.max(b)]).unwrap_or(usize::MAX)
            };
            pairs.iter().map(contact).collect()
        };
        [image(&exchanged), image(&reversed)]
    }

    /// Computes the relative distance ‖a − b‖/‖b‖ of two sets of contact forces, or that of `a` from the mirror image
    /// of `b` if it is smaller. The mirror reverses x, which maps soft spheres onto soft ones and stiff onto stiff.
    pub(super) fn distance_or_mirrored(&self, a: &[f64], b: &[f64]) -> f64 {
        let [_, reversed] = self.mirror();
        let mirrored: Vec<f64> =
            reversed.into_iter().map(|contact| b.get(contact).copied().unwrap_or(f64::NAN)).collect();
        let same = distance(a, b);
        let other = distance(a, &mirrored);
        if other < same { other } else { same }
    }

    /// Computes the asymmetry ‖f − f mirrored‖/‖f‖ of contact forces f, the larger of those for the two reflections of
    /// [`Self::mirror`].
    pub(super) fn asymmetry(&self, force: &[f64]) -> f64 {
        let mirrored = |image: Vec<usize>| {
            let other: Vec<f64> =
                image.into_iter().map(|contact| force.get(contact).copied().unwrap_or(f64::NAN)).collect();
            distance(&other, force)
        };
        let [exchanged, reversed] = self.mirror().map(mirrored);
        grains_pages::number::larger(exchanged, reversed)
    }

    /// Computes the vertical component in m g of the contact forces on each sphere of the base, row by row.
    pub(super) fn floor(&self, force: &[f64]) -> Vec<f64> {
        let fixed = self.pyramid.fixed();
        let centre = self.pyramid.centre();
        let mut floor = vec![0.0; fixed];
        for (&[a, b], force) in self.pyramid.pairs().iter().zip(force) {
            if a < fixed && b >= fixed {
                floor[a] += force * (centre[b][2] - centre[a][2]);
            }
        }
        floor
    }
}

/// Returns the largest of these values, but at least zero; NaN if any value is NaN.
pub(super) fn maximum(values: &[f64]) -> f64 {
    values.iter().copied().fold(0.0, grains_pages::number::larger)
}

/// Computes the relative distance ‖a − b‖/‖b‖ of two sets of forces.
pub(super) fn distance(a: &[f64], b: &[f64]) -> f64 {
    let rest = a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f64>();
    (rest / b.iter().map(|b| b * b).sum::<f64>()).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mirror_images_are_permutations_that_undo_themselves() {
        let pile = Pile::new(5, Law::Hooke).unwrap();
        for image in pile.mirror() {
            assert!(image.iter().enumerate().all(|(contact, &other)| image[other] == contact));
            assert!(image.iter().enumerate().any(|(contact, &other)| contact != other));
        }
    }

    #[test]
    fn one_mirror_image_keeps_the_species() {
        let pile = Pile::new(6, Law::Multi).unwrap();
        let [exchanged, reversed] = pile.mirror();
        let kept = |image: Vec<usize>| {
            let pairs = image.into_iter().enumerate();
            pairs.filter(|&(a, b)| (pile.stiffness()[a] - pile.stiffness()[b]).abs() > 1e-12).count()
        };
        assert!(kept(reversed) == 0 && kept(exchanged) > 0);
    }

    #[test]
    fn the_base_carries_all_and_forces_have_the_symmetry_of_their_law() {
        for law in Law::ALL {
            let pile = Pile::new(5, law).unwrap();
            let force = pile.compatible().unwrap();
            assert!((pile.floor(&force).iter().sum::<f64>() - 30.0).abs() < 1e-9, "{law:?}");
            assert!(pile.imbalance(&force).unwrap() < 1e-11, "{law:?}");
            assert_eq!(pile.asymmetry(&force) < 1e-9, law != Law::Multi, "{law:?}: {}", pile.asymmetry(&force));
        }
    }
}
