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


#: By function: its signature, and says of a call's arguments whether NetworkX needs no longer than
#: the graph's conversion takes.
BRIEF: dict[str, tuple[inspect.Signature, Callable[[Mapping[str, Any]], bool]]] = {}


def brief(when: Callable[[Mapping[str, Any]], bool]) -> Callable[[F], F]:
    """Decorates a function with the calls that only graphs converted before are worth."""

    def note(function: F) -> F:
        BRIEF[function.__name__] = (inspect.signature(function), when)
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
    if arcs < least:
        return f"{arcs} arcs are fewer than min_arcs, {least}"
    if _is_brief(name, args, kwargs) and not _is_converted(graph):
        return "NetworkX is done before the graph would be converted"
    return True


def _is_brief(name: str, args: Any, kwargs: Any) -> bool:
    if name not in BRIEF:
        return False
    signature, when = BRIEF[name]
    try:
        bound = signature.bind(*args, **kwargs)
    except TypeError:  # NetworkX's own function says it better
        return True
    bound.apply_defaults()
    return when(bound.arguments)


def _is_converted(graph: Any) -> bool:
    cache = getattr(graph, "__networkx_cache__", None) or {}
    return bool(cache.get("backends", {}).get("gossamer"))
