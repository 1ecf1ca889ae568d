"""`gossamer filter ARRAY PREDICATE`: what a predicate keeps, over every rank of a machine."""

from __future__ import annotations

from .command import filter

__all__ = ["filter"]
