//! Cost of a rotation update: the turns of rrp-integrate against a quaternion exponential.
//!
//! Every kernel turns N attitudes by the angular velocities of N bodies, once per iteration; criterion's throughput is
//! bodies per second. `cargo xtask bench-table` runs this bench and prints the table of the README.
//!
//! - `exponential`: glam, `(DQuat::from_scaled_axis(h ω) * q).normalize()` on arrays of structs, in place.
//! - `cayley`, `legendre`: `Turn::Cayley` and `Turn::Legendre`, `[BG21] (25b)` and (23b), from one column to another.
//! - `copy`: only reads and writes the columns of the turns, as a bound by memory.
//! - `cayley, 2 threads`: `cayley` in a pool of two threads.

use std::hint::black_box;
use std::time::Duration;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use rrp_benches::pool;
use rrp_geom::Attitude;
use rrp_geom::glam::{DQuat, DVec3};
use rrp_integrate::column::AttitudeColumn;
use rrp_integrate::{Bodies, Body, Turn, VectorColumn};

/// Time step in s; spins of order one give turns of ordinary size.
const H: f64 = 1e-2;

/// N unit spheres of unit inertia with different spins, and memory for the next attitudes.
struct Setup {
    bodies: Bodies,
    momentum: VectorColumn,
    now: AttitudeColumn,
    next: AttitudeColumn,
}

impl Setup {
    fn new(bodies: usize) -> Self {
        let spin = |i: usize| {
            let phase = i as f64 * 0.618_034;
            DVec3::new(phase.sin(), (1.3 * phase).cos(), (0.7 * phase).sin())
        };
        let attitude = |i| Attitude::from_rotation_vector(spin(i + 1)).expect("the spin is finite");
        Self {
            bodies: Bodies::new((0..bodies).map(|_| Body::spherical(1.0, 1.0))).expect("the bodies are physical"),
            momentum: (0..bodies).map(spin).collect(),
            now: (0..bodies).map(attitude).collect(),
            next: AttitudeColumn::identity(bodies),
        }
    }

    fn turn(&mut self, turn: Turn) {
        turn.advance(H, &self.bodies, &self.momentum, &self.now, &mut self.next).expect("the turn is small");
        std::mem::swap(&mut self.now, &mut self.next);
    }
}

struct Copy {
    read: [Vec<f64>; 8],
    write: [Vec<f64>; 4],
}

impl Copy {
    fn new(bodies: usize) -> Self {
        let column = |_| (0..bodies).map(|i| i as f64).collect();
        Self { read: std::array::from_fn(column), write: std::array::from_fn(column) }
    }

    fn copy(&mut self) {
        for (write, read) in self.write.iter_mut().zip(self.read.chunks_exact(2)) {
            let [a, b] = read else { unreachable!("chunks of two") };
            for ((write, a), b) in write.iter_mut().zip(a).zip(b) {
                *write = a + b;
            }
        }
        self.read[4..].swap_with_slice(&mut self.write);
    }
}

fn exponential(attitudes: &mut [DQuat], spins: &[DVec3]) {
    for (attitude, &spin) in attitudes.iter_mut().zip(spins) {
        *attitude = (DQuat::from_scaled_axis(spin * H) * *attitude).normalize();
    }
}

fn rotation(criterion: &mut Criterion) {
    let two = pool(2);
    let one = pool(1);
    let mut group = criterion.benchmark_group("rotation");
    group.sample_size(20).warm_up_time(Duration::from_millis(500)).measurement_time(Duration::from_secs(2));
    for bodies in [1_000, 100_000, 10_000_000] {
        group.throughput(Throughput::Elements(bodies as u64));
        let setup = Setup::new(bodies);
        let mut attitudes: Vec<DQuat> = setup.now.iter().map(Attitude::to_quaternion).collect();
        let spins: Vec<DVec3> = setup.momentum.iter().collect();
        group.bench_function(BenchmarkId::new("exponential", bodies), |bencher| {
            bencher.iter(|| exponential(black_box(&mut attitudes), black_box(&spins)));
        });
        drop((attitudes, spins));
        let mut setup = setup;
        for (name, turn) in [("cayley", Turn::Cayley), ("legendre", Turn::Legendre)] {
            group.bench_function(BenchmarkId::new(name, bodies), |bencher| {
                one.install(|| bencher.iter(|| black_box(&mut setup).turn(turn)));
            });
        }
        group.bench_function(BenchmarkId::new("cayley, 2 threads", bodies), |bencher| {
            two.install(|| bencher.iter(|| black_box(&mut setup).turn(Turn::Cayley)));
        });
        drop(setup);
        let mut columns = Copy::new(bodies);
        group.bench_function(BenchmarkId::new("copy", bodies), |bencher| {
            bencher.iter(|| black_box(&mut columns).copy());
        });
    }
    group.finish();
}

criterion_group!(benches, rotation);
criterion_main!(benches);
