use rrp_integrate::{Bodies, Potential, State};

use crate::bridge::bridges::{Bridges, placed};
use crate::bridge::capillary::Capillary;
use crate::bridge::exchange::Moisture;
use crate::bridge::link::{Bridge, Setting};
use crate::law::Partner;
use crate::wall::WallLoad;

impl Bridges {
    /// Returns the liquid on bodies and in bridges at the last accepted state.
    #[must_use]
    pub fn moisture(&self) -> &Moisture {
        &self.moisture
    }

    /// Returns the load of liquid bridges on the wall of this number at `state`, the last accepted one; zero for a dry
    /// wall. The number of contacts of the load counts the bridges.
    #[must_use]
    pub fn wall_load(&self, wall: usize, bodies: &Bodies, state: &State) -> WallLoad {
        let walls = placed(&self.walls, state.time());
        let setting = Setting { bodies, state, domain: &self.domain, walls: &walls };
        let mut load = WallLoad::default();
        for bridge in self.moisture.bridges.iter().filter(|bridge| bridge.partner == Partner::Wall(wall)) {
            let span = setting.span(bridge.body, bridge.partner);
            let force = self.liquid.force(span.gap, span.radius, bridge.volume) * -span.direction;
            load.force += force;
            load.torque += span.wall_arm.cross(force);
            load.contacts += 1;
        }
        load
    }

    /// Returns the energy in J at `state` of all liquid bridges that have at least one body for whose number `is_among`
    /// is true; NaN if `state` has another number of bodies. [`energy`](Potential::energy) is the sum over all bridges.
    #[must_use]
    pub fn energy_of(&self, bodies: &Bodies, state: &State, is_among: &dyn Fn(usize) -> bool) -> f64 {
        let expected = self.moisture.on_bodies.len();
        if bodies.len() != expected || state.len() != expected {
            return f64::NAN;
        }
        let walls = placed(&self.walls, state.time());
        let setting = Setting { bodies, state, domain: &self.domain, walls: &walls };
        let energy = |bridge: &Bridge| {
            let span = setting.span(bridge.body, bridge.partner);
            let energy = self.liquid.energy(span.gap, span.radius, bridge.volume);
            // `min` would turn NaN into zero.
            if energy > 0.0 { 0.0 } else { energy }
        };
        let bridges = self.moisture.bridges.iter().filter(|bridge| bridge.bodies().any(is_among));
        bridges.map(energy).fold(0.0, |sum, energy| sum + energy)
    }

    /// Returns the law of bridges: surface tension and contact angle of the liquid.
    #[must_use]
    pub fn liquid(&self) -> Capillary {
        self.liquid
    }
}

impl Potential for Bridges {
    /// Returns the energy of the present liquid bridges at `state` in J, not positive; NaN if `state` has another
    /// number of bodies. Bridges beyond their rupture gap at `state` have zero energy.
    fn energy(&self, bodies: &Bodies, state: &State) -> f64 {
        self.energy_of(bodies, state, &|_| true)
    }
}
