//! All kinds of laws, walls, sources, bonds and measurements leave the same files on any number of ranks. `ranks_list`
//! checks that the list of kinds is complete.

use crate::liquid::RAIN;
use crate::ranks::{assert_same_on, assert_same_on_few_and_many, dice, even_runs, on_ranks};
use crate::ranks_laws::SPRINGS;
use crate::ranks_scenes::{
    STREAMS, bonds, damped, deforming, driven, laws, low_bed, measures, streams, surroundings, walls,
};
use crate::support::{each_step, ended, made, simulation, with};

/// Generates tests that scenes of these kinds leave the same files on ranks and after kills, grouped by similar run
/// time.
macro_rules! same_files {
    ($($name:ident: $scenes:expr;)+) => {
        $(#[test]
        fn $name() {
            assert_same_on_few_and_many(&$scenes);
        })+
    };
}

same_files! {
    laws_leave_the_same_files: laws()[..6];
    laws_with_moduli_and_those_that_stick_leave_the_same_files: laws()[6..];
    walls_leave_the_same_files: walls();
    sources_and_gates_leave_the_same_files: streams();
    bonds_leave_the_same_files: bonds();
    driven_grains_and_damped_ones_leave_the_same_files: [driven(), damped()].concat();
    boxes_that_deform_leave_the_same_files: deforming();
    ties_liquid_and_elastic_walls_leave_the_same_files: surroundings();
}

/// Two spheres touch through the sheared side while the images above it pass half a period, at 1/6 s; then the nearest
/// images change.
#[test]
fn images_that_pass_half_a_period_leave_the_same_files_on_ranks() {
    for (along, across) in [(0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1)] {
        for rate in [3.0, -3.0] {
            let mut places = [[2.0; 3], [2.1; 3]];
            places[0][across] = 3.7;
            places[1][across] = 0.6;
            (places[0][along], places[1][along]) = if rate > 0.0 { (1.0, 3.1) } else { (3.1, 1.0) };
            let [along, across] = [along, across].map(|direction: usize| ["x", "y", "z"][direction]);
            let text = format!(
                r#"
                integrator = "verlet"
                time = {{ dt = 2e-3, duration = 0.3 }}
                contact = {{ normal = {{ hooke = {{ stiffness = 1e3 }} }} }}
                bodies = [{{ place = {{ list = {places:?} }}, radius = 0.5, mass = 1.0 }}]
                output = {{ series = {{ steps = 10 }} }}
                [box]
                low = [0.0, 0.0, 0.0]
                high = [4.0, 4.0, 4.0]
                boundary = ["periodic", "periodic", "periodic"]
                shear = {{ along = "{along}", across = "{across}", rate = {rate:?} }}
                "#
            );
            assert_same_on(&[2], even_runs, &text, &format!("{along} above {across} at {rate}"));
        }
    }
}

#[test]
fn measurements_are_the_same_on_ranks() {
    for (what, text) in &measures() {
        assert_same_on(&[3], dice, text, what);
    }
}

#[test]
fn rain_leaves_the_same_files_on_ranks() {
    assert_same_on(&[2], even_runs, &with(RAIN, "duration = 1.0", "duration = 0.3"), "rain");
}

/// The grains of one source are on both sides of the border between the tiles of two ranks.
#[test]
fn a_source_is_on_the_border_of_two_ranks() {
    let loads = |text: &str| {
        let end = |ranks| {
            let mut simulation = made(text)?.on_ranks(ranks)?;
            while simulation.step()? < simulation.steps() {}
            simulation.gather()?;
            Ok(simulation.balance().cloned())
        };
        let balance = on_ranks(2, even_runs, end).unwrap().unwrap();
        [0, 1].map(|rank| balance.loads[rank].bodies)
    };
    let (blocks, others) = STREAMS.split_once("[[sources]]").unwrap();
    let (feed, rest) = others.split_once("[[sources]]").unwrap();
    let (_, output) = rest.split_once("[output]").unwrap();
    assert_eq!(loads(&format!("{blocks}    [output]{output}")), [640; 2]);
    let with_source = loads(&format!("{blocks}    [[sources]]{feed}    [output]{output}"));
    assert!(with_source.iter().all(|&bodies| bodies > 660), "{with_source:?}");
}

/// Marks the heights between the two bodies of a pair at the heights `found`.
fn crossed(heights: &mut [(f64, bool)], found: [f64; 2]) {
    let [low, high] = if found[0] < found[1] { found } else { [found[1], found[0]] };
    heights.iter_mut().filter(|(height, _)| low < *height && *height < high).for_each(|(_, crossed)| *crossed = true);
}

/// Heights of planes between all layers of the two lower groups. Tiles are cut along one of these planes.
fn planes() -> Vec<(f64, bool)> {
    (0..29).map(|k| (1.0 + 0.5 * f64::from(k), false)).collect()
}

/// Bonds break across each plane, and thus also across the border of two ranks.
#[test]
fn bonds_break_across_each_plane() {
    // Bonds with `break-stretch` are left out: they break only between the groups of grains.
    for (what, text) in bonds().into_iter().filter(|(_, text)| !text.contains("break-stretch")) {
        let simulation = ended(&text);
        let bonds = simulation.bonds().unwrap();
        let centres = simulation.state().position();
        let pairs: Vec<[usize; 2]> = bonds.iter().map(|bond| bond.bodies).collect();
        let mut planes = planes();
        let broken = bonds.ruptures();
        broken.iter().for_each(|rupture| crossed(&mut planes, pairs[rupture.bond].map(|body| centres.get(body).z)));
        assert!(planes.iter().all(|plane| plane.1), "{what}: {} broken, {planes:?}", broken.len());
        assert!(broken.len() < pairs.len(), "{what}: all {} bonds are broken", pairs.len());
    }
}

/// Contacts slip at Coulomb's limit across each plane, and thus also across the border of two ranks.
#[test]
fn contacts_slip_across_each_plane() {
    let mut planes = planes();
    each_step(&mut simulation(&low_bed(SPRINGS)), |simulation| {
        let centres = simulation.state().position();
        for contact in simulation.read().unwrap().contacts {
            let share = contact.tangential_force.length() / contact.normal_force.abs();
            let slips = [0.2, 0.3].iter().any(|friction| (share - friction).abs() < 1e-12);
            if let (true, Some(b)) = (slips, contact.b.body()) {
                crossed(&mut planes, [contact.a, b].map(|body| centres.get(body).z));
            }
        }
    });
    assert!(planes.iter().all(|plane| plane.1), "{planes:?}");
}
