"""What was compiled, kept for later runs: one file a program and compiler.

A file is the compiler's output followed by its SHA-256, so that one that was cut short or changed
is made again instead of being used. Files appear whole, by renaming; processes that compile the
same at the same time do it twice, and the last one stays. A process that is killed between the two
leaves a draft, which goes when something is kept an hour later or more.

A digest is no proof: others can write one too. So folder and file must belong to this user or to
root, and nobody else may write to them. Both are opened once, and looked at and read through their
descriptors, so that nothing changes in between. Whoever can rename what lies above the folder only
leads to another folder of this user's.
"""

from __future__ import annotations

import hashlib
import os
import re
import secrets
import stat
import time
import warnings
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

from gossamer._gossamer import Descriptor, open_descriptor

_DIGEST = hashlib.sha256().digest_size
#: What is not renamed yet: the file's name and something random.
_DRAFT = re.compile(r"[0-9a-f]{32}\.\w+\.[0-9a-f]{16}")
#: Seconds.
_OLD = 3600
#: By file name: what could not be kept in the folder lasts as long as the process.
_made: dict[str, bytes] = {}


def folder() -> Path | None:
    """``$GOSSAMER_CACHE``, else ``gossamer`` in ``$XDG_CACHE_HOME`` or ``~/.cache``.

    None: a user without a home, as in some containers.
    """
    if asked := os.environ.get("GOSSAMER_CACHE"):
        return Path(os.path.expanduser(asked))
    if shared := os.environ.get("XDG_CACHE_HOME"):
        return Path(shared) / "gossamer"
    home = os.path.expanduser("~")
    return None if home == "~" else Path(home) / ".cache" / "gossamer"


def _is_ours(file: Descriptor) -> bool:
    """Whether nobody but this user and root can have written to what is open."""
    info = os.fstat(file.number)
    return info.st_uid in (0, os.geteuid()) and not info.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


@lru_cache
def _warn(place: Path) -> None:
    warnings.warn(
        f"vertex_program: {place} is not used to keep what was compiled: it belongs to another "
        "user, or others may write to it",
        RuntimeWarning,
        stacklevel=1,
    )


def _open_folder() -> Descriptor | None:
    """None where there is none that can be used: silently, but for one that is not trusted."""
    place = folder()
    if place is None:
        return None
    try:
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        opened = open_descriptor(str(place), os.O_RDONLY | os.O_DIRECTORY)
    except OSError:
        return None
    if _is_ours(opened):
        return opened
    _warn(place)
    return None


def _read(place: Descriptor, name: str) -> bytes | None:
    """What a file holds; None for one that is not there, not whole, or not trusted."""
    with suppress(OSError):
        # A pipe in its place must not be waited for.
        flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK
        file = open_descriptor(name, flags, folder=place)
        if not stat.S_ISREG(os.fstat(file.number).st_mode) or not _is_ours(file):
            return None
        with open(file.number, "rb", closefd=False) as opened:
            data = opened.read()
        if len(data) > _DIGEST and hashlib.sha256(data[:-_DIGEST]).digest() == data[-_DIGEST:]:
            return data[:-_DIGEST]
    return None


def _remove_old_drafts(place: int) -> None:
    """Those of processes that were killed: what is younger may be somebody's."""
    for name in os.listdir(place):
        if _DRAFT.fullmatch(name):
            with suppress(OSError):
                if time.time() - os.stat(name, dir_fd=place).st_mtime > _OLD:
                    os.unlink(name, dir_fd=place)


def _write(place: Descriptor, name: str, data: bytes) -> bool:
    """Whether it could be kept."""
    draft = f"{name}.{secrets.token_hex(8)}"
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
    folder = place.number
    try:
        _remove_old_drafts(folder)
        file = open_descriptor(draft, flags, 0o600, place)
        with open(file.number, "wb", closefd=False) as opened:
            opened.write(data + hashlib.sha256(data).digest())
        os.rename(draft, name, src_dir_fd=folder, dst_dir_fd=folder)
    except BaseException as e:
        with suppress(OSError):
            os.unlink(draft, dir_fd=folder)
        if not isinstance(e, OSError):
            raise
        return False
    return True


def cached(key: Iterable[str], suffix: str, make: Callable[[], bytes]) -> bytes:
    """What `make` makes for what `key` says in full (source, compiler, version, flags): it is
    called when that was not kept, or when what was kept is not whole or not trusted."""
    name = hashlib.sha256("\0".join(key).encode()).hexdigest()[:32] + suffix
    if name in _made:
        return _made[name]
    place = _open_folder()
    kept = None if place is None else _read(place, name)
    if kept is not None:
        return kept
    data = make()
    if place is None or not _write(place, name, data):
        _made[name] = data
    return data
