"""Predicate-based filtering over every rank of a machine: paper C's example program."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypedDict, Unpack

import numpy as np
import numpy.typing as npt

from gossamer import _gossamer
from gossamer.arguments import flags, integer, memory_bytes, number, seconds, texts
from gossamer.arrays import plain_array
from gossamer.errors import UsageError, VerificationError, check_time
from gossamer.machine import Machine, machine_of
from gossamer.machine.plans import MemoryPlan, memory_plan
from gossamer.trace import Trace, recorder

from .options import spelled_out

Array = npt.NDArray[Any]

#: Types of elements, by NumPy's names.
_TYPES = ("int32", "int64", "float32", "float64")


@dataclass(frozen=True)
class FilterShare:
    """What one rank did."""

    segments: int
    elements: int
    matched: int
    #: Seconds in the predicate, slowdown included.
    busy: float
    #: Seconds from the beginning until its last segment was done.
    ended: float


@dataclass(frozen=True)
class FilterResult:
    """One filtered array."""

    #: What was kept, in the input's order; empty when not gathered. In the process of rank 0.
    values: Array
    #: By rank, in the order in which segments came, when not gathered.
    parts: tuple[Array, ...]
    shares: tuple[FilterShare, ...]
    #: Elements kept on all ranks.
    matched: int
    #: First send to last result; slowest rank.
    milliseconds: float
    #: The same had all ranks worked without pause until the end.
    ideal_milliseconds: float
    #: Bytes of a segment.
    packet: int


class SegmentOptions(TypedDict, total=False):
    """How an array is cut, who gets the pieces, and where results go."""

    split: str
    gather: bool
    packet: int | str | None
    buffers: int | None


_explicit = spelled_out(SegmentOptions, {"split": "first-available", "gather": True})


@_explicit
def filter(
    array: Any,
    predicate: str,
    machine: Machine | str | None = None,
    *,
    slowdown: Sequence[float] = (),
    memory: int | str | None = None,
    timeout: float | None = None,
    trace: Trace | None = None,
    **segments: Unpack[SegmentOptions],
) -> FilterResult:
    """The elements of a one-dimensional array for which the predicate holds.

    array: int32, int64, float32 or float64; it may be larger than a device's memory, since ranks
    see it in segments. predicate: ``<V``, ``<=V``, ``>V``, ``>=V``, ``==V``, ``!=V`` or ``A..B``
    (both ends kept). split: ``first-available`` (segments go to whoever is free) or ``even``.
    gather: False leaves results on the ranks (`parts`). packet: bytes of a segment, buffers: of
    each link; chosen when not given. slowdown: a factor for each rank's time, for experiments.

    UsageError for other types, predicates and options; CapacityError with the plan.
    """
    where = machine_of(machine)
    elements = _elements(array)
    _check_predicate(elements, predicate)
    options = _options(segments)
    try:
        factors = [number(s, "filter: slowdown") for s in slowdown]
    except TypeError:  # such as an array without dimension
        raise UsageError("filter: slowdown: expected a factor for each rank") from None
    raw = _gossamer.filter(
        where._handle,
        elements,
        predicate,
        *options,
        factors,
        memory_bytes(memory),
        seconds(timeout, "filter"),
        recorder(trace),
    )
    if not where.virtual:
        check_time("filter", raw["milliseconds"] / 1e3, timeout)
    raw["parts"] = tuple(raw["parts"])
    raw["shares"] = tuple(FilterShare(*s) for s in raw["shares"])
    return FilterResult(**raw)


def verify_filter(array: Any, predicate: str, values: Any) -> None:
    """Compares `values` with a sequential pass over the input; VerificationError if they differ."""
    elements = _elements(array)
    _check_predicate(elements, predicate)
    try:
        kept = np.ascontiguousarray(plain_array(values, "filter: values"), elements.dtype)
    except (OverflowError, TypeError, ValueError):
        raise UsageError(f"filter: values: expected an array of {elements.dtype}") from None
    if reason := _gossamer.verify_filter(elements, predicate, kept):
        raise VerificationError(f"filter: {reason}")


@_explicit
def plan_filter(
    n: int,
    dtype: Any,
    machine: Machine | str | None = None,
    *,
    memory: int | str | None = None,
    **segments: Unpack[SegmentOptions],
) -> MemoryPlan:
    """What :func:`filter` takes on each rank for n elements, before anything is taken."""
    options = _options(segments)
    where, elements, size = machine_of(machine), integer(n, "filter: n"), _size_of(dtype)
    return memory_plan(
        _gossamer.plan_filter(where._handle, elements, size, *options, memory_bytes(memory))
    )


@_explicit
def filter_graph(
    n: int,
    dtype: Any,
    machine: Machine | str | None = None,
    *,
    json: bool = False,
    **segments: Unpack[SegmentOptions],
) -> str:
    """The endpoints, routers and links that :func:`filter` makes, in Graphviz's language; with
    `json` as an object of `nodes` and `links`."""
    flags("filter", json=json)
    options = _options(segments)
    where, elements, size = machine_of(machine), integer(n, "filter: n"), _size_of(dtype)
    return _gossamer.filter_graph(where._handle, elements, size, *options, json)


def _elements(array: Any) -> Array:
    elements = plain_array(array, "filter")
    if not elements.dtype.isnative:
        raise UsageError(
            "filter: the array's numbers are in another byte order; "
            f"array.astype('{elements.dtype.name}') has them in this machine's"
        )
    if elements.ndim != 1:
        raise UsageError(f"filter: the array has {elements.ndim} dimensions, one is needed")
    if elements.dtype.name not in _TYPES:
        raise UsageError(f"filter: the array holds {elements.dtype}; there are {', '.join(_TYPES)}")
    return np.ascontiguousarray(elements)


def _options(segments: Mapping[str, Any]) -> tuple[str, bool, int, int]:
    """What all functions here take, as the bindings have it."""
    split, gather = segments.get("split", "first-available"), segments.get("gather", True)
    texts("filter", split=split)
    flags("filter", gather=gather)
    buffers = segments.get("buffers")
    count = 0 if buffers is None else integer(buffers, "filter: buffers")
    return split, gather, memory_bytes(segments.get("packet"), "packet"), count


def _size_of(dtype: Any) -> int:
    name = ""
    with contextlib.suppress(TypeError, ValueError):
        name = np.dtype(dtype).name
    if name not in _TYPES:
        raise UsageError(f"filter: dtype {dtype!r} is none of {', '.join(_TYPES)}")
    return int(np.dtype(name).itemsize)


def _check_predicate(elements: Array, predicate: str) -> None:
    """UsageError for what is none; of integers it says so where it is one of other numbers."""
    texts("filter", predicate=predicate)
    nothing = elements[:0]
    try:
        _gossamer.verify_filter(nothing, predicate, nothing)
    except UsageError:
        if elements.dtype.kind != "i":
            raise
        reals = np.empty(0)
        _gossamer.verify_filter(reals, predicate, reals)
        raise UsageError(
            f"filter: '{predicate}' is no predicate of {elements.dtype}, whose numbers must be "
            "whole, in digits alone, and in its range"
        ) from None
