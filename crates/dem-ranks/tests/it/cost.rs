//! The cost of ranks: run this under `time`, see `docs/decisions/0033-ranks.md`.

use std::time::Instant;

use dem_contact::neighbor::Boundary;
use dem_ranks::EvenRuns;

use crate::scenes::{alone, bed, equal, on_ranks};

/// Measures steps on ranks. `RANKS=0` is the run alone.
#[test]
#[ignore = "a measurement: set RANKS, STEPS and the number of spheres along an EDGE"]
fn steps_of_a_dense_bed() {
    let number = |name| std::env::var(name).unwrap().parse::<usize>().unwrap();
    let ranks = number("RANKS");
    let steps = number("STEPS");
    let edge = number("EDGE");
    let bed = bed([edge; 3], [Boundary::Periodic; 3], equal);
    if ranks == 0 {
        let mut contacts = bed.0.contacts.clone();
        let begin = Instant::now();
        let domain = *contacts.list().domain();
        let mut cut = || contacts.decompose(&bed.0.bodies, bed.1.position(), domain).unwrap().tiles();
        let tiles = (0..5).map(|_| cut()).max();
        let time = begin.elapsed().as_secs_f64() / (5 * bed.0.bodies.len()) as f64;
        println!("cut into {} tiles: {:.1} ns a body", tiles.unwrap(), 1e9 * time);
        println!("{} lists", alone(&bed.0, &bed.1, steps).1.list().builds());
        return;
    }
    for end in on_ranks(ranks, &bed, EvenRuns, |run| {
        run.take_steps(steps as u64)?;
        Ok((run.lists(), run.own_bodies(), run.ghosts()))
    }) {
        println!("lists, own bodies, ghosts: {:?}", end.unwrap());
    }
}
