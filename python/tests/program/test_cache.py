"""What was compiled and kept is used again only where nobody else can have written it."""

from __future__ import annotations

import errno
import gc
import hashlib
import os
import signal
import subprocess
import time
import warnings
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import gossamer as gs
import pytest
from gossamer import _gossamer
from gossamer.program import cache as program_cache
from gossamer.program.compiler import find_compiler

pytestmark = pytest.mark.skipif(find_compiler() is None, reason="no C++ compiler")
as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")
STRANGER = 12345


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("GOSSAMER_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("CXX", raising=False)
    monkeypatch.setattr(program_cache, "_made", {})
    program_cache._warn.cache_clear()
    return tmp_path / "cache"


def run(number: int) -> list[int]:
    """Values of a program that was not loaded by this process before, if `number` is new."""
    graph = gs.from_edges([0, 1], [1, 2], n=3)
    program = gs.vertex_program("min", f"value + {number}", "int32")
    return program.run(graph, 0, "cpu:1").values.tolist()


def plant(file: Path, folder: Path) -> None:
    """Puts there, whole and with its digest, a library that answers 7 for every arc."""
    source, library = folder / "planted.cpp", folder / "planted.so"
    source.write_text(
        'extern "C" void gossamer_row(const void*, long long, const void*, long long n, void* to) {'
        "  for (long long i = 0; i < n; ++i) static_cast<unsigned*>(to)[i] = 0x80000007u; }\n"
    )
    subprocess.run(["c++", "-shared", "-fPIC", source, "-o", library], check=True)
    data = library.read_bytes()
    file.unlink()
    file.write_bytes(data + hashlib.sha256(data).digest())
    file.chmod(0o600)


def give_away(path: Path) -> None:
    os.chown(path, STRANGER, STRANGER)


def link_out(file: Path) -> None:
    file.rename(file.parent.parent / "elsewhere")
    file.symlink_to(file.parent.parent / "elsewhere")


def pipe_instead(file: Path) -> None:
    file.unlink()
    os.mkfifo(file, 0o600)


FOLDERS = {
    "another's": pytest.param(give_away, marks=as_root),
    "anybody's": lambda path: path.chmod(0o777),
    "a group's": lambda path: path.chmod(0o770),
}
FILES = {
    "another's": pytest.param(give_away, marks=as_root),
    "anybody's": lambda path: path.chmod(0o666),
    "a group's": lambda path: path.chmod(0o620),
    "a link": link_out,
    "a pipe": pipe_instead,
}


def test_what_was_kept_is_what_runs(cache: Path, tmp_path: Path) -> None:
    """Which the others rely on: a library of one's own in the place is loaded."""
    assert run(1001) == [0, 1001, 2002]
    (file,) = cache.iterdir()
    assert file.stat().st_mode & 0o777 == 0o600 and cache.stat().st_mode & 0o777 == 0o700
    plant(file, tmp_path)
    assert run(1001) == [0, 7, 7]


@pytest.mark.parametrize("spoil", FOLDERS.values(), ids=FOLDERS)
def test_folders_of_others_are_not_used(
    spoil: Callable[[Path], None], cache: Path, tmp_path: Path
) -> None:
    run(1002)
    (file,) = cache.iterdir()
    plant(file, tmp_path)
    planted = file.read_bytes()
    spoil(cache)
    with pytest.warns(RuntimeWarning, match=r"/cache is not used to keep what was compiled: it b"):
        assert run(1002) == [0, 1002, 2004]
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # once is enough
        assert run(1002) == [0, 1002, 2004]
    assert [f.name for f in cache.iterdir()] == [file.name] and file.read_bytes() == planted


@pytest.mark.parametrize("spoil", FILES.values(), ids=FILES)
def test_files_of_others_are_made_again(
    spoil: Callable[[Path], None], cache: Path, tmp_path: Path
) -> None:
    run(1003)
    (file,) = cache.iterdir()
    plant(file, tmp_path)
    spoil(file)
    assert run(1003) == [0, 1003, 2006]
    info = file.lstat()
    assert info.st_uid == os.geteuid() and info.st_mode & 0o177777 == 0o100600
    assert not program_cache._made


def test_what_was_looked_at_is_what_is_loaded(
    cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file is exchanged as soon as it has been opened."""
    run(1004)
    (file,) = cache.iterdir()
    true_open = os.open

    def open_and_plant(path: str, flags: int, *rest: int, **more: int) -> int:
        opened = true_open(path, flags, *rest, **more)
        if path == file.name:
            plant(file, tmp_path)
        return opened

    monkeypatch.setattr(os, "open", open_and_plant)
    assert run(1004) == [0, 1004, 2008]
    monkeypatch.undo()


def test_libraries_are_told_apart(cache: Path) -> None:
    """The loader knows them by their path only, and a descriptor's number comes back."""
    for number in range(1100, 1104):
        assert run(number) == [0, number, 2 * number]


def test_the_folder_may_be_relative(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cache: Path
) -> None:
    monkeypatch.setenv("GOSSAMER_CACHE", ".")
    cache.mkdir()
    monkeypatch.chdir(cache)
    assert run(1005) == [0, 1005, 2010]
    assert [file.suffix for file in cache.iterdir()] == [".so"]


@pytest.mark.parametrize("place", ["file/below", "file", "x" * 300, "/proc/gossamer"])
def test_where_nothing_can_be_kept(
    place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was compiled lasts as long as the process, and nothing is said."""
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("GOSSAMER_CACHE", str(tmp_path / place))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert run(1006) == [0, 1006, 2012]
        assert len(program_cache._made) == 1
        monkeypatch.setattr("gossamer.program.compiler._compile", lambda *_: pytest.fail("again"))
        assert run(1006) == [0, 1006, 2012]


def test_a_full_disk_leaves_nothing_behind(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "rename", full)
    assert run(1007) == [0, 1007, 2014]
    assert list(cache.iterdir()) == [] and len(program_cache._made) == 1


@pytest.mark.parametrize("step", ["_is_ours", "_read", "_write"])
def test_an_interrupt_leaves_no_folder_open(
    cache: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(program_cache, step, interrupted)
        with pytest.raises(KeyboardInterrupt):
            run(31)
    gc.collect()
    links = (f"/proc/self/fd/{one}" for one in os.listdir("/proc/self/fd"))
    assert str(cache) not in [os.readlink(link) for link in links if os.path.exists(link)]
    assert run(31) == [0, 31, 62]


def open_files() -> int:
    return len(os.listdir("/proc/self/fd"))


@pytest.mark.parametrize("opened", ["folder", "file", "memory"])
def test_an_interrupt_while_it_opens_leaves_nothing_open(tmp_path: Path, opened: str) -> None:
    """As long as opening takes, the number has no name in Python."""

    class Interrupt(BaseException):
        pass

    def interrupt(*_: object) -> None:
        raise Interrupt

    (tmp_path / "file").write_bytes(b"")
    folder = _gossamer.open_descriptor(str(tmp_path), os.O_RDONLY)
    opens: dict[str, Callable[[], object]] = {
        "folder": lambda: _gossamer.open_descriptor(str(tmp_path), os.O_RDONLY | os.O_DIRECTORY),
        "file": lambda: _gossamer.open_descriptor("file", os.O_RDONLY, folder=folder),
        "memory": lambda: _gossamer.open_memory("name"),
    }
    before, kept = open_files(), signal.signal(signal.SIGALRM, interrupt)
    try:
        for _ in range(200):
            with suppress(Interrupt):
                signal.setitimer(signal.ITIMER_REAL, 1e-4)
                while True:
                    opens[opened]()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, kept)
    gc.collect()
    assert open_files() == before


def test_what_is_not_there_is_an_os_error_that_names_it(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="nothing") as caught:
        _gossamer.open_descriptor(str(tmp_path / "nothing"), os.O_RDONLY)
    assert caught.value.errno == errno.ENOENT


def test_users_without_a_home_have_no_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("GOSSAMER_CACHE", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(os.path, "expanduser", lambda path: path)
    assert program_cache.folder() is None
    assert run(1008) == [0, 1008, 2016]


def test_what_cannot_be_loaded_is_not_kept(
    cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bad = tmp_path / "bad"
    bad.write_text('#!/bin/sh\nwhile [ "$1" != -o ]; do shift; done\necho no library >"$2"\n')
    bad.chmod(0o755)
    monkeypatch.setenv("CXX", str(bad))
    with pytest.raises(gs.Error, match="what was compiled cannot be loaded"):
        run(1009)
    assert list(cache.iterdir()) == []


def in_killed_child(at: int, work: Callable[[], object]) -> bool:
    """Ends a child by SIGKILL where it would make its `at`-th call. True when it came so far."""
    child = os.fork()
    if child == 0:
        calls = 0

        def kill_at(call: Callable[..., object]) -> Callable[..., object]:
            def counted(*arguments: object, **more: object) -> object:
                nonlocal calls
                calls += 1
                if calls == at:
                    os.kill(os.getpid(), signal.SIGKILL)
                return call(*arguments, **more)

            return counted

        for name in ("open", "rename", "unlink", "fstat"):
            setattr(os, name, kill_at(getattr(os, name)))
        program_cache.__dict__["open"] = kill_at(open)  # which the draft is written by
        hashlib.sha256 = kill_at(hashlib.sha256)  # type: ignore[assignment]
        work()
        os._exit(0)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        assert os.WTERMSIG(status) == signal.SIGKILL
        return True
    assert os.waitstatus_to_exitcode(status) == 0
    return False


def test_a_process_killed_at_any_point_leaves_a_whole_file_or_none(cache: Path) -> None:
    def keep() -> None:
        program_cache.cached(["killed"], ".so", lambda: b"made" * 1000)

    def kept() -> list[Path]:
        return [file for file in cache.iterdir() if file.name.count(".") == 1]

    cache.mkdir(mode=0o700)
    at, drafts = 1, 0
    while in_killed_child(at, keep):
        for file in kept():
            data = file.read_bytes()
            assert hashlib.sha256(data[:-32]).digest() == data[-32:]
        drafts += len(list(cache.glob("*.so.*")))
        at += 1
        for file in cache.iterdir():
            file.unlink()
    assert at > 5 and drafts > 0
    assert len(kept()) == 1
    assert program_cache.cached(["killed"], ".so", lambda: pytest.fail("again")) == b"made" * 1000


def test_drafts_of_killed_processes_go_after_an_hour(cache: Path) -> None:
    cache.mkdir(mode=0o700)
    old, young, other = ("a" * 32 + f".so.{digit * 16}" for digit in "123")
    for name in (old, young):
        (cache / name).write_bytes(b"cut")
    (cache / other[:-1]).write_bytes(b"no draft")
    for name in (old, other[:-1]):
        os.utime(cache / name, (time.time() - 3700,) * 2)
    program_cache.cached(["kept"], ".so", lambda: b"made")
    left = {file.name for file in cache.iterdir()}
    assert old not in left and {young, other[:-1]} <= left and len(left) == 3
