//! `[OK18]` Figs. 1-5: a rigid beam on three supports, whose contact forces are statically indeterminate.
use anyhow::Result;
use cd_solve::pgs::SweepOrder;
use cd_solve::{Apgd, Options, ProjectedGaussSeidel};
use grains_pages::number::{larger, rounded, short};
use grains_pages::plot::{Plot, Series};
use serde_json::json;

use super::platform::{History, dropped, elastic, law, parameters, rigid};
use crate::model::{Artifact, Claim, Context, Drawing, FAINT, INK, Table};

const BLUE: &str = "#0072B2";
const ORANGE: &str = "#D55E00";
const SUPPORTS: [&str; 3] = ["left", "middle", "right"];
/// Exact forces in N of three equally stiff supports under the weight of 10 N.
const EVEN: [f64; 3] = [10.0 / 3.0; 3];
/// Exact forces in N where the middle support is three times as stiff as the outer ones.
const STIFF_MIDDLE: [f64; 3] = [2.0, 6.0, 2.0];

/// Draws one beam on three supports for each named set of support forces, with arrows as long as the forces.
fn drawing(title: &str, beams: &[(String, [f64; 3])]) -> Drawing {
    const ROW: f64 = 172.0;
    let size = (640.0, 44.0 + ROW * beams.len() as f64);
    let mut drawing = Drawing::new("beam", title, size);
    for (row, (name, force)) in beams.iter().enumerate() {
        let floor = 30.0 + ROW * (row as f64 + 1.0);
        let top = floor - 44.0;
        let beam = 16.0;
        drawing = drawing.text((24.0, floor - 128.0), name, 13.0, "start", INK, false).raw(&format!(
            "<rect x=\"70\" y=\"{:.1}\" width=\"500\" height=\"{beam}\" fill=\"#8C959F\"/>\n",
            top - beam
        ));
        drawing = drawing.line((60.0, floor), (580.0, floor), 1.5, FAINT, "none");
        for (k, force) in force.iter().enumerate() {
            let x = 110.0 + 210.0 * k as f64;
            drawing = drawing.circle((x, floor - 22.0), 21.0, BLUE, "none");
            // An arrow with the length of the force, from the support through the beam.
            let length = 7.0 * force;
            if length > 6.0 {
                drawing = drawing.arrow((x, top + 2.0), (x, top - 4.0 - length), ORANGE);
            }
            let value = if *force > 1e-6 { short(rounded(*force, 6), 4) } else { "0".into() };
            drawing = drawing.text((x + 12.0, top - beam - 8.0), &value, 14.0, "start", INK, true);
        }
    }
    drawing
}

/// Tabulates the forces in N on the left, middle and right support, one row per case.
fn table(beams: &[(String, [f64; 3])]) -> Table {
    let column = |k: usize| beams.iter().map(move |beam| beam.1[k]);
    let table = Table::new().text("case", beams.iter().map(|beam| beam.0.as_str()));
    (0..3).fold(table, |table, k| table.number(SUPPORTS[k], "N", column(k)))
}

/// Returns the largest difference of a support force from its expected value, in N.
fn largest(found: [f64; 3], expected: [f64; 3]) -> f64 {
    found.into_iter().zip(expected).map(|(a, b)| (a - b).abs()).fold(0.0, larger)
}

fn options() -> Options {
    Options::new(1e-12, 100_000)
}

/// Computes the support forces in N of the dropped beam by projected Gauss-Seidel (PGS), which visits the supports in
/// this order; they are numbered from the left.
fn gauss_seidel(order: [usize; 3]) -> Result<[f64; 3]> {
    let solver = ProjectedGaussSeidel::new(options()).with_order(SweepOrder::Explicit(order.into()));
    dropped(|list| rigid(solver, list))
}

/// Makes `[OK18]` Fig. 1: support forces of the beam by projected Gauss-Seidel, for each order of the contacts.
pub(super) fn fig1(_: &Context) -> Result<Artifact> {
    let orders = [[0, 1, 2], [1, 0, 2], [0, 2, 1], [2, 1, 0], [1, 2, 0], [2, 0, 1]];
    let name = |order: [usize; 3]| {
        let [a, b, c] = order.map(|k| SUPPORTS[k]);
        format!("PGS visits {a}, {b}, {c}")
    };
    let beams = orders.into_iter().map(|order| Ok((name(order), gauss_seidel(order)?))).collect::<Result<Vec<_>>>()?;
    let expected = [[5.0 / 3.0, 20.0 / 3.0, 5.0 / 3.0], [0.0, 10.0, 0.0], EVEN];
    let mut artifact = Artifact::new(
        "A platform of weight 10 was dropped onto three equal supports; the forces once it rests, by classic contact \
         dynamics with projected Gauss-Seidel from zero. Three orders of the contacts give three answers, all of which \
         balance the weight. The other three orders are mirror images.",
    )
    .drawing(drawing("Classic forces by PGS: the order decides [N]", &beams[..3]))
    .table(table(&beams))
    .parameters(json!({ "platform": parameters(), "residual": 1e-12 }));
    let says = [
        "a non-equal distribution of forces, sensitive to the numbering of the contacts",
        "the middle contact carries 100 % of the weight and the outer contacts carry nothing",
        "the distribution is sensitive to the numbering of the contacts",
    ];
    for (k, (name, force)) in beams.iter().enumerate() {
        let text = format!("{name}: difference from {}", expected[k % 3].map(|f| short(f, 4)).join(", "));
        artifact =
            artifact.claim(Claim::as_paper(text, says[k % 3], largest(*force, expected[k % 3]), 0.0..=1e-8).unit("N"));
    }
    Ok(artifact)
}

/// Makes `[OK18]` Fig. 2: support forces of the beam by accelerated projected gradient descent (APGD).
pub(super) fn fig2(_: &Context) -> Result<Artifact> {
    let force = dropped(|list| rigid(Apgd::new(options()), list))?;
    let beams = [("APGD from zero".to_owned(), force)];
    let springs = elastic(1e6, 3.0, 0.06)?;
    let reference = springs.last().map_or([f64::NAN; 3], |sample| sample.1);
    Ok(Artifact::new(
        "The same by accelerated projected gradients. From zero they end at the forces of least sum of squares as long as none \
         is cut off at zero on the way, whatever the masses: those of equal supports. Of supports that are not equal the \
         method knows nothing, and its forces stay the same.",
    )
    .drawing(drawing("Classic forces by APGD [N]", &beams))
    .table(table(&beams))
    .claims([Claim::as_paper(
        "difference from 10/3 each",
        "the correct solution in this instance, dividing the weight evenly",
        largest(force, EVEN),
        0.0..=1e-8,
    ).unit("N"), Claim::as_paper(
        "difference from elastic supports of which the middle one is three times as stiff, dropped as in Fig. 4",
        "classic CD has no notion of contact stiffnesses",
        largest(force, reference),
        2.666..=2.667,
    ).unit("N")])
    .parameters(json!({ "platform": parameters(), "residual": 1e-12 })))
}

/// Computes the compatible forces of the beam, whose middle support is `ratio` times as stiff as the others, for
/// Hooke's and Hertz's laws: from the classic forces of PGS and of APGD, and by the compliant step without classic
/// forces.
fn compatible(ratio: f64) -> Result<Vec<(String, [f64; 3])>> {
    let mut beams = Vec::new();
    for (name, exponent) in [("Hooke", 2.0), ("Hertz", 2.5)] {
        let law = || law(exponent, ratio);
        let solver = || ProjectedGaussSeidel::new(options()).with_order(SweepOrder::Explicit([1, 0, 2].into()));
        let after = dropped(|list| Ok(rigid(solver(), list)?.with_compatible(law())))?;
        beams.push((format!("{name}, after PGS with the middle contact first"), after));
        let after = dropped(|list| Ok(rigid(Apgd::new(options()), list)?.with_compatible(law())))?;
        beams.push((format!("{name}, after APGD"), after));
        let one = dropped(|list| Ok(rigid(solver(), list)?.with_compliant_step(law(), 1e-9)?))?;
        beams.push((format!("{name}, in one step, compliance 10⁻⁹"), one));
    }
    Ok(beams)
}

/// Makes `[OK18]` Fig. 3 or 5: compatible forces of the beam, whose middle support is `ratio` times as stiff as the
/// others, compared with the `expected` forces in N. `paper` quotes what the paper says.
fn compatible_figure(ratio: f64, expected: [f64; 3], paper: &str, caption: &str) -> Result<Artifact> {
    let beams = compatible(ratio)?;
    let artifact =
        Artifact::new(caption).drawing(drawing("Compatible forces [N]", &beams[..1])).table(table(&beams)).parameters(
            json!({ "platform": parameters(), "residual": 1e-12, "stiffness of the middle over the others": ratio }),
        );
    let values = expected.map(|f| short(f, 4)).join(", ");
    Ok(beams.iter().fold(artifact, |artifact, (name, force)| {
        let text = format!("{name}: difference from {values}");
        artifact.claim(Claim::as_paper(text, paper, largest(*force, expected), 0.0..=1e-7).unit("N"))
    }))
}

/// Makes `[OK18]` Fig. 3: compatible forces of the beam on equal supports.
pub(super) fn fig3(_: &Context) -> Result<Artifact> {
    compatible_figure(
        1.0,
        EVEN,
        "the correct solution, dividing the weight evenly across the three contacts",
        "Compatible forces of the dropped platform, equal supports: even, whichever classic solver made the step, even the one \
         that lets the middle carry all.",
    )
}

/// Makes `[OK18]` Fig. 4: the reference for unequal supports, a beam dropped onto damped springs.
pub(super) fn fig4(_: &Context) -> Result<Artifact> {
    let stiffness = 1e6;
    let end = 0.06;
    let history: History = elastic(stiffness, 3.0, end)?;
    let last = history.last().map_or([f64::NAN; 3], |sample| sample.1);
    let beams = [("elastic supports, the middle one three times as stiff".to_owned(), last)];
    let outer: Vec<(f64, f64)> = history.iter().map(|&(t, force)| (1e3 * t, force[0])).collect();
    let middle: Vec<(f64, f64)> = history.iter().map(|&(t, force)| (1e3 * t, force[1])).collect();
    // The plot begins after the impact, whose forces are a hundred times as large.
    let late = |points: Vec<(f64, f64)>| points.into_iter().filter(|point| point.0 > 19.0);
    Ok(Artifact::new(
        "The reference: the platform dropped onto damped springs by explicit dynamics. The impact at 14 ms, with forces of \
         hundreds, dies out within milliseconds; then each support carries in proportion to its stiffness.",
    )
    .drawing(drawing("Forces of elastic supports [N]", &beams))
    .plot(
        Plot::linear("history", "Forces after the impact", ("time", "ms"), ("force", "N"))
            .series(Series::line("outer supports", late(outer)))
            .series(Series::line("middle support", late(middle)))
            .level(2.0, "[OK18]: 2")
            .level(6.0, "[OK18]: 6"),
    )
    .claim(Claim::as_paper(
        "difference from 2, 6, 2",
        "the middle contact f = 6 and the outer contacts f = 2 each",
        largest(last, STIFF_MIDDLE),
        0.0..=1e-4,
    ).unit("N"))
    .parameters(json!({ "platform": parameters(), "stiffness_N/m": [stiffness, 3.0 * stiffness], "end_s": end })))
}

/// Makes `[OK18]` Fig. 5: compatible forces of the beam whose middle support is three times as stiff.
pub(super) fn fig5(_: &Context) -> Result<Artifact> {
    compatible_figure(
        3.0,
        STIFF_MIDDLE,
        "correctly predicts the non-uniform force distribution",
        "Compatible forces where the middle support is three times as stiff: those of the elastic reference, without its \
         small steps and without its impact.",
    )
}
