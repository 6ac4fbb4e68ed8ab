//! Grains inserted by sources and counted or removed by gates.

use std::collections::BTreeSet;

use dem_contact::law::Partner;

use crate::refused::assert_refused;
use crate::support::{each_step, ended, simulation, whole, with};
use crate::table::Table;

/// Two streams past a counting gate, into a removing gate.
pub(crate) const STREAM: &str = include_str!("../data/stream.toml");

/// Gravity does not push inserted grains out of the plane of motion.
#[test]
fn grains_that_come_keep_to_the_plane() {
    let scene = r#"
        gravity = [0.0, 1.0, -9.0]
        integrator = "verlet"
        time = { dt = 1e-3, duration = 0.05 }
        contact = { normal = { hooke = { stiffness = 4000.0 } } }
        blocked = ["y", "spin-x", "spin-z"]
        [[sources]]
        region = { box = { low = [0.0, -0.1, 0.0], high = [2.0, 0.1, 2.0] } }
        total = { count = 3 }
        sizes = { mix = { radius = [0.1], share = [1.0] } }
        density = 10.0
    "#;
    let simulation = ended(scene);
    assert_eq!(simulation.ids().len(), 3);
    assert!(simulation.state().velocity().iter().all(|velocity| velocity.y.abs() <= 0.0 && velocity.z < 0.0));
}

/// A row of bodies that falls through a removing gate.
pub(crate) const LEAVING: &str = r#"
    gravity = [0.0, 0.0, -9.0]
    integrator = "verlet"
    time = { dt = 1e-3, duration = 0.3 }
    contact = { normal = { hooke = { stiffness = 1000.0 } }, damping = { restitution = 0.5 } }
    gates = [{ shape = { plane = { point = [0.0, 0.0, 0.0], normal = [0.0, 0.0, 1.0] } }, remove = true }]
    [[bodies]]
    place = { lattice = { origin = [0.0, 0.0, 0.1], count = [3, 1, 1], spacing = [0.99, 1.0, 1.0] } }
    radius = 0.5
    mass = 1.0
    [output]
    series = { steps = 50 }
"#;

#[test]
fn what_comes_is_what_is_there_and_what_has_left() {
    let home = tempfile::tempdir().unwrap();
    whole(STREAM, home.path());
    let [series, passed] = ["series.csv", "passed.csv"].map(|name| Table::read(home.path().join(name)));
    for line in &series.rows {
        let value = |name| series.value(line, name);
        let came = value("feed_count") + value("other_count");
        assert!((came - value("bodies") - value("outlet_count")).abs() < 0.5, "{line:?}");
        assert!(value("slope_fx").is_finite());
    }
    let last = |name| series.last(name);
    assert!(last("outlet_count") > 10.0 && last("bodies") > 0.0, "{:?}", series.rows.last());
    assert!((last("other_count") - 12.0).abs() < 0.5);
    // Six kilograms a second for 0.6 s, up to half the mass of a grain.
    assert!((last("feed_mass") - 3.6).abs() < 0.5 * 10.0 * 4.19 * 0.35_f64.powi(3), "{:?}", series.rows.last());
    // Each passage is listed once, with the id of the grain.
    let of_gate = |gate: &str| passed.rows.iter().filter(|row| row[1] == gate).collect::<Vec<_>>();
    let gone = of_gate("outlet");
    let ids: BTreeSet<&String> = gone.iter().map(|row| &row[2]).collect();
    assert!(ids.len() == gone.len() && gone.len() as f64 - last("outlet_count") < 0.5);
    let mass: f64 = gone.iter().map(|row| row[5].parse::<f64>().unwrap()).sum();
    assert!((mass - last("outlet_mass")).abs() < 1e-9);
    assert!(of_gate("counted").len() >= gone.len());
}

#[test]
fn grains_overlap_nothing_when_they_come_and_the_balance_is_kept() {
    let drift = |dt: &str| {
        let mut largest = 0.0_f64;
        let mut known = BTreeSet::new();
        let mut supplied = 0.0_f64;
        each_step(&mut simulation(&with(STREAM, "dt = 1e-3", dt)), |simulation| {
            let reading = simulation.read().unwrap();
            let ids = simulation.ids();
            assert!(ids.windows(2).all(|pair| pair[0] < pair[1]));
            let new: Vec<usize> = (0..ids.len()).filter(|&body| !known.contains(&ids[body])).collect();
            // A grain inserted before this step has moved for one step only.
            for row in &reading.contacts {
                let b = if let Partner::Body(b) = row.b { b } else { row.a };
                let is_new = new.contains(&row.a) || new.contains(&b);
                assert!(!is_new || -row.gap < 0.011, "{row:?}");
            }
            known.extend(ids.iter().copied());
            largest = largest.max(reading.balance().unwrap().abs());
            supplied = supplied.max(reading.energies.supplied.abs());
        });
        assert!(supplied > 100.0, "{supplied}");
        largest / supplied
    };
    let [coarse, fine] = [drift("dt = 1e-3"), drift("dt = 5e-4")];
    println!("balance off by {coarse:.2e} of what was supplied, and {fine:.2e} with half the step");
    assert!(coarse < 1e-3, "{coarse}");
}

#[test]
fn a_source_without_a_rate_fills_its_region_at_once() {
    let text =
        STREAM.replace("rate = { mass = 6.0 }", "total = { fraction = 0.15 }").replace("rate = { count = 20.0 }\n", "");
    let simulation = &mut simulation(&text);
    assert!(simulation.ids().is_empty());
    simulation.step().unwrap();
    let volume: f64 = simulation.bodies().radius().iter().map(|r| 4.19 * r.powi(3)).sum();
    assert!(volume > 0.1 * 3.0 * 1.6 * 1.4, "{volume}");
}

#[test]
fn a_border_between_two_looks_moves_no_look_and_brings_nothing_more() {
    let (head, _) = STREAM.split_once("[[stage]]").unwrap();
    // Four grains every 0.02 s; the border between stages is at one and a half intervals.
    let head = head.replace("rate = { mass = 6.0 }", "rate = { count = 200.0 }");
    let run = |last: &str| ended(&format!("{head}[[stage]]\nduration = 0.03\n[[stage]]\nduration = 0.03\n{last}"));
    let whole = ended(&format!("{head}[[stage]]\nduration = 0.06\n"));
    assert_eq!(whole.ids().len(), 12 + 1);
    assert_eq!(run("output = { series = { steps = 1 } }").state(), whole.state());
    // Another engine, with the same or other steps.
    for last in ["gravity = [0.0, 0.0, -9.0]", "dt = 5e-4"] {
        assert_eq!(run(last).ids(), whole.ids(), "{last}");
    }
}

#[test]
fn a_gate_that_takes_away_counts_all_that_it_takes() {
    let home = tempfile::tempdir().unwrap();
    let text = r#"
        integrator = "verlet"
        time = { dt = 1e-3, duration = 0.002 }
        contact = { normal = { hooke = { stiffness = 1000.0 } } }
        bodies = [{ place = { list = [[0.0, 0.0, 2.0], [0.0, 0.0, -2.0]] }, radius = 0.5, mass = 1.0 }]
        gates = [{ shape = { plane = { point = [0.0, 0.0, 0.0], normal = [0.0, 0.0, 1.0] } }, remove = true }]
        [output]
        series = { steps = 1 }
    "#;
    whole(text, home.path());
    let [series, passed] = ["series.csv", "passed.csv"].map(|name| Table::read(home.path().join(name)));
    assert_eq!(series.rows.last().unwrap().iter().rev().take(2).collect::<Vec<_>>(), ["1", "1"], "{series:?}");
    assert_eq!(passed.rows.len(), 1);
}

#[test]
fn grains_come_in_front_of_elastic_walls() {
    let (head, _) = STREAM.split_once("[[walls]]").unwrap();
    let text = format!(
        "{}[[walls]]\nelastic = {{ point = [0.0, 0.0, 2.8], normal = [0.0, 0.0, 1.0], stiffness = 100.0 }}\n",
        head.replace("rate = { mass = 6.0 }\n", "").replace("dt = 1e-3", "dt = 1e-3, duration = 0.001")
    );
    let mut simulation = simulation(&text);
    simulation.step().unwrap();
    let lowest = |(center, radius): (rrp_geom::glam::DVec3, &f64)| center.z - radius;
    let state = simulation.state();
    let bodies = simulation.bodies();
    let low = state.position().iter().zip(bodies.radius().iter()).map(lowest).fold(f64::INFINITY, f64::min);
    // The bodies have fallen for one step at 2 m/s.
    assert!(low > 2.797 && !bodies.is_empty(), "{low}");
}

#[test]
fn sources_and_gates_without_meaning_are_refused() {
    let table = r#"
        low = 0.12 => low = 0.0 | `sources[0].sizes` | smallest radius
        high = [3.0, 1.8, 3.4] => high = [3.0, 0.3, 3.4] | `sources[0].region` | largest grain
        total = { count = 12 } => total = { fraction = 0.2 } | `sources[1].total` | no volume
        material = "glass" => material = "gras" | `sources[0].material` | did you mean `glass`
        shape = { plane = { point = [0.0, 0.0, 1.0], normal = [0.0, 0.0, 1.0] } }
            => shape = { plane = { point = [0.0, 0.0, 1.0], normal = [0.0, 0.0, 0.0] } } | `gates[0].shape` | normal
        shape = { plane = { point = [0.0, 0.0, 1.0], normal = [0.0, 0.0, 1.0] } }
            => shape = { plane = { point = [0.0, 0.0, 1.0], normal = [1.0, 0.0, 1.0] } } | `gates[0].shape` | periodic
        duration = 0.6 => duration = 0.6\nend = { behind = { point = [0.0, 0.0, 0.0], normal = [1.0, 0.0, 0.0] } }
            | `stage[0].end.behind.normal` | periodic
        name = "outlet" => name = "counted" | `gates[1].name` | another gate
        duration = 0.6 => duration = 0.6\nend = { passed = { gate = "outlett", mass = 1.0 } }
            | `stage[0].end.passed.gate` | did you mean `outlet`
        duration = 0.6 => duration = 0.6\nend = { passed = { gate = 2, mass = 1.0 } }
            | `stage[0].end.passed.gate` | the number from zero
        duration = 0.6 => duration = 0.6\nend = { passed = { gate = -1, mass = 1.0 } }
            | `stage[0].end.passed.gate` | its number, from zero
        duration = 0.6 => duration = 0.6\nend = { passed = { gate = 1.5, mass = 1.0 } }
            | `stage[0].end.passed.gate` | its number, from zero
        name = "outlet" => name = "feed" | `gates[1].name` | a source
        name = "other" => name = "feed" | `sources[1].name` | another source
        [output] => [bonds]\ngap = 0.1\nbending = 1.0\n[output] | `gates[1].remove` | bonds
        duration = 0.6 => duration = 0.6\nat-least = 0.1 | `stage[0].at-least` | `end`
        duration = 0.6 => duration = 0.6\nat-least = 0.7\nend = { kinetic-energy = 1.0 }
            | `stage[0].at-least` | at most the duration
        name = "slope" => | `stage[1].walls.slope` | add `name = "slope"`
        high = [3.0, 3.0, 9.0] => high = [1.4, 3.0, 9.0] | `sources[0].sizes` | half the period
        feed = "off" => fed = "off" | `stage[1].sources.fed` | did you mean `feed`
        median = 0.2, deviation = 0.3, low = 0.12 => median = 0.2, deviation = 0.3, low = 0.35
            | `sources[0].sizes` | above
        low = 0.12, high = 0.35 => low = 2e-3, high = 0.35, by = "mass" | `sources[0].sizes` | not too rare
        radius = [0.2, 0.3] => radius = [nan, 0.3] | `sources[1].sizes` | radius
        share = [1.0, 1.0] => share = [1.0] | `sources[1].sizes.mix.share` | 2
        integrator = "verlet" => integrator = "exact-energy" | `sources[0]` | explicit
    "#;
    assert_refused(STREAM, table);
}
