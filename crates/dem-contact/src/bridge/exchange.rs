//! How liquid goes from bodies to bridges and back.

use std::collections::BTreeMap;

use crate::bridge::link::Bridge;
use crate::error::DemError;
use crate::error::bridge::BridgeError;
use crate::error::parameter::{finite, not_negative, positive};
use crate::law::Partner;

/// Where the liquid is.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Moisture {
    /// Liquid on each body in m³, without that in bridges.
    pub on_bodies: Vec<f64>,
    /// All bridges, by body, then bodies before planes.
    pub bridges: Vec<Bridge>,
    /// Liquid in m³ that has left with bodies.
    pub removed: f64,
    /// Energy in J that bridges took where they began and broke.
    pub lost: f64,
}

/// What changes with a step.
#[derive(Debug, Clone, Default)]
pub(super) struct Changes {
    /// Bridges that break, by their index.
    pub(super) broken: Vec<usize>,
    /// Bridges that begin.
    pub(super) begun: Vec<Begun>,
    /// Energy in J that these take.
    pub(super) lost: f64,
}

/// A bridge that begins.
#[derive(Debug, Clone, Copy)]
pub(super) struct Begun {
    pub(super) bridge: Bridge,
    /// What its body and its partner give, in m³.
    given: [f64; 2],
}

impl Moisture {
    /// Passes if volumes are not negative, and bridges are in their order, between bodies and so many planes that
    /// exist.
    ///
    /// # Errors
    /// [`DemError::InvalidParameter`] and [`BridgeError::NoSuchBridge`].
    pub(super) fn check(&self, planes: usize) -> Result<(), DemError> {
        let Self { on_bodies, bridges, removed, lost } = self;
        on_bodies.iter().chain([removed]).try_for_each(|&liquid| not_negative("liquid", liquid).map(drop))?;
        finite("energy that bridges took", *lost)?;
        bridges.iter().try_for_each(|bridge| positive("the volume of a bridge", bridge.volume).map(drop))?;
        let exists = |bridge: &Bridge| match bridge.partner {
            Partner::Body(other) => bridge.body < other && other < on_bodies.len(),
            Partner::Wall(plane) => bridge.body < on_bodies.len() && plane < planes,
        };
        let follows = |number: usize| number == 0 || bridges[number - 1].key() < bridges[number].key();
        let wrong = (0..bridges.len()).find(|&number| !(exists(&bridges[number]) && follows(number)));
        wrong.map_or(Ok(()), |bridge| Err(DemError::Bridge(BridgeError::NoSuchBridge { bridge })))
    }

    /// Whether there is a bridge between these.
    pub(super) fn has(&self, body: usize, partner: Partner) -> bool {
        self.bridges.binary_search_by_key(&(body, partner), Bridge::key).is_ok()
    }

    /// Bridges between these, which have none yet. Each body gives `share` of its liquid in equal parts to all its new
    /// bridges, so nothing depends on their order. Where both are dry there is none.
    pub(super) fn begin(&self, links: &[(usize, Partner)], share: f64) -> Vec<Begun> {
        let mut counts = BTreeMap::<usize, u32>::new();
        let ends = |(body, partner): (usize, Partner)| [Some(body), partner.body()];
        links.iter().flat_map(|&link| ends(link)).flatten().for_each(|body| *counts.entry(body).or_default() += 1);
        let part = |body: usize| share * self.on_bodies[body] / f64::from(counts[&body]);
        let begun = |&(body, partner): &(usize, Partner)| {
            let given = ends((body, partner)).map(|body| body.map_or(0.0, part));
            Begun { bridge: Bridge { body, partner, volume: given[0] + given[1] }, given }
        };
        links.iter().map(begun).filter(|begun| begun.bridge.volume > 0.0).collect()
    }

    /// Makes these changes: what begins takes what is given, what breaks gives each of its bodies the same part.
    pub(super) fn apply(&mut self, changes: &mut Changes) {
        let Changes { broken, begun, lost } = std::mem::take(changes);
        for Begun { bridge, given } in &begun {
            // A share of one in equal parts may be more than there is, by rounding.
            bridge.bodies().zip(given).for_each(|(body, given)| {
                self.on_bodies[body] = (self.on_bodies[body] - given).max(0.0);
            });
        }
        for &index in &broken {
            let bridge = self.bridges[index];
            let count = bridge.bodies().count() as f64;
            bridge.bodies().for_each(|body| self.on_bodies[body] += bridge.volume / count);
        }
        let mut numbers = 0..;
        self.bridges.retain(|_| numbers.next().is_none_or(|number| broken.binary_search(&number).is_err()));
        if !begun.is_empty() {
            self.bridges.extend(begun.iter().map(|begun| begun.bridge));
            self.bridges.sort_unstable_by_key(Bridge::key);
        }
        self.lost += lost;
    }

    /// Liquid on all bodies in m³.
    #[must_use]
    pub fn on_all_bodies(&self) -> f64 {
        self.on_bodies.iter().fold(0.0, |sum, liquid| sum + liquid)
    }

    /// Liquid in bridges in m³.
    #[must_use]
    pub fn in_bridges(&self) -> f64 {
        self.bridges.iter().fold(0.0, |sum, bridge| sum + bridge.volume)
    }

    /// All liquid in m³, with what is gone.
    #[must_use]
    pub fn total(&self) -> f64 {
        self.on_all_bodies() + self.in_bridges() + self.removed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A wet body in the middle of two dry ones and a plane gives each the same, in any order of the links.
    #[test]
    fn what_is_given_does_not_depend_on_the_order_and_all_comes_back() {
        let mut moisture = Moisture { on_bodies: vec![0.0, 6.0, 0.0, 0.0], ..Moisture::default() };
        let links = [(0, Partner::Body(1)), (1, Partner::Body(2)), (1, Partner::Wall(0)), (2, Partner::Body(3))];
        let begun = moisture.begin(&links, 0.5);
        assert_eq!(
            begun.iter().map(|begun| begun.bridge.volume).collect::<Vec<_>>(),
            [1.0; 3],
            "none between dry ones"
        );
        let mut changes = Changes { begun, lost: 2.0, ..Changes::default() };
        moisture.apply(&mut changes);
        assert!(moisture.on_bodies == [0.0, 3.0, 0.0, 0.0] && moisture.has(1, Partner::Wall(0)));
        assert!((moisture.total() - 6.0).abs() < 1e-15 && changes.begun.is_empty());
        moisture.apply(&mut Changes { broken: vec![0, 2], lost: 1.0, ..Changes::default() });
        assert_eq!(moisture.on_bodies, [0.5, 4.5, 0.0, 0.0]);
        assert!(moisture.bridges.len() == 1 && (moisture.total() - 6.0).abs() < 1e-15);
        assert!((moisture.lost - 3.0).abs() < 1e-15);
    }

    #[test]
    fn all_liquid_in_any_number_of_equal_parts_leaves_none_and_no_less() {
        for count in 1..=12 {
            for tenths in 1..50 {
                let mut on_bodies = vec![0.0; count + 1];
                on_bodies[0] = 0.1 * f64::from(tenths);
                let mut moisture = Moisture { on_bodies, ..Moisture::default() };
                let links: Vec<_> = (1..=count).map(|other| (0, Partner::Body(other))).collect();
                let begun = moisture.begin(&links, 1.0);
                moisture.apply(&mut Changes { begun, ..Changes::default() });
                assert!(moisture.check(0).is_ok() && moisture.on_bodies[0] < 1e-14, "{moisture:?}");
            }
        }
    }
}
