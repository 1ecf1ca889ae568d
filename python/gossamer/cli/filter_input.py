"""What `gossamer filter` works on: a file, or numbers made for it."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ..errors import InputError, UsageError

__all__ = ["load_array"]

Array = npt.NDArray[Any]


def _number(text: str, spec: str, most: int) -> int:
    try:
        value = int(text)
    except ValueError:
        value = -1
    if not 0 <= value <= most:
        raise UsageError(f"{spec}: '{text}' is no number from 0 to {most}")
    return value


def load_array(text: str) -> Array:
    """``random:N[:SEED]`` (float32, evenly from 0 to 1), ``count:N`` (int32, 0 to N-1), or a .npy
    file, mapped and not read at once."""
    kind, _, rest = text.partition(":")
    if kind == "count":
        return np.arange(_number(rest, text, 2**31), dtype=np.int32)
    if kind == "random":
        size, _, seed = rest.partition(":")
        made = np.random.default_rng(_number(seed or "1", text, 2**63 - 1))
        return made.random(_number(size, text, 2**40), dtype=np.float32)
    path = Path(text)
    try:
        return np.asarray(np.load(path, mmap_mode="r", allow_pickle=False))
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from None
    except (ValueError, EOFError, zipfile.BadZipFile) as error:
        raise InputError(f"{path}: not a .npy file: {error}") from None
