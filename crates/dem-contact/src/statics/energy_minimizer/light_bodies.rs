//! Bodies with loads far below those of the others.
//!
//! A search judges forces relative to the mean contact force, which hides a load of 1e-9 of this force. Light bodies
//! that bear no force are therefore settled after the others, which are then held: first under enlarged loads, which
//! give overlaps as large as between heavy bodies, then under smaller loads, down to the true ones. True overlaps may
//! be below the last digit of a position, so that the rounding errors of centres are kept from search to search, and
//! later searches use Newton's method alone. At the end each body is balanced relative to its own forces.

use rrp_geom::glam::DVec3;
use rrp_integrate::{Bodies, Body, State, VectorColumn};

use crate::error::DemError;
use crate::error::statics::StaticsError;
use crate::law::contact_law::ContactLaw;
use crate::law::pair_law::Relaxed;
use crate::neighbor::NeighborList;
use crate::statics::configuration::Configuration;
use crate::statics::energy_minimizer::{EnergyMinimizer, NEAR};
use crate::statics::newton::length;
use crate::statics::totals::Totals;
use crate::wall::Wall;

/// Ratio to the largest load below which a load counts as light.
const LIGHT: f64 = 1e-4;

/// Factor by which the enlarged loads of light bodies fall from one search to the next.
const LIGHTER: f64 = 30.0;

/// Largest accepted unbalanced force on a body over the sum of its forces if there are light bodies.
const OWN_TOLERANCE: f64 = 1e-10;

/// Largest number of rounds of balancing each body relative to its forces. Balanced bodies move a little, and their
/// neighbours have to follow in the next round.
const ROUNDS: usize = 16;

/// State at which a search begins and, after the search, at which it ended.
#[derive(Debug, Clone)]
pub(in crate::statics) struct Start {
    pub(super) state: State,
    pub(super) low: Vec<DVec3>,
}

impl Start {
    pub(super) fn new(state: &State) -> Self {
        Self { state: state.clone(), low: vec![DVec3::ZERO; state.len()] }
    }
}

/// Bodies, neighbour list, contact law and walls at rest of a search for equilibrium.
#[derive(Clone, Copy)]
pub(in crate::statics) struct Scene<'a> {
    pub(super) bodies: &'a Bodies,
    pub(super) list: &'a NeighborList,
    pub(super) walls: &'a [Wall],
    pub(super) law: &'a dyn ContactLaw,
    /// Function that makes the contact laws for dynamic relaxation.
    pub(super) relaxed: &'a Relaxed,
}

/// Largest load (a constant force besides contacts) in N on a movable body.
pub(super) fn largest_load(bodies: &Bodies, load: &VectorColumn) -> f64 {
    let movable = (0..bodies.len()).filter(|&i| bodies.inverse_mass()[i] > 0.0);
    movable.map(|i| load.get(i).length()).fold(0.0, f64::max)
}

pub(super) fn light_bodies(bodies: &Bodies, load: &VectorColumn) -> Vec<bool> {
    let limit = LIGHT * largest_load(bodies, load);
    let is_light = |i: usize| {
        let own = load.get(i).length();
        bodies.inverse_mass()[i] > 0.0 && bodies.radius()[i] > 0.0 && own > 0.0 && own < limit
    };
    (0..bodies.len()).map(is_light).collect()
}

impl EnergyMinimizer {
    /// Settles heavy bodies without light loads, then light bodies on the held heavy ones, if there are light bodies.
    ///
    /// # Errors
    /// Errors of a search.
    pub(super) fn settle_light_bodies(
        &mut self,
        scene: Scene<'_>,
        load: &VectorColumn,
        start: &mut Start,
    ) -> Result<(), DemError> {
        let mut light = light_bodies(scene.bodies, load);
        if !light.contains(&true) {
            return Ok(());
        }
        let count = scene.bodies.len();
        let of = |chosen: &dyn Fn(usize) -> bool, factor: f64| -> VectorColumn {
            (0..count).map(|i| if chosen(i) { load.get(i) * factor } else { Default::default() }).collect()
        };
        let found = self.search(scene, &of(&|i| !light[i], 1.0), start, NEAR)?;
        for contact in &found.contacts {
            light[contact.a] = false;
            if let Some(b) = contact.b.body() {
                light[b] = false;
            }
        }
        if !light.contains(&true) {
            return Ok(());
        }
        let radius = scene.bodies.radius();
        let held = |i: usize| if light[i] { Body::sphere(1.0, radius[i]) } else { Body::fixed(radius[i]) };
        let bodies = Bodies::new((0..count).map(held))?;
        let mut enlarged = largest_load(scene.bodies, load) / largest_load(&bodies, load);
        let scene = Scene { bodies: &bodies, ..scene };
        let with_own_load = |error| match error {
            DemError::Statics(StaticsError::Unsupported { body, position, .. }) => {
                DemError::Statics(StaticsError::Unsupported { body, load: load.get(body), position })
            }
            other => other,
        };
        self.settle_light_bodies(scene, &of(&|i| light[i], enlarged), start).map_err(with_own_load)?;
        let mut near = NEAR;
        loop {
            self.search(scene, &of(&|i| light[i], enlarged), start, near).map_err(with_own_load)?;
            near = f64::INFINITY;
            if enlarged <= 1.0 {
                return Ok(());
            }
            enlarged = (enlarged / LIGHTER).max(1.0);
        }
    }

    /// Balances bodies with a large unbalanced force relative to their forces, with all others held in place, and
    /// returns the sums over all contacts and bodies.
    ///
    /// # Errors
    /// Errors of building a list.
    pub(super) fn balance_bodies(
        &mut self,
        configuration: &mut Configuration<'_>,
        law: &dyn ContactLaw,
    ) -> Result<Totals, DemError> {
        let mut totals = configuration.evaluate(law);
        // By body number, since a new list reorders bodies. Bodies that were unbalanced once stay free to move, because
        // balancing neighbours in turns takes many rounds.
        let mut unbalanced = vec![false; configuration.len()];
        for _ in 0..ROUNDS {
            let own = configuration.own_residuals(law);
            if own.iter().all(|&residual| residual <= OWN_TOLERANCE) {
                break;
            }
            let order = configuration.list.order();
            order.iter().zip(&own).for_each(|(&i, &residual)| unbalanced[i as usize] |= residual > OWN_TOLERANCE);
            configuration.hold(|i| !unbalanced[i]);
            let largest = configuration.load.iter().map(length).fold(0.0, f64::max);
            // Newton's method may rebuild the list.
            let polished = self.newton.polish(configuration, law, 0.1 * OWN_TOLERANCE, largest);
            configuration.hold(|_| false);
            polished?;
            totals = configuration.evaluate(law);
        }
        Ok(totals)
    }
}

impl Configuration<'_> {
    /// Unbalanced force on each body over the sum of the magnitudes of its forces, zero without forces, in list order.
    pub(super) fn own_residuals(&self, law: &dyn ContactLaw) -> Vec<f64> {
        let mut scale: Vec<f64> = self.load.iter().map(length).collect();
        self.rows.each_touching(&mut |place, contact, _| scale[place] += law.force(contact.overlap, contact.radius));
        let own = |(force, scale): (&[f64; 3], &f64)| if *scale > 0.0 { length(force) / scale } else { 0.0 };
        self.force.iter().zip(&scale).map(own).collect()
    }

    /// Returns the movable body with the largest ratio of unbalanced force to the sum of its forces, and this ratio.
    pub(super) fn least_balanced(&self, law: &dyn ContactLaw) -> Option<(usize, f64)> {
        let own = self.own_residuals(law).into_iter().enumerate();
        let worst = own.filter(|(place, _)| self.movable[*place]).max_by(|a, b| a.1.total_cmp(&b.1));
        worst.map(|(place, residual)| (self.list.order()[place] as usize, residual))
    }
}
