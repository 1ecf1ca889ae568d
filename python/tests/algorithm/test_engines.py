"""Engines and options: the tables, and that Python's signatures, commands and docs follow them."""

from __future__ import annotations

import inspect
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import gossamer as gs
import pytest
from gossamer import _gossamer
from gossamer.algorithm.options import options_behind

if TYPE_CHECKING:
    from conftest import Cli

ROOT = Path(__file__).parents[3]
TABLES = _gossamer.algorithms()
#: What commands call by another name, or have not: thresholds of bfs are for experiments.
OF_COMMANDS: dict[str, dict[str, str | None]] = {
    "cg": {"rtol": "tolerance", "atol": None, "maxiter": "max_iterations"},
    "bfs": {"alpha": None, "beta": None},
    # A command of its own each.
    "distances": {"measure": None},
}


def callables(algorithm: str) -> tuple[type, Callable[..., Any]]:
    """The class that takes options, for instance ``BfsSearch`` or ``CgSolver``, and the function
    that does."""
    name = "".join(map(str.capitalize, algorithm.split("_")))
    kinds = [of for of in (f"{name}Search", f"{name}Solver") if hasattr(gs, of)]
    assert len(kinds) == 1, f"gossamer has neither {name}Search nor {name}Solver"
    return getattr(gs, kinds[0]), getattr(gs, algorithm)


def own_options(algorithm: str) -> dict[str, dict[str, Any]]:
    """Those that are no engine's."""
    return {o["name"]: o for o in TABLES[algorithm]["options"] if not o["engines"]}


@pytest.mark.parametrize("algorithm", sorted(TABLES))
def test_signatures_have_the_options_and_their_defaults(algorithm: str) -> None:
    search, function = callables(algorithm)
    for of in (search.__init__, function):  # type: ignore[misc]
        parameters = inspect.signature(of).parameters
        assert not any(p.kind is p.VAR_KEYWORD for p in parameters.values())
        assert parameters["engine"].default == "auto"
        for name, option in own_options(algorithm).items():
            default = None if name == "memory" else option["default"]
            assert parameters[name].default == default, name
        for option in TABLES[algorithm]["options"]:
            assert (option["name"] in parameters) <= (not option["engines"]), option["name"]


@pytest.mark.parametrize("algorithm", sorted(TABLES))
def test_docstrings_name_the_options(algorithm: str) -> None:
    for of in callables(algorithm):
        text = inspect.getdoc(of) or ""
        for name in (*own_options(algorithm), "engine", "timeout"):
            assert re.search(rf"\b{name}(, \w+)*:\s", text), name


@pytest.mark.parametrize("algorithm", sorted(TABLES))
def test_another_option_is_refused_as_pythons_functions_do(algorithm: str) -> None:
    search, function = callables(algorithm)
    for of in (search, function, search.plan):  # type: ignore[attr-defined]
        with pytest.raises(TypeError, match="got an unexpected keyword argument 'speed'"):
            of(None, None, speed=1)


@pytest.mark.parametrize(
    ("call", "keyword", "hint"),
    [
        (gs.hits, "max_iter", "it is max_iterations here"),
        (gs.katz, "tol", "it is tolerance here"),
        (gs.eigenvector, "nstart", "it is start here"),
        (gs.eigenvector, "weight", "weighted=True counts the graph's weights"),
        (gs.cg, "tol", "it is rtol here"),
        (gs.communities, "max_iter", "it is iterations here"),
        (gs.betweenness, "k", "it is samples here"),
        (gs.betweenness, "weight", "weights do not count"),
        (gs.closeness, "u", "it is vertices here"),
        (gs.closeness, "distance", "weights do not count"),
        (gs.sssp, "weight", "weights are the graph's"),
        (gs.SsspSearch, "weight", "weights are the graph's"),
        (gs.spanning_forest, "weight", "weights are the graph's"),
        (gs.bfs, "G", "it is graph here"),
        (gs.triangles, "weight", "weighted=True counts the graph's weights"),
    ],
)
def test_what_networkx_calls_otherwise_is_named(call: Any, keyword: str, hint: str) -> None:
    said = f"got an unexpected keyword argument '{keyword}'; {hint}$"
    with pytest.raises(TypeError, match=said):
        call(None, **{keyword: 1})


@pytest.mark.parametrize("call", [gs.sssp, gs.hits, gs.coloring, gs.independent_set])
def test_what_nobody_knows_has_no_hint(call: Any) -> None:
    with pytest.raises(TypeError, match=r"got an unexpected keyword argument 'speed'$"):
        call(None, speed=1)


@pytest.mark.parametrize("algorithm", sorted(TABLES))
def test_commands_have_the_options(cli: Cli, algorithm: str) -> None:
    text = cli(algorithm.replace("_", "-"), "--help").stdout
    for name in own_options(algorithm):
        shown = OF_COMMANDS.get(algorithm, {}).get(name, name)
        if shown is not None:
            assert f"--{shown.replace('_', '-')}" in text, name
    for option in TABLES[algorithm]["options"]:
        if option["engines"]:
            assert f"--{option['name']} " not in text, option["name"]


def test_engines_are_listed(cli: Cli) -> None:
    listed = gs.engines("sssp")
    assert [engine.name for engine in listed] == ["sync", "async", "host", "tasks"]
    stealing = next(engine for engine in listed if engine.name == "async")
    assert stealing.runs_on == ("cpu", "cuda")
    assert {option.name for option in stealing.options} == {"balance", "priority"}
    assert {engine.algorithm for engine in gs.engines()} == set(TABLES)
    shown = cli("engines", "sssp").stdout
    assert "delta-stepping" in shown and "balance=none|steal" in shown
    found = cli.json("engines")["engines"]
    assert len(found) == len(gs.engines())
    with pytest.raises(gs.UsageError, match="unknown algorithm 'sort'"):
        gs.engines("sort")
    assert "there are betweenness, bfs, cg" in cli.fails(2, "engines", "sort")
    assert "fewest neighbours first" in cli("engines", "core-numbers").stdout  # as commands have it
    assert cli.fails(2, "engines", "closeness").endswith("its engines are those of distances")
    with pytest.raises(gs.UsageError, match=r"^engines: katz: it is written as vertex steps"):
        gs.engines("katz")


@pytest.mark.parametrize("algorithm", sorted(TABLES))
def test_unknown_engines_list_those_that_there_are(cli: Cli, algorithm: str) -> None:
    graph = "poisson:3" if algorithm == "cg" else "grid:3x3"
    more = ["--weights"] if algorithm == "sssp" else []
    said = cli.fails(2, algorithm.replace("_", "-"), graph, *more, "--engine", "quick")
    names = ", ".join(engine.name for engine in gs.engines(algorithm))
    assert f"{algorithm}: unknown engine 'quick' (there are auto, {names})" in said


def test_options_behind_a_name() -> None:
    assert options_behind("async:balance=steal,priority=none") == {
        "balance": "steal",
        "priority": "none",
    }
    assert options_behind("sync") == {}


def test_the_page_says_what_the_tables_say() -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "tools" / "engine_tables.py"), "--check"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
