"""`gossamer cg MATRIX`: conjugate gradient, verified on request."""

from __future__ import annotations

from .command import cg

__all__ = ["cg"]
