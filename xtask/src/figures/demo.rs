//! Made-up figures for tests of the page and of the command: every kind of result, errors, panics and awkward data.
use anyhow::{Result, bail};
use grains_pages::plot::{Axis, Marker, Plot, Series};
use rrp_geom::glam::DVec3;
use serde_json::json;

use crate::model::{Artifact, Claim, Context, Entry, Figure, Floor, Frame, View};

/// Returns the made-up figures, which replace those of the papers in tests.
pub(crate) fn table() -> Vec<Figure> {
    let entries: [Entry; 5] = [
        ("demo-order", "Order of four maps", "[DEMO] Fig. 1a", order),
        ("demo-energy", "Energy over a hundred thousand steps", "[DEMO] Fig. 2", energy),
        ("demo-awkward", "Data of every awkward sort", "ours", awkward),
        ("demo-error", "A figure that cannot be computed", "[DEMO] Fig. 4", |_| bail!("step 17: residual 0.3 > 1e-10")),
        ("demo-panic", "A figure that panics", "[DEMO] Fig. 5", |_| panic!("index 4 is out of range")),
    ];
    entries.map(Figure::from).into()
}

fn order(context: &Context) -> Result<Artifact> {
    let steps: Vec<f64> = (0..8).map(|i| 0.2 / f64::from(1 << i)).collect();
    context.progress.total(4);
    let series = |name: &str, marker, factor: f64, power: f64, floor: f64| {
        context.progress.advance(1);
        Series::line(name, steps.iter().map(move |h| (*h, factor * h.powf(power) + floor))).marker(marker)
    };
    let plot = Plot::loglog("error", "Global error after 10 s, heavy top", ("step Δt", "s"), ("error", "rad"))
        .series(series("explicit (21)", Marker::Circle, 0.5, 1.0, 0.0))
        .series(series("midpoint (23)", Marker::Triangle, 0.3, 2.0, 0.0))
        .series(series("implicit (26)", Marker::Square, 0.28, 2.0, 0.0))
        .series(series("fourth order, composed", Marker::Cross, 0.1, 4.0, 3e-12))
        .slope(1.0)
        .slope(2.0)
        .slope(4.0);
    Ok(Artifact::new(
        "Error of the attitude against a reference run with Δt = 10⁻⁶ s. The fourth-order curve meets round-off.",
    )
    .plot(plot)
    .claim(Claim::as_paper("observed order of (23)", "“second order accurate”", 1.998_7, 1.9..=2.1))
    .claim(Claim::paper_differs(
        "observed order of (21)",
        "“second order accurate”",
        "first order: the velocity is taken at the start of the step",
        1.003,
        0.9..=1.1,
    ))
    .claim(
        Claim::as_paper("observed order of (26)", "“second order accurate”", 1.302, 1.9..=2.1)
            .shortened(context.pick(None, Some("8 of 64 initial conditions"))),
    )
    .parameters(json!({ "time_s": 10, "steps": 8, "inertia_kg_m2": [1.0, 2.0, 3.0], "body": "heavy top <sym>" })))
}

fn energy(_: &Context) -> Result<Artifact> {
    let noise = |i: u32| f64::from(i.wrapping_mul(2_654_435_761) >> 8) / f64::from(1u32 << 24) - 0.5;
    let time = |i: u32| f64::from(i) * 0.001;
    let wave = (0..100_000).map(|i| (time(i), 3e-5 * (time(i) * 7.0).sin() * (1.0 + 0.3 * (time(i) * 0.2).sin())));
    let slow = (0..100_000).map(|i| (time(i), 1e-5 * (time(i) * 0.5).cos() + if i == 61_803 { 8e-5 } else { 0.0 }));
    let mut walk = 0.0;
    let drift: Vec<_> = (0..100_000)
        .map(|i| {
            (time(i), {
                walk += 4e-18 * noise(i);
                walk
            })
        })
        .collect();
    Ok(Artifact::new("Bounded energy error of two maps, and the momentum drift at the level of round-off.")
        .plot(
            Plot::linear("energy", "Energy error of the variational map", ("time", "s"), ("H − H₀", "J"))
                .series(Series::line("variational", wave))
                .series(Series::line("with a spike of one sample", slow)),
        )
        .plot(
            Plot::linear("drift", "Drift of the angular momentum", ("time", "s"), ("drift", "J"))
                .series(Series::line("‖L − L₀‖", drift))
                .level(2.2e-16, "machine epsilon"),
        )
        .claim(Claim::ours("largest energy error", 3.9e-5, 0.0..=1e-4).unit("J"))
        .view(dance())
        .view(web())
        .view(View::floors("floors", "Two floors", [0.3, 1.0].map(floor).into()).scale("force [N]", 9.0)))
}

fn dance() -> View {
    let frame = |k: u32| {
        let place = |i: u32| {
            let angle = 0.8 * f64::from(i) + 0.1 * f64::from(k);
            DVec3::new(angle.cos(), angle.sin(), 0.1 * f64::from(i))
        };
        let values = (0..8).map(|i| 0.1 * f64::from(i + k)).collect();
        Frame { label: format!("t = {k} s"), centres: (0..8).map(place).collect(), values }
    };
    let view = View::grains("dance", "Grains that dance", 0.2, 1).scale("speed [m/s]", 1.5);
    (0..9).map(frame).fold(view, View::frame).wall(DVec3::X * -1.3, DVec3::X)
}

fn web() -> View {
    let centres = vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
    let pairs = [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]];
    View::network("web", "Forces", centres, &pairs, &[1.0, 2.0, 3.0, 4.0, 0.0, 0.5]).scale("force [N]", 4.0)
}

fn floor(scale: f64) -> Floor {
    let values = (0..25).map(|k| scale * f64::from(k % 10)).collect();
    Floor { row: "made up".into(), column: format!("times {scale}"), values }
}

fn awkward(_: &Context) -> Result<Artifact> {
    let linear = || (Axis::linear("x", ""), Axis::linear("y", "m"));
    let log = || (Axis::log("x", ""), Axis::log("y", "m"));
    let plot = |id, title: &str, (x, y)| Plot::new(id, title, x, y);
    let circles = |name: &str, points: Vec<(f64, f64)>| Series::markers(name, Marker::Circle, points);
    let cloud = |i: i32| ((f64::from(i) * 1.7).sin() * f64::from(i), (f64::from(i) * 2.3).cos() * f64::from(i));
    let gaps = |i: i32| (f64::from(i), if i % 2 == 0 { f64::NAN } else { f64::from(i % 17) });
    Ok(Artifact::new("")
        .plot(plot("none", "Nothing at all", linear()))
        .plot(
            plot("empty", "An empty series on log axes with a guide & <markup>", log())
                .series(circles("e", vec![]))
                .slope(2.0),
        )
        .plot(plot("single", "A single point", log()).series(Series::line("p", [(1e-3, 5e-9)])).slope(2.0))
        .plot(plot("constant", "A constant", linear()).series(Series::line("c", (0..9).map(|i| (f64::from(i), 0.7)))))
        .plot(
            plot("zeros", "Zeros, NaN and ∞ on log axes in a title so long that it does not fit on one line", log())
                .series(circles(
                    "s",
                    vec![(0.0, 1.0), (1.0, 0.0), (2.0, f64::NAN), (3.0, f64::INFINITY), (4.0, 1.0), (9.0, 3.0)],
                )),
        )
        .plot(
            plot("offset", "Differences in the ninth digit", linear())
                .series(Series::line("o", [(0.0, 1.25), (1e6, 1.250_000_01)])),
        )
        .plot(
            plot("huge", "The whole range of f64", linear())
                .series(circles("h", vec![(-f64::MAX, 5e-324), (f64::MAX, 1e300)])),
        )
        .plot(plot("cloud", "Many markers", linear()).series(circles("m", (0..100_000).map(cloud).collect())))
        .plot(plot("gaps", "A line of gaps", linear()).series(Series::line("g", (0..100_000).map(gaps))))
        .plot((0..12).fold(plot("many", "Twelve series", linear()), |p, k| {
            p.series(Series::line(
                format!("series {k}"),
                (0..50_000).map(move |i| (f64::from(i), f64::from((i * (k + 3)) % 991 + 300 * k))),
            ))
        })))
}
