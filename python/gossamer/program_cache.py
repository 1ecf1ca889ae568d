"""What was compiled, kept for later runs: one file a program and compiler.

A file is the compiler's output followed by its SHA-256, so that one that was cut short or changed
is made again instead of being loaded. Files appear whole, by renaming; processes that compile the
same at the same time do it twice, and the last one stays.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Callable, Iterable
from functools import lru_cache
from pathlib import Path

__all__ = ["cached", "folder", "without_digest"]

_DIGEST = hashlib.sha256().digest_size


def folder() -> Path:
    """``$GOSSAMER_CACHE``, else ``gossamer`` in ``$XDG_CACHE_HOME`` or ``~/.cache``."""
    if asked := os.environ.get("GOSSAMER_CACHE"):
        return Path(asked).expanduser()
    if shared := os.environ.get("XDG_CACHE_HOME"):
        return Path(shared) / "gossamer"
    try:
        return Path.home() / ".cache" / "gossamer"
    except RuntimeError:  # a user without a home, as in some containers
        return Path(_own_folder().name)


@lru_cache(maxsize=1)
def _own_folder() -> tempfile.TemporaryDirectory[str]:
    """Of this process alone, where there is none that can be written to."""
    return tempfile.TemporaryDirectory(prefix="gossamer-")


def _is_whole(path: Path) -> bool:
    try:
        data = path.read_bytes()
    except OSError:
        return False
    return len(data) > _DIGEST and hashlib.sha256(data[:-_DIGEST]).digest() == data[-_DIGEST:]


def _write(path: Path, data: bytes) -> None:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    handle, draft = tempfile.mkstemp(dir=path.parent, prefix=path.name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data + hashlib.sha256(data).digest())
        os.chmod(draft, 0o700)
        os.replace(draft, path)
    except BaseException:
        Path(draft).unlink(missing_ok=True)
        raise


def cached(key: Iterable[str], suffix: str, make: Callable[[], bytes]) -> Path:
    """The file for what `key` says in full (source, compiler, version, flags); `make` makes its
    contents when it is not there, or not whole."""
    name = hashlib.sha256("\0".join(key).encode()).hexdigest()[:32] + suffix
    path = folder() / name
    if _is_whole(path):
        return path
    data = make()
    try:
        _write(path, data)
    except OSError:
        path = Path(_own_folder().name) / name
        _write(path, data)
    return path


def without_digest(path: Path) -> bytes:
    """The compiler's output again."""
    return path.read_bytes()[:-_DIGEST]
