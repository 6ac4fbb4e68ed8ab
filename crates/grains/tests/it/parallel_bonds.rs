//! Parallel bonds in scenes: a bar across periodic sides, columns of ruptures, refusals.

use crate::refused::assert_refused;
use crate::support::simulation;
use crate::table::Table;

/// A row of spheres along x that fills a periodic box, with initial velocities.
const ROW: &str = r#"
    integrator = "rodrigues-25"
    time = { dt = 1e-3, duration = 0.2 }
    box = { low = [0.0, -2.0, -2.0], high = [6.0, 2.0, 2.0], boundary = ["periodic", "open", "open"] }
    contact = { normal = { hooke = { stiffness = 1e4 } } }
    output = { series = { steps = 10 }, frames = { steps = 100 }, checkpoints = { steps = 30 } }
    [bonds]
    gap = 1e-6
    parallel = { radius-multiplier = 0.6, modulus = 1e4, stiffness-ratio = 2.5, tensile-strength = 1e3 }
    [[bodies]]
    place = { lattice = { origin = [0.5, 0.0, 0.0], count = [6, 1, 1], spacing = [1.0, 1.0, 1.0] } }
    velocities = [[0.0, 1.0, 0.0], [0.5, 0.0, 0.0], [-9.0, 0.0, 0.0], [9.0, 0.0, 0.0], [0.0, 0.0, 2.0], [0.0, 0.0, 0.0]]
    radius = 0.5
    mass = 1.0
"#;

/// Six spheres in a periodic row have six bonds. One breaks; columns record its energy, and the balance is constant.
#[test]
fn ruptures_have_columns_and_the_balance_holds() {
    let simulation = simulation(ROW);
    assert_eq!(simulation.bonds().unwrap().len(), 6);
    let start = simulation.read().unwrap().balance().unwrap();
    let series = Table::of_series(ROW);
    let [broken, released, jump, balance, bonds] =
        ["broken", "released", "jump_work", "balance", "bonds"].map(|name| series.last(name));
    println!("{broken} broken, {released} J released, {jump} J jumped, balance {start} -> {balance}");
    assert!((1.0..6.0).contains(&broken) && released > 1.0 && jump < -0.01 && bonds > 0.1);
    assert!((balance - start).abs() < 5e-3 * start, "{start} -> {balance}");
}

#[test]
fn what_makes_no_bond_is_refused() {
    let table = r#"
        modulus = 1e4 => modulus = 0.0 | bonds.parallel.modulus | must be
        radius-multiplier = 0.6 => radius-multiplier = -1.0 | bonds.parallel.radius-multiplier | must be
        stiffness-ratio = 2.5 => stiffness-ratio = nan | bonds.parallel.stiffness-ratio | must be
        tensile-strength = 1e3 => tensile-strength = 0.0 | bonds.parallel.tensile-strength | must be
        gap = 1e-6 => gap = 1e-6\nbending = 1.0 | bonds.bending | bonds.parallel
        "open", "open"] => "open", "open"], strain-rate = [0.1, 0.0, 0.0] | deform
    "#;
    assert_refused(ROW, table);
}
