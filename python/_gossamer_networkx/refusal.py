"""What the backend cannot or should not run, and why."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from decimal import Decimal
from fractions import Fraction
from itertools import islice
from typing import Any, TypeVar

import networkx as nx
from gossamer.graph.networkx import has_own_neighbours

F = TypeVar("F", bound=Callable[..., Any])

#: By function: says of a call's arguments, by name, why it is refused, or nothing.
REFUSALS: dict[str, Callable[[Mapping[str, Any]], str | None]] = {}


def refuses(reason: Callable[[Mapping[str, Any]], str | None]) -> Callable[[F], F]:
    """Decorates a function with what it refuses."""

    def note(function: F) -> F:
        REFUSALS[function.__name__] = reason
        return function

    return note


def weight_refused(given: Mapping[str, Any]) -> str | None:
    """Weights that are functions, or exact numbers by the first edge. The others are looked at when
    they are read."""
    weight = given.get("weight")
    if callable(weight):
        return "weights by a function"
    graph = given["G"]
    if weight is not None and isinstance(graph, nx.Graph):
        for _, _, value in islice(graph.edges(data=weight), 1):
            if isinstance(value, Decimal | Fraction):
                return f"weights of type {type(value).__name__}"
    return None


def can_run(functions: Mapping[str, Any], name: str, args: Any, kwargs: Any) -> bool | str:
    """True, or why not."""
    if has_own_neighbours(args[0] if args else kwargs.get("G")):
        return "the graph's class overrides neighbours"
    refusal = REFUSALS.get(name)
    if refusal is None:
        return True
    try:
        bound = inspect.signature(functions[name]).bind(*args, **kwargs)
    except TypeError as error:  # NetworkX's own function says it better
        return str(error)
    bound.apply_defaults()
    return refusal(bound.arguments) or True


def should_run(name: str, args: Any, kwargs: Any) -> bool | str:
    """True, or why NetworkX is the better choice."""
    least = nx.config.backends.gossamer.min_arcs
    graph = args[0] if args else kwargs["G"]
    if least <= 0 or not isinstance(graph, nx.Graph):
        return True
    arcs = sum(map(len, graph._adj.values()))
    return True if arcs >= least else f"{arcs} arcs are fewer than min_arcs, {least}"
