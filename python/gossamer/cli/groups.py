"""Options that several commands take together: a command has them as one parameter."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass
from pathlib import Path
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import typer

from gossamer.algorithm.options import engines, table
from gossamer.arguments import MOST_THREADS
from gossamer.errors import UsageError
from gossamer.graph.parquet import Columns

from . import help, options


@dataclass(frozen=True)
class Reading:
    """How a graph is read, and what is done to it on the way in."""

    source_format: options.From = "auto"
    weight_column: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="A table's column of weights (weight, w or value)."),
    ] = None
    source_column: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="A table's column of sources; with --target-column."),
    ] = None
    target_column: Annotated[
        str | None, typer.Option(metavar="NAME", help="A table's column of targets.")
    ] = None
    symmetrize: Annotated[
        bool, typer.Option("--symmetrize", help="Store (v, u) beside (u, v).")
    ] = False
    deduplicate: Annotated[bool, typer.Option("--deduplicate", help="Keep one arc per (u, v).")] = (
        False
    )
    remove_self_loops: Annotated[bool, typer.Option("--remove-self-loops", help="Drop (v, v).")] = (
        False
    )

    @property
    def steps(self) -> dict[str, bool]:
        """What is done to it, by the names of :func:`gossamer.read`."""
        return {
            name: getattr(self, name) for name in ("symmetrize", "deduplicate", "remove_self_loops")
        }

    @property
    def columns(self) -> Columns:
        """Columns of a table. UsageError for one end's alone, and for empty names."""
        if "" in (self.weight_column, self.source_column, self.target_column):
            raise UsageError("--weight-column, --source-column, --target-column: an empty name")
        if (self.source_column is None) != (self.target_column is None):
            raise UsageError("give --source-column and --target-column, or neither")
        return self.source_column or "", self.target_column or "", self.weight_column or ""

    @property
    def of_files(self) -> str:
        """The first option given that is about files; empty: none."""
        if self.source_format != "auto":
            return f"--from {self.source_format}"
        given = {
            "--weight-column": self.weight_column,
            "--source-column": self.source_column,
            "--target-column": self.target_column,
        }
        return next((f"{name} {of}" for name, of in given.items() if of is not None), "")


#: By its content, and as it is.
PLAINLY = Reading()


@dataclass(frozen=True)
class Running:
    """Where an algorithm runs, how often, and what is done with its results."""

    machine: options.Machine = "auto"
    partition: options.Partition = "auto"
    repeat: options.Repeat = 1
    verify: options.Verify = False
    verify_with: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Compare with a result in .npz, .npy or text."),
    ] = None
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            metavar="FILE",
            help="Where the results go: arrays (.npz), or a row a vertex (.csv, .tsv, .parquet).",
        ),
    ] = None
    plot: options.Plot = None
    trace: options.Trace = None
    timeout: options.Timeout = None

    @property
    def json(self) -> dict[str, Any]:
        """What the "options" object says of it."""
        left_out = ("machine", "output", "plot", "trace")
        return {name: value for name, value in vars(self).items() if name not in left_out}


@dataclass(frozen=True)
class Working:
    """What a command may take of this host, whether it only says so, and where JSON goes."""

    threads: Annotated[
        int, typer.Option(min=0, max=MOST_THREADS, help="Threads on the host; 0 = all cores.")
    ] = 0
    memory: options.Memory = None
    plan: options.Plan = False
    json: options.Json = None

    @property
    def limit(self) -> int | None:
        """--memory as bytes."""
        return options.memory_limit(self.memory)


@dataclass(frozen=True)
class Segments:
    """How arrays are cut, and who gets the pieces."""

    split: Annotated[
        str, typer.Option(help="first-available: segments go to whoever is free; or even.")
    ] = "first-available"
    gather: Annotated[
        bool, typer.Option("--gather/--keep", help="Gather results, or leave them.")
    ] = True
    packet: Annotated[
        str | None, typer.Option(metavar="BYTES", help="Bytes of a segment: 64K, 1M (chosen).")
    ] = None
    buffers: Annotated[
        int | None, typer.Option(min=1, max=64, metavar="N", help="Buffers of each link (chosen).")
    ] = None


#: A parameter of a command: its name, its type as Typer reads it, and its default.
Parameter = tuple[str, Any, Any]
_TYPES = {"bool": bool, "int": int, "float": float, "str": str}


class OfTable:
    """Marks a ``dict[str, Any]`` that gets an algorithm's options, by the library's table.

    `only`: those that the command has. `but`: names that it spells otherwise or, as None, does not
    have. --partition and --memory are those of :class:`Running` and :class:`Working`.
    """

    def __init__(
        self, algorithm: str, only: tuple[str, ...] | None = None, **but: str | None
    ) -> None:
        self.algorithm = algorithm
        own = {
            name: o
            for name, o in table(algorithm).items()
            if not o["engines"] and (only is None or name in only)
        }
        spelled = {name: but.get(name, name) for name in own} | {"partition": None, "memory": None}
        #: Names of the command by those of the table.
        self.names = {name: of for name, of in spelled.items() if of} | {"engine": "engine"}
        self._options = own

    def parameters(self) -> list[Parameter]:
        """``--engine``, and each option with the table's meaning, bounds, choices and default."""
        known = ", ".join(engine.name for engine in engines(self.algorithm))
        engine = typer.Option(
            metavar="NAME[:KEY=VALUE,…]",
            help=f"auto, {known}; `gossamer engines {self.algorithm}` says more.",
            autocompletion=help.complete_engines(self.algorithm),
        )
        return [
            *(self._parameter(spelled, self._options[name])
              for name, spelled in self.names.items() if name != "engine"),
            ("engine", Annotated[str, engine], "auto"),
        ]  # fmt: skip

    @staticmethod
    def _parameter(name: str, option: dict[str, Any]) -> Parameter:
        meaning: str = option["meaning"]
        unit = f" ({option['unit']})" if option["unit"] else ""
        text = f"{meaning[0].upper()}{meaning[1:]}{unit}."
        if option["choices"]:
            text = f"{', '.join(option['choices'])}: {meaning}."
        flag = f"--{name.replace('_', '-')}"
        if option["default"] is True:
            flag += f"/--no-{flag[2:]}"
        declared = typer.Option(
            flag, min=option["least"], max=option["most"], help=text,
            metavar={"int": "N", "float": "X"}.get(option["type"]),
        )  # fmt: skip
        kind: Any = _TYPES[option["type"]]
        if option["optional"]:
            kind = kind | None
        return name, Annotated[kind, declared], option["default"]

    def __call__(self, **given: Any) -> dict[str, Any]:
        return {name: given[spelled] for name, spelled in self.names.items()}


def _parameters(group: Any) -> list[Parameter]:
    if isinstance(group, OfTable):
        return group.parameters()
    types = get_type_hints(group, include_extras=True)
    return [(of.name, types[of.name], of.default) for of in fields(group)]


def _group(kind: Any) -> Any:
    """The group that a parameter of this type stands for; None of an ordinary one."""
    if is_dataclass(kind):
        return kind
    marks = get_args(kind)[1:] if get_origin(kind) is Annotated else ()
    return next((mark for mark in marks if isinstance(mark, OfTable)), None)


def spread(command: Callable[..., None]) -> Callable[..., None]:
    """The command as Typer reads it: in place of each group the group's options."""
    hints = get_type_hints(command, include_extras=True)
    groups = {name: group for name, kind in hints.items() if (group := _group(kind)) is not None}
    parts = {name: _parameters(group) for name, group in groups.items()}
    parameters: list[inspect.Parameter] = []
    for name, parameter in inspect.signature(command).parameters.items():
        each = parts.get(name, [(name, hints[name], parameter.default)])
        parameters += [
            inspect.Parameter(of, inspect.Parameter.KEYWORD_ONLY, annotation=kind, default=default)
            for of, kind, default in each
        ]

    @functools.wraps(command)
    def run(**given: Any) -> None:
        for name, group in groups.items():
            given[name] = group(**{of: given.pop(of) for of, _, _ in parts[name]})
        command(**given)

    vars(run)["__signature__"] = inspect.Signature(parameters)
    run.__annotations__ = {p.name: p.annotation for p in parameters}
    return run
