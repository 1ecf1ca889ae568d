"""The process that works on a mapped graph whose file is changed: run by test_files.py.

    reader.py FILE WORK

It works once for each line of its input, and always after the word `always`. It says whether the
answer is the `same` as the first or an `other` one, or what was refused.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gossamer as gs

FILE, WORK = sys.argv[1:]
graph = gs.read(FILE)
machine = gs.Machine("cpu:2x1")


def written() -> bytes:
    graph.write("copy.mtx")
    return Path("copy.mtx").read_bytes()


def steps() -> float:
    with gs.vertex_steps(graph, machine) as s:
        s.fields(near=0)
        s.numbers(all=0)
        s.send("1", "sum", into="near")
        s.reduce("near", "sum", into="all")
        return float(s["all"])


def search() -> Callable[[], Any]:
    prepared = gs.BfsSearch(machine.place(graph))
    return lambda: prepared.run(1).depths.tobytes()


def program() -> Callable[[], Any]:
    prepared = gs.vertex_program("max", "value", "int32").prepare(graph, machine)
    return lambda: prepared.run(1).values.tobytes()


#: What makes each. Some are prepared, and look at the file again in each run.
WORKS: dict[str, Callable[[], Callable[[], Any]]] = {
    "bfs": lambda: lambda: gs.bfs(graph, 1, machine, direction="bottom-up").depths.tobytes(),
    "search": search,
    "sssp": lambda: lambda: gs.sssp(graph, 1, machine).distances.tobytes(),
    "components": lambda: lambda: gs.components(graph, machine).labels.tobytes(),
    "pagerank": lambda: (
        lambda: gs.pagerank(graph, machine, tolerance=0.0, max_iterations=30).ranks.tobytes()
    ),
    "program": program,
    "steps": lambda: steps,
    "statistics": lambda: lambda: repr(graph.statistics(triangles=True)),
    "rebuild": lambda: lambda: graph.rebuild(symmetrize=True).indices.tobytes(),
    "place": lambda: lambda: gs.Machine("cpu:2x1").place(graph, partition="hash").machine.size,
    "write": lambda: written,
}

if __name__ == "__main__":
    work = WORKS[WORK]()
    expected = work()
    print("ready", flush=True)
    always = False
    while always or (asked := sys.stdin.readline()):
        always = always or asked == "always\n"
        try:
            answer = work()
            print("same" if answer == expected else "other", flush=True)
        except gs.InputError as refused:
            print(f"refused: {refused}", flush=True)
