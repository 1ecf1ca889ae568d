"""Types of fields and numbers: what values make together, and what may be stored where."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from gossamer.errors import UsageError

from .expression import StepExpression, has_number
from .lowering import Place

BOOL, INT = np.dtype("bool"), np.dtype("int64")
_FLOAT = np.dtype("float64")


def word_type(place: Place) -> np.dtype[Any]:
    """How the eight bytes of a number are read."""
    return _FLOAT if place.dtype.kind == "f" else INT


def number_type(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """The type of a number that has such values."""
    return {"f": _FLOAT, "b": BOOL}.get(dtype.kind, INT)


def check_type(dtype: np.dtype[Any], place: Place, name: str, value: StepExpression | None) -> None:
    """UsageError where what has a type must not be stored; numbers in the text have none of their
    own."""
    fits = np.can_cast(dtype, place.dtype, "same_kind")
    if value is not None and value.constant and dtype.kind in "iu" and place.dtype.kind in "iuf":
        fits = True
    if not fits:
        raise UsageError(f"vertex_steps: '{name}' is {place.dtype}, which {dtype} does not fit")
    if value is not None and value.value is not None and not has_number(place.dtype, value.value):
        raise UsageError(
            f"vertex_steps: '{name}' is {place.dtype}, which does not have {value.value}"
        )


def fitted(array: npt.NDArray[Any], place: Place, name: str) -> npt.NDArray[Any]:
    """Values in the type of what they are stored in, which has to have them."""
    fits = np.can_cast(array.dtype, place.dtype, "same_kind")
    if not (fits or (array.dtype.kind in "iuO" and place.dtype.kind in "iu")):
        raise UsageError(
            f"vertex_steps: '{name}' is {place.dtype}, which {array.dtype} does not fit"
        )
    if place.dtype.kind in "iu" and array.size > 0:
        limits = np.iinfo(place.dtype)
        for value in (int(array.min()), int(array.max())):
            if not int(limits.min) <= value <= int(limits.max):
                raise UsageError(
                    f"vertex_steps: '{name}' is {place.dtype}, which does not have {value}"
                )
    return array.astype(place.dtype)


def combined_type(combine: str, dtype: np.dtype[Any]) -> np.dtype[Any]:
    """The type of what values of a type make together."""
    if combine == "count":
        return INT
    if combine == "any":
        return BOOL
    if combine == "sum" and dtype.kind != "f":
        return np.dtype("uint64") if dtype.kind == "u" else INT
    return dtype
