"""Where the Rayleigh quotient of a symmetric matrix is largest, by vertex steps: what hubs,
authorities and eigenvector centralities of undirected graphs share.

Conjugate gradients climb it (Bradbury and Fletcher, Numerische Mathematik 9, 1966). They need the
square root of the rounds that power iteration takes. Fields x, of length 1, and y, its product;
r and p, which begin as 0, as does the number `before`.
"""

from __future__ import annotations

from collections.abc import Callable

from gossamer.vertex_steps import VertexSteps


def measure(s: VertexSteps) -> None:
    """The Rayleigh quotient `rho`, its gradient, and the `square` of that."""
    s.reduce("x * y", "sum", into="rho")
    s.map(gradient="y - rho * x")
    s.reduce("gradient * gradient", "sum", into="square")


def ascend(s: VertexSteps, multiply: Callable[[str, str], None], done: str) -> None:
    """From x to the best of all combinations with one direction p. `multiply`: makes a field of
    another. `done`: whether x is good enough already, an expression of what measure() found."""
    s.reduce("gradient * (gradient - r)", "sum", into="changed")
    s.set(turn="max(changed, 0.0) / before if before > 0 else 0.0", before="square")
    s.map(r="gradient", p="gradient + turn * p")
    s.reduce("x * p", "sum", into="along")
    s.map(p="p - along * x")
    s.reduce("p * p", "sum", into="size")
    # What is left of a gradient of rounding errors may lie along x. A loop is gone once at least.
    s.set(size=f"sqrt(size) if not ({done}) else 0.0")
    s.map(p="p / size if size > 0 else 0.0")
    multiply("p", "q")
    s.reduce("x * q", "sum", into="cross")
    s.reduce("p * q", "sum", into="own")
    # The larger eigenvalue's vector of the matrix (rho cross, cross own), without cancellation.
    s.set(half="(rho - own) / 2")
    s.set(root="sqrt(half * half + cross * cross)")
    s.set(u="half + root if half >= 0 else cross", v="cross if half >= 0 else root - half")
    s.set(length="sqrt(u * u + v * v)")
    s.set(u="u / length if length > 0 else 1.0", v="v / length if length > 0 else 0.0")
    s.map(x="u * x + v * p", y="u * y + v * q", p="size * p")
    measure(s)


def scale(s: VertexSteps) -> None:
    """x to the length 1."""
    s.reduce("x * x", "sum", into="length")
    s.map(x="x / sqrt(length)")


def without_signs(s: VertexSteps) -> None:
    """x as a vector of numbers that are not negative, of length 1: as it would be if there were no
    rounding."""
    s.reduce("x", "sum", into="total")
    s.map(x="max(x if total > 0 else -x, 0.0)")
    scale(s)
