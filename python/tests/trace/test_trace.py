"""Traces: the format, what they add up to, files that are none, the command and the picture."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import gossamer as gs
import pytest
from gossamer.trace import (
    Event,
    clip,
    complement,
    critical_path,
    length,
    overlap,
    parse_trace,
    pieces,
    union,
)

MACHINES = ["cpu:1x1", "cpu:3x1", "sim:peach2,ranks=4"]


def traced(machine: str, runs: int = 1, **options: Any) -> tuple[gs.Trace, list[gs.BfsResult]]:
    graph = gs.kronecker(12)
    trace = gs.Trace()
    placed = gs.Machine(machine).place(graph)
    search = gs.BfsSearch(placed, trace=trace, **options)
    sources = gs.draw_sources(graph, runs)
    return trace, [search.run(source) for source in sources]


# --- the format ---------------------------------------------------------------------------------


def check_chrome(document: dict[str, Any]) -> dict[tuple[int, int], list[tuple[float, float]]]:
    """The rules of Chrome's trace event format that viewers rely on; events by thread."""
    assert isinstance(document["otherData"], dict)
    threads: dict[tuple[int, int], list[tuple[float, float]]] = defaultdict(list)
    named = set()
    for e in document["traceEvents"]:
        assert e["ph"] in ("X", "i", "M") and isinstance(e["pid"], int) and e["name"]
        if e["ph"] == "M":
            assert e["name"] in ("process_name", "thread_name", "thread_sort_index")
            if e["name"] == "thread_name":
                named.add((e["pid"], e["tid"]))
            continue
        assert isinstance(e["tid"], int) and e["ts"] >= 0 and e["cat"]
        if e["ph"] == "i":
            assert e["s"] in ("t", "p", "g")
        else:
            assert e["dur"] >= 0
            # Nanoseconds, so that sums of doubles do not decide what is nested.
            threads[e["pid"], e["tid"]].append(
                (round(e["ts"] * 1e3), round((e["ts"] + e["dur"]) * 1e3))
            )
    assert set(threads) <= named
    return threads


def check_nested(events: list[tuple[float, float]]) -> None:
    """Complete events of one thread lie inside each other or apart."""
    ends: list[float] = []
    for begin, end in sorted(events, key=lambda e: (e[0], -e[1])):
        while ends and ends[-1] <= begin:
            ends.pop()
        assert not ends or end <= ends[-1], (begin, end, ends)
        ends.append(end)


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("engine", ["auto", "published"])
def test_the_format_is_chromes(machine: str, engine: str) -> None:
    trace, results = traced(machine, 2, engine=engine)
    document = json.loads(trace.json())
    for events in check_chrome(document).values():
        check_nested(events)
    about = document["otherData"]
    assert about["format"] == "gossamer trace 1" and about["machine"] == machine
    assert about["dropped"] == trace.dropped == 0
    assert [r["milliseconds"] for r in about["runs"]] == [r.milliseconds for r in results]
    assert [r["levels"] for r in about["runs"]] == [r.levels for r in results]
    levels = [e for e in document["traceEvents"] if e["ph"] == "i"]
    ranks = len(about["ranks"])
    assert len(levels) == ranks * sum(r.levels for r in results)
    assert levels[0]["name"].startswith("level 0 top-down")


def test_traces_of_models_repeat() -> None:
    assert (
        traced("sim:expether,ranks=4", 2)[0].json() == traced("sim:expether,ranks=4", 2)[0].json()
    )


# --- sums ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("engine", ["auto", "published", "async", "tasks"])
def test_times_add_up_to_what_was_measured(machine: str, engine: str) -> None:
    trace, results = traced(machine, 3, engine=engine)
    for run, result in zip(trace.summary(), results, strict=True):
        assert run.milliseconds == result.milliseconds
        assert run.traced == pytest.approx(result.milliseconds, rel=0.05)
        for rank in run.ranks:
            assert rank.busy + rank.wait + rank.idle == pytest.approx(result.milliseconds, rel=0.05)
        assert sum(p.milliseconds for p in run.path) == pytest.approx(run.traced, rel=0.01)


@pytest.mark.parametrize("engine", ["auto", "published", "async", "tasks"])
def test_what_a_modelled_search_does_is_in_its_spans(engine: str) -> None:
    # In virtual time nothing disturbs: what no event covers was forgotten.
    (run,) = traced("sim:peach2,ranks=4", engine=engine)[0].summary()
    for rank in run.ranks:
        assert rank.idle <= 0.01 * run.milliseconds, rank


_OTHERS: dict[str, Callable[..., Any]] = {
    "triangles": gs.triangles, "core_numbers": gs.core_numbers,
    "spanning_forest": gs.spanning_forest, "strong_components": gs.strong_components,
    "betweenness": partial(gs.betweenness, samples=64), "closeness": gs.closeness,
    "eccentricity": gs.eccentricity, "diameter": gs.diameter, "louvain": gs.communities,
    "leiden": partial(gs.communities, method="leiden"), "random_walks": gs.random_walks,
}  # fmt: skip


@pytest.mark.parametrize("algorithm", _OTHERS)
def test_what_other_algorithms_do_is_in_their_spans(algorithm: str, tmp_path: Path) -> None:
    graph = gs.kronecker(10, weights=True)
    _OTHERS[algorithm](graph, "sim:peach2,ranks=4", trace=tmp_path / "t.json")
    (run,) = gs.sum_runs(gs.read_trace(tmp_path / "t.json"))
    assert run.milliseconds > 0 and sum(rank.compute for rank in run.ranks) > 0
    for rank in run.ranks:
        assert rank.idle <= 0.05 * run.milliseconds, rank


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("engine", ["auto", "sync", "published", "vector_queue", "async", "tasks"])
def test_every_engine_computes(machine: str, engine: str) -> None:
    (run,) = traced(machine, engine=engine)[0].summary()
    for rank in run.ranks:
        assert rank.compute > 0, rank
        if engine == "async" and len(run.ranks) > 1:
            assert rank.by_name["send"] > 0, rank


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("engine", ["auto", "sync", "published", "vector_queue", "async", "tasks"])
def test_work_lies_within_its_run(machine: str, engine: str) -> None:
    events = traced(machine, engine=engine)[0].parsed().events
    runs = {e.rank: e for e in events if e.kind == "run"}
    work = [e for e in events if e.kind == "level" or e.name in ("expand", "top-down")]
    assert {e.rank for e in work} == set(runs)
    for e in work:
        whole = runs[e.rank]
        assert whole.begin - 1e-6 <= e.begin <= e.end <= whole.end + 1e-6, (e, whole)


@pytest.mark.parametrize("machine", ["cpu:3x1", "sim:peach2,ranks=4"])
def test_links_carry_the_bytes_that_the_search_accounts(machine: str) -> None:
    trace, (result,) = traced(machine, engine="published")
    (run,) = trace.summary()
    (out, tree) = (m for m in result.messages if m.kind in ("out", "tree"))
    large = sum(link.bytes for link in run.links)
    # Agreement travels by stores on CPU ranks and by small puts on modelled ones.
    flags = next(m for m in result.messages if m.kind == "flag").bytes
    assert out.bytes + tree.bytes <= large <= out.bytes + tree.bytes + 16 * flags
    for link in run.links:
        assert link.source != link.target and 0 < link.busy <= run.traced
        assert link.rate >= link.mean_rate > 0
        if machine.startswith("sim"):
            assert link.use_while_busy is not None and 0 < link.use_while_busy <= 1
        else:
            assert link.bandwidth is None and link.use is None


def test_levels_are_those_of_the_search() -> None:
    trace, (result,) = traced("sim:peach2,ranks=4")
    levels = [level for level in trace.summary()[0].levels if level.level is not None]
    assert [level.level for level in levels] == list(range(result.levels))
    assert [level.name for level in levels] == [level.direction for level in result.per_level]
    assert [level.frontier for level in levels] == [level.frontier for level in result.per_level]
    for mine, of_search in zip(levels, result.per_level, strict=True):
        assert mine.milliseconds == pytest.approx(of_search.milliseconds, rel=0.01, abs=1e-6)
        assert mine.hidden is not None and 0 <= mine.hidden <= 1


def test_conjugate_gradient() -> None:
    trace = gs.Trace()
    solver = gs.CgSolver(gs.matrix("poisson:20x20"), "cpu:2x1", iterations=7, trace=trace)
    result = solver.solve([1.0] * 400)
    (run,) = trace.summary()
    assert run.algorithm == "cg" and run.traced == pytest.approx(result.milliseconds, rel=0.05)
    assert [level.level for level in run.levels if level.level is not None] == list(range(7))
    assert {"spmv", "allreduce"} <= set(run.ranks[0].by_name)


# --- the sums' own rules, by hand ---------------------------------------------------------------


def event(name: str, kind: str, begin: float, end: float, rank: int, **more: Any) -> Event:
    return Event(name, kind, begin, end, rank, 0, rank, **more)


def document(events: list[Event], ranks: int, milliseconds: float) -> dict[str, Any]:
    """A trace as the library writes it, of these events."""

    def written(e: Event) -> dict[str, Any]:
        args: dict[str, Any] = {"rank": e.rank, "run": e.run}
        if e.level is not None:
            args["level"] = e.level
        if e.kind == "copy":
            args |= {"bytes": e.bytes, "from": e.source, "to": e.target}
        if e.kind == "wait":
            args["for"] = e.peer
        return {
            "ph": "X", "name": e.name, "cat": e.kind, "ts": 1e3 * e.begin, "pid": 0,
            "dur": 1e3 * (e.end - e.begin), "tid": e.thread, "args": args,
        }  # fmt: skip

    return {
        "traceEvents": [written(e) for e in events],
        "otherData": {
            "format": "gossamer trace 1", "machine": "two", "fabric": "none", "clock": "wall",
            "dropped": 0,
            "ranks": [{"rank": r, "compute_threads": [r]} for r in range(ranks)],
            "links": [{"from": 0, "to": 1, "transport": "none", "bandwidth": 1e6}],
            "runs": [{"run": 0, "algorithm": "x", "milliseconds": milliseconds}],
        },
    }  # fmt: skip


def two_ranks(computing_until: float) -> dict[str, Any]:
    """Rank 0 computes 4 ms, then 2000 bytes take 2 ms to rank 1, beside both; rank 1 computes until
    some moment, waits for them until 6 ms and computes 4 ms with them."""
    return document(
        [
            event("run", "run", 0, 6, 0),
            event("run", "run", 0, 10, 1),
            event("make", "compute", 0, 4, 0),
            Event("put", "copy", 4, 6, 0, 0, 100, 3, bytes=2000, source=0, target=1),
            event("other", "compute", 0, computing_until, 1),
            event("wait_signal", "wait", computing_until, 6, 1, peer=0),
            event("use", "compute", 6, 10, 1),
        ],
        2,
        10,
    )


@pytest.mark.parametrize(("computing_until", "hidden"), [(0.5, 0), (4, 0), (5, 0.5), (6, 1)])
def test_hidden_communication(computing_until: float, hidden: float) -> None:
    (run,) = gs.sum_runs(parse_trace(json.dumps(two_ranks(computing_until))))
    assert run.copying == pytest.approx(2)  # counted for its target alone
    assert run.hidden == pytest.approx(hidden)
    (level,) = run.levels
    assert level.level == 3 and level.hidden == pytest.approx(hidden)
    assert level.milliseconds == pytest.approx(2)  # no event is the level: from its first to last
    first, second = run.ranks
    assert (first.compute, first.idle, first.total) == pytest.approx((4, 6, 10))
    assert second.compute == pytest.approx(computing_until + 4)
    assert second.wait == pytest.approx(6 - computing_until) and second.idle == pytest.approx(0)
    (link,) = run.links
    assert link.busy == pytest.approx(2) and link.rate == pytest.approx(1e6)
    assert link.use_while_busy == pytest.approx(1) and link.use == pytest.approx(0.2)


def test_a_copy_by_the_rank_itself_is_not_hidden_from_it() -> None:
    inline = document(
        [
            event("run", "run", 0, 4, 0),
            event("run", "run", 0, 4, 1),
            event("send", "exchange", 0, 3, 0),
            event("put", "copy", 1, 3, 0, bytes=1, source=0, target=1),
            event("other", "compute", 0, 4, 1),
        ],
        2,
        4,
    )
    (run,) = gs.sum_runs(parse_trace(json.dumps(inline)))
    # Rank 0 copies for 2 ms and computes nothing; rank 1 computes all the while.
    assert run.copying == pytest.approx(4) and run.hidden == pytest.approx(0.5)
    assert (run.ranks[0].exchange, run.ranks[0].copy) == pytest.approx((1, 2))


def test_bytes_count_though_their_rank_began_after_the_slowest_had_ended() -> None:
    # Three ranks on two cores: the one that was slowest may be done before another is let run.
    skewed = document(
        [
            event("run", "run", 0, 5, 0),
            event("work", "compute", 0, 5, 0),
            event("run", "run", 6, 8, 1),
            Event("put", "copy", 6, 7, 1, 0, 101, 2, bytes=500, source=1, target=0),
        ],
        2,
        5,
    )
    (run,) = gs.sum_runs(parse_trace(json.dumps(skewed)))
    (link,) = run.links
    assert (link.copies, link.bytes) == (1, 500)
    assert link.busy == pytest.approx(1) and link.rate == pytest.approx(5e5)
    (level,) = run.levels
    assert level.bytes == 500 and level.milliseconds == pytest.approx(1)
    # Nobody's time within the slowest rank's run.
    assert run.copying == 0 and run.hidden is None
    assert [(p.rank, p.name) for p in run.path] == [(0, "work")]


def test_the_critical_path_goes_through_the_copy_to_its_source() -> None:
    (run,) = gs.sum_runs(parse_trace(json.dumps(two_ranks(0.5))))
    found = {(p.rank, p.name): p.milliseconds for p in run.path}
    assert found == pytest.approx({(0, "make"): 4, (-1, "copy 0 → 1"): 2, (1, "use"): 4})


def test_the_critical_path_ends_where_ranks_wait_for_each_other_at_once() -> None:
    # Waits that end at the same moment, each for the other: nothing tells who was first.
    mine = [
        [event("a", "compute", 0, 1, 0), event("wait", "wait", 1, 2, 0, peer=1)],
        [event("b", "compute", 0, 1, 1), event("wait", "wait", 1, 2, 1, peer=0)],
    ]
    parts = critical_path([pieces(events, (0, 2)) for events in mine], [], (0, 2), 0)
    assert sum(p.milliseconds for p in parts) == pytest.approx(2)


def test_intervals() -> None:
    assert union([(3, 4), (0, 1), (1, 2), (0.5, 0.7), (5, 5)]) == [(0, 2), (3, 4)]
    assert complement([(0, 2), (3, 4)], (-1, 6)) == [(-1, 0), (2, 3), (4, 6)]
    assert complement([(0, 2), (3, 9)], (1, 4)) == [(2, 3)]
    assert clip([(0, 2), (3, 9)], (1, 4)) == [(1, 2), (3, 4)]
    assert overlap([(0, 2), (3, 4)], [(1, 3.5), (3.6, 9)]) == pytest.approx(1.9)
    assert length([(0, 2), (3, 4)]) == 3
    outer, inner = event("outer", "compute", 0, 10, 0), event("inner", "wait", 2, 4, 0)
    assert [(p.begin, p.end, p.event.name) for p in pieces([inner, outer], (1, 9))] == [
        (1, 2, "outer"), (2, 4, "inner"), (4, 9, "outer"),
    ]  # fmt: skip


# --- files that are none ------------------------------------------------------------------------


def broken(change: Any) -> str:
    value = two_ranks(4)
    change(value)
    return json.dumps(value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "no JSON"),
        ("{", "no JSON"),
        ("[" * 100000, "no JSON"),
        ("[]", "not a trace of gossamer"),
        ('{"traceEvents": []}', "not a trace of gossamer"),
        ('{"traceEvents": [], "otherData": {"format": "else"}}', "not a trace of gossamer"),
        (broken(lambda d: d.pop("traceEvents")), "'traceEvents'"),
        (broken(lambda d: d["traceEvents"].append(7)), "event 7: 'ph'"),
        (broken(lambda d: d["traceEvents"][0].pop("dur")), "event 0: 'dur'"),
        (broken(lambda d: d["traceEvents"][0].update(dur="1")), "event 0: 'dur'"),
        (broken(lambda d: d["traceEvents"][1].update(ts=-1)), "event 1: 'ts' is no time"),
        (broken(lambda d: d["traceEvents"][1].update(ts=10**400)), "event 1: 'ts' is no time"),
        (broken(lambda d: d["traceEvents"][3]["args"].update(to=99)), "there is no rank 99"),
        (broken(lambda d: d["traceEvents"][3]["args"].update(to=10**30)), "event 3: 'to' is"),
        (broken(lambda d: d["otherData"]["ranks"][0].update(compute_threads=[[1]])), "no numbers"),
        (broken(lambda d: d["traceEvents"][1].update(cat="food")), "'food' is no kind"),
        (broken(lambda d: d["traceEvents"][1].update(cat="a\nb")), r"'a\nb' is no kind"),
        (broken(lambda d: d["otherData"]["runs"][0].update(run=1 << 70)), "runs: 'run' is out"),
        (broken(lambda d: d["traceEvents"][1]["args"].update(rank=2)), "there is no rank 2"),
        (broken(lambda d: d["traceEvents"][3]["args"].pop("bytes")), "event 3: 'bytes'"),
        (broken(lambda d: d["otherData"].update(ranks=3)), "'ranks'"),
        (broken(lambda d: d["otherData"]["links"][0].update(bandwidth="much")), "'bandwidth'"),
        (broken(lambda d: d["otherData"]["runs"][0].pop("milliseconds")), "'milliseconds'"),
    ],
)
def test_what_is_no_trace_is_refused_in_one_line(
    cli: Any, tmp_path: Path, text: str, said: str
) -> None:
    path = tmp_path / "bad.json"
    path.write_text(text)
    line = cli.fails(2, "trace", "summary", path)
    assert line.startswith(f"{path}: ") and said in line


def test_traces_without_runs_are_refused(cli: Any, tmp_path: Path) -> None:
    path = tmp_path / "bad.json"
    path.write_text(broken(lambda d: d["otherData"].update(runs=[])))
    assert "no run in it has ended" in cli.fails(2, "trace", "summary", path)
    path.write_text(broken(lambda d: d["traceEvents"].clear()))
    assert "run 0 has no event" in cli.fails(2, "trace", "summary", path)
    assert "nothing.json" in cli.fails(2, "trace", "summary", "nothing.json")


# --- the command --------------------------------------------------------------------------------


@pytest.mark.parametrize("machine", ["cpu:3", "sim:peach2,ranks=4"])
def test_bfs_writes_a_trace_that_can_be_summed(cli: Any, tmp_path: Path, machine: str) -> None:
    out = cli.json(
        "bfs", "kron:12", "--machine", machine, "--sources", 2, "--trace", tmp_path / "t.json"
    )
    check_chrome(json.loads((tmp_path / "t.json").read_text()))
    found = cli.json("trace", "summary", tmp_path / "t.json")
    assert found["machine"] == out["machine"]["spec"] and found["dropped"] == 0
    for run, measured in zip(found["runs"], out["runs"], strict=True):
        assert run["milliseconds"] == measured["milliseconds"]
        for rank in run["ranks"]:
            total = rank["busy"] + rank["wait"] + rank["idle"]
            assert total == pytest.approx(measured["milliseconds"], rel=0.05)
        assert 0 <= run["hidden"] <= 1 and run["path"] and run["links"]
    one = cli.json("trace", "summary", tmp_path / "t.json", "--run", 1)
    assert [run["run"] for run in one["runs"]] == [1]
    text = cli("trace", "summary", tmp_path / "t.json").stdout
    for word in ("hidden communication: ", "critical path", "links", "levels", "ranks (ms)"):
        assert word in text
    assert "[0, 1]" in cli.fails(2, "trace", "summary", tmp_path / "t.json", "--run", 5)


def test_cg_writes_a_trace(cli: Any, tmp_path: Path) -> None:
    assert cli("cg", "poisson:20x20", "--machine", "cpu:2", "--trace", "t.json").returncode == 0
    found = cli.json("trace", "summary", tmp_path / "t.json")
    assert [run["algorithm"] for run in found["runs"]] == ["cg"]


@pytest.mark.parametrize("algorithm", ["sssp", "components", "pagerank"])
def test_other_algorithms_write_one_too(cli: Any, tmp_path: Path, algorithm: str) -> None:
    weights = ["--weights"] if algorithm == "sssp" else []
    given = (algorithm, "kron:10", *weights, "--machine", "cpu:2", "--repeat", 2)
    out = cli.json(*given, "--trace", tmp_path / "t.json")
    assert "trace" not in out["options"]
    found = cli.json("trace", "summary", tmp_path / "t.json")
    assert [run["algorithm"] for run in found["runs"]] == [algorithm] * 2
    for run, measured in zip(found["runs"], out["runs"], strict=True):
        assert run["milliseconds"] == measured["milliseconds"] and run["path"]
    assert "no folder" in cli.fails(2, *given, "--trace", "nowhere/t.json")
    plan = cli.json(*given, "--plan", "--trace", "t.json")["plan"]
    assert any(e["purpose"].startswith("--trace") for e in plan["entries"])


def test_paths_are_looked_at_before_the_search(cli: Any) -> None:
    assert "no folder" in cli.fails(2, "bfs", "kron:10", "--trace", "nowhere/t.json")
    assert ".exe: not one of" in cli.fails(2, "bfs", "kron:10", "--plot", "t.exe")


def test_the_plan_holds_the_events(cli: Any) -> None:
    plain, more = (
        cli.json("bfs", "kron:10", "--machine", "cpu:2", "--plan", *options)["plan"]
        for options in ([], ["--trace", "t.json"])
    )
    # Generating takes more than a run of so few vertices: the total may be the same.
    taken, less = (sum(e["bytes"] for e in plan["entries"]) for plan in (more, plain))
    assert taken > less
    assert more["totals"]["host"] >= plain["totals"]["host"]
    assert any(e["purpose"].startswith("--trace") for e in more["entries"])


@pytest.mark.parametrize("graph", ["kron:10", "grid:300x2"])
def test_bfs_plots_its_levels(cli: Any, tmp_path: Path, graph: str) -> None:
    pytest.importorskip("matplotlib")
    assert cli("bfs", graph, "--machine", "cpu:1x1", "--plot", "levels.png").returncode == 0
    assert (tmp_path / "levels.png").read_bytes()[1:4] == b"PNG"


@pytest.mark.parametrize("algorithm", ["sssp", "components", "pagerank"])
def test_other_results_are_drawn_too(cli: Any, tmp_path: Path, algorithm: str) -> None:
    pytest.importorskip("matplotlib")
    (tmp_path / "edges.txt").write_text("0 1 2\n1 2 3\n4 5 1\n")
    for graph in ("kron:8", "edges.txt"):
        weights = ["--weights"] if algorithm == "sssp" and graph == "kron:8" else []
        done = cli(algorithm, graph, *weights, "--machine", "cpu:1x1", "--plot", "first.svg")
        assert done.returncode == 0 and "wrote first.svg" in done.stdout, done.stderr
        assert b"<svg" in (tmp_path / "first.svg").read_bytes()
        (tmp_path / "first.svg").unlink()
    assert ".exe: not one of" in cli.fails(2, algorithm, "kron:8", "--plot", "t.exe")


# --- the package --------------------------------------------------------------------------------


def test_a_path_is_written_to(tmp_path: Path) -> None:
    result = gs.bfs(gs.kronecker(10), 1, "cpu:2x1", trace=tmp_path / "t.json")
    (run,) = gs.sum_runs(gs.read_trace(tmp_path / "t.json"))
    assert run.milliseconds == result.milliseconds


def test_functions_write_to_a_path(tmp_path: Path) -> None:
    path = tmp_path / "t.json"
    graph = gs.kronecker(8, weights=True)
    for run in (
        lambda: gs.sssp(graph, 1, "cpu:2x1", trace=path),
        lambda: gs.components(graph, "cpu:2x1", trace=path),
        lambda: gs.pagerank(graph, "cpu:2x1", trace=str(path)),
    ):
        result = run()
        (found,) = gs.sum_runs(gs.read_trace(path))
        assert found.milliseconds == result.milliseconds
    matrix = gs.generate("poisson:8x8")
    _, info = gs.cg(matrix, [1.0] * 64, machine="cpu:2x1", trace=path)
    assert info == 0 and [r.algorithm for r in gs.sum_runs(gs.read_trace(path))] == ["cg"]
    with pytest.raises(gs.UsageError, match="a gossamer\\.Trace is needed"):
        gs.SsspSearch(graph, "cpu:1x1", trace=str(path))


def test_what_has_no_room_is_counted() -> None:
    graph, trace = gs.grid(2, 400), gs.Trace(1)
    gs.bfs(graph, 0, "cpu:2x1", trace=trace)
    assert trace.dropped > 0 and trace.parsed().dropped == trace.dropped
    assert "dropped" in repr(trace)
    # The run's own event has room whatever happens.
    assert trace.summary()[0].traced > 0


def test_a_trace_is_of_one_machine() -> None:
    graph, trace = gs.kronecker(8), gs.Trace()
    with pytest.raises(gs.UsageError, match="nothing was recorded"):
        trace.json()
    gs.bfs(graph, 1, "cpu:1x1", trace=trace)
    with pytest.raises(gs.UsageError, match="cpu:1x1"):
        gs.bfs(graph, 1, "cpu:2x1", trace=trace)
    with pytest.raises(gs.UsageError, match=r"gossamer\.Trace"):
        gs.BfsSearch(gs.Machine("cpu:1x1").place(graph), trace="t.json")  # type: ignore[arg-type]
    for bad in (0, -1, 1.5):
        with pytest.raises(gs.UsageError, match="events"):
            gs.Trace(bad)  # type: ignore[arg-type]
    with pytest.raises(gs.UsageError, match=r"^/nowhere/t\.json: there is no folder /nowhere$"):
        trace.write("/nowhere/t.json")


def test_a_file_is_shown_in_one_line() -> None:
    trace = gs.Trace()
    gs.bfs(gs.grid(9, 9), 0, "cpu:2x1", trace=trace)
    shown = repr(trace.parsed())
    assert shown == f"TraceFile('trace', {trace.events} events, 1 run(s) on 'cpu:2x1')"
