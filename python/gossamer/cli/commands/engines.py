"""`gossamer engines [ALGORITHM]`: which engines there are, where they run, and their options."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from gossamer.algorithm.options import EngineOption
from gossamer.algorithm.options import engines as all_engines
from gossamer.cli import options
from gossamer.cli.output.report import Report

_KNOWN = ", ".join(dict.fromkeys(engine.algorithm for engine in all_engines()))


def _described(option: EngineOption) -> str:
    """``balance=none|steal``."""
    values = "|".join(option.choices) or option.unit or option.type
    return f"{option.name}={values}" + (" (CPUs)" if option.cpus_only else "")


def engines(
    algorithm: Annotated[
        str | None,
        typer.Argument(metavar="ALGORITHM", help=f"One of {_KNOWN}; or all."),
    ] = None,
    json: options.Json = None,
) -> None:
    """List engines: where each runs, what it is, when auto takes it, and its options."""
    report = Report(json)
    # Commands have dashes where algorithms have none.
    found = all_engines(algorithm if algorithm is None else algorithm.replace("-", "_"))
    for name in dict.fromkeys(engine.algorithm for engine in found):
        report.table(
            name,
            ["engine", "runs on", "what it is", "auto takes it", "options"],
            [
                (
                    engine.name,
                    ", ".join(engine.runs_on),
                    engine.meaning,
                    engine.chosen or "never",
                    ", ".join(map(_described, engine.options)),
                )
                for engine in found
                if engine.algorithm == name
            ],
            (0, 1, 2, 3, 4),
        )
    report.json({"engines": [asdict(engine) for engine in found]})
