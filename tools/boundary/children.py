"""Runs cases in forked children of a warm process, and as processes of the installed command.

A child runs many cases one after the other, and says of each when it begins and what came of it.
What does something to the process itself has a child of its own. Nothing runs beside the parent's
only thread, so that its children may use machines (tests/failure/forked.cpp).
"""

from __future__ import annotations

import contextlib
import gc
import io
import json
import os
import resource
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

import gossamer.cli
import gossamer_command
from gossamer_command.signals import leave, on_signals

from .lines import COMMAND, Case, commands
from .verdict import Outcome, faults, plan_of

#: Seconds until a case is asked to end (Ctrl-C), and until one that was asked to hangs.
PATIENCE, DEADLINE = 1.0, 60.0
#: Beyond what a warm process has: nothing that goes wrong takes the machine's memory.
GUARD = 6 << 30
_NOBODY = 65534
_KEPT = 1 << 20


def address_space() -> int:
    """Bytes of it that this process has."""
    return _sizes()[0]


def _sizes() -> list[int]:
    """Bytes of this process: of its address space, and those that are in memory."""
    pages = Path("/proc/self/statm").read_text().split()[:2]
    return [int(count) * resource.getpagesize() for count in pages]


def _peak() -> int:
    """Bytes that this process had at most, since that was last set to what it has."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10


def warm() -> None:
    """Imports what commands import late, and makes what they all make first. PyArrow, and pandas
    with it, begin a thread."""
    for module in (
        "matplotlib.figure", "matplotlib.backends.backend_agg", "jinja2", "bokeh.plotting",
        "scipy.sparse.csgraph", "gossamer.reproduce.catalogue",
    ):  # fmt: skip
        with contextlib.suppress(ImportError):
            __import__(module)
    for command in commands().values():
        for parameter in command.params:  # types that newer versions of Typer make at first use
            getattr(parameter, "get_runtime_param", lambda: None)()
    gossamer.cli.app = COMMAND  # type: ignore[assignment]
    with contextlib.redirect_stdout(io.StringIO()):  # what tables are made with
        gossamer.cli.run(["engines"])
    gc.collect()
    gc.freeze()
    if (threads := len(os.listdir("/proc/self/task"))) != 1:
        raise SystemExit(f"{threads} threads before the first fork")


class Place:
    """The folder of all cases, with the files that their streams go to."""

    def __init__(self) -> None:
        shm = Path("/dev/shm")
        self.base = Path(tempfile.mkdtemp(dir=shm if shm.is_dir() else None, prefix="boundary-"))
        self.base.chmod(0o755)
        self.work = self.base / "in" / "work"
        self.streams = [self._file(name) for name in ("stdin", "stdout", "stderr", "last")]
        home, nowhere = str(self.work / "home"), "http://127.0.0.1:9"
        self._plain = {k: v for k, v in os.environ.items()
                       if not k.startswith(("GOSSAMER_", "XDG_", "PYTHON", "OMPI", "PMI"))} | {
            "HOME": home, "COLUMNS": "100", "http_proxy": nowhere, "https_proxy": nowhere,
            "MPLCONFIGDIR": home, "LC_ALL": "C.UTF-8",
        }  # fmt: skip

    def _file(self, name: str) -> int:
        return os.open(self.base / name, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o666)

    def remove(self) -> None:
        self._clear()
        shutil.rmtree(self.base, ignore_errors=True)

    def _clear(self) -> None:
        if self.work.is_dir():
            self.work.chmod(0o755)
            for one in os.scandir(self.work):
                if one.is_dir(follow_symlinks=False):
                    shutil.rmtree(one.path, ignore_errors=True)
                else:
                    os.unlink(one.path)
        self.work.mkdir(parents=True, exist_ok=True)

    def prepare(self, case: Case) -> None:
        """The folder as the case has it, and empty streams."""
        self._clear()
        self.work.chmod(0o777)
        for stream in self.streams:
            os.ftruncate(stream, 0)
        os.pwrite(self.streams[0], case.stdin, 0)
        os.lseek(self.streams[0], 0, os.SEEK_SET)
        for name, content in case.folder.files.items():
            with contextlib.suppress(OSError):  # names may be too long
                (self.work / name).write_bytes(content)
                (self.work / name).chmod(0o666)
        for name, kind in case.folder.others.items():
            at = self.work / name
            if kind == "folder":
                at.mkdir()
            elif kind == "fifo":
                os.mkfifo(at)
            elif kind == "loop":
                at.symlink_to(name)
            elif kind == "link":
                at.symlink_to("behind.npz")
            else:
                at.write_bytes(b"0 1\n")
                at.chmod(0)

    def read(self, stream: int, most: int = _KEPT) -> bytes:
        return os.pread(self.streams[stream], most, 0)

    def left(self) -> list[str]:
        with contextlib.suppress(OSError):
            return sorted(os.listdir(self.work))
        return []

    def environment(self, case: Case) -> dict[str, str]:
        """Of a process; nothing of the user's is touched, and nothing downloaded."""
        return self._plain | case.variables


def _limit(case: Case, room: int, nobody: bool = False) -> None:
    """Limits of this process, which stays as it is otherwise."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    most = {"RLIMIT_AS": GUARD} | case.limits
    most["RLIMIT_AS"] += room
    for name, value in most.items():
        resource.setrlimit(getattr(resource, name), (value, value))
    if nobody and os.getuid() == 0:
        os.setgroups([])
        os.setresgid(_NOBODY, _NOBODY, _NOBODY)
        os.setresuid(_NOBODY, _NOBODY, _NOBODY)


def _streams(place: Place, case: Case) -> None:
    """Descriptors 0 to 2 as the case has them."""
    for number in range(3):
        os.dup2(place.streams[number], number)
    for number, kind in ((1, case.stdout), (2, case.stderr)):
        if kind == "full":
            os.dup2(os.open("/dev/full", os.O_WRONLY), number)
        elif kind == "gone":
            reader, writer = os.pipe()
            os.close(reader)
            os.dup2(writer, number)
            os.close(writer)
    for number in case.closed:
        os.close(number)


def _python_streams(case: Case) -> None:
    """Python's own streams, as its start makes them of the descriptors."""
    for number, (name, mode) in enumerate((("stdin", "r"), ("stdout", "w"), ("stderr", "w"))):
        stream: Any = None
        if number not in case.closed:
            stream = open(number, mode, encoding="utf-8", closefd=False,  # noqa: SIM115
                          buffering=1 if number == 2 else -1,
                          errors="backslashreplace" if number == 2 else "strict")  # fmt: skip
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)


def _command(case: Case) -> int:
    """The installed script's work in this process; its exit code."""
    sys.argv = ["gossamer", *case.arguments]
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, leave)  # not what the case before has left
    try:
        gossamer_command.main()
    except SystemExit as ended:
        code = ended.code if isinstance(ended.code, int) else int(ended.code is not None)
    except BaseException:  # what Python's end says of it
        traceback.print_exc()
        code = 1
    on_signals(leave)
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError as error:
        print(f"Exception ignored in: {error}", file=sys.stderr)
        code = 120
    return code


@dataclass(eq=False)
class Job:
    """A case with its number: a command line, or a call, which says what is wrong with it."""

    number: int
    case: Case
    call: Callable[[int], list[str] | None] | None = None

    @property
    def alone(self) -> bool:
        return self.call is None and self.case.alone


@dataclass
class Found:
    """What came of a job."""

    job: Job
    outcome: Outcome
    faults: list[str] | None = None  # of a call
    last: str = ""
    #: The number of the first case that the same process took.
    first: int = -1


def _run_in_child(place: Place, jobs: list[Job], note: int) -> NoReturn:
    """All jobs, each said to the parent as it begins and ends."""
    for one in set(map(int, os.listdir("/proc/self/fd"))) - {0, 1, 2, note, *place.streams}:
        with contextlib.suppress(OSError):  # else they count for a limit: a test's process has many
            os.close(one)
    on_signals(leave)
    gc.collect()  # else a job seems smaller by what it collects
    room = address_space()
    for job in jobs:
        case = job.case
        os.environ.clear()
        os.environ.update(place.environment(case))
        with contextlib.suppress(OSError):
            Path("/proc/self/clear_refs").write_text("5")
        before = _peak()
        if job.call is None or job is jobs[0]:
            os.chdir("/")
            place.prepare(case)
            os.chdir(place.work)
            if job is jobs[0]:
                _limit(case, room, case.as_nobody)
            _streams(place, case)
            _python_streams(case)
        for stream in place.streams[1:]:
            os.ftruncate(stream, 0)
        os.write(note, json.dumps({"begin": job.number, "rss": before}).encode() + b"\n")
        wrong = None
        if job.call is not None:
            code, wrong = 0, job.call(place.streams[3])
        else:
            code = _command(case)
            if job.alone:
                os._exit(code)
        said = {
            "end": job.number, "code": code, "peak": max(0, _peak() - before),
            "stderr": place.read(2).decode("utf-8", "surrogateescape"),
            "stdout": place.read(1).decode("latin-1"), "left": place.left(), "faults": wrong,
            "last": place.read(3).decode("utf-8", "backslashreplace") if wrong else "",
        }  # fmt: skip
        os.write(note, json.dumps(said).encode() + b"\n")
        if job.call is not None and wrong is None:
            break  # what it was importing stays half done
    os._exit(0)


class _Watch:
    """A child from fork to end."""

    def __init__(self, place: Place, jobs: list[Job]) -> None:
        self._place, self._jobs = place, {job.number: job for job in jobs}
        reader, writer = os.pipe()
        self._pid = os.fork()
        if self._pid == 0:
            try:
                os.close(reader)
                _run_in_child(place, jobs, writer)
            except BaseException:
                traceback.print_exc()
            os._exit(77)
        os.close(writer)
        self._reader = reader
        self._rest = b""
        self._rss = 0

    def _messages(self, seconds: float) -> list[dict[str, Any]] | None:
        """What came within so many seconds; None at the end."""
        if not select.select([self._reader], [], [], max(0.0, seconds))[0]:
            return []
        part = os.read(self._reader, 1 << 16)
        if not part:
            return None
        *lines, self._rest = (self._rest + part).split(b"\n")
        return [json.loads(line) for line in lines]

    def found(self) -> Iterator[Found]:
        """Of each job that was begun. The child ends with the last, or with what ends it."""
        first = next(iter(self._jobs))
        current: Job | None = None
        begun, sent, hung = time.monotonic(), set[int](), False
        wishes: list[tuple[float, int]] = []
        while True:
            due = wishes[0][0] - time.monotonic() if wishes else DEADLINE
            messages = self._messages(due)
            if messages is None:
                break
            for message in messages:
                if "begin" in message:
                    current, self._rss = self._jobs[message["begin"]], message["rss"]
                    begun, sent = time.monotonic(), set()
                    wishes = [(begun + PATIENCE, int(signal.SIGINT)),
                              (begun + PATIENCE + DEADLINE, int(signal.SIGKILL))]  # fmt: skip
                    if current.case.signal:
                        number, after = current.case.signal
                        wishes.insert(0, (begun + after, number))
                elif current is not None:
                    yield Found(
                        current,
                        Outcome(message["code"], message["stderr"], message["stdout"].encode(
                            "latin-1"), message["peak"], sent, left=message["left"]),
                        message["faults"], message["last"], first,
                    )  # fmt: skip
                    current, wishes = None, []
            while wishes and wishes[0][0] <= time.monotonic():
                number = wishes.pop(0)[1]
                hung = hung or number == signal.SIGKILL
                if not hung:
                    sent.add(number)
                os.kill(self._pid, number)
        os.close(self._reader)
        _, status, used = os.wait4(self._pid, 0)
        code = os.waitstatus_to_exitcode(status)
        if current is not None:
            peak = max(0, (used.ru_maxrss << 10) - self._rss)
            yield Found(
                current,
                Outcome(code, self._place.read(2).decode("utf-8", "surrogateescape"),
                        self._place.read(1), peak, sent, hung, self._place.left()),
                last=self._place.read(3).decode("utf-8", "backslashreplace"), first=first,
            )  # fmt: skip
        elif code not in (0, 128 + signal.SIGINT):
            said = self._place.read(2).decode("utf-8", "backslashreplace")
            raise RuntimeError(f"a child ended with {code} between two cases: {said}")


def _in_turn(place: Place, jobs: list[Job]) -> Iterator[Found]:
    """What came of each, in one child after the other."""
    while jobs:
        done = 0
        for found in _Watch(place, jobs).found():
            done += 1
            yield found
        jobs = jobs[done:]


def in_children(place: Place, jobs: list[Job]) -> Iterator[Found]:
    """What came of each: a child for all in turn, a new one after each that ends it. Then those
    that want to be alone. Plans are asked for before, in children of their own: what these keep is
    no run's. What came of a plan is there as well if it is wrong."""
    asking = {job.number: job for job in jobs if job.call is None and job.case.asks}
    for found in _in_turn(place, [Job(n, job.case.planning()) for n, job in asking.items()]):
        asking[found.job.number].case.plan = plan_of(found.outcome)
        if faults(found.job.case, found.outcome):
            yield found
    yield from _in_turn(place, [job for job in jobs if not job.alone])
    for job in jobs:
        if job.alone:
            yield from _Watch(place, [job]).found()


# --- processes ------------------------------------------------------------------------------------


def script() -> str:
    """The installed command."""
    return str(Path(sys.executable).with_name("gossamer"))


def _ready(pid: int) -> bool:
    """Whether the process handles SIGTERM, as the command does from its first line on."""
    try:
        text = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return True
    caught = next(line for line in text.splitlines() if line.startswith("SigCgt:")).split()[1]
    return bool(int(caught, 16) >> (signal.SIGTERM - 1) & 1)


def _ended(pid: int) -> bool:
    """Whether a child has ended, who is still to be waited for."""
    return os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


def in_process(place: Place, job: Job, command: list[str], room: int) -> Found:
    """The installed command with the case's line."""
    case = job.case
    os.chdir("/")
    place.prepare(case)
    limited = True

    def begin() -> None:
        os.chdir(place.work)
        _streams(place, case)
        if limited:
            _limit(case, room)
        signal.signal(signal.SIGINT, signal.default_int_handler)

    if case.limits:  # which must leave room for the interpreter: what it says is not the command's
        empty = subprocess.run([sys.executable, "-c", ""], preexec_fn=begin, check=False)
        limited = empty.returncode == 0
        place.prepare(case)
    line = [*command, *case.arguments]
    child = subprocess.Popen(
        line, env=place.environment(case), preexec_fn=begin, close_fds=True
    )  # fmt: skip
    sent, hung, limit = set[int](), False, time.monotonic() + 5 * PATIENCE
    if case.signal:
        while not _ready(child.pid) and not _ended(child.pid):
            time.sleep(0.001)
        time.sleep(10 * case.signal[1])
        if not _ended(child.pid):  # poll() would wait for it, and what it used would be lost
            os.kill(child.pid, case.signal[0])
            sent.add(case.signal[0])
    used: Any = None
    while True:
        pid, status, used = os.wait4(child.pid, os.WNOHANG)
        if pid:
            break
        if time.monotonic() > limit:
            if sent and time.monotonic() > limit + DEADLINE:
                hung = True
                child.kill()
            elif signal.SIGINT not in sent and _ready(child.pid):
                child.send_signal(signal.SIGINT)
                sent.add(int(signal.SIGINT))
        time.sleep(0.002)
    child.returncode = os.waitstatus_to_exitcode(status)
    outcome = Outcome(
        child.returncode, place.read(2).decode("utf-8", "surrogateescape"), place.read(1),
        max(0, (used.ru_maxrss << 10) - _sizes()[1]), sent, hung, place.left(),
    )  # fmt: skip
    return Found(job, outcome, first=job.number)
