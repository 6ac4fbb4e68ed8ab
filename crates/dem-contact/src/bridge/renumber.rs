use rrp_integrate::{Bodies, Renumbering};

use crate::bridge::bridges::{Bridges, check_liquid};
use crate::bridge::link::Bridge;
use crate::error::DemError;
use crate::law::Partner;
use crate::util::length::check_length;

impl Bridges {
    /// Renumbers the bodies between two steps. `new` has the bodies that are added, with `liquid` (m³) on each.
    ///
    /// The bridges of a removed body break. The removed body takes its own liquid and its part of each bridge out of
    /// the system; the other body of the bridge gets the remaining part back.
    ///
    /// # Errors
    /// [`DemError::LengthMismatch`] if `numbering` is for another number of bodies, and errors of [`new`](Self::new)
    /// for liquid out of range, with the number of the body among the added ones. Nothing is then changed.
    pub fn renumber(&mut self, numbering: &Renumbering, new: &Bodies, liquid: &[f64]) -> Result<(), DemError> {
        check_length("numbering", self.moisture.on_bodies.len(), numbering.before())?;
        check_liquid(new, liquid)?;
        let now = numbering.inverse();
        let mut moisture = self.moisture.clone();
        let gone = |body: usize| now.is_new(body);
        let mut kept = Vec::with_capacity(moisture.bridges.len());
        for bridge in &moisture.bridges {
            if bridge.bodies().any(gone) {
                let count = bridge.bodies().count() as f64;
                bridge.bodies().for_each(|body| moisture.on_bodies[body] += bridge.volume / count);
                continue;
            }
            let number = |body: usize| now.former()[body];
            let (body, partner) = match bridge.partner {
                Partner::Body(other) => {
                    let [a, b] = [number(bridge.body), number(other)];
                    (a.min(b), Partner::Body(a.max(b)))
                }
                wall @ Partner::Wall(_) => (number(bridge.body), wall),
            };
            kept.push(Bridge { body, partner, ..*bridge });
        }
        kept.sort_unstable_by_key(Bridge::key);
        moisture.bridges = kept;
        moisture.removed +=
            (0..numbering.before()).filter(|&body| gone(body)).map(|body| moisture.on_bodies[body]).sum::<f64>();
        moisture.on_bodies = numbering.column_with(&moisture.on_bodies, liquid)?;
        let walls = self.walls.clone();
        let skin = self.list.skin();
        *self = Self::of_parts(self.liquid, self.share, self.domain, walls, moisture, skin)?;
        Ok(())
    }
}
