"""Random calls of the public functions and methods of `gossamer`, by their signatures.

A call gives a result, or raises one of Gossamer's errors, or an exception that its docstring, or
its class's or module's, names.
"""

from __future__ import annotations

import contextlib
import dataclasses
import decimal
import inspect
import os
import random
import re
import signal
import sys
import warnings
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import gossamer as gs
import numpy as np
from gossamer import _gossamer, simulation
from gossamer_command.signals import leave
from scipy import sparse

from . import material
from .material import Folder

#: Of these the user makes none: calls give them.
_GIVEN = ("Array", "Cache", "VertexSearch", "Repeated", "Part", "PlacedGraph", "Flow", "Link",
          "SendFuture", "Segment")  # fmt: skip
_MODULES = (gs.dataflow, gs.datasets, gs.bench, simulation)
#: Without it `gap` runs 64 searches.
_ALWAYS = ("trials",)
#: Of these a call takes seconds or reaches for a network.
_LEFT_OUT = ("pointer_chase", "global_chase", "find", "load", "NodeList", "plot", "wiring_text")


class CallersError(Exception):
    """What a callable of the caller's raises."""


def _raising(*_: Any) -> Any:
    raise CallersError


@cache
def targets() -> tuple[tuple[str, Any], ...]:
    """Public functions and constructors, by name."""
    found: dict[str, Any] = {}
    for module in (gs, *_MODULES):
        for name in dir(module):
            one = getattr(module, name)
            if name.startswith("_") or name in _LEFT_OUT + _GIVEN or not callable(one):
                continue
            home = str(getattr(one, "__module__", ""))
            if not home.startswith("gossamer") or (module is not gs and home != module.__name__):
                continue
            if inspect.isclass(one):
                if issubclass(one, BaseException | tuple):
                    continue
                made = "handle" in inspect.signature(one).parameters
                record = dataclasses.is_dataclass(one) and name not in ("GraphShape", "System")
                if made or record:
                    continue
            found.setdefault(f"{module.__name__}.{name}", one)
    found["gossamer.Spread.of"] = gs.Spread.of
    found["gossamer.RateSpread.of"] = gs.RateSpread.of
    found["gossamer.bench.gap"] = gs.bench.gap  # its home is another module
    for name, one in list(found.items()):  # of all searches: no call makes them
        plan = inspect.getattr_static(one, "plan", None) if inspect.isclass(one) else None
        if isinstance(plan, classmethod | staticmethod):
            found[f"{name}.plan"] = one.plan
    return tuple(sorted(found.items()))


# --- arguments ------------------------------------------------------------------------------------


def _array(rng: random.Random, n: int) -> Any:
    """An array of numbers below n, or one that is in some way strange."""
    draw = np.random.default_rng(rng.randrange(1 << 30))
    size = rng.choice((n, n, n, n + 1, max(0, n - 1), 0, 1))
    kind = rng.choice(("i4", "i8", "f4", "f8", "i8", "u1", "u4", "u8", "f2", "c8", "?", ">i4", "O",
                       "U3", "M8[s]", "i2", "g"))  # fmt: skip
    values: Any = draw.integers(0, max(1, n), size)
    if rng.random() < 0.2 and size:
        values = values.astype(float)
        values[draw.integers(0, size)] = rng.choice((np.nan, np.inf, -np.inf, -1.0, 0.5, 1e300))
    elif rng.random() < 0.2 and size:
        values[draw.integers(0, size)] = rng.choice((-1, n, 1 << 31, 1 << 40, -(1 << 63)))
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        array = values.astype(kind)
    how = rng.randrange(12)
    if how == 0:
        array = np.repeat(array, 2)[::2]
    elif how == 1:
        array = array[::-1]
    elif how == 2:
        array.flags.writeable = False
    elif how == 3:
        array = array.reshape(-1, 1)
    elif how == 4:
        return values.tolist()
    elif how == 5:
        array = np.broadcast_to(np.array(1, kind) if kind != "U3" else "a", (n,))
    elif how == 6:
        array = np.array(3)
    elif how == 7:
        array = array.astype(array.dtype)[:, None].repeat(2, 1)
    return array


def _matrix(rng: random.Random, n: int) -> Any:
    """A sparse matrix, right or with indices that are unsorted, double, negative or too large."""
    draw = np.random.default_rng(rng.randrange(1 << 30))
    width = rng.choice((np.int32, np.int64))
    u, v = draw.integers(0, n, 3 * n), draw.integers(0, n, 3 * n)
    kind = rng.choice(("f8", "f4", "i4", "i8", "c16", "?", "f8"))
    made = sparse.coo_array((np.ones(3 * n, kind), (u, v)), shape=(n, n + rng.randint(0, 1)))
    if rng.random() < 0.4:
        return getattr(made, rng.choice(("tocsc", "tocoo", "tolil", "todok", "tobsr", "toarray")))()
    csr = made.tocsr()
    csr.indices, csr.indptr = csr.indices.astype(width), csr.indptr.astype(width)
    if csr.nnz and rng.random() < 0.5:
        csr.indices[draw.integers(0, csr.nnz)] = rng.choice((-1, n + 5, 1 << 30, 0))
    if rng.random() < 0.2:
        csr.indptr[draw.integers(0, n + 1)] = rng.choice((-1, 0, 1 << 30))
    if rng.random() < 0.2:
        csr.data = csr.data[:-1]
    if rng.random() < 0.3:
        csr.indices = csr.indices[::-1]
    return csr


class _Dlpack:
    """Says that it is an array, and is none."""

    def __dlpack__(self, *_: Any, **__: Any) -> Any:
        return object()

    def __dlpack_device__(self) -> Any:
        return (1, 0)


class _Interface:
    """An array of a made-up address."""

    def __init__(self, rng: random.Random) -> None:
        self.__array_interface__ = {
            "shape": rng.choice(((-1,), (0,), (1 << 62, 4), "x")), "typestr": "<i4", "version": 3,
            "data": (0, False),
        }  # fmt: skip


def _hostile(rng: random.Random, n: int) -> Any:
    """Something of a type or size that is most often wrong."""
    made: tuple[Callable[[], Any], ...] = (
        lambda: None, lambda: rng.choice((True, False)), lambda: rng.choice((-1, 0, 1, n, n + 1)),
        lambda: rng.choice((1 << 31, 1 << 40, 1 << 63, 1 << 64, -(1 << 70), 10**400)),
        lambda: rng.choice((0.5, -1.0, float("nan"), float("inf"), 1e300, 1e-300)),
        lambda: rng.choice(material.HOSTILE), lambda: b"\xff\0", list, dict, object,
        lambda: rng.choice((np.int64(3), np.uint8(200), np.float32("nan"), np.bool_(True))),
        lambda: np.array(None), lambda: np.zeros((0, 3)), lambda: np.array(["a", 1], object),
        lambda: np.zeros(n, [("a", "i4"), ("b", "f8")]), lambda: np.array(5), lambda: ...,
        lambda: _raising, lambda: 3 + 4j, lambda: decimal.Decimal("NaN"), lambda: [[1], [2, 3]],
        lambda: {1: 2}, lambda: {1, 2}, lambda: range(n), lambda: iter([0, 1]), lambda: "a\0b",
        lambda: Path("missing.mtx"), lambda: [None], lambda: ["a", "b"], lambda: [1 << 70], _Dlpack,
        lambda: _Interface(rng), lambda: np.ma.masked_array([1, 2], [True, False]),
        lambda: memoryview(b"abcd"), lambda: gs.errors, lambda: [0] * n, lambda: [0.5] * n,
    )  # fmt: skip
    return rng.choice(made)()


def _graph(rng: random.Random) -> gs.Graph:
    """A small graph of one of the ways to get one."""
    kind = rng.randrange(5)
    n = rng.randint(1, 30)
    if kind == 0:
        return gs.generate(rng.choice((f"path:{n}", f"grid:{n}x2", "kron:4", f"road:{n}", "star:9",
                                       f"poisson:{n}", "band:9:27")))  # fmt: skip
    draw = np.random.default_rng(rng.randrange(1 << 30))
    u, v = draw.integers(0, n, 2 * n), draw.integers(0, n, 2 * n)
    weights = rng.choice((None, draw.random(2 * n), draw.integers(0, 9, 2 * n).astype(np.int32)))
    names = [f"v{i}" for i in range(n)] if kind == 1 else None
    return gs.from_edges(u, v, weights, n, symmetrize=rng.random() < 0.5, names=names)


@dataclasses.dataclass
class Session:
    """A case: what it has made so far, and what it said of its calls."""

    rng: random.Random
    graph: gs.Graph
    note: int
    pool: list[Any] = dataclasses.field(default_factory=list)

    def of_pool(self, kind: str) -> Any:
        """Something that a call gave, of that type; None: there is none."""
        return next((o for o in reversed(self.pool) if type(o).__name__ == kind), None)

    def argument(self, name: str, annotation: str) -> Any:
        """A value for a parameter."""
        rng, n = self.rng, max(1, self.graph.vertices)
        if name == "verify_data":  # files are believed without (SECURITY.md)
            return True
        if rng.random() < 0.25:
            return _hostile(rng, n)
        if name in ("graph", "pattern"):
            return self.graph
        if name in ("matrix", "A"):
            return rng.choice((self.graph, _matrix(rng, n), gs.matrix("poisson:5")))
        if name == "placed":
            return self.of_pool("PlacedGraph") or gs.Machine("cpu:2x1").place(self.graph)
        if name == "machine":
            spec = material.machine(rng)
            return rng.choice((None, spec, gs.Machine("cpu:1x1"), "cpu:2x1"))
        if name == "spec":
            return material.graph(rng) if rng.random() < 0.7 else material.machine(rng)
        if name == "engine":
            return material.engine(rng, rng.choice(list(_gossamer.algorithms())))
        if name in ("memory", "packet"):
            return rng.choice((None, 1 << 20, "1M", "64K", "device=1M", 1))
        if name in ("path", "trace"):
            return self._path()
        if name == "kernels":
            return rng.sample(gs.bench.KERNELS, rng.randint(0, 3))
        if name in (
            "trials",
            "scale",
            "side",
            "edge_factor",
            "roots",
            "threads",
            "count",
            "parts",
            "ranks",
        ):
            return rng.randint(0, 5)
        if name in ("dtype", "type"):
            return rng.choice(("f4", "f8", "i4", "i8", "u4", np.float64, np.int32, "x", object))
        if name in ("update", "combine"):
            return rng.choice(("min", "max", "add", "+", "or"))
        if name in ("propagate", "value", "until", "where"):
            return self._expression()
        if name == "predicate":
            return rng.choice(("<3", "1..4", "==2", ">0.5", "<nan", "3..1"))
        if name == "system":
            return simulation.System(rng.choice(("peach2", "h200", "expether")))
        if name == "policy":
            return rng.choice(("round-robin", "least-loaded", _raising, lambda *_: [0]))
        return self._by_type(name, annotation, n)

    def _by_type(self, name: str, annotation: str, n: int) -> Any:
        rng = self.rng
        if "bool" in annotation:
            return rng.random() < 0.5
        if "int" in annotation:
            return rng.choice((0, 1, 2, 3, n - 1, n, 16))
        if "float" in annotation:
            return rng.choice((0.5, 0.85, 1e-6, 0, 1, 2, 1e-3))
        if "Callable" in annotation or "Progress" in annotation:
            return rng.choice((None, _raising, lambda *_: None))
        if annotation.startswith("str"):
            words = ("auto", "none", "hash", "ranges", "host", "parents", "source", "x", "degree",
                     "even", "poisson:4", "peach2", "all", "top-down", "distances", "allreduce",
                     "ring", "device", "cpu", "weight", "sorted", "mtx", "gsr")  # fmt: skip
            return rng.choice(words)
        return rng.choice(
            (_array(rng, n), _array(rng, n), _matrix(rng, n), 0, None, [0], self.graph)
        )

    def _path(self) -> Any:
        folder = Folder()
        rng = self.rng
        kind = rng.choice(("graph", "graph", "partition", "record"))
        name = folder.place(rng, kind) if rng.random() < 0.7 else "out" + rng.choice(
            material.SUFFIXES)  # fmt: skip
        with contextlib.suppress(OSError, ValueError):
            for file, content in folder.files.items():
                Path(file).write_bytes(content)
        return Path(name) if rng.random() < 0.5 else name

    def _expression(self) -> str:
        rng = self.rng
        atoms = ("value", "weight", "1", "0.5", "degree", "source.a", "a", "b", "c", "x", "2**3",
                 "min(a, 1)", "a if b else 1", "-a", "not a", "1e999", "9" * 30)  # fmt: skip
        text = rng.choice(atoms)
        for _ in range(rng.randint(0, 3)):
            text += rng.choice((" + ", " * ", " < ", " / ", " and ", " // ", " % ", " == "))
            text += rng.choice(atoms)
        return material.mutated(rng, text) if rng.random() < 0.3 else text

    # --- calls ---

    def _given(self, of: Any) -> tuple[list[Any], dict[str, Any]]:
        plain: list[Any] = []
        named: dict[str, Any] = {}
        for name, parameter in inspect.signature(of).parameters.items():
            annotation = str(parameter.annotation)
            optional = parameter.default is not parameter.empty
            seldom = optional and name not in _ALWAYS
            if name == "self" or (seldom and self.rng.random() > 0.25):
                continue
            if parameter.kind is parameter.VAR_POSITIONAL:
                plain += [_hostile(self.rng, 3) for _ in range(self.rng.randint(0, 2))]
            elif parameter.kind is parameter.VAR_KEYWORD:
                for extra in self.rng.sample(("a", "b", "c", "threads"), self.rng.randint(0, 2)):
                    named[extra] = self.argument(extra, "Any")
            elif parameter.kind is parameter.POSITIONAL_ONLY:
                plain.append(self.argument(name, annotation))
            else:
                named[name] = self.argument(name, annotation)
        return plain, named

    def call(self, name: str, of: Any) -> str:
        """What is wrong with one call; "": nothing. Its result joins the pool."""
        plain, named = self._given(of)
        said = [_shown(a) for a in plain] + [f"{k}={_shown(a)}" for k, a in named.items()]
        os.write(self.note, f"{name}({', '.join(said)})\n".encode("utf-8", "backslashreplace"))
        try:
            made = of(*plain, **named)
        except (CallersError, gs.Error):
            return ""
        except Exception as error:
            return _unexpected(name, of, error)
        if type(made).__module__.startswith("gossamer"):
            self.pool.append(made)
        return ""

    def method(self) -> tuple[str, Any] | None:
        """A public method or property of what the pool has."""
        # A type is hashable, whatever mypy says of a type of anything.
        of_type: Any = _members
        known = [(one, *member) for one in self.pool for member in of_type(type(one))]
        if not known:
            return None
        one, where, name, of = self.rng.choice(known)
        return where, _reader(one, name, of) if isinstance(of, property) else getattr(one, name)


@cache
def _members(kind: type) -> tuple[tuple[str, str, Any], ...]:
    """Public methods and properties of a type: as they are said, names, and what they are."""
    return tuple(
        (f"{kind.__name__}.{name}", name, of)
        for name, of in inspect.getmembers(kind)
        if (not name.startswith("_") or name in ("__getitem__", "__len__", "__array__"))
        and (isinstance(of, property) or
             (callable(of) and str(getattr(of, "__module__", "")).startswith("gossamer")))
    )  # fmt: skip


def _reader(one: Any, name: str, of: property) -> Callable[[], Any]:
    def read() -> Any:
        return getattr(one, name)

    read.__doc__ = of.__doc__
    read.__module__ = type(one).__module__
    return read


def _shown(x: Any) -> str:
    if isinstance(x, np.ndarray):
        return f"array({x.dtype}, {x.shape}, {x.strides}, {x.ravel()[:4].tolist()!r:.60})"
    return ascii(x)[:100]


@cache
def _names(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"\b[A-Z]\w*(?:Error|Iteration)\b", text))


def _unexpected(name: str, of: Any, error: Exception) -> str:
    """Of an exception that is none of Gossamer's: "" where its docstring says it may come."""
    if "unexpected keyword argument" in str(error):
        return ""
    owner = getattr(of, "__self__", None)
    home = sys.modules.get(getattr(of, "__module__", None) or "")
    holders = (of, type(owner) if owner is not None else None, home)
    said = " ".join(inspect.getdoc(h) or "" for h in holders if h is not None)
    if any(kind.__name__ in _names(said) for kind in type(error).__mro__[:-2]):
        return ""
    at = error.__traceback__
    where = ""
    while at is not None:
        file = at.tb_frame.f_code.co_filename
        if f"{os.sep}gossamer{os.sep}" in file:
            where = f"{Path(file).name}:{at.tb_frame.f_code.co_name}:{at.tb_lineno}"
        at = at.tb_next
    return f"{name} raised {type(error).__name__} in {where}: {error}"


def run(rng: random.Random, note: int) -> list[str] | None:
    """One case: a call, and some of what its result has. The faults; None: it was interrupted."""
    warnings.simplefilter("ignore")
    # Shows that a case was interrupted, and by nothing else.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        session = Session(rng, _graph(rng), note)
        session.pool.append(session.graph)
        faults = []
        name, of = rng.choice(targets())
        if rng.random() < 0.75:
            faults.append(session.call(name, of))
        for _ in range(rng.randint(0, 3)):
            if of_pool := session.method():
                faults.append(session.call(*of_pool))
        return [fault for fault in faults if fault]
    except KeyboardInterrupt:
        return None
    finally:
        signal.signal(signal.SIGINT, leave)
