//! `[OK18]` Fig. 19 and Table 1: vertical forces on the fixed base layer of the pyramid.
use grains_pages::number::larger;
use std::fmt::Write as _;

use anyhow::Result;
use serde_json::json;

use super::law::Law;
use super::pile::{Pile, distance};
use super::runs::{self, LAYERS, TOLERANCE};
use super::stiff::{self, Rest};
use crate::figures::colour::{SHADES, bar, colour, shade};
use crate::model::{Artifact, Claim, Context, Drawing, FAINT, Floor, INK, Table, View};

/// Vertical force in m g on each sphere of the pyramid's base for one contact law, by five methods.
struct Floors {
    law: Law,
    stiff: Vec<f64>,
    compatible: Vec<f64>,
    apgd: Vec<f64>,
    gauss_seidel: Vec<f64>,
    shuffled: Vec<f64>,
}

impl Floors {
    const ROWS: [&'static str; 5] =
        ["elastic spheres", "compatible", "classic, APGD", "classic, PGS as numbered", "classic, PGS shuffled"];

    fn new(context: &Context, law: Law) -> Result<Self> {
        let run = runs::run(context, law)?;
        let classic = runs::classic(context)?;
        let floor = |force: &[f64]| run.pile.floor(force);
        Ok(Self {
            law,
            stiff: run.stiff.floor.clone(),
            compatible: floor(&run.compatible),
            apgd: floor(&classic.apgd),
            gauss_seidel: floor(&classic.gauss_seidel),
            shuffled: floor(&classic.shuffled),
        })
    }

    fn rows(&self) -> [&[f64]; 5] {
        [&self.stiff, &self.compatible, &self.apgd, &self.gauss_seidel, &self.shuffled]
    }

    /// Returns the relative difference ‖F − F elastic‖/‖F elastic‖ of the base forces F of each method from those of
    /// elastic spheres.
    fn errors(&self) -> [f64; 5] {
        self.rows().map(|row| distance(row, &self.stiff))
    }
}

/// Side of the square of one sphere in a map of the base, in pixels.
const CELL: f64 = 7.0;

/// Draws the vertical forces on the base as an SVG map with one square per sphere. Squares of one shade are one path,
/// which keeps the file small.
fn map(floor: &[f64], corner: (f64, f64), most: f64) -> String {
    let mut paths = vec![String::new(); SHADES];
    for (sphere, &force) in floor.iter().enumerate() {
        let i = sphere / LAYERS;
        let j = sphere % LAYERS;
        let x = corner.0 + CELL * i as f64;
        let y = corner.1 + CELL * (LAYERS - 1 - j) as f64;
        let _written = write!(paths[shade(force, most)], "M{x} {y}h{CELL}v{CELL}h-{CELL}z");
    }
    let mut svg = String::new();
    for (k, path) in paths.iter().enumerate().filter(|(_, path)| !path.is_empty()) {
        let _written = writeln!(svg, "<path d=\"{path}\" fill=\"{}\" shape-rendering=\"crispEdges\"/>", colour(k));
    }
    svg
}

/// Makes `[OK18]` Fig. 19: maps of the vertical force on each sphere of the base, by five methods and three laws.
pub(super) fn pressure(context: &Context) -> Result<Artifact> {
    let floors = Law::ALL.into_iter().map(|law| Floors::new(context, law)).collect::<Result<Vec<_>>>()?;
    let all = || floors.iter().flat_map(Floors::rows).flatten();
    let most = all().copied().fold(0.0, larger).ceil();
    let side = CELL * LAYERS as f64;
    let left = 150.0;
    let top = 70.0;
    let size = (640.0, top + 5.0 * (side + 16.0) + 52.0);
    let mut drawing = Drawing::new("pressure", "Vertical force on each sphere of the base", size);
    for (column, floors) in floors.iter().enumerate() {
        let x = left + column as f64 * (side + 18.0);
        drawing = drawing.text((x + 0.5 * side, top - 12.0), floors.law.name(), 13.0, "middle", INK, true);
        for (row, floor) in floors.rows().into_iter().enumerate() {
            let y = top + row as f64 * (side + 16.0);
            drawing = drawing.raw(&map(floor, (x, y), most));
            if column == 0 {
                let name = Floors::ROWS[row];
                let (first, second) = name.split_once(", ").unwrap_or((name, ""));
                drawing = drawing.text((left - 12.0, y + 0.5 * side - 2.0), first, 13.0, "end", INK, true).text(
                    (left - 12.0, y + 0.5 * side + 15.0),
                    second,
                    13.0,
                    "end",
                    INK,
                    false,
                );
            }
        }
    }
    drawing = bar(drawing, (left, size.1 - 44.0), most, colour, "[m g]");
    let columns = floors
        .iter()
        .flat_map(|floors| {
            let floor = |(row, values): (&str, &[f64])| Floor {
                row: row.into(),
                column: floors.law.name().into(),
                values: values.into(),
            };
            Floors::ROWS.into_iter().zip(floors.rows()).map(floor).collect::<Vec<_>>()
        })
        .collect();
    let sphere = || floors.iter().flat_map(|_| Floors::ROWS).flat_map(|_| 0..LAYERS * LAYERS);
    let table = Table::new()
        .text("law", floors.iter().flat_map(|floors| vec![floors.law.name(); 5 * LAYERS * LAYERS]))
        .text("method", floors.iter().flat_map(|_| Floors::ROWS).flat_map(|row| vec![row; LAYERS * LAYERS]))
        .number("row along x", "", sphere().map(|sphere| (sphere / LAYERS) as f64))
        .number("row along y", "", sphere().map(|sphere| (sphere % LAYERS) as f64))
        .number("vertical force", "m g", all().copied());
    let artifact = Artifact::new(
        "What each sphere of the base carries, five methods and three laws on one scale. Columns of the classic methods are \
         equal, since they know no law. Compatible forces are those of the elastic spheres.",
    )
    .drawing(drawing)
    .view(View::floors("pressure-view", "The same as columns, all on one scale", columns).scale("vertical force [m g]", most))
    .table(table)
    .parameters(json!({ "layers": LAYERS, "residual of classic solvers": TOLERANCE, "scale_mg": most }));
    Ok(floors.iter().fold(artifact, |artifact, floors| {
        let [_, _, apgd, gauss_seidel, shuffled] = floors.errors();
        let claim = |name: &str, value: f64, least: f64| {
            let text = format!("‖F − F elastic‖/‖F elastic‖, {name}, {}", floors.law.name());
            Claim::as_paper(text, "yields a qualitatively different reaction force distribution", value, least..=2.0)
        };
        artifact
            .claim(Claim::as_paper(
                format!("largest difference of compatible and elastic over the largest force, {}", floors.law.name()),
                "quantitatively matches",
                floors.compatible.iter().zip(&floors.stiff).map(|(a, b)| (a - b).abs()).fold(0.0, larger)
                    / floors.stiff.iter().copied().fold(0.0, larger),
                0.0..=5.0 * floors.law.table()[2],
            ))
            .claim(claim("APGD", apgd, 0.01))
            .claim(claim("PGS shuffled", shuffled, 0.1))
            .claim(claim("PGS as numbered", gauss_seidel, 0.009))
    }))
}

/// Makes `[OK18]` Table 1: relative errors of the vertical forces on the base, for each method and contact law.
pub(super) fn table(context: &Context) -> Result<Artifact> {
    let floors = Law::ALL.into_iter().map(|law| Floors::new(context, law)).collect::<Result<Vec<_>>>()?;
    let errors: Vec<[f64; 5]> = floors.iter().map(Floors::errors).collect();
    let names = || floors.iter().map(|floors| floors.law.name());
    let paper = |k: usize| Law::ALL.map(|law| law.table()[k]);
    let table = Table::new()
        .text("contact model", names())
        .number("κ = k d^(p-1)/(m g)", "", Law::ALL.map(Law::stiffness))
        .number("APGD, paper", "", paper(0))
        .number("APGD from zero", "", errors.iter().map(|row| row[2]))
        .number("PGS, paper", "", paper(1))
        .number("PGS as numbered", "", errors.iter().map(|row| row[3]))
        .number("PGS shuffled", "", errors.iter().map(|row| row[4]))
        .number("compatible, paper", "", paper(2))
        .number("compatible", "", errors.iter().map(|row| row[1]));
    let mut artifact = Artifact::new(
        "Relative difference ‖F − F elastic‖/‖F elastic‖ of the vertical forces on the base. The classic columns hang on \
         what the paper does not say (start, step rule, order of the contacts), so they are not gates beyond being large; \
         the compatible column is. Elastic spheres have κ = 10⁶, Hertz 10⁹.",
    )
    .drawing(sheet(&floors, &errors))
    .table(table)
    .parameters(json!({ "layers": LAYERS, "residual of classic solvers": TOLERANCE, "κ": Law::ALL.map(Law::stiffness) }));
    for (law, row) in Law::ALL.into_iter().zip(&errors) {
        let [paper_apgd, paper_gauss_seidel, paper_compatible] = law.table();
        let run = runs::run(context, law)?;
        let classic = |text: String, printed: f64, value: f64| {
            let instead = "large, by an amount that depends on start, order and step rule";
            Claim::paper_differs(text, format!("{printed}"), instead, value, 0.01..=f64::INFINITY)
        };
        let (pile, dropped, drag) = both_ways(context, law)?;
        artifact = artifact.claims([
            Claim::as_paper(
                format!("floor, compatible against elastic, {}", law.name()),
                format!("{paper_compatible:e}"),
                row[1],
                0.0..=paper_compatible,
            ),
            Claim::ours(
                format!("all contact forces, compatible against elastic, {}", law.name()),
                distance(&run.compatible, &run.stiff.force),
                0.0..=paper_compatible,
            ),
            classic(format!("floor, APGD from zero, {}", law.name()), paper_apgd, row[2]),
            classic(format!("floor, PGS shuffled, {}", law.name()), paper_gauss_seidel, row[4]),
            Claim::ours(
                format!("all contact forces, elastic spheres dropped against those slowed by a drag, {}", law.name()),
                distance(&dropped, &drag),
                0.0..=1e-7,
            )
            .shortened(context.pick(None, Some("6 layers of 20")).filter(|_| pile.layers() < LAYERS)),
        ]);
    }
    Ok(artifact)
}

/// Computes the contact forces in m g of the elastic pyramid at rest in two ways, which should agree: dropped, as in
/// `[OK18]`, and damped by a drag on velocities.
fn both_ways(context: &Context, law: Law) -> Result<(Pile, Vec<f64>, Vec<f64>)> {
    let pile = Pile::new(context.pick(LAYERS, 6), law)?;
    let settle = |rest| Ok::<_, anyhow::Error>(stiff::settle(&pile, law.stiffness(), rest)?.force);
    let known = (runs::way(context) == Rest::Dropped).then(|| runs::run(context, law)).transpose()?;
    let dropped = known.map_or_else(|| settle(Rest::Dropped), |run| Ok(run.stiff.force.clone()))?;
    let drag = settle(Rest::Drag)?;
    Ok((pile, dropped, drag))
}

/// Draws `[OK18]` Table 1, with our values above those that the paper prints.
fn sheet(floors: &[Floors], errors: &[[f64; 5]]) -> Drawing {
    let head = ["", "APGD", "PGS", "compatible"];
    let columns = [24.0, 220.0, 370.0, 530.0];
    let mut drawing = Drawing::new("table", "Relative error of the forces on the base", (640.0, 210.0));
    for (x, head) in columns.into_iter().zip(head) {
        drawing = drawing.text((x, 62.0), head, 14.0, "start", INK, true);
    }
    drawing = drawing.line((16.0, 72.0), (624.0, 72.0), 1.0, INK, "none");
    for (k, (floors, row)) in floors.iter().zip(errors).enumerate() {
        let y = 96.0 + 40.0 * k as f64;
        let [apgd, gauss_seidel, compatible] = floors.law.table();
        let cells = [
            (floors.law.name().to_owned(), String::new()),
            (format!("{:.3}", row[2]), format!("paper {apgd}")),
            (format!("{:.3} … {:.3}", row[3], row[4]), format!("paper {gauss_seidel}")),
            (grains_pages::number::short(row[1], 2), format!("paper {}", grains_pages::number::short(compatible, 2))),
        ];
        for (x, (ours, paper)) in columns.into_iter().zip(cells) {
            drawing = drawing.text((x, y), &ours, 14.0, "start", INK, false).text(
                (x, y + 16.0),
                &paper,
                12.0,
                "start",
                FAINT,
                false,
            );
        }
    }
    drawing
}
