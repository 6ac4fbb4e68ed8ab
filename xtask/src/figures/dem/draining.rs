//! `[DK21]` Fig. 2: a draining silo, with rates of discharge that are compared with Beverloo's law.
use grains_pages::number;
use grains_pages::plot::{Marker, Plot, Series};
use std::ops::RangeInclusive;

use anyhow::Result;
use rayon::prelude::*;
use rrp_geom::glam::DVec3;
use serde_json::json;

use super::beverloo::Beverloo;
use super::silo::{self, BIN, Discharge};
use crate::figures::colour;
use crate::figures::shot::Shot;
use crate::model::{Artifact, Claim, Context, Drawing, INK, Measured, View, edges};

/// Speed in √(g d) at the bright end of the colour scale; the dark end means rest.
const FASTEST: f64 = 1.5;

/// Draws a section of the silo: the circles in which a plane through its axis cuts the spheres, and the walls.
fn slice(drawing: Drawing, shot: &Shot, radii: &[f64], orifice: f64, left: f64, name: &str) -> Drawing {
    const SCALE: f64 = 17.0;
    let to = |x: f64, z: f64| (left + SCALE * (x + BIN), 60.0 + SCALE * (19.5 - z));
    let mut drawing = drawing.text((left + SCALE * BIN, 50.0), name, 13.0, "middle", INK, false);
    for ((place, &speed), &radius) in shot.places.iter().zip(&shot.speeds).zip(radii) {
        let cut = radius * radius - place.y * place.y;
        if cut > 0.0 && place.z > -9.0 {
            let fill = colour::colour(colour::shade(speed, FASTEST));
            drawing = drawing.circle(to(place.x, place.z), SCALE * cut.sqrt(), &fill, "none");
        }
    }
    let half = 0.5 * orifice;
    for side in [-1.0, 1.0] {
        let corners = [[half, 0.0], [BIN, BIN - half], [BIN, 19.0]].map(|[x, z]| to(side * x, z));
        drawing = drawing.line(corners[0], corners[1], 2.0, INK, "none").line(corners[1], corners[2], 2.0, INK, "none");
    }
    drawing
}

/// Draws sections of the silo before it is opened and after half of the final discharge.
fn picture(run: &Discharge, orifice: f64) -> Drawing {
    let title = format!("A silo with an orifice of {} d, cut through its axis", number::short(orifice, 3));
    let drawing = Drawing::new("silo", title, (640.0, 590.0));
    let after = format!("{} √(d/g) later", number::short(run.half.time, 3));
    let drawing = slice(drawing, &run.full, &run.radii, orifice, 50.0, "before it is opened");
    let drawing = slice(drawing, &run.half, &run.radii, orifice, 350.0, &after);
    colour::bar(drawing, (150.0, 556.0), FASTEST, colour::colour, "speed [√(g d)]")
}

/// Makes an animated view of the discharge in at most forty pictures, with outlines of the silo and of the pan.
fn film(run: &Discharge, orifice: f64) -> View {
    let half = 0.5 * orifice;
    let highest = run.film.iter().flat_map(|shot| &shot.places).map(|place| place.z).fold(BIN, f64::max);
    let silo = [[half, 0.0], [BIN, BIN - half], [BIN, highest]];
    let pan = [[silo::PAN, silo::FLOOR], [silo::PAN, 0.5 * silo::FLOOR]];
    let view = View::grains("silo-view", "The silo fills, is opened, and drains into a pan", 0.5, 0)
        .radii(&run.radii)
        .scale("speed [√(g d)]", FASTEST)
        .seen_from(DVec3::new(1.0, -1.2, 0.35), DVec3::Z)
        .edges(edges::of_revolution(&silo, 12))
        .edges(edges::of_revolution(&pan, 12));
    run.film
        .iter()
        .step_by(run.film.len().div_ceil(40))
        .fold(view, |view, shot| view.frame(shot.frame(format!("t = {:.0} √(d/g)", shot.time))))
}

/// Widens a range from the literature on each side by two standard errors of the measured value, rounded.
fn around(range: RangeInclusive<f64>, error: f64) -> RangeInclusive<f64> {
    number::rounded(range.start() - 2.0 * error, 3)..=number::rounded(range.end() + 2.0 * error, 3)
}

/// Makes `[DK21]` Fig. 2, the draining silo.
pub(super) fn silo(context: &Context) -> Result<Artifact> {
    let orifices: &[f64] = context.pick(&[4.5, 5.0, 5.5, 6.0, 7.0], &[5.0, 7.0]);
    let (count, goal) = context.pick((2400, 0.5), (700, 0.4));
    // Rates differ between fills by some per cent, so that several are averaged.
    let fills = context.pick(4, 1);
    let cut = context.pick(None, Some("two orifices, one fill of 700 spheres, until 40 per cent have left"));
    context.progress.total((fills * orifices.len()) as u64);
    let run = |k: usize| {
        let done = silo::discharge(orifices[k / fills], k % fills, (count, goal));
        context.progress.advance(1);
        done
    };
    let runs = (0..fills * orifices.len()).into_par_iter().map(run).collect::<Result<Vec<Discharge>>>()?;
    let by_orifice: Vec<(f64, &[Discharge])> = orifices.iter().copied().zip(runs.chunks(fills)).collect();
    let density = runs.iter().map(|run| run.density).sum::<f64>() / runs.len() as f64;
    let rates: Vec<(f64, f64)> =
        by_orifice.iter().flat_map(|&(orifice, runs)| runs.iter().map(move |run| (orifice, run.rate))).collect();
    let law = Beverloo::fit(&rates, density);
    let mean = |runs: &[Discharge]| runs.iter().map(|run| run.rate).sum::<f64>() / runs.len() as f64;
    let deviation = |&(orifice, runs): &(f64, &[Discharge])| (mean(runs) / law.rate(orifice) - 1.0).abs();
    let worst = by_orifice.iter().map(deviation).fold(0.0, number::larger);
    let mut course = Plot::linear("course", "What has left the silo", ("t", "√(d/g)"), ("mass", "m"));
    for &(orifice, runs) in &by_orifice {
        let mass = runs[0].mass.iter().copied();
        course = course.series(Series::line(format!("D = {} d", number::short(orifice, 3)), mass));
    }
    let [first, last] = [orifices[0] - 0.3, orifices[orifices.len() - 1] + 0.3];
    let line = (0..=20)
        .map(|i| first + (last - first) * f64::from(i) / 20.0)
        .map(|orifice| (orifice, law.rate(orifice).powf(0.4)));
    let fit = format!("W = {} ρ √g (D − {} d)^(5/2)", number::short(law.c, 3), number::short(law.k, 3));
    let many = orifices.len() > 3;
    let measured = rates.iter().map(|&(orifice, rate)| (orifice, rate.powf(0.4)));
    let title =
        if many { "The rate and Beverloo's law" } else { "The rate; two orifices decide no fit of Beverloo's law" };
    let mut plot = Plot::linear("beverloo", title, ("D", "d"), ("W^(2/5)", "(m √(g/d))^(2/5)"))
        .series(Series::markers("measured", Marker::Circle, measured));
    if many {
        plot = plot.series(Series::line(fit, line));
    }
    let shown = orifices.len() / 2;
    let show = &by_orifice[shown].1[0];
    let imbalance = runs.iter().map(|run| run.imbalance.abs()).fold(0.0, number::larger);
    let mut artifact = Artifact::new(
        "A draining silo. The hopper is read from an STL file, the plug is a disc that is drawn away, grains differ by ten per \
         cent in size and have friction with history, among themselves and at the walls. In the picture of the paper most \
         particles hardly move against each other: so here, except in the funnel above the orifice. The mass that leaves is \
         linear in time and independent of the height of the fill; the rate follows Beverloo's law with the two constants \
         fitted. For spheres in silos with a flat bottom, or with a cone of 45° or flatter as here, the literature has C from 0.55 \
         to 0.65 and k from 1 to 2; what the fit's own standard errors allow is added. The density in the law is that of the \
         flowing grains.",
    )
    .parameters(json!({
        "grains": count, "diameters_d": silo::SIZES, "k_m_g_per_d": silo::STIFFNESS, "restitution": silo::RESTITUTION,
        "friction": silo::FRICTION, "bin_radius_d": BIN, "cone_degrees": 45, "around": silo::AROUND,
        "triangles": runs[0].triangles, "t_c_over_h": silo::PER_CONTACT, "orifices_d": orifices, "fills": fills, "opens_at": silo::OPENS,
        "steps": runs.iter().map(|run| run.steps).collect::<Vec<_>>(), "density_m_per_d3": density,
        "rates": by_orifice.iter().map(|(_, runs)| runs.iter().map(|run| run.rate).collect()).collect::<Vec<Vec<_>>>(), "C": law.c, "k": law.k,
        "standard_errors_of_C_and_k": if many { json!([law.c_error, law.k_error]) } else { json!(null) },
    }))
    .drawing(picture(show, orifices[shown]))
    .view(film(show, orifices[shown]))
    .plot(course)
    .plot(plot)
    .claim(
        Claim::ours("change of all energy with what was dissipated and put in by walls, over what was dissipated", imbalance, 0.0..=2e-2)
            .shortened(cut),
    );
    if many {
        let literature = "within two standard errors of the fit from what the literature has:";
        artifact = artifact
            .claims([Claim::ours(
                format!("Beverloo's C, {literature} C from 0.55 to 0.65 for spheres"),
                Measured::within(law.c, law.c_error),
                around(0.55..=0.65, law.c_error),
            ), Claim::ours(
                "Beverloo's k, in the literature from 1 to 2 for spheres",
                Measured::within(law.k, law.k_error),
                1.0..=2.0,
            ), Claim::ours(
                "largest deviation of the mean rate of an orifice from the fit, half of 5 per cent for four fills",
                worst,
                0.0..=0.025,
            ), Claim::ours(
                "rate after half of the steady flow, 20 to 80 per cent of all that leaves, over that before, mean of all runs",
                runs.iter().map(|run| run.later).sum::<f64>() / runs.len() as f64,
                0.9..=1.1,
            )]);
    } else {
        let ratio = |k: f64| ((orifices[1] - k) / (orifices[0] - k)).powf(2.5);
        artifact = artifact.claim(
            Claim::ours(
                "rate at D = 7 d over that at 5 d, between Beverloo's law with k = 0 and with k = 2",
                rates[1].1 / rates[0].1,
                number::rounded(ratio(0.0), 4)..=number::rounded(ratio(2.0), 4),
            )
            .shortened(cut),
        );
    }
    Ok(artifact)
}
