//! What a plane cuts, as a picture.

use std::fmt::Write as _;

use rrp_integrate::{Bodies, State};

/// SVG circles for the spheres that the plane of x and z cuts, brighter where they are faster, up to the speed `fastest`.
/// `depth` gives the distance to the plane from y.
#[must_use]
pub fn slice(bodies: &Bodies, state: &State, depth: impl Fn(f64) -> f64, fastest: f64) -> String {
    let mut svg = String::new();
    for i in 0..bodies.len() {
        let (at, radius) = (state.position().get(i), bodies.radius()[i]);
        let cut = radius * radius - depth(at.y).powi(2);
        if cut > 0.0 {
            let light = 25.0 + 50.0 * (state.velocity().get(i).length() / fastest).min(1.0);
            // Writing to a string cannot fail.
            let _written = writeln!(
                svg,
                "<circle cx=\"{:.3}\" cy=\"{:.3}\" r=\"{:.3}\" fill=\"hsl(210,60%,{light:.0}%)\"/>",
                at.x,
                -at.z,
                cut.sqrt()
            );
        }
    }
    svg
}
