"""Compilers of vertex programs: what is kept, what needs none, what is missing or fails."""

from __future__ import annotations

import errno
import os
import shlex
import signal
import sys
import threading
import time
from pathlib import Path

import gossamer as gs
import numpy as np
import pytest
from gossamer import _gossamer
from gossamer.program import cache as program_cache
from gossamer.program import compiler as program_compiler
from gossamer.program import nvrtc as program_nvrtc

DTYPES = ["int32", "int64", "uint32", "uint64", "float32", "float64"]


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("GOSSAMER_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("CXX", raising=False)
    return tmp_path / "cache"


def weighted() -> gs.Graph:
    """Self-loops, parallel arcs, pieces and vertices without arcs."""
    random = np.random.default_rng(6)
    u, v = random.integers(0, 45, (2, 120))
    return gs.from_edges(u, v, random.integers(1, 50, 120), 60)


def count_compilations(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    done: list[str] = []
    compile = program_compiler._compile

    def counted(command: list[str], text: str) -> bytes:
        done.append(text)
        return compile(command, text)

    monkeypatch.setattr(program_compiler, "_compile", counted)
    return done


def test_the_cache_keeps_what_was_compiled(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done = count_compilations(monkeypatch)
    graph = weighted()
    program = gs.vertex_program("min", "value + weight + 3", "int32")
    wanted = program.run(graph, 0, "cpu:1").values
    gs.vertex_program("min", " value + weight + 3 ", "int32").run(graph, 0, "cpu:3")
    assert len(done) == 1
    (file,) = cache.iterdir()
    whole = file.read_bytes()
    for broken in (whole[: len(whole) // 2], whole[:-1] + bytes([whole[-1] ^ 1]), b""):
        file.unlink()  # a library that is loaded keeps its file
        file.write_bytes(broken)
        np.testing.assert_array_equal(program.run(graph, 0, "cpu:1").values, wanted)
    assert len(done) == 4 and [f.name for f in cache.iterdir()] == [file.name]
    gs.vertex_program("max", "value - weight - 3", "int32").compile("cpu:1")
    assert len(done) == 5 and len(list(cache.iterdir())) == 2


def test_where_the_cache_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert program_cache.folder() == tmp_path / "cache"
    monkeypatch.delenv("GOSSAMER_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", "/somewhere")
    assert program_cache.folder() == Path("/somewhere/gossamer")
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert program_cache.folder() == Path.home() / ".cache/gossamer"
    # Where nothing can be written, what was compiled lasts as long as the process.
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("GOSSAMER_CACHE", str(tmp_path / "file" / "below"))
    graph = weighted()
    assert gs.vertex_program("min", "value + 5", "int32").run(graph, 0, "cpu:1").values[0] == 0


@pytest.mark.parametrize("dtype", DTYPES)
def test_built_in_forms_need_no_compiler(
    dtype: str, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    forms = [
        ("min", "value", 4),
        ("min", "value + weight", 0),
        ("min", "(value) + 1", 0),
        ("max", "min(value, weight)", 90),
        ("min", "max(value, weight)", 2),
        ("min", "value * weight", 1),
    ]
    assert len(_gossamer.builtin_expressions()) == len(forms)
    graph = weighted()
    built_in = {}
    with monkeypatch.context() as patch:
        patch.setenv("PATH", "")
        for update, text, start in forms:
            program = gs.vertex_program(update, text, dtype, start=start)
            assert not program.needs_compiler
            if text == "value * weight" and dtype[0] != "f":
                continue  # what wraps improves for ever
            built_in[text] = program.run(graph, 0, "cpu:2x1").values
        assert not cache.exists()
        other = gs.vertex_program("min", "value + weight + 1", dtype)
        assert other.needs_compiler
        with pytest.raises(gs.NotCompiled) as caught:
            other.run(graph, 0, "cpu:1")
    assert str(caught.value) == (
        "vertex_program: 'value + weight + 1' needs a C++ compiler on CPU ranks, and there is "
        "none: install g++ or clang++, or name one in CXX"
    )
    for update, text, start in forms:
        if text in built_in:  # the same by the compiler
            program = gs.vertex_program(update, f"{text} if value == value else 0", dtype,
                                        start=start)  # fmt: skip
            np.testing.assert_array_equal(program.run(graph, 0, "cpu:1").values, built_in[text])


def test_a_compiler_can_be_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    graph = weighted()
    program = gs.vertex_program("min", "value + 2", "int32")
    monkeypatch.setenv("CXX", "no-such-compiler")
    with pytest.raises(gs.NotCompiled, match="needs a C\\+\\+ compiler"):
        program.run(graph, 0, "cpu:1")
    bad = tmp_path / "bad"
    bad.write_text("#!/bin/sh\necho out of order >&2\nexit 3\n")
    bad.chmod(0o755)
    monkeypatch.setenv("CXX", f"{bad} -x")
    with pytest.raises(gs.Error, match=r"bad -x ended with 3: out of order$"):
        program.run(graph, 0, "cpu:1")
    bad.write_text('#!/bin/sh\nwhile [ "$1" != -o ]; do shift; done\necho no library >$2\n')
    with pytest.raises(gs.Error, match="what was compiled cannot be loaded"):
        program.run(graph, 0, "cpu:1")


def script(path: Path, text: str) -> str:
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return str(path)


#: CXX, as text or as a script; the error, its type, its line.
COMPILERS = {
    "makes nothing": ("exit 0", gs.Error, "made no library: it is no C\\+\\+ compiler$"),
    "names the error last": ("echo a warning; echo an error >&2; exit 1", gs.Error,
                             "ended with 1: an error$"),
    "is no text": ("printf '\\377\\376' >&2; exit 1", gs.Error, "ended with 1: \ufffd\ufffd$"),
    "talks without end": ("yes error | head -c 300000000; exit 2", gs.Error, "with 2: error$"),
    "says one long line": ("yes | tr -d '\\n' | head -c 99999; exit 2", gs.Error, "y{400}$"),
    "leaves a child": ("sleep 60 & exit 0", gs.Error, "made no library"),
    "hangs": ("sleep 60", gs.Timeout, "hangs did not end within 2 s$"),
}  # fmt: skip


@pytest.mark.parametrize("name", COMPILERS)
def test_compilers_that_fail(name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    text, kind, line = COMPILERS[name]
    monkeypatch.setenv("CXX", shlex.quote(script(tmp_path / name, text)))
    if kind is gs.Timeout:  # a busy machine takes longer than that for the others' output
        monkeypatch.setattr(program_compiler, "_SECONDS", 2)
    program_compiler._version.cache_clear()
    begun = time.monotonic()
    with pytest.raises(kind, match=line) as caught:
        gs.vertex_program("min", "value + 3", "int32").compile("cpu:1")
    assert type(caught.value) is kind and "\n" not in str(caught.value)
    assert caught.value.__suppress_context__ or caught.value.__context__ is None
    assert time.monotonic() - begun < 20


NAMES = {
    "no program": ("/no/such/compiler -x", gs.NotCompiled,
                   "and CXX names none: there is no program '/no/such/compiler': install"),
    "a folder": ("/tmp", gs.NotCompiled, "there is no program '/tmp'"),
    "an open quote": ("g++ 'x", gs.UsageError,
                      "^CXX: not a command .No closing quotation.: g++ 'x"),
    "no executable": ("{}", gs.Error, "cannot be run: Exec format error$"),
}  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_names_of_compilers(name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    command, kind, line = NAMES[name]
    (tmp_path / "text").write_text("no program\n")
    (tmp_path / "text").chmod(0o755)
    monkeypatch.setenv("CXX", command.format(tmp_path / "text"))
    with pytest.raises(kind, match=line.replace("g++", "g\\+\\+")) as caught:
        gs.vertex_program("min", "value + 3", "int32").compile("cpu:1")
    assert type(caught.value) is kind and "\n" not in str(caught.value)


def test_a_compiler_that_hangs_takes_its_children_along(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    child = tmp_path / "child"
    monkeypatch.setattr(program_compiler, "_SECONDS", 0.5)
    with pytest.raises(gs.Timeout):
        program_compiler.run_compiler(["sh", "-c", f"sleep 60 & echo $! >{child}; wait"])
    process = Path("/proc", child.read_text().strip())
    for _ in range(100):  # until whoever adopts it has looked
        if not process.exists() or "(zombie)" in (process / "status").read_text():
            return
        time.sleep(0.05)
    pytest.fail("the child lives")


def test_a_full_disk_is_said_in_one_line(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_text", full)
    with pytest.raises(gs.Error, match=r"no room to compile in: .*No space left on device$"):
        gs.vertex_program("min", "value + 4", "int32").compile("cpu:1")


needs_nvrtc = pytest.mark.skipif(program_nvrtc.find_nvrtc() is None, reason="no libnvrtc")


@needs_nvrtc
@pytest.mark.parametrize("update", ["min", "max"])
@pytest.mark.parametrize("dtype", DTYPES)
def test_nvrtc_takes_every_program(
    dtype: str, update: str, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "min(value // 3 + weight % 7 - degree * 2, abs(-value)) if not value < 4 else max(1, 2)"
    if dtype.startswith("float"):
        text += " + sqrt(value) / floor(weight) * ceil(0.1) + (0 if weight < inf else -inf)"
    program = gs.vertex_program(update, text, dtype)
    image = program_nvrtc.gpu_image(program.source("cuda"), 90)
    assert image.startswith(b"\x7fELF") and b"gossamer_lone_list" in image
    (file,) = cache.iterdir()
    monkeypatch.setattr(program_nvrtc, "_compile", lambda *_: pytest.fail("again"))
    assert program_nvrtc.gpu_image(program.source("cuda"), 90) == image
    assert file.suffix == ".cubin" and file.read_bytes().startswith(image)


@needs_nvrtc
def test_nvrtc_says_what_it_refuses() -> None:
    with pytest.raises(gs.Error, match=r"nvrtcCompileProgram: .*: .*error.*nonsense"):
        program_nvrtc.gpu_image("__device__ int x = nonsense;", 90)


@needs_nvrtc
def test_nvrtc_compiles_without_a_program_of_python(monkeypatch: pytest.MonkeyPatch) -> None:
    source = gs.vertex_program("min", "value + 5", "int32").source("cuda")
    apart = program_nvrtc.gpu_image(source, 90)
    monkeypatch.setattr(sys, "executable", "")
    monkeypatch.setenv("GOSSAMER_CACHE", "")
    assert len(program_nvrtc.gpu_image(source + "\n", 90)) == len(apart)
    with pytest.raises(gs.Error, match=r"nvrtcCompileProgram: .*: .*error.*nonsense"):
        program_nvrtc.gpu_image("__device__ int x = nonsense;", 90)


# NVRTC has handlers of its own while it compiles, which end the process with code 4.
@needs_nvrtc
@pytest.mark.parametrize("after", [0.2, 0.5, 0.9])
def test_an_interrupt_ends_nvrtc_alone(after: float) -> None:
    source = gs.vertex_program("min", "value + 6", "int32").source("cuda")
    timer = threading.Timer(after, os.kill, (os.getpid(), signal.SIGINT))
    begun = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        timer.start()
        for again in range(100):
            program_nvrtc.gpu_image(f"{source}\n// {again} {after}", 90)
    assert time.monotonic() - begun < after + 1.0


def test_nvrtc_may_be_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(program_nvrtc, "_load", lambda: None)
    assert program_nvrtc.find_nvrtc() is None
    with pytest.raises(gs.NotCompiled, match=r"there is no libnvrtc\.so: install CUDA's toolkit"):
        program_nvrtc.gpu_image("", 90)
