"""What befalls a process, crossed with what it does meanwhile: how it ends, and what it leaves.

A part runs always, all cells with --whole.
"""

from __future__ import annotations

import contextlib
import os
import random
import resource
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from .subject import EVENTS, STATES

SUBJECT = Path(__file__).with_name("subject.py")
#: Seconds in which everything ends, whatever else the machine does.
PATIENCE = 120
#: For ever.
ALWAYS = 10**9


def cells(events: Any) -> list[Any]:
    """Every event with every state; of each event and each state some are in the fixed part."""
    return [
        pytest.param(
            event, state, id=f"{event}-{state}",
            marks=[] if (3 * i + j) % 5 == 0 else pytest.mark.whole,
        )
        for i, event in enumerate(events)
        for j, state in enumerate(STATES)
    ]  # fmt: skip


class Subject:
    """The process, in an empty folder."""

    def __init__(self, environment: dict[str, str], folder: Path, state: str, event: str) -> None:
        self.folder = folder
        self.mark = f"GOSSAMER_TEST_MARK={uuid.uuid4()}"
        name, _, value = self.mark.partition("=")
        self.process = subprocess.Popen(
            [sys.executable, str(SUBJECT), state, event],
            cwd=folder,
            env=environment | {name: value},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,  # what is not read here is left to communicate()
            preexec_fn=self._begin,  # noqa: PLW1509 - no thread of this process holds a lock
        )

    @staticmethod
    def _begin() -> None:
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        # Who runs the tests may ignore them, as in the background.
        for number in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT):
            signal.signal(number, signal.SIG_DFL)

    def says(self, line: str) -> None:
        assert self.process.stdout is not None
        said = self.process.stdout.readline().decode()
        assert said == f"{line}\n", (said, self.process.communicate()[1])

    def ends(self) -> tuple[int, str, str]:
        """Exit code, stdout and stderr. Nothing else is left: no process, no part of a file."""
        try:
            out, errors = self.process.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise
        finally:
            left = self._left_behind()
        assert left == []
        files = {path.name for path in self.folder.iterdir()} - {"graph.mtx"}
        # What was written whole has its name; a part has none.
        assert not [name for name in files if not name.startswith("written.")], files
        for name in files:
            assert (self.folder / name).read_text().startswith("%%MatrixMarket"), name
        return self.process.returncode, out.decode(), errors.decode()

    def _left_behind(self) -> list[str]:
        """Processes of its that live on after a moment; they are ended."""
        until = time.monotonic() + 20
        while left := list(self._marked()):
            if time.monotonic() > until:
                names = [(p / "cmdline").read_text().replace("\0", " ") for p in left]
                for path in left:
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(int(path.name), signal.SIGKILL)
                return names
            time.sleep(0.02)
        return []

    def _marked(self) -> Iterator[Path]:
        for path in Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                if self.mark.encode() in (path / "environ").read_bytes().split(b"\0"):
                    yield path


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where own programs are kept, which each cell would compile."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def begin(environment: dict[str, str], cache: Path, tmp_path: Path) -> Any:
    def begun(state: str, event: str, **variables: str) -> Subject:
        ours = {"GOSSAMER_CACHE": str(cache)} | variables
        return Subject(environment | ours, tmp_path, state, event)

    return begun


@pytest.mark.parametrize(("event", "state"), cells(EVENTS))
def test_an_event_of_its_own(begin: Any, event: str, state: str) -> None:
    code, out, errors = begin(state, event).ends()
    assert (code, errors) == (7, "")
    assert out == ("again\nagain\n" if event == "call_at_exit" else "")


#: Signals in turn, and how the process ends: with an exit code, or a signal's number below 0.
SIGNALS = {
    "terminated": ([signal.SIGTERM], -signal.SIGTERM),
    "hung_up": ([signal.SIGHUP], -signal.SIGHUP),
    "quit": ([signal.SIGQUIT], -signal.SIGQUIT),
    "interrupted": ([signal.SIGINT], -signal.SIGINT),
    "interrupted_twice": ([signal.SIGINT, signal.SIGINT], -signal.SIGINT),
    "interrupted_and_terminated": ([signal.SIGINT, signal.SIGTERM], None),
    "killed": ([signal.SIGKILL], -signal.SIGKILL),
    "stopped_and_killed": ([signal.SIGSTOP, signal.SIGKILL], -signal.SIGKILL),
}


@pytest.mark.parametrize(("event", "state"), cells(SIGNALS))
def test_a_signal_ends_it(begin: Any, event: str, state: str) -> None:
    numbers, expected = SIGNALS[event]
    subject = begin(state, str(ALWAYS))
    subject.says("ready")
    time.sleep(random.uniform(0, 0.1))  # any moment of its calls
    for number in numbers:
        subject.process.send_signal(number)
    code, _, errors = subject.ends()
    if expected is None:
        assert code in [-number for number in numbers]
    else:
        assert code == expected
    if signal.SIGINT in numbers:
        # Python's own last words, of its exit, too.
        last = errors.rstrip(": \n")
        assert code == -signal.SIGTERM or last.endswith("KeyboardInterrupt"), errors
    else:
        assert errors == ""


#: Signals after which it goes on.
PASSING = {
    "broken_pipe": [signal.SIGPIPE],
    "window_changed": [signal.SIGWINCH],
    "stopped": [signal.SIGSTOP, signal.SIGCONT],
    "stopped_twice": [signal.SIGSTOP, signal.SIGCONT, signal.SIGSTOP, signal.SIGCONT],
}


@pytest.mark.parametrize(("event", "state"), cells(PASSING))
def test_a_signal_passes(begin: Any, event: str, state: str) -> None:
    """Stopped for longer than waits inside its runs may take: it has not waited meanwhile."""
    subject = begin(state, "8", GOSSAMER_TIMEOUT="0.02")
    subject.says("ready")
    for number in PASSING[event]:
        with contextlib.suppress(ProcessLookupError):
            subject.process.send_signal(number)
        if number == signal.SIGSTOP:
            time.sleep(2)
    assert subject.ends() == (7, "answered\n" * 8, "")
