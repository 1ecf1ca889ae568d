"""The command line as a program of its own: its exit code, Ctrl-C, what it shows on terminals."""

from __future__ import annotations

import contextlib
import os
import pty
import re
import signal
import subprocess
import sys
import time
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest


def start(cli: Any, *arguments: str, before: str = "", **streams: Any) -> subprocess.Popen[bytes]:
    command = [
        sys.executable, "-c", f"{before}\nfrom gossamer.cli import main; main()", *arguments
    ]  # fmt: skip
    # Who runs the tests may ignore it (nohup), and children would.
    streams.setdefault("preexec_fn", lambda: signal.signal(signal.SIGHUP, signal.SIG_DFL))
    return subprocess.Popen(command, cwd=cli.folder, env=cli.environment, **streams)


def test_the_program_ends_with_the_exit_code(cli: Any) -> None:
    process = start(cli, "bfs", "absent", stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 2 and out == b"" and err.startswith(b"gossamer: absent: no such")


@pytest.mark.parametrize(
    "arguments",
    [
        ("bfs", "road:1200:0.9", "--sources", "64", "--direction", "bottom-up", "--output",
         "x.npz"),
        ("generate", "kron:21:32", "--threads", "1", "-o", "x.mtx"),
        ("stats", "uniform:19:24", "--partition", "64:metis"),
    ],
)  # fmt: skip
def test_ctrl_c_leaves_at_once_and_nothing_behind(
    cli: Any, tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    process = start(cli, *arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        time.sleep(3)
        assert process.poll() is None
        begin = time.monotonic()
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=20)
        assert time.monotonic() - begin < 1
    finally:
        process.kill()
    assert process.returncode == 130 and errors == b"gossamer: interrupted\n"
    assert list(tmp_path.iterdir()) == []


def wait_until(ready: Callable[[], bool], process: subprocess.Popen[bytes]) -> None:
    """Until `ready`, which the process must live to see."""
    end = time.monotonic() + 60
    while not ready():
        assert process.poll() is None and time.monotonic() < end
        time.sleep(0.001)


def is_writing(process: subprocess.Popen[bytes], folder: Path) -> bool:
    """Whether it has opened a file to write, in a folder of its own."""
    for link in Path(f"/proc/{process.pid}/fd").iterdir():
        with contextlib.suppress(OSError):
            if os.readlink(link).startswith(f"{folder}/"):
                return True
    return False


@pytest.mark.parametrize(
    ("number", "said"),
    [(signal.SIGTERM, b"terminated"), (signal.SIGHUP, b"hung up"), (signal.SIGINT, b"interrupted")],
)
@pytest.mark.parametrize("replaced", [False, True])
def test_a_signal_leaves_no_part_of_an_output(
    cli: Any, tmp_path: Path, number: signal.Signals, said: bytes, replaced: bool
) -> None:
    if replaced:
        (tmp_path / "x.mtx").write_text("before")
    process = start(cli, "generate", "kron:19:32", "-o", "x.mtx", stderr=subprocess.PIPE)
    try:
        wait_until(lambda: is_writing(process, tmp_path), process)
        time.sleep(0.1)
        process.send_signal(number)
        _, errors = process.communicate(timeout=20)
    finally:
        process.kill()
    assert (process.returncode, errors) == (128 + number, b"gossamer: " + said + b"\n")
    assert [path.read_text() for path in tmp_path.iterdir()] == ["before"] * replaced


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_pipe_is_not_waited_for_after_a_signal(
    cli: Any, tmp_path: Path, number: signal.Signals
) -> None:
    """Neither until somebody reads it, nor until they go on reading."""
    os.mkfifo(tmp_path / "pipe")
    for reading in (False, True):
        before = "import gossamer.cli.commands.stats as s\n"
        before += "s.graph_json = lambda g: print('go', flush=True) or {'x': 'y' * (1 << 20)}\n"
        process = start(
            cli, "stats", "grid:4x4", "--json", "pipe", before=before, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )  # fmt: skip
        reader = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK) if reading else None
        try:
            assert process.stdout is not None
            while b"go" not in process.stdout.readline():
                assert process.poll() is None
            time.sleep(0.2)
            process.send_signal(number)
            _, errors = process.communicate(timeout=10)
        finally:
            process.kill()
            if reader is not None:
                os.close(reader)
        assert process.returncode == 128 + number
        assert len(errors.splitlines()) == 1 and errors.startswith(b"gossamer: ")


def test_a_signal_that_is_ignored_stays_so(cli: Any) -> None:
    """As under nohup: the parent has said that the command shall go on."""
    process = start(
        cli, "info", stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN),
    )  # fmt: skip
    wait_until(lambda: catches(process, signal.SIGTERM), process)
    process.send_signal(signal.SIGHUP)
    assert process.communicate(timeout=60)[1] == b"" and process.returncode == 0


def catches(process: subprocess.Popen[bytes], number: signal.Signals) -> bool:
    """Whether the process has set a handler, which of SIGTERM is the command's first step."""
    status = Path(f"/proc/{process.pid}/status").read_text()
    caught = int(re.search(r"^SigCgt:\s*(\w+)", status, re.MULTILINE)[1], 16)  # type: ignore[index]
    return bool(caught >> (number - 1) & 1)


SCRIPT = "from gossamer_command import main; main()"


def test_the_script_begins_with_the_light_package() -> None:
    project = tomllib.loads((Path(__file__).parents[3] / "pyproject.toml").read_text())
    assert project["project"]["scripts"] == {"gossamer": "gossamer_command:main"}
    program = "import sys; import gossamer_command; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert not {"gossamer", "numpy", "typer"} & set(done.stdout.split())


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_command_at_any_time(cli: Any, number: signal.Signals) -> None:
    """From the first step that is ours on, which is before its packages are imported."""
    codes = set()
    for delay in (0, 0.02, 0.05, 0.1, 0.2, 0.3, 0.45, 0.6, 0.8, 1.1):
        process = subprocess.Popen(
            [sys.executable, "-c", SCRIPT, "stats", "grid:9x9"], cwd=cli.folder,
            env=cli.environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
        )  # fmt: skip
        wait_until(lambda process=process: catches(process, signal.SIGTERM), process)
        time.sleep(delay)
        process.send_signal(number)
        _, errors = process.communicate(timeout=60)
        codes.add(process.returncode)
        # Python's own end knows no handlers any more, and says nothing.
        allowed = ((128 + number, 1), (0, 0), (-number, 0))
        assert (process.returncode, len(errors.splitlines())) in allowed, errors
        assert b"Traceback" not in errors
    assert 128 + number in codes


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize(("arguments", "code"), [(("info",), 0), (("bfs", "absent"), 2)])
def test_a_signal_at_the_interpreters_end_changes_nothing(
    cli: Any, arguments: tuple[str, ...], code: int, number: signal.Signals
) -> None:
    # What is registered before the command's own is called behind it.
    last = f"import atexit, os; atexit.register(lambda: os.kill(os.getpid(), {number:d}))\n"
    done = subprocess.run(
        [sys.executable, "-c", last + SCRIPT, *arguments], cwd=cli.folder, env=cli.environment,
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False,
        preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_DFL),
    )  # fmt: skip
    assert (done.returncode, len(done.stderr.splitlines())) == (code, min(code, 1))


@pytest.mark.parametrize(
    "module", ["gossamer", "numpy", "gossamer._gossamer", "gossamer.graph", "typer", "rich.table"]
)
def test_an_interrupt_among_imports_is_one_line(cli: Any, module: str) -> None:
    program = f"""
import os, signal, sys
class Interrupting:
    def find_spec(self, name, *_):
        if name == {module!r}:
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Interrupting())
{SCRIPT}"""
    done = subprocess.run(
        [sys.executable, "-c", program, "stats", "grid:9x9"], cwd=cli.folder, env=cli.environment,
        capture_output=True, timeout=60, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (130, b"gossamer: interrupted\n")


# No fixed work takes a second on every machine: steps are made slow, and patience short.
SLOW = """
import time, rich.progress
from gossamer.algorithm.bfs import BfsResult, BfsSearch
from gossamer.algorithm.cg import CgSolver
from gossamer.cli.commands import cg
from gossamer.cli.output import progress
from gossamer.graph import Graph
from gossamer.machine import Machine
progress.PATIENCE = {patience}
def slow(owner, name):
    real = getattr(owner, name)
    def call(*arguments, **options):
        time.sleep(0.5)
        return real(*arguments, **options)
    setattr(owner, name, call)
"""


def shown_by(cli: Any, *arguments: str, before: str, terminal: bool = True) -> bytes:
    """What a command writes to stderr."""
    leader, follower = pty.openpty() if terminal else os.pipe()
    process = start(
        cli, *arguments, "--json", "-", before=before, stdout=subprocess.DEVNULL, stderr=follower
    )
    os.close(follower)
    seen = b""
    try:
        while chunk := os.read(leader, 4096):
            seen += chunk
    except OSError:  # the other side was closed
        pass
    os.close(leader)
    assert process.wait(60) == 0, seen
    return seen


@pytest.mark.parametrize(
    ("patience", "terminal", "shown"), [(0.1, True, True), (3600, True, False), (0, False, False)]
)
def test_progress_only_on_terminals_and_for_long_work(
    cli: Any, patience: float, terminal: bool, shown: bool
) -> None:
    seen = shown_by(
        cli, "bfs", "kron:8", "--sources", "3", terminal=terminal,
        before=SLOW.format(patience=patience) + "slow(BfsSearch, 'run')",
    )  # fmt: skip
    if shown:
        assert b"bfs, running" in seen and b"2/3" in seen
    else:
        assert seen == b""


@pytest.mark.parametrize(
    "arguments",
    [
        ("betweenness", "kron:12"),
        ("closeness", "road:100"),
        ("random-walks", "kron:13", "--walks", "20"),
    ],
)
def test_a_single_run_says_how_far_it_is(cli: Any, arguments: tuple[str, ...]) -> None:
    seen = shown_by(cli, *arguments, "--machine", "cpu:1x1", before=SLOW.format(patience=0))
    assert re.search(rb"running.* [1-9][0-9]?%", seen), seen


@pytest.mark.parametrize(
    ("arguments", "steps"),
    [
        (
            ("bfs", "grid:9x9", "--deduplicate", "--largest-component", "--verify",
             "--machine", "cpu:2x1"),
            {"Graph, 'rebuild'": "rebuilding grid:9x9",
             "Graph, 'largest_component'": "keeping the largest component of grid:9x9",
             "BfsSearch, 'plan'": "planning",
             "Machine, 'place'": "preparing grid:9x9",
             "BfsSearch, 'run'": "bfs, running",
             "BfsResult, 'verify'": "bfs, verifying"},
        ),
        (
            ("cg", "poisson:9", "--verify", "--output", "x.npy"),
            {"CgSolver, 'plan'": "planning",
             "CgSolver, '__init__'": "placing poisson:9",
             "CgSolver, 'solve'": "cg, iterating",
             "cg, 'verify_cg'": "cg, verifying"},
        ),
        (("generate", "grid:9x9", "-o", "x.gsr"), {"Graph, 'write'": "writing x.gsr"}),
        (("convert", "grid:9x9", "x.npz"), {"Graph, 'write'": "writing x.npz"}),
        (
            ("stats", "grid:9x9", "--partition", "2:hash"),
            {"Graph, 'partition'": "partitioning grid:9x9",
             "Graph, 'partition_quality'": "measuring the partition"},
        ),
    ],
)  # fmt: skip
def test_every_long_step_has_a_bar_with_its_name(
    cli: Any, arguments: tuple[str, ...], steps: dict[str, str]
) -> None:
    before = SLOW.format(patience=0.1) + "\n".join(f"slow({call})" for call in steps)
    seen = shown_by(cli, *arguments, before=before).decode()
    assert [name for name in steps.values() if name not in seen] == []


@pytest.mark.parametrize(
    ("program", "code", "said"),
    [
        # An interrupt within code that cannot raise it, such as a destructor.
        ("class Ends:\n"
         "    def __del__(self): interrupt()\n"
         "def app(**_): Ends(); print('went on')\n", 130, "gossamer: interrupted\n"),
        # One that comes while the command says why it fails, and one behind that.
        ("class Slow:\n"
         "    def write(self, text): interrupt(); os.write(2, text.encode())\n"
         "    def flush(self): pass\n"
         "sys.stderr = Slow()\n"
         "def app(**_): raise gossamer.UsageError('no')\n", 2, "gossamer: no\n"),
        ("import atexit; atexit.register(interrupt)\n"
         "def app(**_): raise gossamer.UsageError('no')\n", 130, "gossamer: no\n"),
    ],
)  # fmt: skip
def test_an_interrupt_is_neither_lost_nor_said_twice(
    environment: dict[str, str], program: str, code: int, said: str
) -> None:
    begin = (
        "import os, signal, sys, gossamer.cli\n"
        "def interrupt(): os.kill(os.getpid(), signal.SIGINT)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", f"{begin}{program}gossamer.cli.app = app\ngossamer.cli.main()"],
        capture_output=True, text=True, env=environment, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (code, "", said)


def test_fonts_are_found_without_a_word_of_the_locale(cli: Any) -> None:
    """matplotlib looks for them the first time by a program, which warns of odd locales."""
    cli.environment |= {"LC_ALL": "none", "MPLCONFIGDIR": str(cli.folder / "fonts")}
    process = start(
        cli, "sssp", "path:4", "--plot", "x.json", stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    out, errors = process.communicate(timeout=120)
    assert process.returncode == 2 and out == b""
    assert errors.startswith(b"gossamer: --plot x.json: not one of .") and errors.count(b"\n") == 1
