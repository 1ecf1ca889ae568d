"""Options of algorithms by the library's tables: checked, put as the bindings take them, spelled
out in signatures, and listed with the engines that have them."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, TypedDict, TypeVar, get_type_hints

from gossamer import _gossamer
from gossamer.arguments import flags, instance, integer, memory_of_devices, number
from gossamer.errors import UsageError
from gossamer.graph.shape import part_ids
from gossamer.trace import Trace

F = TypeVar("F", bound=Callable[..., Any])


class RunOptions(TypedDict, total=False):
    """What all algorithms but bfs, which runs on graphs that were placed before, take alike."""

    engine: str
    partition: Any
    use: str
    memory: int | str | None
    timeout: float | None
    trace: Trace | str | Path | None


@cache
def table(algorithm: str) -> dict[str, dict[str, Any]]:
    """The options of an algorithm by name, with type, default, choices, unit and meaning."""
    return {option["name"]: option for option in _gossamer.algorithms()[algorithm]["options"]}


def defaults(algorithm: str) -> dict[str, Any]:
    """By name, as Python has them: no limit of memory is None."""
    of_table = {name: option["default"] for name, option in table(algorithm).items()}
    return of_table | {"engine": "auto", "memory": None}


#: What other packages, NetworkX first, call options that have other names here.
_OTHER_NAMES = {
    "G": ("graph",),
    "k": ("samples",),
    "max_iter": ("max_iterations", "maxiter", "iterations"),
    "maxiter": ("max_iterations", "iterations"),
    "max_iterations": ("maxiter", "iterations"),
    "tol": ("tolerance", "rtol"),
    "tolerance": ("rtol",),
    "nstart": ("start",),
    "nbunch": ("vertices",),
    "nodes": ("vertices",),
    "u": ("vertices",),
    "v": ("vertices",),
}

#: What takes weights wherever the graph has some; the classes' names have no underscore.
_BY_WEIGHTS = ("sssp", "spanningforest", "communities")


def _instead(of: str, name: str, known: Collection[str]) -> str:
    """What to write for a keyword that is not known; empty where that is not clear."""
    if name in ("weight", "distance") and "graph" in known:
        if "weighted" in known:
            return "weighted=True counts the graph's weights"
        count = of.lower().replace("_", "").startswith(_BY_WEIGHTS)
        return "weights are the graph's" if count else "weights do not count"
    ours = next((other for other in _OTHER_NAMES.get(name, ()) if other in known), "")
    return f"it is {ours} here" if ours else ""


def _check_keywords(
    function: Callable[..., Any], options: Mapping[str, Any], known: Collection[str]
) -> None:
    """TypeError, as Python's for functions, for one that is not known."""
    for name in options:
        if name not in known:
            of = function.__qualname__
            said = f"{of}() got an unexpected keyword argument '{name}'"
            hint = _instead(of, name, known)
            raise TypeError(f"{said}; {hint}" if hint else said)


def hinting(function: F) -> F:
    """Decorates a function without ``**options``: other keywords are refused as by
    :func:`spelled_out`."""
    known = inspect.signature(function).parameters

    @functools.wraps(function)
    def checked(*given: Any, **options: Any) -> Any:
        _check_keywords(function, options, known)
        return function(*given, **options)

    return checked  # type: ignore[return-value]


def spelled_out(
    options: Any, standard: Mapping[str, Any], of: type | None = None
) -> Callable[[F], F]:
    """Decorates a function that takes ``**options: Unpack[options]``.

    In its signature a keyword for each name of `options` takes the place of ``**options``; defaults
    are those of `standard`, else None. Other names are refused as any function refuses them.
    `of`: a class, whose docstring, but for the first line, is added to the function's.
    """
    types = get_type_hints(options)
    keywords = [
        inspect.Parameter(
            name, inspect.Parameter.KEYWORD_ONLY, default=standard.get(name), annotation=kind
        )
        for name, kind in types.items()
    ]

    def decorate(function: F) -> F:
        own = inspect.signature(function)
        named = list(own.parameters.values())[:-1]
        known = {p.name for p in named} | set(types)

        @functools.wraps(function)
        def checked(*given: Any, **options: Any) -> Any:
            _check_keywords(function, options, known)
            return function(*given, **options)

        vars(checked)["__signature__"] = own.replace(parameters=[*named, *keywords])
        if of is not None:
            rest = (inspect.getdoc(of) or "").partition("\n\n")[2]
            checked.__doc__ = f"{inspect.getdoc(function)}\n\n{rest}"
        return checked  # type: ignore[return-value]

    return decorate


def _checked(algorithm: str, name: str, x: Any) -> Any:
    what = f"{algorithm}: {name}"
    if name == "engine":
        return instance(x, str, what, "text")
    if name == "memory":
        return memory_of_devices(x)
    option = table(algorithm)[name]
    if x is None and option["optional"]:
        return None
    kind = option["type"]
    if kind == "bool":
        flags(algorithm, **{name: x})
        return x
    if kind == "int":
        return integer(x, what)
    return number(x, what) if kind == "float" else instance(x, str, what, "text")


def named_options(algorithm: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """Those of `given` that the library has, each of its type, and a partition as name and table.

    UsageError names the first that is of another type; which values there are is the library's to
    say.
    """
    others = ("partition", "timeout", "trace")
    out = {name: _checked(algorithm, name, x) for name, x in given.items() if name not in others}
    if "partition" in table(algorithm):
        out["partition"], out["part_of"] = part_ids(given.get("partition", "auto"))
    return out


@dataclass(frozen=True)
class EngineOption:
    """A value that may stand behind an engine's name: ``async:balance=steal``."""

    name: str
    #: ``bool``, ``int``, ``float`` or ``str``.
    type: str
    default: Any
    #: Of a name; empty: any.
    choices: tuple[str, ...]
    #: Empty: none.
    unit: str
    meaning: str
    #: Not on GPUs, where the engine runs without it.
    cpus_only: bool


@dataclass(frozen=True)
class Engine:
    """One way of running an algorithm."""

    algorithm: str
    name: str
    #: What it is.
    meaning: str
    #: When ``auto`` takes it; empty: never.
    chosen: str
    #: Of ``cpu``, ``cuda``, ``cpu+cuda`` and ``mpi:cuda``, as in machine specs.
    runs_on: tuple[str, ...]
    options: tuple[EngineOption, ...]


#: Names of functions and commands that are no algorithm with engines of its own.
_ELSEWHERE = dict.fromkeys(
    ("closeness", "harmonic", "eccentricity", "diameter"), "its engines are those of distances"
) | dict.fromkeys(
    ("hits", "katz", "eigenvector", "independent_set", "coloring"),
    "it is written as vertex steps, which have one engine",
)

_PLACES = {"cpus": "cpu", "gpus": "cuda", "mixed": "cpu+cuda", "gpus_of_processes": "mpi:cuda"}


def engines(algorithm: str | None = None) -> list[Engine]:
    """The engines of an algorithm, or of all. UsageError, with their names, for another name."""
    tables = _gossamer.algorithms()
    if algorithm is not None and instance(algorithm, str, "engines: algorithm") not in tables:
        if algorithm in _ELSEWHERE:
            raise UsageError(f"engines: {algorithm}: {_ELSEWHERE[algorithm]}")
        raise UsageError(
            f"engines: unknown algorithm {algorithm!r} (there are {', '.join(tables)})"
        )
    return [
        Engine(
            of,
            engine["name"],
            engine["meaning"],
            engine["chosen"],
            tuple(place for key, place in _PLACES.items() if engine[key]),
            tuple(
                _option(o, engine["name"])
                for o in table["options"]
                if engine["name"] in o["engines"]
            ),
        )
        for of, table in tables.items()
        if algorithm in (None, of)
        for engine in table["engines"]
    ]


def _option(raw: dict[str, Any], engine: str) -> EngineOption:
    return EngineOption(
        raw["name"], raw["type"], raw["default"], tuple(raw["choices"]), raw["unit"],
        raw["meaning"], engine in raw["cpus_only"],
    )  # fmt: skip


def options_behind(engine: str) -> dict[str, str]:
    """What stands behind an engine's name, as it is asked for: ``async:balance=steal``."""
    pairs = engine.partition(":")[2].split(",")
    return dict(pair.split("=", 1) for pair in pairs if "=" in pair)
