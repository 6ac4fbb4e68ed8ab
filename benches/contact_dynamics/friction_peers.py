#!/usr/bin/env python3
"""Solves the problems of FCLIB by Siconos and by ours, file by file, and prints times and ratios as a table.

    apt-get install python3-siconos python3-h5py python3-scipy
    cargo build --release -p xtask
    /usr/bin/python3 benches/contact_dynamics/friction_peers.py --ours target/release/xtask --data DIR [--limit SECONDS]

One thread, processor time, from forces of zero; reading and assembly do not count. Solves of less than 0.2 s are repeated
for so long, and the mean counts. The residual R1 of every answer is computed here, with W as the file has it. Each solver
of Siconos gets the tolerances 1e-6 to 1e-14, W in blocks and W in compressed columns; its fastest run with R1 <= 1e-8 counts.
The ladder ends after two accepted runs, since tighter ones take longer, and where a run takes longer than the limit. Each runs in a process
of its own, since some crash. Ours runs before and after the peers of a file, and the slower of the two counts.
"""
import argparse
import os
import pathlib
import pickle
import re
import select
import signal
import subprocess
import sys
import tempfile
import time

for threads in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "RAYON_NUM_THREADS"):
    os.environ[threads] = "1"

import h5py
import numpy as np
import scipy.sparse as sp
import scipy.sparse.linalg
import siconos.numerics as sn

ACCEPTED = 1e-8
REPEAT = 0.2
LADDER = [10.0**-k for k in range(6, 15)]
PEERS = {
    "NSGS": sn.SICONOS_FRICTION_3D_NSGS,
    "NSN_AC": sn.SICONOS_FRICTION_3D_NSN_AC,
    "ADMM": sn.SICONOS_FRICTION_3D_ADMM,
    "PROX": sn.SICONOS_FRICTION_3D_PROX,
}


def matrix(group):
    """A matrix in CSparse's form."""
    one = lambda name: int(np.ravel(group[name])[0])
    shape, kind = (one("m"), one("n")), one("nz")
    p, i, x = (np.ravel(group[name]) for name in ("p", "i", "x"))
    if kind == -1:
        return sp.csc_matrix((x[: p[-1]], i[: p[-1]], p), shape)
    if kind == -2:
        return sp.csr_matrix((x[: p[-1]], i[: p[-1]], p), shape)
    return sp.coo_matrix((x[:kind], (i[:kind], p[:kind])), shape)


def symmetric(m):
    """A symmetric matrix of which both triangles or one of them are stored, as our reader takes it."""
    m = sp.csc_matrix(m)
    m.sum_duplicates()
    lower, upper = sp.tril(m, -1).tocsc(), sp.triu(m, 1).tocsc()
    for triangle in (lower, upper):
        triangle.eliminate_zeros()
    if (lower.nnz == 0) != (upper.nnz == 0):
        triangle = lower + upper
        return sp.csc_matrix(triangle + triangle.T + sp.diags(m.diagonal()))
    root = np.sqrt(np.abs(m.diagonal()))
    difference = sp.coo_matrix(lower - upper.T)
    for row, column, value in zip(difference.row, difference.col, difference.data):
        ours, mirrored = m[row, column], m[column, row]
        if abs(value) > 1e-2 * max(root[row] * root[column], abs(ours), abs(mirrored)):
            sys.exit(f"M is not symmetric: entry ({row}, {column}) is {ours}, its mirror image {mirrored}")
    return sp.csc_matrix(0.5 * (m + m.T))


def read_hdf5(path):
    """W, q and mu of a file of FCLIB; None for contacts that roll."""
    with h5py.File(path) as file:
        name = next(name for name in file if name.startswith("fclib"))
        group = file[name]
        if name.endswith("rolling"):
            return None
        vector = lambda name: np.ravel(group["vectors"][name])
        if name == "fclib_local":
            return sp.csc_matrix(matrix(group["W"])), vector("q"), vector("mu")
        mass, transposed = symmetric(matrix(group["M"])), sp.csc_matrix(matrix(group["H"]))
        factor = scipy.sparse.linalg.splu(mass)
        w = transposed.T @ factor.solve(transposed.toarray())
        return sp.csc_matrix(w), vector("w") + transposed.T @ factor.solve(vector("f")), vector("mu")


def read_text(path):
    """W, q and mu of a file of Siconos whose matrix is in blocks."""
    numbers = iter(path.read_text().split())
    take = lambda count, kind=int: [kind(next(numbers)) for _ in range(count)]
    _, contacts, _, rows, _, blocks = take(6)
    take(2 + 2 * contacts + 2)
    start, column = take(contacts + 1), take(blocks)
    w = sp.lil_matrix((rows, rows))
    for i in range(contacts):
        for k in range(start[i], start[i + 1]):
            take(1)
            w[3 * i : 3 * i + 3, 3 * column[k] : 3 * column[k] + 3] = np.reshape(take(9, float), (3, 3)).T
    return sp.csc_matrix(w), np.array(take(rows, float)), np.array(take(contacts, float))


def write_text(path, w, q, mu):
    """The text that Siconos reads as a matrix in blocks."""
    n = len(mu)
    w = sp.bsr_matrix(w.tocsr(), blocksize=(3, 3))
    w.sort_indices()
    line = lambda numbers: "\t".join(repr(x) for x in numbers) + "\n"
    ends = line(range(3, 3 * n + 1, 3))
    text = f"3\n{n}\n1\n{3 * n}\n{3 * n}\n{len(w.indices)}\n{n}\n{n}\n{ends}{ends}{n + 1}\n{len(w.indices)}\n"
    text += line(w.indptr.tolist()) + line(w.indices.tolist())
    for k, block in enumerate(w.data):
        text += f"{k}\n" + line(block.T.ravel().tolist())
    path.write_text(text + line(q.tolist()) + line(mu.tolist()))


def residual(w, q, mu, force):
    """R1 = |(r - P(r - rho (u + mu |u_t| n)))/rho| / |q|, rho = 3/tr W_ii."""
    r = np.reshape(force, (-1, 3))
    if not np.all(np.isfinite(r)):
        return np.inf
    u = np.reshape(w @ force + q, (-1, 3))
    rho = 3.0 / np.reshape(w.diagonal(), (-1, 3)).sum(axis=1)
    v = rho[:, None] * (u + np.outer(mu * np.hypot(u[:, 1], u[:, 2]), [1.0, 0.0, 0.0]))
    z = r - v
    norm = np.hypot(z[:, 1], z[:, 2])
    height = (z[:, 0] + mu * norm) / (1.0 + mu * mu)
    outside = np.maximum(norm - mu * height, 0.0)
    # r - P(z) as v plus the projection of z onto the polar cone: a small v beside a large r is not lost.
    inside = norm <= mu * z[:, 0]
    difference = v.copy()
    excess = np.where(inside, 0.0, outside)
    difference[:, 0] -= mu * excess
    direction = z[:, 1:] / np.where(norm > 0.0, norm, 1.0)[:, None]
    difference[:, 1:] += excess[:, None] * direction
    polar = mu * norm <= -z[:, 0]
    difference[polar] = r[polar]
    return np.linalg.norm(difference / rho[:, None]) / np.linalg.norm(q)


def in_child(work, limit):
    """The result of `work` in a process of its own; None if it takes longer than `limit` or crashes."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1)
        os.dup2(null, 2)
        with os.fdopen(writer, "wb") as pipe:
            pickle.dump(work(), pipe)
        os._exit(0)
    os.close(writer)
    end, data = time.monotonic() + limit + REPEAT + 5.0, b""
    while select.select([reader], [], [], max(0.0, end - time.monotonic()))[0]:
        part = os.read(reader, 1 << 20)
        if not part:
            break
        data += part
    os.close(reader)
    try:
        os.kill(child, signal.SIGKILL)
    except ProcessLookupError:
        pass
    os.waitpid(child, 0)
    try:
        return pickle.loads(data)
    except (EOFError, pickle.UnpicklingError):
        return None


def siconos(problem_of, solver, tolerance, contacts):
    """Seconds of a solve and its forces."""
    sn.numerics_set_verbose(0)

    def once():
        problem, options = problem_of(), sn.SolverOptions(solver)
        options.dparam[sn.SICONOS_DPARAM_TOL] = tolerance
        options.iparam[sn.SICONOS_IPARAM_MAX_ITER] = 100_000_000 if solver != PEERS["NSN_AC"] else 100_000
        force, velocity = np.zeros(3 * contacts), np.zeros(3 * contacts)
        start = time.process_time()
        sn.fc3d_driver(problem, force, velocity, options)
        return time.process_time() - start, force

    seconds, force = once()
    if seconds < REPEAT:
        total, solves = 0.0, 0
        while total < REPEAT and solves < 2000:
            total, solves = total + once()[0], solves + 1
        seconds = total / solves
    return seconds, force


def peer(name, forms, judge, contacts, limit):
    """The fastest accepted run of a peer, or its best residual: (seconds or inf, R1, tolerance, form, seconds of that)."""
    best = (np.inf, np.inf, None, None, np.inf)
    for form, problem_of in forms.items():
        accepted = 0
        for tolerance in LADDER:
            if accepted > 1:
                break
            found = in_child(lambda: siconos(problem_of, PEERS[name], tolerance, contacts), limit)
            if found is None:
                break
            seconds, r1 = found[0], judge(found[1])
            accepted += r1 <= ACCEPTED
            entry = (seconds if r1 <= ACCEPTED else np.inf, r1, tolerance, form, seconds)
            best = min(best, entry, key=lambda entry: (entry[0], entry[1]))
    return best


def ours(executable, path):
    """Seconds, R1 as reported and verdict of the first solver that `xtask fclib` prints."""
    text = subprocess.run([executable, "fclib", str(path)], capture_output=True, text=True).stdout
    found = re.search(r"CoulombSolver +([\d.]+) +(\S+) +\d+ +\d+ +(.*)", text)
    return float(found[1]) / 1e3, float(found[2]), found[3]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ours", required=True, help="path of xtask")
    parser.add_argument("--data", required=True, type=pathlib.Path, help="folder with .hdf5 and .dat files")
    parser.add_argument("--limit", type=float, default=60.0, help="wall clock seconds of one solve of a peer")
    parser.add_argument("--files", default="", help="only files whose names have this in them")
    arguments = parser.parse_args()
    print("| file | contacts | ours, ms | R1 | " + " | ".join(PEERS) + " | fastest / ours |")
    print("|---|---|---|---|" + "---|" * len(PEERS) + "---|", flush=True)
    ratios = []
    for path in sorted(arguments.data.iterdir()):
        if path.suffix not in (".hdf5", ".dat") or arguments.files not in path.name:
            continue
        data = read_hdf5(path) if path.suffix == ".hdf5" else read_text(path)
        if data is None:
            print(f"{path.name}: contacts that roll are left out", file=sys.stderr)
            continue
        w, q, mu = data
        judge = lambda force: residual(w, q, mu, force)
        first = ours(arguments.ours, path)
        with tempfile.TemporaryDirectory() as folder:
            blocks = pathlib.Path(folder) / "problem.dat"
            write_text(blocks, w, q, mu)
            forms = {
                "blocks": lambda: sn.frictionContact_new_from_filename(str(blocks)),
                "columns": lambda: sn.FrictionContactProblem(3, len(mu), sp.csc_matrix(w), q.copy(), mu.copy()),
            }
            found = {name: peer(name, forms, judge, len(mu), arguments.limit) for name in PEERS}
        seconds, r1, verdict = max(first, ours(arguments.ours, path))
        fastest = min(entry[0] for entry in found.values())
        ratio = fastest / seconds if verdict == "solved" else 0.0
        ratios.append((path.name, ratio))
        cells = []
        for entry in found.values():
            if entry[0] < np.inf:
                cells.append(f"{1e3 * entry[0]:.3g} ({entry[2]:.0e})")
            elif entry[2] is None:
                cells.append("no answer")
            else:
                cells.append(f"no: {entry[1]:.0e} in {1e3 * entry[4]:.3g}")
        said = f"{ratio:.2f}" if np.isfinite(ratio) else "no peer"
        print(f"| {path.name} | {len(mu)} | {1e3 * seconds:.3g} | {r1:.0e} | " + " | ".join(cells) + f" | {said} |", flush=True)
    counted = [ratio for name, ratio in ratios if "RockPile" not in name and 0.0 < ratio < np.inf]
    if counted:
        print(f"\ngeometric mean of {len(counted)} ratios without RockPile: {np.exp(np.mean(np.log(counted))):.2f}")


if __name__ == "__main__":
    main()
