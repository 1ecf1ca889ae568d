"""Which engines there are: where each runs, what it is for, and what options it has."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from gossamer import _gossamer
from gossamer.errors import UsageError


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


_PLACES = {"cpus": "cpu", "gpus": "cuda", "mixed": "cpu+cuda", "gpus_of_processes": "mpi:cuda"}


def engines(algorithm: str | None = None) -> list[Engine]:
    """The engines of an algorithm, or of all: ``bfs``, ``cg``, ``components``, ``pagerank`` and
    ``sssp``. UsageError for another name."""
    tables = _gossamer.algorithms()
    if algorithm is not None and algorithm not in tables:
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
            tuple(map(_option, (o for o in table["options"] if engine["name"] in o["engines"]))),
        )
        for of, table in tables.items()
        if algorithm in (None, of)
        for engine in table["engines"]
    ]


def _option(raw: dict[str, Any]) -> EngineOption:
    choices = tuple(raw["choices"])
    return EngineOption(
        raw["name"], raw["type"], raw["default"], choices, raw["unit"], raw["meaning"]
    )


def options_behind(engine: str) -> dict[str, str]:
    """What stands behind an engine's name, as it is asked for: ``async:balance=steal``."""
    pairs = engine.partition(":")[2].split(",")
    return dict(pair.split("=", 1) for pair in pairs if "=" in pair)
