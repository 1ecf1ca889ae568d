"""Results whose values by vertex stay where a run left them until somebody asks for them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy.typing as npt

from gossamer import _gossamer
from gossamer.arguments import device_ordinal
from gossamer.arrays import Array, uploaded
from gossamer.errors import UsageError

from .worklist import WorklistCounters


@dataclass(frozen=True, kw_only=True)
class ValuesResult:
    """What results of shortest paths, components and PageRank share."""

    #: Names of the arrays; the first one's values are left where they were made.
    _arrays: ClassVar[tuple[str, ...]]

    engine: str
    #: Why it.
    engine_reason: str
    #: Ranks that worked.
    ranks_used: int
    #: Why not all; empty when all did.
    ranks_reason: str
    #: What the worklist of engines ``async`` and ``host`` did; None with other engines.
    work: WorklistCounters | None
    _values: _gossamer.ResultValues | None = field(default=None, repr=False)

    def _here(self) -> npt.NDArray[Any]:
        assert self._values is not None
        return self._values.numpy()

    def gather(self, what: str, device: str | int = "cpu") -> Any:
        """One of the result's arrays, by its name, on one device.

        ``"cpu"`` gives the NumPy array. ``"cuda:K"`` or K gives an :class:`Array` on that GPU:
        without a copy where the run left the values there, otherwise by way of the host.
        """
        if what not in self._arrays:
            raise UsageError(f"gather: '{what}' is none of {', '.join(self._arrays)}")
        ordinal = device_ordinal(device)
        left = self._values
        if what == self._arrays[0] and left is not None and 0 <= ordinal == left.ordinal:
            return Array(*left.view())
        host = getattr(self, what)
        if ordinal < 0:
            return host
        if host is None:
            raise UsageError(f"gather: this result has no {what}")
        return uploaded(host, ordinal)
