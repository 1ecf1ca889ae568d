"""Graphs as the backend holds them, made from NetworkX's and back."""

from __future__ import annotations

import weakref
from collections.abc import Hashable, Iterator
from typing import Any

import gossamer as gs
import networkx as nx
import numpy as np
import numpy.typing as npt
from gossamer.graph.networkx import Rows, graph_of, read_rows, read_weights


class ConvertedGraph:
    """A NetworkX graph's nodes and arcs in its order, and the weights that were asked for.

    The original is held weakly: weights are read from it later, too, as long as it lives and has
    the same nodes and arcs. What was read stays as it was, which is how NetworkX caches.
    """

    __networkx_backend__ = "gossamer"

    def __init__(self, original: Any) -> None:
        self.rows = read_rows(original)
        self._directed: bool = original.is_directed()
        self._multigraph: bool = original.is_multigraph()
        self._weights: dict[tuple[Hashable, Any], npt.NDArray[Any]] = {}
        self._original: Any = weakref.ref(original)
        self._graphs: dict[Hashable, gs.Graph] = {}

    def __getstate__(self) -> dict[str, Any]:
        # Calls on the graphs keep placements, which are made anew; a copy has no original.
        return vars(self) | {"_original": None, "_graphs": {}}

    # --- what NetworkX's decorators and users ask ------------------------------------------------

    def is_directed(self) -> bool:
        return self._directed

    def is_multigraph(self) -> bool:
        return self._multigraph

    def __len__(self) -> int:
        return len(self.nodes)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.nodes)

    def __contains__(self, node: Any) -> bool:
        try:
            return node in self.rows.names.places
        except TypeError:  # not hashable
            return False

    def __repr__(self) -> str:
        return f"<ConvertedGraph of {len(self)} nodes and {self.rows.indices.size} arcs>"

    # --- what algorithms work on -----------------------------------------------------------------

    @property
    def nodes(self) -> list[Any]:
        """The nodes in NetworkX's order."""
        return self.rows.names.listed

    def index(self, node: Hashable) -> int:
        """Index of a node; KeyError when there is none."""
        return self.rows.names.places[node]

    def named(self, indices: list[int]) -> Iterator[Any]:
        """The nodes with these indices."""
        return map(self.nodes.__getitem__, indices)

    def values(self, given: Any, missing: float = 0) -> npt.NDArray[np.float64]:
        """A dict by node as an array by index."""
        return np.array([given.get(node, missing) for node in self.nodes], np.float64)

    def nodes_now(self) -> Any:
        """The nodes of the NetworkX graph, however it is changed. Ours when that is gone, or is a
        view: those take long to count their nodes."""
        found = self._original and self._original()
        now = None if found is None else found._node
        return now if isinstance(now, dict) else self.nodes

    def original(self) -> Any | None:
        """The NetworkX graph, if it still lives and has these nodes and arcs."""
        found = self._original and self._original()
        if found is None or not read_rows(found).equal(self.rows):
            return None
        return found

    def living(self, otherwise: str = "the graph was changed since it was converted") -> Any:
        """The NetworkX graph; NetworkXError when that was changed or is gone."""
        source = self.original()
        if source is None:
            raise nx.NetworkXError(f"{otherwise}, or is gone")
        return source

    def weights(self, name: Hashable, default: Any = 1) -> npt.NDArray[Any]:
        """An edge attribute by arc: int64 or float64, from zero up, finite."""
        key = (name, default)
        if key not in self._weights:
            missing = f"edge attribute {name!r} was not converted, and the graph was changed since"
            self.read_weights(self.living(missing), name, default)
        return self._weights[key]

    def read_weights(self, source: Any, name: Hashable, default: Any) -> None:
        """Reads an edge attribute of the original. NotImplementedError for what engines refuse:
        NetworkX then takes its own function."""
        try:
            read = read_weights(source, name, default)
        except gs.InputError as error:
            raise NotImplementedError(str(error)) from None
        if read.size and not (read.min() >= 0 and np.isfinite(read).all()):
            raise NotImplementedError(f"edge attribute {name!r}: weights are finite, 0 or more")
        self._weights[name, default] = read

    def graph(self, weight: Hashable | None = None, *, reverse: bool = False) -> gs.Graph:
        """The arcs as Gossamer's graph, with weights of that name, or turned around."""
        if reverse and self._directed:
            key: Hashable = (weight, "reverse")
            if key not in self._graphs:
                self._graphs[key] = self.graph(weight).transposed()
            return self._graphs[key]
        key = (weight, "forward")
        if key not in self._graphs:
            weights = None if weight is None else self._engine_weights(weight)
            self._graphs[key] = graph_of(self.rows, weights, not self._directed, "networkx")
        return self._graphs[key]

    def arcs(self, *, reverse: bool = False) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
        """`indptr` and `indices` of the rows, or of predecessors in the order of their indices."""
        if reverse and self._directed:
            turned = self.graph(reverse=True)
            return turned.indptr, turned.indices
        return self.rows.indptr, self.rows.indices

    def _engine_weights(self, name: Hashable) -> npt.NDArray[Any]:
        """Weights in a type whose sums along any path are exact if they are integers."""
        read = self.weights(name)
        if read.dtype == np.float64 or not read.size:
            return read.astype(np.float64)
        longest = int(read.max()) * (len(self) - 1)
        if longest < 2**32 - 1 and read.max() < 2**31:
            return read.astype(np.int32)
        if longest <= 2**53:
            return read.astype(np.float64)
        raise NotImplementedError(f"edge attribute {name!r}: paths of more than 2**53")


def convert_from_nx(
    graph: Any,
    edge_attrs: dict[Hashable, Any] | None = None,
    node_attrs: dict[Hashable, Any] | None = None,
    preserve_edge_attrs: bool = False,
    preserve_node_attrs: bool = False,
    preserve_graph_attrs: bool = False,
    name: str | None = None,
    graph_name: str | None = None,
) -> ConvertedGraph:
    """A graph with the edge attributes that are asked for; others are read when they are needed,
    and attributes of nodes and graphs by nothing here."""
    made = ConvertedGraph(graph)
    for attribute, default in (edge_attrs or {}).items():
        made.read_weights(graph, attribute, default)
    return made


def convert_to_nx(result: Any, *, name: str | None = None) -> Any:
    """The original of a graph, or where that is gone or was changed a graph made anew, with the
    weights that were read; any other result as it is."""
    if not isinstance(result, ConvertedGraph):
        return result
    original = result.original()
    return _rebuilt(result.rows, result) if original is None else original


def _rebuilt(rows: Rows, of: ConvertedGraph) -> Any:
    kinds = {
        (False, False): nx.Graph,
        (True, False): nx.DiGraph,
        (False, True): nx.MultiGraph,
        (True, True): nx.MultiDiGraph,
    }
    made = kinds[of.is_directed(), of.is_multigraph()]()
    made.add_nodes_from(of.nodes)
    tails = np.repeat(np.arange(len(of)), np.diff(rows.indptr))
    # Of an undirected edge's two arcs the one that starts at the earlier node.
    arcs = np.arange(tails.size) if of.is_directed() else np.flatnonzero(tails <= rows.indices)
    columns = {name: array[arcs].tolist() for (name, _), array in of._weights.items()}
    ends = zip(of.named(tails[arcs].tolist()), of.named(rows.indices[arcs].tolist()), strict=True)
    made.add_edges_from(
        (u, v, {name: column[i] for name, column in columns.items()})
        for i, (u, v) in enumerate(ends)
    )
    return made
