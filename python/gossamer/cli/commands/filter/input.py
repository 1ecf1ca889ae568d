"""What `gossamer filter` works on: a file, or numbers made for it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from gossamer.cli.input.numbers import read_numbers
from gossamer.errors import UsageError

Array = npt.NDArray[Any]

#: Numbers drawn between two looks for Ctrl-C.
_PIECE = 1 << 22


def _number(text: str, spec: str, most: int) -> int:
    try:
        value = int(text)
    except ValueError:
        value = -1
    if not 0 <= value <= most:
        raise UsageError(f"{spec}: '{text}' is no number from 0 to {most}")
    return value


@dataclass(frozen=True)
class ArraySource:
    """``random:N[:SEED]`` (float32, evenly from 0 to 1), ``count:N`` (int32, 0 to N-1), or a file
    of numbers; a .npy file is mapped and not read at once. Nothing is made before :meth:`load`."""

    elements: int
    dtype: np.dtype[Any]
    seed: int | None = None
    read: Array | None = None

    @classmethod
    def parse(cls, text: str) -> ArraySource:
        """UsageError for a spec with other numbers, InputError for other files."""
        kind, _, rest = text.partition(":")
        if kind == "count":
            return cls(_number(rest, text, 2**31), np.dtype(np.int32))
        if kind == "random":
            size, _, seed = rest.partition(":")
            drawn = _number(seed or "1", text, 2**63 - 1)
            return cls(_number(size, text, 2**40), np.dtype(np.float32), drawn)
        read = read_numbers(Path(text), "array")
        return cls(read.size, read.dtype, read=read)

    @property
    def made_bytes(self) -> int:
        """What :meth:`load` takes."""
        return 0 if self.read is not None else self.elements * self.dtype.itemsize

    def load(self) -> Array:
        """The array."""
        if self.read is not None:
            return self.read
        made = np.empty(self.elements, self.dtype)
        generator = None if self.seed is None else np.random.default_rng(self.seed)
        for begin in range(0, self.elements, _PIECE):
            part = made[begin : begin + _PIECE]
            if generator is None:
                part[:] = np.arange(begin, begin + part.size, dtype=self.dtype)
            else:
                generator.random(dtype=np.float32, out=part)
        return made
