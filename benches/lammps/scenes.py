#!/usr/bin/env python3
"""Times `grains run` beside LAMMPS with the same grains and walls, on one core.

    cargo build --release -p grains
    benches/lammps/scenes.py --grains target/release/grains --folder DIR [--lmp PATH] [--scenes box,hopper] [--turns N]

LAMMPS pours and settles the grains once (minutes) and keeps them in DIR as `box.data` and `hopper.data`: 2 000 in an
open box of five planes, 20 000 in a hopper, a cylinder on a cone whose outlet is open in the timed run. Both programs
start from there without springs, with `gran/hooke/history`: k = 2e5, γ = 50, μ = 0.5, dt = 1e-4, skin 0.1.
Both figures are processor time a grain and step, the least and the median of all turns. That of LAMMPS is its loop's.
That of `grains` is the difference of two runs, so that neither has reading and building in it.
"""
import argparse
import os
import re
import resource
import shutil
import statistics
import subprocess

PAIR = "hooke/history {k} NULL {gamma} NULL 0.5 0"
STIFF, SOFT = PAIR.format(k=2e5, gamma=50.0), PAIR.format(k=5e3, gamma=20.0)
HEAD = """
units lj
atom_style sphere
boundary f f f
newton off
comm_modify vel yes
"""
LAWS = """
pair_style gran/{pair}
pair_coeff * *
fix g all gravity 1.0 vector 0 0 -1
fix 1 all nve/sphere
neigh_modify every 1 delay 0 check yes
thermo 1000000
"""
BOX_WALLS = """
fix wx all wall/gran {pair} xplane 0 12
fix wy all wall/gran {pair} yplane 0 12
fix wz all wall/gran {pair} zplane 0 NULL
"""
REGIONS = """
region cylinder cylinder z 0 0 16 0 80 side in open 1 open 2 units box
region cone cone z 0 0 4 16 -14 0 side in open 1 open 2 units box
"""
HOPPER_WALLS = """
fix wx all wall/gran/region {pair} region cylinder
fix wy all wall/gran/region {pair} region cone
"""
PLUG = "fix wz all wall/gran {pair} zplane -14 NULL\n"
FILL = """
lattice sc 0.5
{region}
create_atoms 1 region fill
group extra id > {count}
delete_atoms group extra compress yes
set group all diameter 1.0
set group all mass 1.0
displace_atoms all random 0.12 0.12 0.12 4711
velocity all create 0.5 87
"""
BOX = "region all block {} units box\ncreate_box 1 all\n"
SCENES = {
    "box": {
        "count": 2000,
        "steps": 5000,
        "box": BOX.format("0 12 0 12 0 40"),
        "fill": "region fill block 0.5 11.5 0.5 11.5 0.5 39",
        "walls": BOX_WALLS,
        "regions": "",
        "plug": "",
        "settle": [(1e-3, 40000, SOFT, 0.2), (1e-4, 40000, STIFF, 0.2)],
        "toml": 'box = { low = [0.0, 0.0, 0.0], high = [12.0, 12.0, 40.0], without = ["+z"] }',
    },
    "hopper": {
        "count": 20000,
        "steps": 1000,
        "box": BOX.format("-17 17 -17 17 -40 80"),
        "fill": "region fc cylinder z 0 0 15.2 0.2 70 units box\nregion fd cone z 0 0 2.8 14.8 -13.3 0.2 units box\n"
        "region fill union 2 fc fd",
        "walls": HOPPER_WALLS,
        "regions": REGIONS,
        "plug": PLUG,
        "settle": [(1.5e-3, 14000, SOFT, 0.5), (1.5e-3, 2000, SOFT, 0.3), (2e-4, 3000, STIFF, 0.0)],
        "toml": "revolution = { point = [0.0, 0.0, 0.0], axis = [0.0, 0.0, 1.0], "
        "profile = [[4.0, -14.0], [16.0, 0.0], [16.0, 80.0]] }",
    },
}
SCENE = """
gravity = [0.0, 0.0, -1.0]
integrator = "verlet"
time = {{ dt = 1e-4, duration = {duration}, quick = 0.01 }}
[contact]
normal = {{ hooke = {{ stiffness = 2e5 }} }}
damping = {{ coefficient = 50.0 }}
tangential = {{ friction-spring = {{ stiffness = 57142.857142857145, friction = 0.5 }} }}
skin = 0.1
[[bodies]]
place = {{ file = {{ path = "{name}.data" }} }}
[[walls]]
{walls}
"""


def run_lammps(arguments, name, deck):
    """Runs a deck; the last loop's processor time in ns a grain and step."""
    path = os.path.join(arguments.folder, f"in.{name}")
    with open(path, "w") as file:
        file.write(deck)
    command = [arguments.lmp, "-in", path, "-log", "none"]
    run = subprocess.run(command, capture_output=True, text=True, check=True, env=dict(os.environ, OMP_NUM_THREADS="1"))
    time, steps, atoms = re.findall(r"Loop time of (\S+) on \d+ procs for (\d+) steps with (\d+) atoms", run.stdout)[-1]
    return 1e7 * float(time) * float(re.findall(r"([0-9.]+)% CPU use", run.stdout)[-1]) / int(steps) / int(atoms)


def settle(arguments, name, scene, data):
    """Pours the grains and lets them settle: soft and damped first."""
    deck = HEAD + scene["box"] + FILL.format(region=scene["fill"], count=scene["count"]) + scene["regions"]
    deck += "neighbor 0.2 bin\n" + LAWS.format(pair=SOFT)
    for step, steps, pair, drag in scene["settle"]:
        deck += f"pair_style gran/{pair}\npair_coeff * *\n" + (scene["walls"] + scene["plug"]).format(pair=pair)
        deck += f"fix v all viscous {drag}\ntimestep {step}\nrun {steps}\nunfix wx\nunfix wy\nunfix v\n"
        deck += "unfix wz\n" if "wz" in scene["walls"] + scene["plug"] else ""
    run_lammps(arguments, name, deck + f"write_data {data} nocoeff\n")


def processor_time(command):
    """Processor time in s of a command."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, capture_output=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--grains", required=True)
    parser.add_argument("--folder", required=True)
    parser.add_argument("--lmp", default=shutil.which("lmp"))
    parser.add_argument("--scenes", default="box,hopper")
    parser.add_argument("--turns", type=int, default=5)
    arguments = parser.parse_args()
    for name in arguments.scenes.split(","):
        scene = SCENES[name]
        data, path = (os.path.join(arguments.folder, f"{name}.{ending}") for ending in ("data", "toml"))
        if not os.path.exists(data):
            settle(arguments, name, scene, data)
        with open(path, "w") as file:
            file.write(SCENE.format(name=name, duration=scene["steps"] * 1e-4, walls=scene["toml"]))
        deck = HEAD + f"read_data {data}\n" + scene["regions"] + LAWS.format(pair=STIFF)
        deck += scene["walls"].format(pair=STIFF) + f"neighbor 0.1 bin\ntimestep 1e-4\nrun 20\nrun {scene['steps']}\n"
        out = os.path.join(arguments.folder, f"{name}.out")
        command = [arguments.grains, "run", path, "--threads", "1", "--quiet", "--overwrite", "--output", out]
        theirs, ours = [], []
        for _ in range(arguments.turns):
            theirs.append(run_lammps(arguments, name, deck))
            time = processor_time(command) - processor_time([*command, "--quick"])
            ours.append(1e9 * time / (scene["steps"] - 100) / scene["count"])
        for what, pick in (("least", min), ("median", statistics.median)):
            peer, own = pick(theirs), pick(ours)
            print(f"{name:7} {what:7} LAMMPS {peer:6.1f}  grains {own:6.1f}  ratio {peer / own:.2f}", flush=True)


if __name__ == "__main__":
    main()
