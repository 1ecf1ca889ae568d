"""Conjugate gradient over every rank of a machine, and matrices to try it on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Unpack

import numpy as np
import numpy.typing as npt

from gossamer import _gossamer
from gossamer.arguments import (
    instance,
    integer,
    memory_bytes,
    number,
    seed_number,
    texts,
    thread_count,
)
from gossamer.arrays import plain_array
from gossamer.errors import UsageError
from gossamer.graph import Graph, from_scipy
from gossamer.machine import Machine
from gossamer.machine.plans import MemoryPlan

from .options import RunOptions, defaults, spelled_out
from .prepared import Prepared, run_verifier

Vector = npt.NDArray[np.float64]


@dataclass(frozen=True)
class CgResult:
    """One solved system."""

    #: The solution; without convergence the iterate with the smallest residual met.
    x: Vector
    iterations: int
    converged: bool
    #: 2-norm of b - A x as the recurrence has it, for this x.
    residual: float
    #: 2-norm of b.
    right_side_norm: float
    #: Wall time of the iterations, set-up left out; slowest rank.
    milliseconds: float
    #: ``"allgather"``, ``"halo"``, or ``"none"`` on one rank.
    exchange: str
    #: Why, with the bytes that each would move.
    exchange_reason: str
    #: Entries of the direction vector received by all ranks together, in bytes.
    bytes_per_iteration: int
    engine: str
    #: Ranks that worked, and why not all (empty when all did).
    ranks_used: int
    ranks_reason: str
    #: Milliseconds of rank 0 by operation: spmv, dot, axpy, allgather or halo, allreduce.
    phases: dict[str, float]


class CgOptions(RunOptions, total=False):
    """Those of :class:`CgSolver`."""

    rtol: float
    atol: float
    maxiter: int | None
    iterations: int | None
    jacobi: bool
    exchange: str


_explicit = spelled_out(CgOptions, defaults("cg"))


class CgSolver(Prepared):
    """A symmetric positive definite system laid over a machine, solved for any right-hand side.

    matrix: a :class:`Graph` with weights (entry (i, j) is the arc i → j) or anything
    :func:`from_scipy` takes, or a dense array. rtol, atol: stop at ‖r‖ ≤ max(rtol·‖b‖, atol).
    maxiter: default 10 n. iterations: run exactly that many instead, for timing. jacobi:
    precondition with the inverse diagonal. exchange: ``auto``, ``allgather`` or ``halo``.
    partition: which rank owns which rows: ``auto`` and ``ranges`` (as many each), ``edges`` (as
    many entries each), ``hash``, ``metis``, or the part of every row (:func:`read_partition`); x
    and b are in the matrix's own order whatever it is.
    engine: ``auto``, or one of ``gossamer.engines("cg")``. use: of several GPUs ``auto`` takes
    one for a matrix so small that they would only wait for each other; ``all`` takes all. memory:
    bytes that each device may be asked for. timeout: seconds that a run, or a wait for a silent
    rank, may last. trace: records every run; of the function a path,
    too.

    InputError: not symmetric, a diagonal entry that is not positive, NaN. UsageError: no values.
    """

    _algorithm = "cg"
    _make = _gossamer.make_cg_solver
    _plan = _gossamer.plan_cg
    _handle: _gossamer.CgSolver

    @_explicit
    def __init__(
        self, matrix: Any, machine: Machine | str | None = None, **options: Unpack[CgOptions]
    ) -> None:
        if options.get("maxiter") is not None and options.get("iterations") is not None:
            raise UsageError("cg: maxiter: iterations runs exactly that many, whatever it is")
        self._handle = self._prepare(_as_graph(matrix), machine, options, lambda graph: False)

    @property
    def matrix(self) -> Graph:
        """What was given, as a graph."""
        return self.graph

    def solve(self, b: Any, x0: Any = None) -> CgResult:
        """Solves A x = b from `x0` (zeros when None).

        UsageError when sizes do not match; InputError for NaN, and when negative curvature shows
        that the matrix is not positive definite (naming the iteration).
        """
        start = None if x0 is None else _vector(x0, "x0")
        return CgResult(**self._finished(self._handle.solve(_vector(b, "b"), start)))

    @classmethod
    @_explicit
    def plan(
        cls, matrix: Graph, machine: Machine | str | None = None, **options: Unpack[CgOptions]
    ) -> MemoryPlan:
        """What a solver takes on each rank, before anything is placed."""
        return cls._planned(instance(matrix, Graph, "cg: matrix"), machine, options)


@spelled_out(CgOptions, defaults("cg"), CgSolver)
def cg(
    A: Any,
    b: Any,
    x0: Any = None,
    *,
    M: None = None,
    callback: None = None,
    machine: Machine | str | None = None,
    **options: Unpack[CgOptions],
) -> tuple[Vector, int]:
    """Solves A x = b, by the names and conventions of ``scipy.sparse.linalg.cg``.

    Returns (x, info): info is 0 on success, else the number of iterations done, 1 if there were
    none; x is then the best iterate met. Further options are those of :class:`CgSolver`. Not
    SciPy's: x is always float64, a dense A is made sparse; there is no `callback`, and for `M` only
    the inverse diagonal (``jacobi=True``).
    UsageError names either when given.
    """
    if M is not None:
        raise UsageError("cg: no preconditioner M, only jacobi=True (the inverse diagonal)")
    if callback is not None:
        raise UsageError("cg: no callback: iterations run without Python")
    result = CgSolver._once(A, machine, options, lambda solver: solver.solve(b, x0))
    return result.x, 0 if result.converged else max(1, result.iterations)


def verify_cg(
    matrix: Any,
    b: Any,
    x: Any,
    *,
    rtol: float = 1e-5,
    atol: float = 0.0,
    iterations: int = 0,
    threads: int = 0,
    timeout: float | None = None,
) -> float:
    """Recomputes ‖b - A x‖ with compensated sums, independently of the solver; returns it.

    VerificationError when it exceeds max(rtol·‖b‖, atol) and what rounding adds in `iterations`;
    Timeout after `timeout` seconds.
    """
    graph = _as_graph(matrix)
    rounds = integer(iterations, "verify_cg: iterations")
    if rounds < 0:
        raise UsageError(f"verify_cg: iterations: {rounds} is below 0")
    given = (
        _vector(b, "b"), _vector(x, "x"), number(rtol, "verify_cg: rtol"),
        number(atol, "verify_cg: atol"), rounds, thread_count(threads, "verify_cg"),
    )  # fmt: skip
    residual: float = run_verifier(
        f"cg on {graph.name}", "verify_cg", timeout,
        lambda limit: _gossamer.verify_cg(graph._handle, *given, limit),
    )[0]  # fmt: skip
    return residual


def matrix(spec: str, *, threads: int = 0, memory: int | str | None = None) -> Graph:
    """:func:`generate` for symmetric positive definite matrices alone: ``poisson:NX[xNY[xNZ]]``
    (the Laplacian of a grid) or ``band:ROWS:NON_ZEROS[:SEED]`` (exactly that many entries near the
    diagonal); UsageError for other specs."""
    texts("matrix", spec=spec)
    return Graph(
        _gossamer.generate_matrix(spec, thread_count(threads, "matrix"), memory_bytes(memory))
    )


def with_values(pattern: Graph, seed: int = 1, *, threads: int = 0) -> Graph:
    """Positive definite values for a symmetric pattern that stores its diagonal."""
    number = seed_number(seed, "with_values")
    instance(pattern, Graph, "with_values: pattern")
    return Graph(
        _gossamer.with_values(pattern._handle, number, thread_count(threads, "with_values"))
    )


def _as_graph(matrix: Any) -> Graph:
    """A graph as it is, sparse matrices by their rows, dense ones by the entries that are not 0."""
    if isinstance(matrix, Graph):
        return matrix
    if not hasattr(matrix, "tocsr"):
        matrix = _sparse(matrix)
    try:
        rows = matrix.tocsr()
        if not rows.has_sorted_indices:  # as products of sparse matrices come
            rows = rows.sorted_indices()
        return from_scipy(rows, name="matrix")
    except UsageError as error:
        raise UsageError(f"cg: {str(error).removeprefix('from_scipy: ')}") from None


def _sparse(matrix: Any) -> Any:
    """A dense square array as SciPy's sparse one."""
    from scipy.sparse import csr_array

    dense = plain_array(matrix, "cg: A")
    if dense.ndim != 2 or dense.dtype.kind not in "biuf":
        raise UsageError(
            f"cg: A: expected a Graph, a sparse matrix or a two-dimensional array of numbers, got "
            f"{type(matrix).__name__}"
        )
    return csr_array(dense if dense.dtype.itemsize > 2 else dense.astype(np.float32))


def _vector(values: Any, name: str) -> Vector:
    array = plain_array(values, f"cg: {name}")
    if array.ndim == 2 and array.shape[1] == 1:  # a column, as SciPy takes it
        array = array[:, 0]
    if array.ndim != 1:
        raise UsageError(f"cg: {name} has {array.ndim} dimensions, one is needed")
    if array.dtype.kind not in "biuf":
        raise UsageError(f"cg: {name} holds {array.dtype}, real numbers are needed")
    return np.ascontiguousarray(array, np.float64)
