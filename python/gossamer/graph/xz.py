"""Decoding .xz with Python's own lzma, for builds of the library without liblzma."""

from __future__ import annotations

from collections.abc import Callable, Generator
from importlib.util import find_spec

from gossamer import _gossamer
from gossamer.errors import InputError

#: As the library's: a header that lies cannot take more memory.
_LARGEST_DICTIONARY = 256 << 20

_Part = tuple[bytes, bool]


def _parts() -> Generator[_Part, tuple[bytes, int], None]:
    """Takes more of the file, and room; gives bytes, and whether it wants more of the file."""
    import lzma

    data, room = yield b"", True
    while True:
        stream = lzma.LZMADecompressor(lzma.FORMAT_XZ, _LARGEST_DICTIONARY)
        while not stream.eof:
            try:
                part = stream.decompress(data, room)
            except lzma.LZMAError as e:
                limit = "asks for a dictionary over 256 MiB" if "limit" in str(e) else "is damaged"
                raise InputError(f"xz data {limit}") from None
            wants_more = stream.needs_input and not stream.eof
            data, room = yield part, wants_more
            if wants_more and not data:
                raise InputError("xz data is cut short")
        data = stream.unused_data.lstrip(b"\0")
        while not data:  # zeros between streams, or the end
            more, room = yield b"", True
            data = more.lstrip(b"\0")


def decoder() -> Callable[[bytes, int], _Part]:
    """Decodes one file, in calls (see the library's ``xz_decoder.hpp``)."""
    parts = _parts()
    next(parts)
    return lambda more, room: parts.send((more, room))


def by_python() -> bool:
    """Whether Python decodes .xz, as the library cannot."""
    return not _gossamer.build_info()["features"]["xz"] and find_spec("_lzma") is not None
