"""Generated graphs: the same bytes for a seed, whatever the machine."""

from __future__ import annotations

from typing import Any

from gossamer import _gossamer
from gossamer.arguments import (
    callback,
    flags,
    instance,
    integer,
    memory_bytes,
    number,
    thread_count,
)
from gossamer.errors import CapacityError

from .csr import Graph
from .input import Progress


def generate(
    spec: str,
    *,
    weights: bool = False,
    keep_duplicates: bool = False,
    device: int | None = None,
    threads: int = 0,
    memory: int | str | None = None,
    progress: Progress | None = None,
) -> Graph:
    """Makes the undirected graph that a spec names, with the same bytes wherever it is made.

    ``kron:SCALE[:EDGEFACTOR[:SEED[:degree]]]``, ``uniform:SCALE[:DEGREE[:SEED]]``, ``grid:WxH``,
    ``road:SIDE[:KEEP[:SEED]]``, ``star:N``, ``path:N``, ``tree:DEPTH[:ARITY]``,
    ``cliques:COUNTxSIZE``, ``lollipop:CLIQUExPATH``, ``bipartite:HUBSxLEAVES:DEGREE[:SEED]``,
    ``small-world:N:K:PER_MILLE[:SEED]``, ``mesh:XxYxZ``, ``preferential:N:M[:SEED]``,
    ``geometric:N:DEGREE[:SEED]``, ``web:N:DEGREE[:SEED]`` (docs/cli.md says more). Matrices, with
    their values as weights and their diagonal as self-loops: ``poisson:NX[xNY[xNZ]]``,
    ``band:ROWS:NON_ZEROS[:SEED]``.

    weights: integer weights 1..255 (road graphs always have them).
    keep_duplicates: keep self-loops and parallel edges.
    device: CUDA ordinal to generate on; None = CPU, as always for matrices. The graph stays on that
    GPU (:attr:`Graph.device`) unless it does not fit there, is in degree order, or
    `keep_duplicates` is set.
    threads: 0 = all cores.
    memory: limit in bytes, or text such as ``"16G"``.
    progress: called as ``progress(done, total)``.
    """
    callback(progress, "generate: progress")
    flags("generate", weights=weights, keep_duplicates=keep_duplicates)
    instance(spec, str, "generate: spec", "text such as kron:20")
    count, limit = thread_count(threads, "generate"), memory_bytes(memory)
    ordinal = -1 if device is None else integer(device, "generate: device", 1 << 31)
    if ordinal >= 0 and not keep_duplicates and _gossamer.is_listed(spec):
        try:
            return Graph(_gossamer.generate_on_gpu(spec, weights, ordinal, progress))
        except CapacityError:
            pass  # in passes, then, to the host
    return Graph(
        _gossamer.generate(spec, weights, keep_duplicates, count, limit, ordinal, progress)
    )


def _spec(*numbers: tuple[str, Any]) -> str:
    """Numbers of a generator's spec, each with its name for errors."""
    return ":".join(str(integer(x, name, 1 << 65)) for name, x in numbers)


def kronecker(scale: int, edge_factor: int = 16, seed: int = 1, **options: Any) -> Graph:
    """Graph500's Kronecker graph of 2^scale vertices; `options` as for :func:`generate`."""
    numbers = _spec(("scale", scale), ("edge_factor", edge_factor), ("seed", seed))
    return generate(f"kron:{numbers}", **options)


def uniform(scale: int, degree: int = 16, seed: int = 1, **options: Any) -> Graph:
    """`degree` · 2^scale undirected edges between uniformly drawn vertices."""
    numbers = _spec(("scale", scale), ("degree", degree), ("seed", seed))
    return generate(f"uniform:{numbers}", **options)


def grid(width: int, height: int, **options: Any) -> Graph:
    """A grid; the vertex in column x of row y has index y · width + x."""
    return generate(f"grid:{_spec(('width', width))}x{_spec(('height', height))}", **options)


def road(side: int, keep: float = 0.62, seed: int = 1, **options: Any) -> Graph:
    """A side × side grid whose edges are kept with probability `keep`, rounded to the 9 decimals
    that a spec has; weights 1..255."""
    share = f"{number(keep, 'road: keep'):.9f}".rstrip("0").rstrip(".")
    return generate(f"road:{_spec(('side', side))}:{share}:{_spec(('seed', seed))}", **options)
