//! Snapshots of a simulation, for drawings and views.
use rrp_geom::glam::DVec3;
use rrp_integrate::State;

use crate::model::Frame;

/// Time, centres and speeds of all bodies of a simulation at one moment.
#[derive(Clone, Debug)]
pub(super) struct Shot {
    pub(super) time: f64,
    pub(super) places: Vec<DVec3>,
    pub(super) speeds: Vec<f64>,
}

impl Shot {
    pub(super) fn of(state: &State) -> Self {
        let speeds = state.velocity().iter().map(DVec3::length).collect();
        Self { time: state.time(), places: state.position().iter().collect(), speeds }
    }

    /// Returns a frame of a view with the bodies coloured by their speeds.
    pub(super) fn frame(&self, label: String) -> Frame {
        Frame { label, centres: self.places.clone(), values: self.speeds.clone() }
    }
}
