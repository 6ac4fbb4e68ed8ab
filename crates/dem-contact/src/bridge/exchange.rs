use std::collections::BTreeMap;

use crate::bridge::link::Bridge;
use crate::error::DemError;
use crate::error::bridge::BridgeError;
use crate::error::parameter::{finite, not_negative, positive};
use crate::law::Partner;

/// Liquid on bodies and in bridges, with the energy lost at jumps of force and the work of moving walls.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Moisture {
    /// Liquid on each body in m³, without the liquid in bridges.
    pub on_bodies: Vec<f64>,
    /// All liquid bridges, sorted by body, then bridges to bodies before bridges to walls, each by number.
    pub bridges: Vec<Bridge>,
    /// Liquid in m³ that has left the system with removed bodies.
    pub removed: f64,
    /// Energy in J that the system has lost so far where liquid bridges began or broke, because their force jumped.
    pub lost: f64,
    /// Work in J that moving walls have done on bodies through liquid bridges.
    pub wall_work: f64,
    /// Power in W that moving walls exert on bodies through liquid bridges at the last accepted state.
    pub wall_power: f64,
}

/// Changes of liquid, bridges and work in one step, stored separately until the step is accepted.
#[derive(Debug, Clone, Default)]
pub(super) struct Changes {
    /// Indices of the liquid bridges that break in the step, ascending.
    pub(super) broken: Vec<usize>,
    pub(super) begun: Vec<Begun>,
    /// Energy in J lost in the step where liquid bridges begin or break, because their force jumps.
    pub(super) lost: f64,
    /// Work in J of moving walls through liquid bridges in the step.
    pub(super) wall_work: f64,
    /// Power in W of moving walls on bodies through liquid bridges at the end of the step; `None` before an evaluation.
    pub(super) wall_power: Option<f64>,
}

/// A new bridge, with the liquid that its body and its partner (another body or a wall) give to the bridge.
#[derive(Debug, Clone, Copy)]
pub(super) struct Begun {
    pub(super) bridge: Bridge,
    /// Liquid from the body and from the partner of the new bridge, in m³.
    given: [f64; 2],
}

impl Moisture {
    /// Renumbers the walls of bridges; `number` returns the new number of a wall. If it is `None`, the bridges to this
    /// wall end, and each gives its liquid to its body.
    #[must_use]
    pub fn with_walls(mut self, number: impl Fn(usize) -> Option<usize>) -> Self {
        let mut kept = Vec::with_capacity(self.bridges.len());
        for bridge in std::mem::take(&mut self.bridges) {
            match bridge.partner.wall().map(&number) {
                None => kept.push(bridge),
                Some(Some(wall)) => kept.push(Bridge { partner: Partner::Wall(wall), ..bridge }),
                Some(None) => {
                    if let Some(liquid) = self.on_bodies.get_mut(bridge.body) {
                        *liquid += bridge.volume;
                    }
                }
            }
        }
        kept.sort_unstable_by_key(Bridge::key);
        Self { bridges: kept, ..self }
    }

    /// Checks that the liquid on bodies is not negative and that of bridges positive, and that liquid bridges are
    /// sorted and join existing bodies, or a body and a wall for whose number `is_wet` is true.
    ///
    /// # Errors
    /// [`DemError::InvalidParameter`] and [`BridgeError::NoSuchBridge`].
    pub(super) fn check(&self, is_wet: impl Fn(usize) -> bool) -> Result<(), DemError> {
        let Self { on_bodies, bridges, removed, lost, wall_work, wall_power } = self;
        on_bodies.iter().chain([removed]).try_for_each(|&liquid| not_negative("liquid", liquid).map(drop))?;
        finite("energy that bridges took", *lost)?;
        finite("work of wet walls", *wall_work)?;
        finite("power of wet walls", *wall_power)?;
        bridges.iter().try_for_each(|bridge| positive("the volume of a bridge", bridge.volume).map(drop))?;
        let exists = |bridge: &Bridge| match bridge.partner {
            Partner::Body(other) => bridge.body < other && other < on_bodies.len(),
            Partner::Wall(wall) => bridge.body < on_bodies.len() && is_wet(wall),
        };
        let follows = |number: usize| number == 0 || bridges[number - 1].key() < bridges[number].key();
        let wrong = (0..bridges.len()).find(|&number| !(exists(&bridges[number]) && follows(number)));
        wrong.map_or(Ok(()), |bridge| Err(DemError::Bridge(BridgeError::NoSuchBridge { bridge })))
    }

    pub(super) fn has(&self, body: usize, partner: Partner) -> bool {
        self.bridges.binary_search_by_key(&(body, partner), Bridge::key).is_ok()
    }

    /// Returns new bridges for these pairs of a body and another body or wall. Each body gives the fraction `share` of
    /// its liquid in equal parts to all its new bridges, so that their order does not matter. Dry pairs get no bridge.
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

    /// Applies the changes of a step. A bridge that breaks gives equal parts of its liquid to its one or two bodies.
    pub(super) fn apply(&mut self, changes: &mut Changes) {
        let Changes { broken, begun, lost, wall_work, wall_power } = std::mem::take(changes);
        for Begun { bridge, given } in &begun {
            // With a share of one, the sum of the equal parts may exceed the liquid by rounding.
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
        self.wall_work += wall_work;
        self.wall_power = wall_power.unwrap_or(self.wall_power);
    }

    /// Returns the sum of the liquid on all bodies in m³.
    #[must_use]
    pub fn on_all_bodies(&self) -> f64 {
        self.on_bodies.iter().fold(0.0, |sum, liquid| sum + liquid)
    }

    /// Returns the sum of the liquid in all bridges in m³.
    #[must_use]
    pub fn in_bridges(&self) -> f64 {
        self.bridges.iter().fold(0.0, |sum, bridge| sum + bridge.volume)
    }

    /// Returns all liquid in m³: on bodies, in bridges, and removed with bodies.
    #[must_use]
    pub fn total(&self) -> f64 {
        self.on_all_bodies() + self.in_bridges() + self.removed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks that a wet body gives equal liquid to all its new bridges, for any order of the links.
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

    /// Checks that bridges follow a renumbering of walls, and that bodies get the liquid of bridges to removed walls.
    #[test]
    fn walls_have_other_numbers() {
        let to = |wall: usize| Bridge { body: 0, partner: Partner::Wall(wall), volume: 1.0 + wall as f64 };
        let between = Bridge { body: 0, partner: Partner::Body(1), volume: 7.0 };
        let bridges = vec![between, to(0), to(1), to(2)];
        let moisture = Moisture { on_bodies: vec![0.5, 0.0], bridges, ..Moisture::default() };
        let total = moisture.total();
        let moved = moisture.with_walls(|wall| [Some(3), None, Some(1)][wall]);
        let walls: Vec<_> = moved.bridges.iter().map(|bridge| (bridge.partner, bridge.volume)).collect();
        assert_eq!(walls, [(Partner::Body(1), 7.0), (Partner::Wall(1), 3.0), (Partner::Wall(3), 1.0)]);
        assert!((moved.on_bodies[0] - 2.5).abs() < 1e-15 && (moved.total() - total).abs() < 1e-15);
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
                assert!(moisture.check(|_| false).is_ok() && moisture.on_bodies[0] < 1e-14, "{moisture:?}");
            }
        }
    }
}
