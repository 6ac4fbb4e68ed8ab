#!/usr/bin/env python3
"""Checks `grains-mpi` against `grains`: the same bytes on 1 to 5 ranks, after kills, and one message for each failure.

    cargo build --release -p grains && cargo build --release --manifest-path mpi/Cargo.toml
    mpi/check.py [--grains PATH] [--mpi PATH] [--mpiexec COMMAND] [--ranks 1,2,3,4,5] [--kills 30] [--seed N]

It ends with an error at the first difference. Kills are those of the seed, which it prints. For Open MPI, build
`grains-mpi` with `MPICC=mpicc.openmpi`, and give `--mpiexec "mpiexec.openmpi --oversubscribe"`.
"""
import argparse
import hashlib
import os
import pathlib
import random
import shutil
import signal
import subprocess
import tempfile
import time

HOME = pathlib.Path(__file__).resolve().parent
SCENES = ["mesh_and_source", "polydisperse", "bonds"]
# No run of the scenes takes so many seconds.
LONG = 120
# All processes end within so many seconds after one was killed.
SOON = 10
SPRINGS_TO_DASHPOTS = ("friction-spring = { stiffness = 6e3, friction = 0.3 }", "viscous.gamma = 90.0")
# What a scene fails with, by the words of its message: another law, if any, and bodies that are added.
FAILURES = {
    "overlap": ("polydisperse", None, """
[[bodies]]
place = { list = [[6.0, 6.0, 44.0]] }
radius = 0.5
mass = 1.0
velocity = [0.0, 0.0, -900.0]
"""),
    # A spin makes a force infinite. No guard looks at energies where a group is driven.
    "is not finite": ("mesh_and_source", SPRINGS_TO_DASHPOTS, """
[[bodies]]
place = { list = [[5.0, 5.0, 50.0]] }
radius = 0.5
fixed = true
oscillation = { amplitude = [0.0, 0.0, 0.01], frequency = 9.0 }
[[bodies]]
place = { list = [[0.5, 0.5, 24.25]] }
radius = 0.5
mass = 1.0
velocity = [0.0, 0.0, -9.0]
spin = [1e308, 0.0, 0.0]
"""),
}


def hashes(folder):
    """The sha256 of each file of a run; the checkpoint before the last one depends on when runs began."""
    files = [path for path in sorted(folder.rglob("*")) if path.is_file() and path.name != "previous.grains"]
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def assert_same(folder, expected, what):
    found, expected = hashes(folder), hashes(expected)
    different = sorted(name for name in found.keys() | expected.keys() if found.get(name) != expected.get(name))
    assert not different, f"{what}: {different}"


def run(command, code=0):
    """Runs a command to its end, and returns what it says."""
    ended = subprocess.run(command, capture_output=True, text=True, timeout=LONG)
    assert ended.returncode == code, f"{command} ended with {ended.returncode}: {ended.stderr}"
    return ended.stderr


def ranks_of(program, folder):
    """The processes that run this folder."""
    def line(process):
        try:
            return (process / "cmdline").read_bytes().split(b"\0")
        except OSError:
            return []

    processes = [path for path in pathlib.Path("/proc").iterdir() if path.name.isdigit()]
    is_rank = lambda line: line[:1] == [os.fsencode(program)] and os.fsencode(folder) in line
    return [int(process.name) for process in processes if is_rank(line(process))]


def kill(program, command, folder, whole_takes):
    """Begins a run, and kills one of its ranks at a random moment. Returns how long the others took to end; nothing if
    the run was over before, or had not begun."""
    moment, choice = random.uniform(0.05, 1.0) * whole_takes, random.random()
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(moment)
    ranks = sorted(ranks_of(program, folder))
    if not ranks or child.poll() is not None:
        assert child.wait(LONG) == 0
        return None
    begin = time.monotonic()
    try:
        os.kill(ranks[int(choice * len(ranks))], signal.SIGKILL)
    except ProcessLookupError:
        pass
    code = child.wait(SOON)
    while ranks_of(program, folder):
        assert time.monotonic() - begin < SOON, "a rank goes on"
    # With code 0 all was written.
    return time.monotonic() - begin if code else None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--grains", default=str(HOME / "../target/release/grains"))
    parser.add_argument("--mpi", default=str(HOME / "target/release/grains-mpi"))
    parser.add_argument("--mpiexec", default="mpiexec")
    parser.add_argument("--ranks", default="1,2,3,4,5")
    parser.add_argument("--kills", type=int, default=30)
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    arguments = parser.parse_args()
    counts = [int(count) for count in arguments.ranks.split(",")]
    on = lambda count: [*arguments.mpiexec.split(), "-n", str(count), arguments.mpi]
    with tempfile.TemporaryDirectory() as home:
        home = pathlib.Path(home)
        expected, takes = {}, {}
        for scene in SCENES:
            path, expected[scene] = str(HOME / "scenes" / f"{scene}.toml"), home / scene
            run([arguments.grains, "run", path, "--quiet", "--output", str(expected[scene])])
            for count in counts:
                folder, begin = home / f"{scene}-{count}", time.monotonic()
                run([*on(count), "run", path, "--quiet", "--output", str(folder)])
                takes[scene, count] = time.monotonic() - begin
                assert_same(folder, expected[scene], f"{scene} on {count} ranks")
            print(f"{scene}: {len(hashes(expected[scene]))} files are the same on {arguments.ranks} ranks", flush=True)
        for words, (scene, law, bodies) in FAILURES.items():
            path = home / f"failing_{scene}.toml"
            text = (HOME / "scenes" / f"{scene}.toml").read_text().replace("../..", str(HOME.parent))
            if law:
                assert law[0] in text, f"{scene} has other laws"
                text = text.replace(*law)
            path.write_text(text + bodies)
            output = ["--quiet", "--output", str(home / "failing"), "--overwrite"]
            alone = run([arguments.grains, "run", str(path), *output], 1)
            assert words in alone, alone
            for count in [count for count in counts if count > 1]:
                said = run([*on(count), "run", str(path), *output], 1)
                assert said.count("error:") == 1 and alone.strip() in said, f"{alone}\n{said}"
            print(f"{words}: one message and code 1", flush=True)
        random.seed(arguments.seed)
        several = [count for count in counts if count > 1]
        kills, whole, slowest, tries = 0, 0, 0.0, 0
        while kills < arguments.kills:
            tries += 1
            assert tries < 3 * arguments.kills + 10, "most runs end before they are killed"
            scene, folder = random.choice(SCENES), home / "killed"
            count, then = random.choice(several), random.choice(counts)
            path = str(HOME / "scenes" / f"{scene}.toml")
            shutil.rmtree(folder, ignore_errors=True)
            begin = [*on(count), "run", path, "--quiet", "--output", str(folder)]
            took = kill(arguments.mpi, begin, folder, takes[scene, count])
            if took is None:
                continue
            kills, slowest = kills + 1, max(slowest, took)
            if (folder / "checkpoint.grains").exists():
                whole += 1
                run([*on(then), "resume", str(folder), "--quiet"])
                assert_same(folder, expected[scene], f"{scene}: {count} ranks, then {then}")
        print(f"{kills} kills (seed {arguments.seed}): all ended within {slowest:.2f} s; ", end="")
        print(f"{whole} had a checkpoint and went on to the same bytes")


if __name__ == "__main__":
    main()
