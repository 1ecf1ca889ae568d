"""What `gossamer simulate` takes for what: an option that would do nothing is refused."""

from __future__ import annotations

from dataclasses import dataclass

import typer

from gossamer import _gossamer
from gossamer.arguments import memory_bytes
from gossamer.cli import options
from gossamer.errors import UsageError
from gossamer.simulation import ELEMENT, ROOTED, System

PROGRAMS = ("cg", "bfs")


def _collectives() -> list[str]:
    return list(dict.fromkeys(str(a["operation"]) for a in _gossamer.collective_algorithms()))


@dataclass(frozen=True)
class _Use:
    """An option, what it belongs to, and that in words."""

    option: str
    operations: frozenset[str]
    purpose: str


def _uses() -> dict[str, _Use]:
    """By parameter of the command; those that serve every operation are not in it."""
    collectives = frozenset(_collectives())
    programs, moving = frozenset(PROGRAMS), collectives - {"barrier"}
    every = collectives | programs
    return {
        "size": _Use("--bytes", moving, "collectives that move data: the size of their messages"),
        "algorithm": _Use("--algorithm", collectives, "collectives: how they are done"),
        "root": _Use("--root", frozenset(ROOTED), f"what has a root: {', '.join(ROOTED)}"),
        "buffers": _Use("--buffers", collectives, "collectives: where their data is"),
        "mapping": _Use("--mapping", collectives, "collectives: which rank is on which node"),
        "iterations": _Use("--iterations", frozenset({"cg"}), "cg: the length to predict"),
        "values": _Use("--values", frozenset({"cg"}), "cg: values for a pattern"),
        "source": _Use("--source", frozenset({"bfs"}), "bfs: the vertex to begin at"),
        "threads": _Use("--threads", programs, "cg and bfs: reading or making their data"),
        "memory": _Use("--memory", programs, "cg and bfs: reading or making their data"),
        "plan": _Use("--plan", programs, "cg and bfs: a collective is replayed without its data"),
        "plot": _Use("--plot", every - {"barrier"}, "what has sizes or numbers of ranks"),
    }


def check_options(context: typer.Context, operation: str | None, listing: bool) -> None:
    """UsageError that names the first option without a meaning for the operation."""
    given = options.given(context)
    if listing:
        spelt = {"operation": "OP", "data": "MATRIX or GRAPH", "size": "--bytes"}
        for name in given:
            if name not in ("systems", "json"):
                option = spelt.get(name, "--" + name.replace("_", "-"))
                raise UsageError(f"--systems lists what there is: {option} does nothing beside it")
        return
    if operation is None:
        raise UsageError("which operation? (allgather, broadcast, …; cg, bfs; or --systems)")
    known = _collectives()
    if operation not in known and operation not in PROGRAMS:
        raise UsageError(f"'{operation}' is none of {', '.join([*known, *PROGRAMS])}")
    uses = _uses()
    for name in given:
        use = uses.get(name)
        if use is not None and operation not in use.operations:
            raise UsageError(f"{operation}: {use.option} is for {use.purpose}")


def check_what_if(
    question: str | None, operation: str, system: System, sizes: list[int], buffers: str,
    mapping: str,
) -> None:  # fmt: skip
    """UsageError where a question changes nothing, or what it says nothing about.

    The hub reduces scalars, staging and mappings are of collectives; bfs puts by itself.
    """
    if question is None:
        return
    option = f"--what-if {question}"
    if question == "hub-reduction":
        scalar = operation == "allreduce" and buffers == "host" and max(sizes) <= ELEMENT
        if operation != "cg" and not scalar:
            raise UsageError(
                f"{operation}: {option} is for cg and for scalars: allreduce with --buffers host "
                f"and --bytes {ELEMENT}"
            )
    elif operation == "bfs":
        raise UsageError(f"bfs: {option} is for collectives and cg: a search has puts of its own")
    elif operation == "cg":
        row = _gossamer.system_collective(
            system.name, list(system.changes), "allgather", ELEMENT, 2, "device"
        )
        if row is None:
            raise UsageError(
                f"cg: {option} changes what a system's own software does, and {system.name} "
                "describes none"
            )
    elif question == "staged-puts" and buffers == "host":
        raise UsageError(f"{operation}: {option} is for --buffers device")
    elif question == "own-mapping" and mapping != "own":
        raise UsageError(f"{operation}: give {option} or --mapping {mapping}, not both")


def parse_sizes(text: str) -> list[int]:
    """``64``, ``8,1K,1M`` or ``8..16M`` (doubling), in bytes; ascending, each once."""
    first, dots, last = text.partition("..")
    if not dots:
        return sorted({memory_bytes(part, "--bytes") for part in text.split(",")})
    low, high = (memory_bytes(end, "--bytes") for end in (first, last))
    if high < low:
        raise UsageError(f"--bytes: '{text}' is not a range such as 8..16M")
    sizes = [low]
    while sizes[-1] * 2 <= high:
        sizes.append(sizes[-1] * 2)
    return sizes


def parse_ranks(text: str) -> list[int]:
    """``16`` or ``1,2,4``; ascending, each once: what is said of them compares neighbours."""
    parts = text.split(",")
    if not all(part.isdecimal() and int(part) >= 1 for part in parts):
        raise UsageError(f"--ranks: '{text}' is no number and no list such as 1,2,4")
    return sorted({int(part) for part in parts})


def default_ranks(operation: str, systems: list[System]) -> list[int]:
    """What papers B and E measure, as far as every system has the nodes."""
    most = min((s.nodes for s in systems if s.nodes > 0), default=16)
    if operation == "bfs":
        return [min(2, most)]
    if operation == "cg":
        return [p for p in (1, 2, 4, 8, 16) if p <= most]
    return [min(16, most)]
