"""Options that several commands take together: a command has them as one parameter."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, get_type_hints

from . import options


@dataclass(frozen=True)
class Reading:
    """How a graph is read, and what is done to it on the way in."""

    source_format: options.From = "auto"
    symmetrize: options.Symmetrize = False
    deduplicate: options.Deduplicate = False
    remove_self_loops: options.RemoveSelfLoops = False

    @property
    def steps(self) -> dict[str, bool]:
        """What is done to it, by the names of :func:`gossamer.read`."""
        return {
            "symmetrize": self.symmetrize,
            "deduplicate": self.deduplicate,
            "remove_self_loops": self.remove_self_loops,
        }


#: By its content, and as it is.
PLAINLY = Reading()


@dataclass(frozen=True)
class Working:
    """What a command may take of this host, whether it only says so, and where JSON goes."""

    threads: options.Threads = 0
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

    split: options.Split = "first-available"
    gather: options.Gather = True
    packet: options.Packet = None
    buffers: options.Buffers = None


def spread(command: Callable[..., None]) -> Callable[..., None]:
    """The command as Typer reads it: in place of each group the group's options."""
    hints = get_type_hints(command, include_extras=True)
    groups: dict[str, Any] = {name: kind for name, kind in hints.items() if is_dataclass(kind)}
    parameters: list[inspect.Parameter] = []
    for name, parameter in inspect.signature(command).parameters.items():
        if name not in groups:
            parameters.append(parameter.replace(annotation=hints[name]))
            continue
        types = get_type_hints(groups[name], include_extras=True)
        parameters += [
            parameter.replace(name=of.name, annotation=types[of.name], default=of.default)
            for of in fields(groups[name])
        ]
    parameters = [p.replace(kind=inspect.Parameter.KEYWORD_ONLY) for p in parameters]

    @functools.wraps(command)
    def run(**given: Any) -> None:
        for name, kind in groups.items():
            given[name] = kind(**{of.name: given.pop(of.name) for of in fields(kind)})
        command(**given)

    vars(run)["__signature__"] = inspect.Signature(parameters)
    run.__annotations__ = {p.name: p.annotation for p in parameters}
    return run
