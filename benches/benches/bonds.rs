//! Cost of bonds, per bond and step.
//!
//! The packing is a simple cubic lattice of touching spheres in motion, cut to a given number of bonds; criterion's
//! throughput is bonds per second.
//!
//! - `step`: a whole step of the map (25), bonds, kicks, drift and turn, for each shear form.
//! - `forces`: the evaluation of the bonds alone, form A.
//! - `forces, 2 threads`: the evaluation of the bonds in a pool of two threads.

use std::hint::black_box;
use std::time::Duration;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use dem_contact::bond::{Bond, BondLaw, Bonds, ShearForm, Strength, bonded_pairs};
use rrp_benches::pool;
use rrp_geom::Attitude;
use rrp_geom::glam::DVec3;
use rrp_integrate::{Bodies, Body, Explicit, ForceField, Integrator, Map, State, Wrenches};

/// About `bonds` bonds of a slightly deformed lattice, so that every term acts.
fn lattice(bonds: usize, form: ShearForm) -> (Bodies, Bonds, State) {
    // A lattice of side s has 3 s² (s − 1) bonds; the smallest sufficient one is cut to the number.
    let side = (2..).find(|&s| 3 * s * s * (s - 1) >= bonds).expect("there are larger lattices");
    let bodies = Bodies::new(vec![Body::sphere(1.0, 0.5); side * side * side]).expect("the bodies are physical");
    let mut state = State::at_rest(bodies.len());
    for k in 0..bodies.len() {
        let place = [k % side, k / side % side, k / side / side].map(|c| c as f64);
        state.position_mut().set(k, place.into());
    }
    let law =
        BondLaw { bending: 10.0, stretching: 200.0, shearing: 200.0, contact: 2100.0, strength: Strength::UNBREAKABLE };
    let pairs = bonded_pairs(&bodies, &state, 1e-6).expect("the lattice is finite");
    let rows = pairs.into_iter().take(bonds).map(|[i, j]| Bond::new(i, j, law));
    let bonds = Bonds::new(&bodies, &state, rows).expect("neighbours touch").with_shear(form);
    for k in 0..bodies.len() {
        let phase = k as f64 * 0.618;
        let noise = DVec3::new(phase.sin(), (1.3 * phase).cos(), (0.7 * phase).sin());
        state.position_mut().add(k, 1e-2 * noise);
        state.attitude_mut().set(k, Attitude::from_rotation_vector(0.1 * noise).expect("finite"));
    }
    (bodies, bonds, state)
}

fn bonds(criterion: &mut Criterion) {
    let one = pool(1);
    let two = pool(2);
    let mut group = criterion.benchmark_group("bonds");
    group.sample_size(20).warm_up_time(Duration::from_millis(500)).measurement_time(Duration::from_secs(2));
    for count in [1_000, 10_000, 100_000] {
        group.throughput(Throughput::Elements(count as u64));
        for (name, form) in
            [("step, A", ShearForm::Decoupled), ("step, B", ShearForm::Monotone), ("step, (53)", ShearForm::Printed)]
        {
            let (bodies, mut bonds, mut state) = lattice(count, form);
            let mut map = Explicit::new(Map::Rodrigues25, 1e-3).expect("the step is positive");
            group.bench_function(BenchmarkId::new(name, count), |bencher| {
                one.install(|| {
                    bencher.iter(|| map.step(&bodies, &mut bonds, black_box(&mut state)).expect("the step is small"));
                });
            });
        }
        let (bodies, mut bonds, state) = lattice(count, ShearForm::Decoupled);
        let mut out = Wrenches::zeros(bodies.len());
        for (name, pool) in [("forces", &one), ("forces, 2 threads", &two)] {
            group.bench_function(BenchmarkId::new(name, count), |bencher| {
                pool.install(|| {
                    bencher.iter(|| {
                        bonds.accumulate(&bodies, black_box(&state), 0.0, &mut out).expect("no bond has collapsed");
                    });
                });
            });
        }
    }
    group.finish();
}

criterion_group!(benches, bonds);
criterion_main!(benches);
