"""`gossamer simulate`: a collective, conjugate gradient or a search on a modelled system."""

from __future__ import annotations

from .command import simulate

__all__ = ["simulate"]
