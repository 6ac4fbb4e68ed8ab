use rrp_parallel::split_fields;

use crate::body::bodies::Moments;
use crate::leaves::Piece;

/// Columns that the first kick of velocities and the drift of positions read and write.
pub(super) struct Translation<'a> {
    pub(super) inverse_mass: Piece<'a>,
    pub(super) force: [&'a [f64]; 3],
    pub(super) velocity: [&'a [f64]; 3],
    pub(super) position: [&'a [f64]; 3],
    pub(super) next_velocity: [&'a mut [f64]; 3],
    pub(super) next_position: [&'a mut [f64]; 3],
}
split_fields!(Translation { inverse_mass, force, velocity, position, next_velocity, next_position });

/// Columns that the first kick of angular momenta reads and writes.
pub(super) struct AngularKick<'a> {
    pub(super) torque: [&'a [f64]; 3],
    pub(super) next_momentum: [&'a mut [f64]; 3],
}
split_fields!(AngularKick { torque, next_momentum });

/// Columns that the turn of attitudes reads and writes, besides the angular momenta.
pub(super) struct Turning<'a> {
    pub(super) moments: Moments<'a>,
    pub(super) attitude: [&'a [f64]; 4],
    pub(super) next_attitude: [&'a mut [f64]; 4],
}
split_fields!(Turning { moments, attitude, next_attitude });
