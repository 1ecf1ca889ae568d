"""`gossamer gap` and `gs.bench.gap`: trials by the benchmark's rules, what is verified, JSON."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import gossamer as gs
import numpy as np
import pytest
from gossamer import gap as kernels
from gossamer.bench import KERNELS, Gap
from gossamer.cli.output.report import Report, reporting_lost

if TYPE_CHECKING:
    from conftest import Cli

#: What the benchmark asks for.
TRIALS = {
    "bfs": 64, "sssp": 64, "pagerank": 16, "components": 16, "betweenness": 16, "triangles": 3,
}  # fmt: skip


def test_trials_are_the_benchmarks() -> None:
    graph = gs.generate("kron:9", weights=True)
    told: list[tuple[str, int, int]] = []
    result = gs.bench.gap(graph, "cpu:1x1", progress=lambda *at: told.append(at))
    assert [kernel.name for kernel in result.kernels] == list(KERNELS) == list(TRIALS)
    for kernel in result.kernels:
        assert len(kernel.trials) == TRIALS[kernel.name]
        assert kernel.verified is True and kernel.engine and kernel.failure is None
        assert kernel.time.minimum > 0 and kernel.edges_per_second > 0
        assert (kernel.name, TRIALS[kernel.name], TRIALS[kernel.name]) in told
    begun = [trial.sources[0] for trial in result["bfs"].trials]
    assert len(set(begun)) == 64 and (graph.degrees[begun] > 0).all()
    assert [trial.sources[0] for trial in result["sssp"].trials] == begun
    of_betweenness = [trial.sources for trial in result["betweenness"].trials]
    assert np.ravel(of_betweenness).tolist() == begun
    assert all(trial.sources == () for trial in result["triangles"].trials)
    assert {trial.edges for trial in result["betweenness"].trials} == {4 * graph.edges}
    lines = result.text().splitlines()
    assert [line.split()[:2] for line in lines[1:]] == [[k, str(n)] for k, n in TRIALS.items()]
    with pytest.raises(gs.UsageError, match="gap: kernel 'sort' did not run"):
        result["sort"]


@pytest.mark.parametrize(("kernel", "phase"), [("triangles", "orient"), ("betweenness", "lay out")])
def test_a_kernels_own_layout_is_counted_in_each_trial(
    kernel: str, phase: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole: list[float] = []
    own: list[float] = []

    def recorded(*given: Any, **options: Any) -> Any:
        found = getattr(gs, kernel)(*given, **options)
        own.append(found.phases[phase])
        whole.append((found.milliseconds + own[-1]) / 1e3)
        return found

    monkeypatch.setattr(kernels, kernel, recorded)
    ends = np.random.default_rng(1).integers(0, 400, (2, 4000))  # parallel arcs among them
    graph = gs.from_edges(ends[0], ends[1], symmetrize=True)
    done = Gap(graph, "cpu:1x1", trials=3, verify=False).run_kernel(kernel)
    assert done.verified is None
    assert [trial.seconds for trial in done.trials] == whole
    assert len(own) == 3 and min(own) > 0


def test_weights_are_drawn_where_there_are_none() -> None:
    graph = gs.generate("grid:20x20")
    run = Gap(graph, "cpu:1x1", trials=2, seed=5, kernels=["sssp"])
    weights = np.asarray(run.weighted.weights)
    assert weights.dtype == np.int32 and weights.min() >= 1 and weights.max() <= 255
    assert len(set(weights.tolist())) > 200
    run.weighted.validate()
    assert run.weighted.symmetric and run.run()["sssp"].verified is True
    other = Gap(graph, "cpu:1x1", seed=6).weighted.weights
    assert (np.asarray(other) != weights).any()
    given = gs.generate("road:20", weights=True)
    assert Gap(given, "cpu:1x1").weighted is given


def test_directed_graphs_and_few_sources() -> None:
    graph = gs.from_edges([0, 1, 2, 0], [1, 2, 3, 2], n=9)
    result = gs.bench.gap(graph, "cpu:2x1", trials=5)
    assert all(kernel.verified for kernel in result.kernels)
    assert {trial.sources[0] for trial in result["bfs"].trials} == {0, 1, 2}
    assert all(len(trial.sources) == 3 for trial in result["betweenness"].trials)
    assert [len(kernel.trials) for kernel in result.kernels] == [5, 5, 5, 5, 5, 3]


@pytest.mark.parametrize("weights", [None, [1, 2, 3, 4, 5]])
def test_triangles_of_directed_graphs_have_each_edge_once(weights: list[int] | None) -> None:
    run = Gap(gs.from_edges([0, 1, 1, 2, 0], [1, 0, 2, 1, 2], weights, n=3), "cpu:1x1")
    assert run.undirected.arcs == 6 and run.undirected.symmetric
    assert run.graph.rebuild(symmetrize=True).arcs == 10
    done = run.run_kernel("triangles")
    assert all(trial.verified and trial.edges == 3 for trial in done.trials)


def test_a_wrong_trial_is_the_last(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*given: Any, **options: Any) -> Any:
        found = gs.components(*given, **options)
        labels = found.labels.copy()
        labels[:] = 0
        vars(found)["labels"] = labels
        return found

    monkeypatch.setattr(kernels, "components", broken)
    run = Gap(gs.from_edges([0, 2], [1, 3], symmetrize=True), "cpu:1x1")
    done = run.run_kernel("components")
    assert [trial.verified for trial in done.trials] == [False] and done.verified is False
    assert "components of" in str(done.failure) and run.result.failure is done.failure
    with pytest.raises(gs.VerificationError, match="components of"):
        gs.bench.gap(run.graph, "cpu:1x1", kernels=["components"])


def test_kernels_without_engines_for_the_ranks_run_on_cpus() -> None:
    machine = gs.Machine("cpu:1x1")
    assert kernels.where_runs("betweenness", machine) is machine

    class Gpus:
        devices: tuple[Any, ...] = (replace(machine.devices[0], kind="cuda"),)

    class Both(Gpus):
        devices = (*machine.devices, *Gpus.devices)

    assert kernels.where_runs("betweenness", Both()).spec == "cpu"  # type: ignore[arg-type]
    for kernel, there in (("bfs", Both()), ("bfs", Gpus()), ("betweenness", Gpus())):
        assert kernels.where_runs(kernel, there) is there  # type: ignore[arg-type,comparison-overlap]


def test_errors() -> None:
    graph = gs.generate("path:4")
    for options, said in (
        ({"kernels": ["sort"]}, "gap: unknown kernel 'sort' .there are bfs, sssp, pagerank, comp"),
        ({"kernels": []}, "gap: kernels: none is named"),
        ({"kernels": "bfs"}, "gap: kernels: expected several names, got 'bfs'"),
        ({"kernels": [1]}, "gap: kernels: expected names, got 1"),
        ({"trials": 0}, "gap: trials: one at least"),
        ({"trials": 1.5}, "gap: trials: expected an integer"),
        ({"seed": "x"}, "gap: seed"),
        ({"verify": 1}, "gap: verify: expected True or False"),
        ({"progress": 1}, "gap: progress: expected a function"),
    ):
        with pytest.raises(gs.UsageError, match=said):
            gs.bench.gap(graph, "cpu:1x1", **options)  # type: ignore[arg-type]
    with pytest.raises(gs.UsageError, match="gap: graph: expected a Graph, got 1"):
        gs.bench.gap(1, "cpu:1x1")  # type: ignore[arg-type]
    with pytest.raises(gs.UsageError, match="no vertex has an edge to begin at"):
        gs.bench.gap(gs.from_edges([], [], n=3), "cpu:1x1")


def test_command(cli: Cli, tmp_path: Path) -> None:
    said = cli("gap", "kron:7", "--machine", "cpu:1x1", "--trials", "2").stdout
    for name in KERNELS:
        assert name in said
    assert "FAILED" not in said and said.count("yes") == 6
    found = cli.json("gap", "kron:7", "--machine", "cpu:1x2", "--trials", "2", "--seed", "3")
    assert list(found) == [
        "algorithm", "graph", "machine", "options", "kernels", "version", "date"
    ]  # fmt: skip
    assert [kernel["kernel"] for kernel in found["kernels"]] == list(KERNELS)
    for kernel in found["kernels"]:
        assert (len(kernel["trials"]), kernel["verified"]) == (2, True)
        seconds = [trial["seconds"] for trial in kernel["trials"]]
        assert kernel["seconds"]["mean"] == pytest.approx(np.mean(seconds))
        assert kernel["seconds"]["median"] == pytest.approx(np.median(seconds))
        edges = sum(trial["edges"] for trial in kernel["trials"])
        assert kernel["edges_per_second"] == pytest.approx(edges / sum(seconds))
    given = ("gap", "a.txt", "--machine", "cpu:1x1", "--kernels", "triangles,bfs", "--no-verify")
    (tmp_path / "a.txt").write_text("1 2\n2 3\n3 1\n")
    some = cli.json(*given)["kernels"]
    assert [(k["kernel"], len(k["trials"]), k["verified"]) for k in some] == [
        ("bfs", 64, None), ("triangles", 3, None)
    ]  # fmt: skip
    assert "unknown kernel 'sort'" in cli.fails(2, "gap", "kron:6", "--kernels", "sort")
    assert "memory plan" in cli("gap", "kron:8", "--plan").stdout
    assert "weights for sssp" in cli("gap", "a.txt", "--plan").stdout


def test_a_kernel_that_takes_too_long(cli: Cli, tmp_path: Path) -> None:
    given = ("gap", "cliques:40x400", "--kernels", "triangles", "--trials", "1", "--no-verify")
    done = cli(*given, "--machine", "cpu:1x1", "--timeout", "0.001", "--json", tmp_path / "g.json")
    assert (
        done.returncode == 4 and done.stderr == "gossamer: triangles did not end within 0.001 s\n"
    )
    found = json.loads((tmp_path / "g.json").read_text())
    assert found["kernels"] == [] and "did not end" in found["failure"]["text"]


def test_kernels_that_ended_before_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    described = {"kernels": [{"kernel": "bfs"}]}
    report = Report("-")
    with (
        pytest.raises(gs.Timeout),
        reporting_lost(report, gs.Machine("cpu:1x1"), described, by="kernel"),
    ):
        gs.bfs(gs.kronecker(14), 1, "cpu:1x1", timeout=1e-9)
    found = json.loads(capsys.readouterr().out)
    assert found["kernels"] == described["kernels"] and "failure" in found
    assert "summary" not in found


def test_command_on_a_modelled_system(cli: Cli) -> None:
    said = cli("gap", "kron:6", "--machine", "sim:peach2,ranks=4", "--trials", "1").stdout
    assert "times are those of the modelled system" in said and "FAILED" not in said
