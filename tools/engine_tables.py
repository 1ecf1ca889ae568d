"""Writes docs/engines.md, which lists the engines and options of all algorithms as the library's
tables declare them.

    python tools/engine_tables.py [--check]

Needs gossamer on PYTHONPATH. --check compares, and exits with 1 where the page is another.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from gossamer import _gossamer, engines

PAGE = Path(__file__).parents[1] / "docs" / "engines.md"
HEAD = """# Engines and options

Written by `tools/engine_tables.py` from the tables in `src/algorithm/*/table.cpp`, by which the
library checks what it is asked for. `gossamer engines` and `gossamer.engines()` list the same.

An engine's own options stand behind its name, on the command line and in Python:

    gossamer bfs kron:20 --engine vector_queue:transport=direct,results=slices
    gs.sssp(graph, 0, engine="async:balance=steal")

The options of an algorithm are members of its options struct in C++, arguments in Python, and
options of its command, with dashes. [cli.md](cli.md) says what commands take beside them.

`closeness`, `harmonic`, `eccentricity` and `diameter` are of `distances`. `hits`, `katz`,
`eigenvector`, `independent_set` and `coloring` are [vertex steps](vertex_steps.md), which have one
engine.
"""


def _values(option: dict[str, Any]) -> str:
    if option["choices"]:
        return ", ".join(f"`{choice}`" for choice in option["choices"])
    kinds = {"bool": "yes or no", "int": "whole number", "float": "number", "str": "name"}
    words = kinds[option["type"]] + (f", {option['unit']}" if option["unit"] else "")
    if option["most"] is not None:
        return f"{words}, {option['least']:g} to {option['most']:g}"
    return words if option["least"] is None else f"{words}, {option['least']:g} or more"


def _row(*cells: str) -> str:
    return "| " + " | ".join(cells) + " |"


def _default(option: dict[str, Any]) -> str:
    value = option["default"]
    if value is None:
        return "–"
    return f"`{value:g}`" if isinstance(value, float) else f"`{value}`"


def _engine(name: str, option: dict[str, Any]) -> str:
    return f"`{name}` on CPUs" if name in option["cpus_only"] else f"`{name}`"


def _section(algorithm: str) -> list[str]:
    lines = ["", f"## {algorithm}", "", _row("engine", "runs on", "what it is", "`auto` takes it")]
    lines.append(_row(*["---"] * 4))
    for engine in engines(algorithm):
        where = ", ".join(f"`{place}`" for place in engine.runs_on)
        lines.append(_row(f"`{engine.name}`", where, engine.meaning, engine.chosen or "never"))
    lines += ["", _row("option", "of", "values", "default", "meaning"), _row(*["---"] * 5)]
    for option in _gossamer.algorithms()[algorithm]["options"]:
        of = ", ".join(_engine(name, option) for name in option["engines"]) or "all"
        name = f"`{option['name']}`"
        lines.append(_row(name, of, _values(option), _default(option), option["meaning"]))
    return lines


def page() -> str:
    """The text of docs/engines.md."""
    lines = [HEAD.rstrip("\n")]
    for algorithm in _gossamer.algorithms():
        lines += _section(algorithm)
    return "\n".join(lines) + "\n"


def main() -> int:
    """Exit code."""
    text = page()
    if "--check" not in sys.argv[1:]:
        PAGE.write_text(text, encoding="utf-8")
        return 0
    if PAGE.is_file() and PAGE.read_text(encoding="utf-8") == text:
        return 0
    print(f"{PAGE.name}: not what the tables say; run tools/engine_tables.py")
    return 1


if __name__ == "__main__":
    sys.exit(main())
