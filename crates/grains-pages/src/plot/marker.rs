//! Shapes of data points, which are open so that coinciding points of two series both stay visible.
use crate::plot::scene::Scene;

/// Shape of a data point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Marker {
    /// An open circle.
    Circle,
    /// An open triangle that points up.
    Triangle,
    /// An open square.
    Square,
    /// Two lines that cross.
    Cross,
}

impl Marker {
    pub(super) fn draw(self, scene: &mut Scene<'_>, (x, y): (f64, f64), colour: u32) -> crate::plot::scene::Result<()> {
        const WIDTH: f64 = 1.5;
        let r = 4.0;
        let shifted =
            |corners: &[(f64, f64)]| corners.iter().map(|(dx, dy)| (x + r * dx, y + r * dy)).collect::<Vec<_>>();
        match self {
            Marker::Circle => scene.circle((x, y), r, WIDTH, colour),
            Marker::Triangle => {
                let corners = [(0.0, -1.25), (1.1, 0.75), (-1.1, 0.75), (0.0, -1.25), (1.1, 0.75)];
                scene.path(&shifted(&corners), WIDTH, colour)
            }
            Marker::Square => {
                let corners = [(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9), (-0.9, -0.9), (0.9, -0.9)];
                scene.path(&shifted(&corners), WIDTH, colour)
            }
            Marker::Cross => {
                scene.path(&shifted(&[(-0.95, -0.95), (0.95, 0.95)]), WIDTH, colour)?;
                scene.path(&shifted(&[(-0.95, 0.95), (0.95, -0.95)]), WIDTH, colour)
            }
        }
    }
}
