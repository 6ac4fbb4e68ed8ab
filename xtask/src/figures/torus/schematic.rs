//! `[BG21]` Fig. 2: the interaction of two grains through their binder, drawn, with checks of its energy.
use anyhow::Result;
use dem_contact::bond::{Bond, BondLaw, Bonds, ShearForm};
use grains_pages::plot::{Plot, Series};
use rrp_geom::Attitude;
use rrp_geom::glam::DVec3;
use rrp_integrate::{Bodies, Body, ForceField, Map, Potential, State, Wrenches};
use serde_json::json;

use super::ring::{Reading, Ring, parameters};
use crate::model::{Artifact, Claim, Context, Drawing, FAINT, INK};

const BLUE: &str = "#0072B2";
const ORANGE: &str = "#D55E00";
const BINDER: &str = "#E69F00";

/// Load on the binder between grain i on the left and grain j on the right: its name, its measure of strain, and how
/// the drawing moves the grains.
struct Load {
    name: &'static str,
    strain: &'static str,
    /// Shifts of the two grains in pixels.
    shifts: [(f64, f64); 2],
    /// Rotations of the two grains in degrees.
    turns: [f64; 2],
}

const LOADS: [Load; 4] = [
    Load {
        name: "Uᵐ: torsion and bending",
        strain: "θ of R_j R_iᵀ",
        shifts: [(0.0, 0.0), (0.0, 0.0)],
        turns: [-16.0, 16.0],
    },
    Load { name: "Uᵃ: axial", strain: "r/r₀ − 1", shifts: [(-10.0, 0.0), (10.0, 0.0)], turns: [0.0, 0.0] },
    Load {
        name: "Uˢ: shear",
        strain: "n against R_i n₀ and R_j n₀",
        shifts: [(0.0, 18.0), (0.0, -18.0)],
        turns: [0.0, 0.0],
    },
    Load {
        name: "Uᵖᵖ: contact, binder ruptured",
        strain: "[1 − r/D]₊",
        shifts: [(17.0, 0.0), (-17.0, 0.0)],
        turns: [0.0, 0.0],
    },
];

/// Draws two grains and their binder under each load, one panel for each.
fn drawing() -> Drawing {
    let mut drawing = Drawing::new("schematic", "Particle-binder-particle interaction: four loads", (640.0, 470.0));
    for (panel, Load { name: title, strain, shifts, turns }) in LOADS.into_iter().enumerate() {
        let centre = (165.0 + 310.0 * (panel % 2) as f64, 140.0 + 205.0 * (panel / 2) as f64);
        let reach = 62.0;
        let radius = 46.0;
        // The bond points from j, on the right, to i, on the left.
        let places = [
            (centre.0 - reach + shifts[0].0, centre.1 + shifts[0].1),
            (centre.0 + reach + shifts[1].0, centre.1 + shifts[1].1),
        ];
        drawing = drawing.text((centre.0, centre.1 - 72.0), title, 14.0, "middle", INK, true);
        drawing = drawing.text((centre.0, centre.1 + 92.0), strain, 13.0, "middle", FAINT, false);
        if panel < 3 {
            let edge = |side: f64| {
                let ((a, b), (c, d)) = (places[0], places[1]);
                format!("{:.1} {:.1} {:.1} {:.1}", a, b + side * 20.0, c, d + side * 20.0)
            };
            let upper = edge(-1.0);
            let lower = edge(1.0);
            let corners: Vec<&str> = lower.split(' ').collect();
            drawing = drawing.raw(&format!(
                "<path d=\"M{upper} L{} {} L{} {}Z\" fill=\"{BINDER}\" fill-opacity=\"0.55\"/>\n",
                corners[2], corners[3], corners[0], corners[1]
            ));
        }
        for (k, (place, turn)) in places.into_iter().zip(turns).enumerate() {
            let colour = if k == 0 { BLUE } else { ORANGE };
            drawing = drawing.raw(&format!(
                "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"{radius}\" fill=\"{colour}\" fill-opacity=\"0.35\" stroke=\"{colour}\" stroke-width=\"1.5\"/>\n",
                place.0, place.1
            ));
            // R n₀: the material direction that was along the bond.
            let angle = f64::to_radians(turn);
            let tip = (place.0 - 40.0 * angle.cos(), place.1 - 40.0 * angle.sin());
            drawing = drawing.arrow(place, tip, colour);
            let (name, material) = if k == 0 { ("i", "Rᵢ n₀") } else { ("j", "Rⱼ n₀") };
            drawing = drawing.text((place.0 + 8.0, place.1 + 38.0), name, 14.0, "middle", INK, true);
            // The name is above the arrow, also where the arrow rises, and beside the binder.
            drawing = drawing.text((place.0 - 4.0, place.1 - 26.0), material, 11.0, "middle", INK, false);
        }
        drawing = drawing.line(places[0], places[1], 1.2, INK, "5 4");
        let middle = (0.5 * (places[0].0 + places[1].0), 0.5 * (places[0].1 + places[1].1));
        drawing = drawing.text((middle.0, middle.1 + 34.0), "n, r", 12.0, "middle", INK, false);
    }
    drawing
}

/// Makes two grains of unit mass and diameter at rest, with a bond of this law and form of the shear energy.
fn pair(law: BondLaw, form: ShearForm) -> Result<(Bodies, Bonds, State)> {
    let bodies = Bodies::new([Body { radius: 0.5, ..Body::spherical(1.0, 1.0) }; 2])?;
    let mut state = State::at_rest(2);
    state.position_mut().set(0, DVec3::X);
    let bonds = Bonds::new(&bodies, &state, [Bond::new(0, 1, law)])?.with_shear(form);
    Ok((bodies, bonds, state))
}

/// Computes the ratio of the derivative of a contact's energy to its force, which is one if both fit. `factor` replaces
/// the factor 2/5 of the energy, which `[BG21] (56)` misprints as 5/2.
fn contact_ratio(factor: f64) -> Result<f64> {
    let law = BondLaw { contact: 1.0, ..BondLaw::default() };
    let (bodies, mut bonds, mut state) = pair(law, ShearForm::Printed)?;
    let mut energy = |x: f64| {
        state.position_mut().set(0, DVec3::X * x);
        factor / 0.4 * bonds.energy(&bodies, &state)
    };
    let derivative = (energy(0.9 - 1e-6) - energy(0.9 + 1e-6)) / 2e-6;
    state.position_mut().set(0, DVec3::X * 0.9);
    let mut out = Wrenches::zeros(2);
    bonds.accumulate(&bodies, &state, 0.0, &mut out).map_err(|error| anyhow::anyhow!(error))?;
    Ok(derivative / out.force.get(0).x)
}

/// Computes the bond energy in J of the undeformed torus after a rotation as a whole about its axis by `angle` (rad).
/// For an objective form of the shear energy the result is zero.
fn turned(form: ShearForm, angle: f64) -> Result<f64> {
    let mut ring = Ring::new(Reading::UnitGrains, form, Map::Rodrigues25)?;
    let rotation = Attitude::from_rotation_vector(DVec3::Z * angle)?;
    for k in 0..ring.state.len() {
        let place = rotation.rotate(ring.state.position().get(k));
        ring.state.position_mut().set(k, place);
        ring.state.attitude_mut().set(k, rotation);
    }
    Ok(ring.ledger().bonds.total())
}

/// Computes the shear energy in J of one bond of unit stiffness, whose line is rotated by `angle` (rad) against its
/// grains.
fn sheared(form: ShearForm, angle: f64) -> Result<f64> {
    let (bodies, bonds, mut state) = pair(BondLaw { shearing: 1.0, ..BondLaw::default() }, form)?;
    state.position_mut().set(0, DVec3::new(angle.cos(), angle.sin(), 0.0));
    Ok(bonds.energy(&bodies, &state))
}

/// Makes `[BG21]` Fig. 2, the interaction of two grains through their binder.
pub(super) fn interaction(_: &Context) -> Result<Artifact> {
    let linear = |form| anyhow::Ok(sheared(form, 1e-3)? / 5e-7);
    let forms = [("as printed (53)", ShearForm::Printed), ("A", ShearForm::Decoupled), ("B", ShearForm::Monotone)];
    let mut plot =
        Plot::linear("shear", "Shear energy of a bond, K = 1 J", ("angle of n against n₀", "°"), ("Uˢ", "J"));
    let mut solid =
        Plot::linear("objectivity", "Energy of the undeformed torus, turned as a whole", ("angle", "°"), ("Uˢ", "J"));
    for (name, form) in forms {
        let degrees = |k: i32| f64::from(k) * 2.0;
        let one =
            (0..=90).map(|k| Ok((degrees(k), sheared(form, degrees(k).to_radians())?))).collect::<Result<Vec<_>>>()?;
        let all =
            (0..=90).map(|k| Ok((degrees(k), turned(form, degrees(k).to_radians())?))).collect::<Result<Vec<_>>>()?;
        plot = plot.series(Series::line(name, one));
        solid = solid.series(Series::line(name, all));
    }
    let angle = f64::to_radians(30.0);
    Ok(Artifact::new(
        "Two grains and their binder. Bending and torsion see the relative rotation, axial load the distance, shear the \
         direction n of the bond (from j to i) against the directions that lay along it, contact the overlap. The printed \
         shear law is not objective: it takes a rotation of the whole for a deformation. It has no linear stiffness \
         either, and depends on which grain is called i. The forms A, U = K/2 |P|² with P the part of \
         e = (R_i n₀ + R_j n₀)/2 across n, and B, U = K (1 − n·e), have none of these defects; A is the default of the \
         library, the printed form is what the figures of the paper use.",
    )
    .drawing(drawing())
    .plot(plot)
    .plot(solid)
    .claims([
        Claim::paper_differs(
            "energy of the undeformed torus after a rotation by 30° as a whole, shear as printed",
            "the potential energy is invariant under rotations (33)",
            "(33) holds for a rotation of the attitudes alone; a physical rotation stores K/2 (1 − cos ψ)² in each bond",
            turned(ShearForm::Printed, angle)?,
            143.59..=143.60,
        )
        .unit("J"),
        Claim::ours("the same with form A", turned(ShearForm::Decoupled, angle)?, 0.0..=1e-24).unit("J"),
        Claim::ours("the same with form B", turned(ShearForm::Monotone, angle)?, 0.0..=1e-24).unit("J"),
        Claim::paper_differs(
            "−dU/dr over the force (57), with the factor 5/2 of (56)",
            "the force (57) follows from the energy (56)",
            "it follows from the factor 2/5",
            contact_ratio(2.5)?,
            6.25 - 1e-6..=6.25 + 1e-6,
        ),
        Claim::ours("−dU/dr over the force (57), with the factor 2/5", contact_ratio(0.4)?, 1.0 - 1e-7..=1.0 + 1e-7),
        Claim::ours(
            "Uˢ as printed over K φ⁴/8 at φ = 1e-3: no linear stiffness",
            sheared(ShearForm::Printed, 1e-3)? / (1e-12 / 8.0),
            1.0 - 1e-6..=1.0 + 1e-6,
        ),
        Claim::ours("form A over K φ²/2 at φ = 1e-3", linear(ShearForm::Decoupled)?, 1.0 - 1e-6..=1.0 + 1e-6),
        Claim::ours("form B over K φ²/2 at φ = 1e-3", linear(ShearForm::Monotone)?, 1.0 - 1e-6..=1.0 + 1e-6),
    ])
    .parameters(json!({ "torus": parameters() })))
}
