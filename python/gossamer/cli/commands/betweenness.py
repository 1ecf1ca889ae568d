"""`gossamer betweenness GRAPH`: betweenness of vertices or edges, verified on request."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
import typer

from gossamer.algorithm.betweenness import (
    BetweennessResult,
    BetweennessSearch,
    EdgeBetweennessResult,
    compare_betweenness,
    verify_betweenness,
)
from gossamer.cli import options
from gossamer.cli.graph_command import GraphCommand, run_json
from gossamer.cli.groups import OfTable, Reading, Running, Working
from gossamer.cli.input.numbers import read_vertex_numbers
from gossamer.cli.output.plots import plot_ranks
from gossamer.cli.runs import checked, print_runs
from gossamer.errors import InputError, UsageError
from gossamer.graph import Graph


def betweenness(
    graph: options.GraphArgument,
    source: Annotated[
        list[str] | None,
        typer.Option(metavar="V", help="Paths begin at this vertex; any number of them."),
    ] = None,
    *,
    how: Annotated[dict[str, Any], OfTable("betweenness")],
    running: Running,
    reading: Reading,
    largest_component: options.LargestComponent = False,
    working: Working,
) -> None:
    """Find who is between others: the share of shortest paths through each vertex, or edge."""
    if running.partition != "auto":
        raise UsageError(
            f"betweenness: --partition {running.partition}: all ranks read the same rows, and none "
            "owns vertices"
        )
    if source and how["samples"]:
        raise UsageError("give --source or --samples, not both")
    command = GraphCommand.open(
        "betweenness", graph, reading, running, working, largest_component=largest_component
    )
    if working.plan:  # scores are written as they are
        return command.plan_of(BetweennessSearch, how | {"sources": source or None})
    verify_with, report = running.verify_with, command.report
    expected = None if verify_with is None else read_vertex_numbers(verify_with, "scores")
    of_vertices = (None, None) if how["edges"] else (verify_with, expected)
    loaded, given, needs = command.prepared(
        BetweennessSearch, how | {"sources": source or None}, of_vertices
    )
    if how["edges"] and expected is not None:
        edges = _edges(loaded)
        if expected.size not in (loaded.arcs, edges):
            raise InputError(
                f"{verify_with}: {expected.size} numbers, {loaded.name} has {edges} edges and "
                f"{loaded.arcs} arcs"
            )
    if source:
        found = [options.vertex(loaded, of, "--source") for of in source]
        given["sources"] = np.array(found, np.int64)

    def check(result: BetweennessResult) -> None:
        if expected is not None:
            theirs = expected
            if isinstance(result, EdgeBetweennessResult) and expected.size != loaded.arcs:
                # One of each edge, as --output has them.
                theirs = result.scores.copy()
                theirs[result.arcs] = expected
            compare_betweenness(loaded, result.scores, theirs)
        if running.verify:
            verify_betweenness(
                loaded, result.scores, sources=result.sources if result.sources.size else None,
                edges=how["edges"], normalized=how["normalized"], endpoints=how["endpoints"],
                timeout=running.timeout,
            )  # fmt: skip

    def to_json(result: BetweennessResult) -> dict[str, Any]:
        known = np.nan_to_num(result.scores, nan=-1.0)
        # null: there is no vertex, or no edge.
        top = None if known.size == 0 else int(known.argmax())
        highest: Any = None
        if top is not None and how["edges"]:
            tail = int(np.searchsorted(loaded.indptr, top, "right")) - 1
            highest = [loaded.name_of(tail), loaded.name_of(int(loaded.indices[top]))]
        elif top is not None:
            highest = loaded.name_of(top)
        return run_json(result) | {
            "searches": result.searches,
            "rescaled": result.rescaled,
            "highest": None if top is None else float(known[top]),
            "highest_of": highest,
        }

    runs = command.runs(check, to_json)
    described = command.make_all(
        loaded, needs, runs, how | {"source": source},
        lambda: BetweennessSearch(loaded, command.where, **given).run, [()],
    )  # fmt: skip
    command.print_head(loaded, runs.first)
    print_runs(
        report,
        ["searches", "highest", "of", "ms", "verified"],
        (
            (f"{run['searches']:,}", "" if run["highest"] is None else f"{run['highest']:.6g}",
             _written(run["highest_of"]), f"{run['milliseconds']:.3f}", checked(run["verified"]))
            for run in runs.described
        ),
    )  # fmt: skip
    report.json(described | {"summary": runs.summary()})
    command.save(runs, _arrays, by_vertex=not how["edges"])
    title = f"{loaded.name}: {runs.first.searches:,} searches"
    command.draw(
        lambda path: plot_ranks(path, np.nan_to_num(command.drawn.scores), title, "betweenness")
    )


def _written(highest_of: Any) -> str:
    """A vertex, or both of an edge's."""
    if isinstance(highest_of, list):
        return " - ".join(map(str, highest_of))
    return "" if highest_of is None else str(highest_of)


def _edges(graph: Graph) -> int:
    """Of an undirected graph each once: both arcs of one are stored, a loop's one."""
    if not graph.symmetric:
        return graph.arcs
    tails = np.repeat(np.arange(graph.vertices, dtype=graph.indices.dtype), graph.degrees)
    return (graph.arcs + int(np.count_nonzero(tails == graph.indices))) // 2


def _arrays(last: BetweennessResult) -> dict[str, Any]:
    if not isinstance(last, EdgeBetweennessResult):
        return {"scores": last.scores}
    return {
        "arcs": last.arcs, "tails": last.tails, "heads": last.heads,
        "scores": last.scores[last.arcs],
    }  # fmt: skip
