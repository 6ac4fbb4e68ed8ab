#!/usr/bin/env python3
"""Solves the compatibility problem of the pyramid by general solvers and by ours, one after the other, and prints ratios.

    cargo bench --no-run --bench compatibility      # prints the path of the executable
    benches/contact_dynamics/peers.py --ours PATH [--layers 20,40] [--limit SECONDS]

OSQP, SCS and Clarabel come from `pip install osqp scs clarabel scipy` (into an environment outside the repository); what is
not installed is left out. All solve min sum f^2/2k over B^T f = F, f >= 0 for equal stiffnesses on one thread, from set-up
to answer; the dual form is the fastest of those tried for each. Force errors are against the tightest of our answers: a peer
counts at the loosest tolerance that gives its forces to 1e-8 of the largest one, or, if none does, at the best it gives.
"""
import argparse
import importlib.util
import os
import re
import subprocess
import tempfile
import time

os.environ["OMP_NUM_THREADS"] = "1"
os.environ["OPENBLAS_NUM_THREADS"] = "1"
os.environ["RAYON_NUM_THREADS"] = "1"

import numpy as np
import scipy.sparse as sp


def pyramid(layers):
    """B^T and F of the pyramid, contacts sorted as ours are."""
    first, number = [], 0
    for k in range(layers):
        first.append(number)
        number += (layers - k) ** 2
    fixed, centre, pairs = layers * layers, [], []
    for k in range(layers):
        side = layers - k
        for i in range(side):
            for j in range(side):
                a = first[k] + i * side + j
                centre.append((i + k / 2, j + k / 2, k / np.sqrt(2)))
                if k > 0 and j + 1 < side:
                    pairs.append((a, a + 1))
                if k > 0 and i + 1 < side:
                    pairs.append((a, a + side))
                for p, q in ((i - 1, j - 1), (i - 1, j), (i, j - 1), (i, j)):
                    if 0 <= p < side - 1 and 0 <= q < side - 1:
                        pairs.append((a, first[k + 1] + p * (side - 1) + q))
    centre, pairs = np.array(centre), np.array(pairs)
    normal = centre[pairs[:, 1]] - centre[pairs[:, 0]]
    rows, columns, values = [], [], []
    for sign, body in ((-1.0, pairs[:, 0]), (1.0, pairs[:, 1])):
        free = body >= fixed
        for d in range(3):
            keep = free & (normal[:, d] != 0)
            rows.append(3 * (body[keep] - fixed) + d)
            columns.append(np.nonzero(keep)[0])
            values.append(sign * normal[keep, d])
    shape = (3 * (number - fixed), len(pairs))
    transpose = sp.csc_matrix((np.concatenate(values), (np.concatenate(rows), np.concatenate(columns))), shape)
    load = np.tile([0.0, 0.0, 1.0], number - fixed)
    return transpose, load


def clarabel(transpose, load, tolerance, limit):
    import clarabel as solver

    m, n = transpose.shape
    settings = solver.DefaultSettings()
    settings.verbose, settings.time_limit, settings.max_threads = False, limit, 1
    settings.tol_gap_abs = settings.tol_gap_rel = settings.tol_feas = tolerance
    constraints = sp.vstack([transpose, -sp.identity(n)]).tocsc()
    right = np.concatenate([load, np.zeros(n)])
    cones = [solver.ZeroConeT(m), solver.NonnegativeConeT(n)]
    problem = solver.DefaultSolver(sp.identity(n).tocsc(), np.zeros(n), constraints, right, cones, settings)
    return np.array(problem.solve().x)


def osqp(transpose, load, tolerance, limit):
    import osqp as solver

    n = transpose.shape[1]
    constraints = sp.vstack([transpose, sp.identity(n)]).tocsc()
    problem = solver.OSQP()
    problem.setup(
        sp.identity(n).tocsc(),
        np.zeros(n),
        constraints,
        np.concatenate([load, np.zeros(n)]),
        np.concatenate([load, np.full(n, np.inf)]),
        verbose=False,
        eps_abs=tolerance,
        eps_rel=tolerance,
        max_iter=1_000_000,
        time_limit=limit,
        polishing=False,
    )
    return np.array(problem.solve().x)


def scs(transpose, load, tolerance, limit):
    import scs as solver

    m, n = transpose.shape
    data = {
        "P": sp.identity(n).tocsc(),
        "c": np.zeros(n),
        "A": sp.vstack([transpose, -sp.identity(n)]).tocsc(),
        "b": np.concatenate([load, np.zeros(n)]),
    }
    options = {"eps_abs": tolerance, "eps_rel": tolerance, "max_iters": 1_000_000, "time_limit_secs": limit}
    return solver.SCS(data, {"z": m, "l": n}, verbose=False, **options).solve()["x"]


def ours(executable, layers):
    """Milliseconds of our default on one thread, and its forces."""
    with tempfile.NamedTemporaryFile() as forces:
        command = [executable, "--layers", str(layers), "--no-peer", "--law", "Hooke", "--forces", forces.name]
        text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        return float(re.search(r"Hooke *: *([\d.]+) ms", text)[1]), np.loadtxt(forces.name)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ours", required=True)
    parser.add_argument("--layers", default="20")
    parser.add_argument("--limit", type=float, default=300.0, help="seconds for one solve of a peer")
    arguments = parser.parse_args()
    for layers in map(int, arguments.layers.split(",")):
        transpose, load = pyramid(layers)
        before, exact = ours(arguments.ours, layers)
        results = []
        for name, solve in (("Clarabel", clarabel), ("OSQP", osqp), ("SCS", scs)):
            if importlib.util.find_spec(name.lower()) is None:
                print(f"{name} is not installed")
                continue
            importlib.import_module(name.lower())
            for tolerance in (1e-6, 1e-8, 1e-10, 1e-12):
                start = time.perf_counter()
                force = solve(transpose, load, tolerance, arguments.limit)
                elapsed = time.perf_counter() - start
                error = np.max(np.abs(force - exact)) / np.max(exact) if force is not None else np.inf
                results.append((name, tolerance, elapsed, error))
                if error <= 1e-8 or elapsed > 0.5 * arguments.limit:
                    break
        after, _ = ours(arguments.ours, layers)
        best = min(before, after)
        print(f"{layers} layers, {len(exact)} contacts: ours {best:.1f} ms")
        for name, tolerance, elapsed, error in results:
            ratio = 1e3 * elapsed / best
            print(f"  {name:9} at {tolerance:.0e}: {1e3 * elapsed:9.1f} ms, force error {error:.0e}: {ratio:.0f} times ours")


if __name__ == "__main__":
    main()
