"""What reading takes at its peak is no more than its plan says: formats by shapes that are hard on
memory. Each file is read in a process of its own, forked before anything else was done there."""

from __future__ import annotations

import gzip
import json
import lzma
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from peak_files import SHAPES, WRITERS

sparse = pytest.importorskip("scipy.sparse")

#: Blocks of text and what is parsed of them, on two threads; stacks, and what allocators keep.
ALLOWANCE = 8 << 20

BINARY = [name for name in WRITERS if WRITERS[name][0] in (".npz", ".gsr", ".sg", ".wsg")]
BINARY += ["Galois", "Graph500"]

CASES = [
    (f"{name}, {shape}{packed and ', ' + packed[1:]}", suffix + packed, write, shape)
    for name, (suffix, write, shapes) in WRITERS.items()
    if suffix != ".parquet"  # which Python reads; planned commands are tried with it
    for shape in shapes
    for packed in (
        "",
        *((".gz", ".xz") if name in ("Galois", "list") and shape != "far-ids" else ()),
    )
]

#: Of .xz: 4 MiB, as preset 3 has, found as fast as by preset 0.
WINDOW = [{"id": lzma.FILTER_LZMA2, "preset": 0, "dict_size": 4 << 20}]

#: Reads the files whose names come as lines of JSON, each in a child.
_READER = """
import json, os, sys
import gossamer
from gossamer import _gossamer

def resident(name):
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) * 1024 for line in status if line.startswith(name))

def read(path, symmetrize):
    plan = _gossamer.plan_read(path, "auto", symmetrize, False, False, 2, 0, ("", "", ""))
    before = resident("VmRSS:")
    graph = gossamer.read(path, symmetrize=symmetrize, threads=2)
    peak = resident("VmHWM:") - before
    return {"planned": sum(b for _, b in plan["items"]), "peak": peak, "items": plan["items"]}

for line in sys.stdin:
    path, symmetrize = json.loads(line)
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        try:
            print(json.dumps(read(path, symmetrize)), flush=True)
        except Exception as error:
            print(json.dumps({"error": str(error)}), flush=True)
        os._exit(0)
    os.waitpid(child, 0)
"""


@pytest.fixture(scope="module")
def peaks(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, bool], dict[str, Any]]:
    if not Path("/proc/self/status").exists():
        pytest.skip("no /proc")
    folder = tmp_path_factory.mktemp("peaks")
    asked: list[tuple[str, bool, Path]] = []
    for i, (name, suffix, write, shape) in enumerate(CASES):
        path = folder / f"{i}{suffix}"
        write(path, SHAPES[shape]())
        if suffix.endswith(".gz"):
            path.write_bytes(gzip.compress(path.read_bytes(), 1))
        if suffix.endswith(".xz"):
            path.write_bytes(lzma.compress(path.read_bytes(), filters=WINDOW))
        asked += [(name, symmetrize, path) for symmetrize in (False, True)]
    lines = "".join(json.dumps([str(path), symmetrize]) + "\n" for _, symmetrize, path in asked)
    ran = subprocess.run(
        [sys.executable, "-c", _READER], input=lines, capture_output=True, text=True, check=True
    )
    answers = [json.loads(line) for line in ran.stdout.splitlines()]
    found = {}
    for (name, symmetrize, path), answer in zip(asked, answers, strict=True):
        # Pages of a mapped file are the system's: it drops them when memory is short.
        mapped = name.split(",")[0] in BINARY and path.suffix not in (".gz", ".xz")
        answer["mapped"] = path.stat().st_size if mapped else 0
        found[name, symmetrize] = answer
    return found


@pytest.mark.parametrize("symmetrize", [False, True])
@pytest.mark.parametrize("name", [case[0] for case in CASES])
def test_reading_takes_what_its_plan_says(
    peaks: dict[tuple[str, bool], dict[str, Any]], name: str, symmetrize: bool
) -> None:
    found = peaks[name, symmetrize]
    assert "error" not in found, found
    assert found["peak"] <= found["planned"] + found["mapped"] + ALLOWANCE, found


#: Builds a graph of the arrays in a file, after it has asked what that takes.
_BUILDER = """
import json, os, re, sys
import numpy as np
import gossamer

def resident(name):
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) * 1024 for line in status if line.startswith(name))

a = dict(np.load(sys.argv[1]))
build = lambda: gossamer.from_edges(
    a["u"], a["v"], a["w"] if sys.argv[2] == "weighted" else None, int(a["n"]),
    symmetrize=sys.argv[3] == "symmetrize", threads=2,
)
os.environ["GOSSAMER_MEMORY"] = "1K"
try:
    build()
except gossamer.CapacityError as error:
    size, unit = re.search(r"takes up to ([\\d.]+) (.)iB", str(error)).groups()
    planned = float(size) * {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}[unit]
del os.environ["GOSSAMER_MEMORY"]
before = resident("VmRSS:")
graph = build()
print(json.dumps({"planned": planned, "peak": resident("VmHWM:") - before}))
"""


@pytest.mark.parametrize("steps", ["plain", "symmetrize"])
@pytest.mark.parametrize("weights", ["none", "weighted"])
@pytest.mark.parametrize("shape", ["random", "one-row", "few-arcs"])
def test_from_edges_takes_what_its_refusal_says(
    tmp_path: Path, shape: str, weights: str, steps: str
) -> None:
    u, v, w, n = SHAPES[shape]()
    path = tmp_path / "edges.npz"
    np.savez(path, u=u, v=v, w=w, n=n)
    ran = subprocess.run(
        [sys.executable, "-c", _BUILDER, str(path), weights, steps],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    found = json.loads(ran.stdout)
    assert found["peak"] <= found["planned"] + ALLOWANCE / 2, found
