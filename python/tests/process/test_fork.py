"""Machines and graphs of a process serve in the children that it forks."""

from __future__ import annotations

import subprocess
import sys

import pytest

#: What the parent does before it forks, and the child again.
CALLS = {
    "bfs": "gs.bfs(graph, source, 'cpu:1').reached",
    "bfs-ranks": "gs.bfs(graph, source, 'cpu:2').reached",
    "search": "search.run(source).reached",
    "sssp": "float(gs.sssp(weighted, source, 'cpu:2').distances.max() > 0)",
    "components": "gs.components(graph, 'cpu:1x2').count",
    "pagerank": "round(float(gs.pagerank(graph, 'cpu:2').ranks.sum()), 6)",
    "triangles": "gs.triangles(graph, 'cpu:2x1').total",
    "betweenness": "round(float(gs.betweenness(graph, 'cpu:1x2', samples=9).scores.sum()), 6)",
    "core-numbers": "gs.core_numbers(graph, 'cpu:1x2').degeneracy",
    "spanning-forest": "float(gs.spanning_forest(weighted, 'cpu:2x1').weight)",
    "strong-components": "gs.strong_components(graph, 'cpu:2x1').count",
    "communities": "gs.communities(graph, 'cpu:1x2').modularity",
    "closeness": "round(float(gs.closeness(graph, machine='cpu:2x1').values.sum()), 6)",
    "random-walks": "int(gs.random_walks(graph, machine='cpu:2x1').walks.sum())",
    "steps": "int(gs.coloring(graph, 'cpu:2x1').colors.max())",
    "build": "gs.from_edges([0, 1, 2], [1, 2, 3], symmetrize=True).arcs",
    "statistics": "graph.statistics(triangles=True).triangles",
    "program": "int(program.run(graph, source, 'cpu:2').values.max())",
}

PROGRAM = """
import multiprocessing
import gossamer as gs

graph = gs.kronecker(8)
weighted = gs.kronecker(8, weights=True)
source = gs.draw_sources(graph, 1)[0]
search = gs.BfsSearch(gs.Machine("cpu:2").place(graph))
program = gs.vertex_program("max", "value", "int32")

def call(_):
    return {call}

if __name__ == "__main__":
    expected = call(0)
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert pool.map_async(call, range(4)).get(timeout=30) == [expected] * 4
    assert call(0) == expected
"""


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_a_pool_of_forked_processes_answers_as_their_parent(call: str) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", PROGRAM.replace("{call}", call)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (ran.returncode, ran.stderr) == (0, "")
