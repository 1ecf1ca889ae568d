"""What a graph and a placed graph know of themselves alike."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gossamer import _gossamer


class GraphFacts:
    """Name, size and origin, by the library's own object."""

    if TYPE_CHECKING:

        @property
        def _facts(self) -> _gossamer.Graph | _gossamer.PlacedGraph: ...

    @property
    def name(self) -> str:
        """File name without its folder, or generator spec."""
        return self._facts.name

    @property
    def vertices(self) -> int:
        """Number of vertices n."""
        return self._facts.vertices

    @property
    def arcs(self) -> int:
        """Number of stored arcs: an undirected edge counts twice, a self-loop once."""
        return self._facts.arcs

    @property
    def symmetric(self) -> bool:
        """True when (u, v) is stored as often as (v, u), with the same weights."""
        return self._facts.symmetric

    @property
    def steps(self) -> list[str]:
        """Transformations applied so far, in words."""
        return self._facts.steps
