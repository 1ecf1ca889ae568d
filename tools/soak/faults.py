"""What happens to some runs: interrupts, deadlines, too little memory, full disks. The next run
must be right.

The process as a whole is stopped and continued now and then by who watches it (`batches`).
"""

from __future__ import annotations

import contextlib
import os
import random
import resource
import signal
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import gossamer as gs
import numpy as np
from gossamer.cli.output.report import write_whole

from soak.calls import Call
from soak.graphs import WHOLE, Random, graph_of

#: Answers to what cannot be had: none of them is wrong.
REFUSALS = (gs.UsageError, gs.NotCompiled, gs.CapacityError)

#: A sanitizer that lacks address space for itself ends the process.
_SANITIZED = any(
    name in Path("/proc/self/maps").read_text() for name in ("libasan", "libtsan", "libclang_rt")
)


def _interrupted(call: Call, rng: Random) -> None:
    """Ctrl-C after a while, as a terminal sends it; the run may be over before."""
    timer = threading.Timer(float(rng.random()) * 0.02, os.kill, (os.getpid(), signal.SIGINT))
    # It may come after the call, before the timer was waited for.
    with contextlib.suppress(KeyboardInterrupt):
        try:
            timer.start()
            call()
            timer.join()
        except (KeyboardInterrupt, *REFUSALS):
            timer.join()
        # Python notes a signal and raises a little later.
        settled = time.monotonic() + 0.002
        while time.monotonic() < settled:
            pass


def _late(call: Call, rng: Random) -> None:
    """A deadline that few runs keep."""
    with contextlib.suppress(gs.Timeout, *REFUSALS):
        call(timeout=float(10.0 ** rng.uniform(-6, -1)))


def _short(call: Call, rng: Random) -> None:
    """A limit of memory that few plans keep."""
    with contextlib.suppress(*REFUSALS):
        call(memory=int(10.0 ** rng.uniform(2, 7)))


@contextlib.contextmanager
def _limited(what: int, most: int) -> Iterator[None]:
    """This process has a limit of the system's."""
    before = resource.getrlimit(what)
    resource.setrlimit(what, (most, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(what, before)


def _address_space(more: int) -> contextlib.AbstractContextManager[None]:
    """The system grants so many bytes more than now, to this process."""
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    return _limited(resource.RLIMIT_AS, pages * resource.getpagesize() + more)


def _starved(call: Call, rng: Random) -> None:
    """Memory that is planned but not given."""
    more = int(10.0 ** rng.uniform(3, 8))
    # METIS's thread-local data are laid out when it is called: without room the C library aborts.
    partition = call.options.get("partition")
    if _SANITIZED or (isinstance(partition, str) and partition == "metis"):
        return
    with contextlib.suppress(MemoryError, gs.Error), _address_space(more):
        call()


def _write_graph(graph: gs.Graph, path: Path) -> None:
    graph.write(path, path.suffix[1:])


def _write_trace(graph: gs.Graph, path: Path) -> None:
    gs.bfs(graph, 0, "cpu:2x1", trace=path)


def _write_result(graph: gs.Graph, path: Path) -> None:
    """As commands write what --output names."""
    with write_whole(path) as file:
        np.savez(file, ends=graph.indices)


def _is_graph(graph: gs.Graph, path: Path) -> bool:
    return gs.read(path, format=path.suffix[1:]).arcs == graph.arcs


def _is_result(graph: gs.Graph, path: Path) -> bool:
    return np.array_equal(np.load(path)["ends"], graph.indices)


#: By kind: how it is written, whether a file has all of it, suffixes, and whether devices take it.
OUTPUTS: dict[
    str, tuple[Callable[..., None], Callable[[gs.Graph, Path], bool], Sequence[str], bool]
] = {
    "graph": (_write_graph, _is_graph, WHOLE, False),
    "trace": (_write_trace, lambda _, path: len(gs.read_trace(path).runs) == 1, ["json"], True),
    "result": (_write_result, _is_result, ["npz"], True),
}


def _failure(write: Callable[..., None], graph: gs.Graph, path: Path) -> str:
    """What writing said; "": it went well."""
    try:
        write(graph, path)
    except gs.UsageError:  # the format has no such weights, or only symmetric graphs
        raise
    except gs.Error as error:
        said = str(error)
        if type(error) is not gs.Error or "\n" in said or not said.startswith(str(path)):
            raise AssertionError(f"a full disk: {type(error).__name__}: {said}") from error
        return said
    return ""


def _full(_: Call, rng: Random) -> None:
    """A disk that is full from some byte on: one error, and the file that was there is as before.

    The limit is of the process and of each of its files.
    """
    graph = graph_of(rng)
    kind = str(rng.choice(list(OUTPUTS)))
    write, is_whole, suffixes, on_devices = OUTPUTS[kind]
    most = int(10.0 ** rng.uniform(0, 5))
    with contextlib.suppress(gs.UsageError), tempfile.TemporaryDirectory() as name:
        if on_devices and not _failure(write, graph, Path("/dev/full")):
            raise AssertionError(f"{kind}: /dev/full took it")
        path = Path(name) / f"file.{rng.choice(suffixes)}"
        path.write_bytes(b"before")
        with _limited(resource.RLIMIT_FSIZE, most):
            said = _failure(write, graph, path)
        beside = set() if said else {f"{path.name}.metadata"}  # of Galois files
        if left := set(os.listdir(name)) - {path.name} - beside:
            raise AssertionError(f"{kind}: a disk that was full after {most} bytes has {left}")
        if path.read_bytes() != b"before" if said else not is_whole(graph, path):
            raise AssertionError(f"{kind}: part of a file, after {said or 'success'}")


FAULTS: dict[str, Callable[[Call, Random], None]] = {
    "interrupt": _interrupted, "deadline": _late, "limit": _short, "starved": _starved,
    "full": _full,
}  # fmt: skip


def faults_on(machines: Sequence[str]) -> list[str]:
    """Those that may happen there. Without address space CUDA's driver ends the process, or finds
    no GPUs from then on."""
    gpus = any("cuda" in machine for machine in machines)
    return [name for name in FAULTS if not (gpus and name == "starved")]


class Stops:
    """Stops a process now and then, each time for so many seconds at most."""

    def __init__(self, process: int, longest: float) -> None:
        #: How often it was stopped.
        self.count = 0
        self._longest = longest
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._stop_and_go, args=(process,))
        self._thread.start()

    def _stop_and_go(self, process: int) -> None:
        while not self._over.wait(random.uniform(0, 2)):
            try:
                os.kill(process, signal.SIGSTOP)
                self.count += 1
                self._over.wait(random.uniform(0, self._longest))
                os.kill(process, signal.SIGCONT)
            except ProcessLookupError:
                return

    def end(self) -> None:
        """Leaves the process running."""
        self._over.set()
        self._thread.join()
