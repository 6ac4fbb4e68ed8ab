//! Bodies numbered by where they are.

use rrp_integrate::{Bodies, Body};

use super::LammpsData;
use crate::DemError;
use crate::contact_force::check_length;

impl LammpsData {
    /// The same with bodies numbered by where they are: by layers in z, rows in y and x of cells as wide as the largest body.
    ///
    /// What happens to bodies near each other is then near in memory. A third of the time of a step goes into fetching bodies
    /// whose numbers say nothing about their places, as in files that a long run has left; LAMMPS sorts its atoms itself.
    ///
    /// # Errors
    /// [`DemError::LengthMismatch`] if a field was set to something that has not one row per body.
    pub fn sorted(&self) -> Result<Self, DemError> {
        let Self { bodies, state, id, kind, image, low, .. } = self;
        check_length(bodies, state)?;
        for (what, found) in [("identifiers", id.len()), ("types", kind.len()), ("images", image.len())] {
            if found != bodies.len() {
                return Err(DemError::LengthMismatch { what, expected: bodies.len(), found });
            }
        }
        let width = 2.0 * bodies.radius().iter().fold(0.0_f64, |largest, &radius| largest.max(radius));
        let cell = |&i: &usize| {
            let [x, y, z] = ((state.position().get(i) - *low) / width).floor().to_array().map(|cell| cell as i64);
            [z, y, x]
        };
        let mut from: Vec<usize> = (0..bodies.len()).collect();
        from.sort_by_cached_key(cell);
        let rows: Vec<Body> = bodies.clone().into();
        let mut sorted = state.clone();
        for (to, &i) in from.iter().enumerate() {
            sorted.position_mut().set(to, state.position().get(i));
            sorted.velocity_mut().set(to, state.velocity().get(i));
            sorted.angular_momentum_mut().set(to, state.angular_momentum().get(i));
            if state.attitude().len() == bodies.len() {
                sorted.attitude_mut().set(to, state.attitude().get(i));
            }
        }
        Ok(Self {
            bodies: Bodies::new(from.iter().map(|&i| rows[i]))?,
            state: sorted,
            id: from.iter().map(|&i| id[i]).collect(),
            kind: from.iter().map(|&i| kind[i]).collect(),
            image: from.iter().map(|&i| image[i]).collect(),
            ..self.clone()
        })
    }
}
