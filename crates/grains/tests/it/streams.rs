//! Totals of sources and gates at the end of a stream: number, mass and time.

use std::collections::BTreeSet;
use std::path::Path;

use grains::{Estimate, Scene, Simulation};

use crate::ranks::{even_runs, on_ranks};
use crate::refused::assert_refused;
use crate::support::{FRICTION, each_step, made, simulation, start, with};
use crate::table::Table;

/// A thin and fast stream: all grains inserted at one attempt have left a few checks later.
const FAST: &str = r#"
    integrator = "verlet"
    time = { dt = 1e-3, duration = 0.3 }
    contact = { normal = { hooke = { stiffness = 1000.0 } } }
    [[sources]]
    name = "feed"
    region = { box = { low = [0.0, 0.0, 0.0], high = [40.0, 40.0, 1.2] } }
    total = { count = 100000 }
    every = { steps = 2 }
    sizes = { uniform = { low = 0.2, high = 0.5 } }
    density = 10.0
    velocity = [0.0, 0.0, -700.0]
    [[gates]]
    name = "outlet"
    shape = { plane = { point = [0.0, 0.0, -4.0], normal = [0.0, 0.0, 1.0] } }
    remove = true
    every = { steps = 2 }
    [output]
    series = { steps = 20 }
"#;

/// Units of 2^-70 kg, in which sums of masses are exact.
const UNIT: f64 = (1_u128 << 70) as f64;

fn exact(masses: impl Iterator<Item = f64>) -> i128 {
    masses.map(|mass| (mass * UNIT) as i128).sum()
}

#[test]
fn number_and_mass_close_over_a_hundred_thousand_grains() {
    let home = tempfile::tempdir().unwrap();
    let mut run = start(FAST, home.path());
    let mut inside = Vec::new();
    loop {
        let goes_on = run.advance().unwrap();
        let simulation = run.simulation();
        if simulation.steps_taken().is_multiple_of(20) {
            inside.push((simulation.ids().len(), exact(simulation.bodies().mass().iter().copied())));
        }
        if !goes_on {
            break;
        }
    }
    run.finish().unwrap();
    let [series, passed] = ["series.csv", "passed.csv"].map(|name| Table::read(home.path().join(name)));
    let passed = &passed.rows;
    let most = inside.iter().map(|(count, _)| *count).max().unwrap();
    assert!(most > 3000 && inside.last() == Some(&(0, 0)), "{most} {:?}", inside.last());
    assert_eq!(series.rows.len(), inside.len() + 1);
    for (line, &(there, mass)) in series.rows[1..].iter().zip(&inside) {
        let count = |name: &str| series.value(line, name) as usize;
        let sum = |name: &str| series.value(line, name).to_bits();
        let gone = count("outlet_count");
        assert_eq!(count("feed_count"), there + gone);
        let taken = exact(passed[..gone].iter().map(|row| row[5].parse().unwrap()));
        let rounded = |sum: i128| (sum as f64 / UNIT).to_bits();
        assert_eq!([sum("feed_mass"), sum("outlet_mass")], [rounded(mass + taken), rounded(taken)]);
    }
    // Each grain has passed once, with its own id.
    let ids: BTreeSet<u64> = passed.iter().map(|row| row[2].parse().unwrap()).collect();
    assert!(ids.len() == 100_000 && passed.len() == 100_000 && ids.last() == Some(&99_999), "{}", passed.len());
}

#[test]
fn a_source_brings_what_is_due_while_it_runs() {
    // Four grains every 0.02 s from a source that stops and restarts between two attempts.
    let text = r#"
        integrator = "verlet"
        time = { dt = 1e-3 }
        contact = { normal = { hooke = { stiffness = 1000.0 } } }
        stage = [
            { duration = 0.03 },
            { duration = 0.02, sources = { feed = "off" } },
            { duration = 0.03, sources = { feed = "on" }DT },
        ]
        [[sources]]
        name = "feed"
        region = { box = { low = [0.0, 0.0, 0.0], high = [9.0, 9.0, 9.0] } }
        rate = { count = 200.0 }
        every = { time = 0.02 }
        sizes = { radius = 0.2 }
        density = 10.0
    "#;
    for dt in ["", ", dt = 5e-4", ", dt = 4e-4"] {
        let mut simulation = simulation(&text.replace("DT", dt));
        let mut counts = Vec::new();
        each_step(&mut simulation, |simulation| counts.push(simulation.ids().len()));
        counts.dedup();
        // Two of the second four grains are due after the stop: at the restart two grains come at once.
        assert_eq!(counts, [4, 8, 10, 14], "{dt}");
    }
}

/// While all grains have equal radii, the loop for equal radii is used, also on ranks.
#[test]
fn a_source_of_grains_as_large_as_all_others_changes_no_bit() {
    let end = |mut simulation: Simulation| {
        while simulation.step()? < simulation.steps() {}
        simulation.gather()?;
        let state = simulation.state();
        let columns = [state.position(), state.velocity(), state.angular_momentum()];
        // The 36 initial grains.
        Ok((columns.map(|column| column.iter().take(36).collect::<Vec<_>>()), simulation.ids().len()))
    };
    let alone = |text: &str| end(simulation(text)).unwrap();
    let on_two = |text: &str| on_ranks(2, even_runs, |ranks| end(made(text)?.on_ranks(ranks)?)).unwrap();
    // The radius is no power of two, so that products with it are rounded.
    let bed = FRICTION.replace("radius = 0.5", "radius = 0.503");
    // One grain is inserted far above the others.
    let source = |radius: f64| {
        let region = "region = { box = { low = [0.0, 0.0, 6.0], high = [4.0, 4.0, 8.0] } }";
        format!("{bed}[[sources]]\n{region}\ntotal = {{ count = 1 }}\nsizes.radius = {radius}\ndensity = 1.0\n")
    };
    let (expected, _) = alone(&bed);
    for end in [alone(&source(0.503)), on_two(&source(0.503))] {
        assert_eq!(end, (expected.clone(), 37));
    }
    assert_ne!(alone(&source(0.6)).0, expected);
}

fn ends(text: &str) -> Vec<f64> {
    let mut simulation = simulation(text);
    let mut ends = Vec::new();
    let mut stage = 0;
    let mut time = 0.0;
    each_step(&mut simulation, |simulation| {
        if simulation.stage() > stage {
            stage = simulation.stage();
            ends.push(time);
        }
        time = simulation.state().time();
    });
    ends.push(time);
    ends
}

#[test]
fn a_stage_waits_for_the_first_grain_and_not_for_more_than_come() {
    let text = r#"
        gravity = [0.0, 0.0, -9.0]
        integrator = "verlet"
        time = { dt = 1e-3 }
        contact = { normal = { hooke = { stiffness = 1000.0 } } }
        stage = [
            { duration = 5.0, end = { behind = { point = [0.0, 0.0, 9.0], normal = [0.0, 0.0, 1.0] } } },
            { duration = 5.0, end = { kinetic-energy = 1e-3 } },
            { duration = 5.0, end = { passed = { gate = "outlet", mass = 0.3 } } },
        ]
        [[sources]]
        region = { disc = { point = [0.0, 0.0, 4.0], normal = [0.0, 0.0, 1.0], radius = 0.8 } }
        rate = { count = 5.0 }
        total = { count = 1 }
        every = { steps = 20 }
        sizes = { radius = 0.2 }
        density = 10.0
        velocity = [0.0, 0.0, -2.0]
        [[gates]]
        name = "outlet"
        shape = { plane = { point = [0.0, 0.0, 0.0], normal = [0.0, 0.0, 1.0] } }
        remove = true
        every = { steps = 20 }
    "#;
    // The grain is inserted at 0.08 s, falls 4 m in 0.747 s and is removed at the next check.
    let near = |found: f64, expected: f64| assert!((found - expected).abs() < 1e-9, "{found} {expected}");
    let [first, second, third] = ends(text)[..] else { panic!("three stages") };
    near(first, 0.128);
    near(second, 0.128 + 12.0 * 0.064);
    near(third, second + 0.064);
    // A gate by number, with more mass than has passed.
    let third = ends(&text.replace("\"outlet\", mass = 0.3", "0, mass = 0.4"))[2];
    near(third, second + 5.0);
}

#[test]
fn a_check_tells_what_will_come() {
    let notes = |text: &str| {
        let estimate = Estimate::new(&Scene::parse(text).unwrap(), Path::new("."), true).unwrap();
        estimate.notes.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    let found = notes(FAST);
    assert!(found.iter().any(|note| note.starts_with("`sources[0]`: about 100000 grains come")), "{found:?}");
    // 1e4 grains a second for a twentieth of 0.3 s.
    let found = notes(&FAST.replace("total = { count = 100000 }", "rate = { count = 1e4 }"));
    assert!(found.iter().any(|note| note.starts_with("`sources[0]`: about 150 grains come")), "{found:?}");
    let found = notes(&FAST.replace("total = { count = 100000 }\n", ""));
    assert!(found.iter().any(|note| note.starts_with("`sources[0]`: grains come whenever")), "{found:?}");
}

#[test]
fn a_source_that_brings_more_than_the_memory_holds_is_refused() {
    let many = with(FAST, "count = 100000", "count = 1e12");
    // Removed grains take no memory.
    simulation(&many);
    assert_refused(&many, "remove = true => | `sources[0].total` | memory");
    // Without a total, the memory of the grains that fill the region at once is counted.
    let table = "
        total = { count = 100000 } => | `sources[0].sizes`
        total = { count = 100000 } => rate = { count = 1e14 } | `sources[0].rate`
    ";
    assert_refused(&with(FAST, "[40.0, 40.0, 1.2]", "[4e5, 4e5, 1.2]"), table);
    let disc = "disc = { point = [0.0, 0.0, 0.0], normal = [0.0, 0.0, 1.0], radius = 1e6 }";
    let wide = with(FAST, "box = { low = [0.0, 0.0, 0.0], high = [40.0, 40.0, 1.2] }", disc);
    assert_refused(&wide, "total = { count = 100000 } => | `sources[0].sizes`");
}
