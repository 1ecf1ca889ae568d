"""Modelled systems as they are described, changed, and asked what would be different."""

from __future__ import annotations

from dataclasses import dataclass

from gossamer import _gossamer
from gossamer.arguments import integer, texts
from gossamer.errors import UsageError
from gossamer.machine import Machine

#: Questions that paper E leaves open, as changes of a system that talks by PIO and chained DMA.
WHAT_IF: dict[str, tuple[str, tuple[str, ...]]] = {
    "hub-reduction": (
        "scalars are reduced in the hub chips: only the first store leaves a CPU and only the last "
        "result reaches one (745 ns); in between 25 clocks of 250 MHz a step",
        ("transfer.pio.latency=1e-7", "software.step=0", "software.call=7.45e-7"),
    ),
    "staged-puts": (
        "GPU buffers go through host memory: cudaMemcpy down and up, CPU-to-CPU puts between",
        ("software.via=host",),
    ),
    "own-mapping": (
        "every collective has a node mapping of its own",
        ("software.mapping=searched",),
    ),
}


@dataclass(frozen=True)
class System:
    """A modelled system with changes to its numbers."""

    name: str
    changes: tuple[str, ...] = ()
    #: What to call it; default its name.
    label: str = ""

    def __post_init__(self) -> None:
        texts("System", name=self.name, label=self.label)
        if isinstance(self.changes, str):
            raise UsageError("System: changes: expected a tuple of texts, got a text")
        for change in self.changes:
            texts("System", change=change)
        _gossamer.system_nodes(self.name, list(self.changes))  # refuses what there is not

    @property
    def title(self) -> str:
        """The label, or else the name."""
        return self.label or self.name

    @property
    def nodes(self) -> int:
        """Nodes of the hardware described; 0 = any number."""
        return _gossamer.system_nodes(self.name, list(self.changes))

    def beyond(self, ranks: int) -> str:
        """What to say of predictions with more ranks than nodes; empty for others.

        UsageError when they are more than the description may be extended to.
        """
        count = integer(ranks, "System: ranks", 1 << 31)
        return _gossamer.system_beyond(self.name, list(self.changes), count)

    def machine(self, ranks: int) -> Machine:
        """Ranks that are nodes of it; UsageError when it cannot have so many (see beyond())."""
        count = integer(ranks, "System: ranks", 1 << 31)
        return Machine(",".join([f"sim:{self.name}", f"ranks={count}", *self.changes]))

    def what_if(self, question: str) -> System:
        """The same with one of WHAT_IF's answers built in."""
        if question not in WHAT_IF:
            raise UsageError(f"System: what_if: '{question}' is none of {', '.join(WHAT_IF)}")
        return System(self.name, self.changes + WHAT_IF[question][1], f"{self.title} + {question}")
