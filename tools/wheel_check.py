"""Tries an installed wheel where nothing else of Gossamer is: what a new user does first, and
whether the libraries loaded are those that the wheel brings."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import gossamer as gs
import networkx as nx

#: What it brings along; Python and NumPy may have loaded the machine's other libraries.
BROUGHT = ("libmetis", "libhwloc", "libboost_context", "libzstd", "libgomp")


def mapped() -> set[Path]:
    maps = Path("/proc/self/maps").read_text(encoding="utf-8")
    return {Path(line.split(maxsplit=5)[5]) for line in maps.splitlines() if ".so" in line}


def main() -> None:
    ours = Path(gs.__file__).parent / "_gossamer.abi3.so"
    kind = "stable ABI" if ours.exists() else f"Python 3.{sys.version_info.minor}"
    machine = gs.Machine("cpu:2")
    tree = gs.bfs(gs.kronecker(10), 1, machine)
    tree.verify()
    graph = gs.from_edges(["ann", "bob", "cy"], ["bob", "cy", "dan"], symmetrize=True)
    assert gs.bfs(graph, "ann", machine)["dan"] == 3
    karate = nx.karate_club_graph()
    theirs, found = nx.pagerank(karate), nx.pagerank(karate, backend="gossamer")
    assert max(abs(theirs[v] - found[v]) for v in karate) < 1e-6
    shown = subprocess.run(
        ["gossamer", "bfs", "kron:10", "--verify"], capture_output=True, text=True, check=True
    )
    assert "verified" in shown.stdout + shown.stderr, shown
    inside = Path(gs.__file__).parent.parent / "gossamer.libs"
    for library in BROUGHT:
        files = [file for file in mapped() if file.name.startswith(library)]
        assert files, f"{library} is not loaded"
        assert all(file.parent == inside for file in files), f"of the machine: {files}"
    print(f"wheel of {kind}: search, names, NetworkX and command work, with its own libraries")


if __name__ == "__main__":
    main()
