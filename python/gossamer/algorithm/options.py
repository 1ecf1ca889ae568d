"""Options of algorithms by the library's tables: checked, and put as the bindings take them."""

from __future__ import annotations

from functools import cache
from typing import Any

from gossamer import _gossamer
from gossamer.arguments import flags, instance, integer, memory_bytes, number
from gossamer.graph.shape import part_ids


@cache
def table(algorithm: str) -> dict[str, dict[str, Any]]:
    """The options of an algorithm by name, with type, default, choices, unit and meaning."""
    return {option["name"]: option for option in _gossamer.algorithms()[algorithm]["options"]}


def _checked(algorithm: str, name: str, x: Any) -> Any:
    what = f"{algorithm}: {name}"
    if name == "engine":
        return instance(x, str, what, "text")
    if name == "memory":
        return memory_bytes(x)
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


def named_options(algorithm: str, partition: Any = None, **given: Any) -> dict[str, Any]:
    """`given` by name, each of its option's type, and a partition as name and table.

    UsageError names the first that is of another type; which values there are is the library's to
    say.
    """
    out = {name: _checked(algorithm, name, x) for name, x in given.items()}
    if partition is not None:
        out["partition"], out["part_of"] = part_ids(partition)
    return out
