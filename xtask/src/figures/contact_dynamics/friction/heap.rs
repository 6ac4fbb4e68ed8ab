//! Heaps by contact dynamics and by elastic contacts.
use anyhow::Result;
use serde_json::json;

use super::pour::{Contacts, DT, FRICTION, Heap, Mean, Pour, RESTITUTION, ROLLING, STIFFNESS, TOLERANCE};
use crate::model::artifact::Artifact;
use crate::model::claim::Claim;
use crate::model::context::Context;
use crate::model::view::{Frame, View};
use crate::plot::{Axis, Marker, Plot, Series};
use rrp_geom::glam::DVec3;

/// One heap to be turned.
fn view(id: &'static str, title: &str, heap: &Heap) -> View {
    View::grains(id, title, 0.5, 0)
        .radii(&heap.radii)
        .scale("height [d]", heap.surface.height)
        .seen_from(DVec3::new(1.0, -1.4, 0.4), DVec3::Z)
        .frame(Frame {
            label: String::from("at rest"),
            centres: heap.places.clone(),
            values: heap.places.iter().map(|place| place.z).collect(),
        })
}

/// Slopes of both kinds of heaps.
pub(super) fn heaps(context: &Context) -> Result<Artifact> {
    let (count, seeds) = context.pick((300, 1..=5), (60, 1..=2));
    let mut angles = Vec::new();
    let mut plot = Plot::new(
        "surface",
        format!("Surfaces of heaps of {count} spheres"),
        Axis::linear("distance from the axis", "d"),
        Axis::linear("height", "d"),
    );
    let mut views = Vec::new();
    context.progress.total(200 * seeds.clone().count() as u64);
    for (contacts, name, id) in
        [(Contacts::Rigid, "contact dynamics", "rigid"), (Contacts::Elastic, "elastic contacts", "elastic")]
    {
        let mut slopes = Vec::new();
        for seed in seeds.clone() {
            let (pour, mut told) = (Pour::new(count, seed)?, 0);
            let heap = pour.run(contacts, &mut |time| {
                let now = ((100.0 * time / pour.duration) as u64).min(100);
                context.progress.advance(now - told);
                told = now;
            })?;
            slopes.push(heap.surface.angle());
            if seed == 1 {
                let (surface, colour) = (heap.surface.clone(), usize::from(contacts == Contacts::Elastic));
                let line = [0.2, 0.8].map(|part| part * surface.radius);
                let line = line.map(|r| (r, surface.height - surface.fall * r));
                let marker = if colour == 0 { Marker::Circle } else { Marker::Triangle };
                plot = plot
                    .series(Series::markers(name, marker, surface.points).colour(colour))
                    .series(Series::line(format!("{name}, fitted"), line).colour(colour));
                views.push(view(id, &format!("Heap by {name}"), &heap));
            }
        }
        angles.push(slopes);
    }
    let [rigid, elastic] = [Mean::of(&angles[0]), Mean::of(&angles[1])];
    let accepted = (2.0 * rigid.error.hypot(elastic.error)).max(2.0);
    let mut slopes = Plot::new("slope", "Slopes", Axis::linear("seed", ""), Axis::linear("slope", "°"));
    for (name, found) in ["contact dynamics", "elastic contacts"].into_iter().zip(&angles) {
        let points = (1..).map(f64::from).zip(found.iter().copied());
        slopes = slopes.series(Series::line(name, points).marker(Marker::Circle));
    }
    let cut = context.pick(None, Some("60 of 300 spheres, two of five heaps"));
    let mut artifact = Artifact::new(
        "Spheres rain onto the middle of a floor and make a heap, by contact dynamics with friction and by elastic contacts \
         with the same friction, rolling friction and restitution, from the same places. A straight line is fitted to the \
         highest sphere of each cell of side d, from a fifth to four fifths of the radius that has 19 of 20 spheres. \
         cargo xtask heap makes the same table of larger heaps.",
    )
    .plot(plot)
    .plot(slopes);
    for view in views {
        artifact = artifact.view(view);
    }
    Ok(artifact
        .claim(
            Claim::ours(
                "mean slope by contact dynamics less that by elastic contacts; 2° or two standard errors are accepted",
                rigid.mean - elastic.mean,
                -accepted..=accepted,
            )
            .unit("°")
            .shortened(cut),
        )
        .parameters(json!({
            "spheres": count, "heaps by each": angles[0].len(), "radii_d": [0.45, 0.55], "μ": FRICTION, "μ rolling": ROLLING,
            "e": RESTITUTION, "k d/(m g)": STIFFNESS, "dt of contact dynamics_√(d/g)": DT, "R1": TOLERANCE,
            "mean slopes_°": [rigid.mean, elastic.mean], "standard errors_°": [rigid.error, elastic.error],
        })))
}
