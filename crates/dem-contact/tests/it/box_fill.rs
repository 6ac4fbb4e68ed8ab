//! A box filled under gravity: windows of the means against the range of LAMMPS' runs.

use dem_contact::*;
use rrp_geom::glam::DVec3;
use rrp_integrate::{Bodies, Explicit, ForceField, Gravity, Integrator, Map, State, kinetic_energy};

use crate::support::{csv, number, path};

/// `γ_n` in 1/s; the first samples of the LAMMPS runs come out to all digits with this value.
const DAMPING: f64 = 30.0;

/// Mean height, contacts per sphere and log₁₀ of the kinetic energy per sphere, averaged over windows of time.
type Windows = Vec<[f64; 3]>;

/// Ends of the windows in s.
const ENDS: [f64; 9] = [1.0, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 16.0, 20.0];

#[derive(Default, Clone, Copy)]
struct Mean {
    sum: [f64; 3],
    count: f64,
}

fn windows(samples: impl Iterator<Item = (f64, [f64; 3])>) -> Windows {
    let mut means = [Mean::default(); ENDS.len()];
    for (time, values) in samples {
        if let Some(window) = ENDS.iter().position(|&end| time < end) {
            (0..3).for_each(|c| means[window].sum[c] += values[c]);
            means[window].count += 1.0;
        }
    }
    means.iter().map(|mean| mean.sum.map(|sum| sum / mean.count)).collect()
}

fn lammps(name: &str) -> Windows {
    windows(csv(name).iter().map(|row| {
        let kinetic = number(row, "Kbar_eq35").log10();
        (number(row, "t"), [number(row, "mean_z"), number(row, "contacts_per_particle"), kinetic])
    }))
}

fn run<T: TangentialLaw>(bodies: &Bodies, mut state: State, tangential: T) -> Windows {
    let contact_time = std::f64::consts::PI * (0.5 / 195_000.0_f64).sqrt();
    let law = Hooke::new(195_000.0, Damping::coefficient(DAMPING).unwrap()).unwrap();
    let walls = Wall::inside_of_box(DVec3::ZERO, DVec3::new(6.0, 6.0, 120.0)).into_iter().take(5);
    let list = NeighborList::new(Domain::OPEN, 0.3).unwrap();
    let contacts = ContactForce::new(list, law, tangential).with_walls(walls).unwrap();
    let mut field = Both(Gravity { acceleration: DVec3::NEG_Z }, contacts);
    let mut map = Explicit::new(Map::VelocityVerlet, contact_time / 32.0).unwrap();
    let count = bodies.len() as f64;
    let mut samples = Vec::new();
    let mut step = 0;
    while state.time() < ENDS[ENDS.len() - 1] {
        if step % 508 == 0 {
            let height = state.position().iter().map(|x| x.z).sum::<f64>() / count;
            let touching = field.1.contacts(bodies, &state).unwrap();
            let contacts = 2.0 * touching.iter().filter(|contact| !contact.with_wall).count() as f64 / count;
            let kinetic = (kinetic_energy(bodies, &state).total() / count).log10();
            samples.push((state.time(), [height, contacts, kinetic]));
        }
        map.step(bodies, &mut field as &mut dyn ForceField, &mut state).unwrap();
        step += 1;
    }
    windows(samples.into_iter())
}

#[test]
fn filling_a_box_is_within_the_range_of_lammps() {
    let (mut checked, mut outside) = (0, 0);
    for (mu, seed) in [(0, 4711), (0, 1234), (10000, 4711), (10000, 1234)] {
        let data = LammpsData::read_path(path(&format!("boxfill_mu{mu}_seed{seed}.data"))).unwrap();
        let found = if mu == 0 {
            run(&data.bodies, data.state, Frictionless)
        } else {
            run(&data.bodies, data.state, Viscous::new(0.5 * DAMPING).unwrap())
        };
        let file = |seed: i32, steps: &str| lammps(&format!("boxfill_mu{mu}_seed{seed}_tc{steps}.csv"));
        let spread: Vec<Windows> = ["16.1", "32", "64", "160"].map(|steps| file(4711, steps)).to_vec();
        let own = if seed == 4711 { spread.clone() } else { vec![file(seed, "32")] };
        let range = |runs: &[Windows], window: usize, c: usize| {
            runs.iter().fold((f64::MAX, f64::MIN), |(l, h), run| (l.min(run[window][c]), h.max(run[window][c])))
        };
        for window in 0..ENDS.len() {
            for (c, name) in ["mean height", "contacts", "log K"].into_iter().enumerate() {
                let (narrow, wide) = range(&spread, window, c);
                let (low, high) = range(&own, window, c);
                let width = wide - narrow;
                let value = found[window][c];
                checked += 1;
                outside += usize::from(!(low - width..=high + width).contains(&value));
                println!(
                    "mu {mu}, seed {seed}, until {}: {name} {value:.4}, LAMMPS {low:.4} to {high:.4}, widened by {width:.4}",
                    ENDS[window]
                );
            }
        }
    }
    // Of four LAMMPS runs from one start each leaves the range of the other three, so widened, in a ninth of the windows:
    // the paths are chaotic. Twice the damping leaves it in five sixths.
    println!("{outside} of {checked} outside");
    assert!(5 * outside <= checked, "{outside} of {checked} outside");
}
