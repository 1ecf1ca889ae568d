"""Machines that are there, for figures that have them beside what is predicted of models."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import gossamer as gs
from gossamer.machine import machine_of
from gossamer.simulation import System

from .measured_file import hardware
from .report import NOT_IN_PAPER, Row

__all__ = ["Here", "Machines", "Where"]


@dataclass(frozen=True)
class Here:
    """One of them, in place of a modelled system: it has the same `title` and `machine`."""

    spec: str

    @property
    def title(self) -> str:
        """What plots call it, which stand for themselves."""
        return f"{self.spec}, measured"

    def machine(self, ranks: int = 0) -> gs.Machine:
        """All of it: its spec says how many ranks it has."""
        return machine_of(self.spec)

    @property
    def ranks(self) -> int:
        return self.machine().size

    def row(
        self, figure: str, what: str, ours: float | str, unit: str = "", reason: str = "",
        published: float | str = NOT_IN_PAPER,
    ) -> Row:  # fmt: skip
        """One thing that was measured. The paper's numbers are of its own machines, so that most
        rows have none to deviate from, and name it in the reason."""
        said = f"{self.ranks} rank{'s' * (self.ranks > 1)}: {hardware(self.machine())}."
        return Row(figure, f"{self.spec}: {what}", published, ours, unit,
                   reason=f"{said} {reason.strip()}".strip(), measured=True)  # fmt: skip


Machines = Sequence[Here]
#: Where a bench runs.
Where = System | Here
