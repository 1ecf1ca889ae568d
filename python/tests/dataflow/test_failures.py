"""gs.dataflow: wirings that cannot work, and runs that must end cleanly."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

import gossamer as gs
import numpy as np
import pytest
from gossamer.dataflow import Flow, Segment, Wiring
from wirings import joined, pair


def bad_wirings() -> Iterator[tuple[str, Callable[[Wiring], Any], str]]:
    def twice(w: Wiring) -> None:
        w.connect(w.rank(0), w.rank(1))
        w.connect(w.rank(0), w.rank(1))

    def without_output(w: Wiring) -> None:
        w.connect(w.rank(0), w.router(1, 1, "ring", "hub"))
        w.check()

    def chained(w: Wiring) -> None:
        w.connect(w.router(1, 1, "ring"), w.router(1, 1, "ring"))

    def lonely(w: Wiring) -> None:
        w.connect(w.rank(0), w.rank(1))
        w.endpoint(1, "lonely")
        w.run(lambda flow: None)

    yield "loop", lambda w: w.connect(w.rank(0), w.rank(0)), "'rank 0' cannot be linked to itself"
    yield "twice", twice, "'rank 0' and 'rank 1' are linked already"
    yield "router", without_output, "router 'hub' has links from 0 of its 1 outputs"
    yield "chain", chained, "router 'router 1' cannot feed router 'router 2'"
    yield "none", lambda w: w.router(0, 1, "ring", "hub"), "router 'hub' needs an input"
    yield "lonely", lonely, "endpoint 'lonely' has no link"
    yield "empty", lambda w: w.check(), "nothing is linked"
    yield "rank", lambda w: w.rank(2), "no rank 2 among 2"
    yield "text", lambda w: w.endpoint("0", "x"), "rank: expected an integer, got '0'"  # type: ignore[arg-type]
    yield "name", lambda w: [w.rank(0), w.endpoint(1, "rank 0")], "the name 'rank 0' is taken"
    yield "policy", lambda w: w.router(1, 1, "best"), "policy 'best' is none of any_device, ring"
    yield "kind", lambda w: w.router(1, 1, 3), "policy: expected a name or a function"  # type: ignore[arg-type]
    yield "other", lambda w: w.connect(w.rank(0), Wiring("cpu:2x1").rank(1)), "of another wiring"
    yield (
        "buffers",
        lambda w: w.connect(w.rank(0), w.rank(1), buffers=65),
        "link 'rank 0 -> rank 1': 65 buffers; 1 to 64 are possible",
    )
    yield "zero", lambda w: w.connect(w.rank(0), w.rank(1), buffers=0), "buffers: 0; 1 to 64"
    yield "packet", lambda w: w.connect(w.rank(0), w.rank(1), packet=0), "packet: not a positive"
    yield "link", lambda w: w.link("rank 0", w.rank(1)), "'rank 0' and 'rank 1' are not linked"
    yield "root", lambda w: w.reduction(2), "no rank 2 among 2 to reduce at"
    yield "shape", lambda w: w.reduction(shape="star"), "shape 'star' is none of automatic, many"
    yield "program", lambda w: w.run(3), "program: expected a function"  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("make", "message"), [x[1:] for x in bad_wirings()], ids=[x[0] for x in bad_wirings()]
)
def test_wirings_that_cannot_work(make: Callable[[Wiring], Any], message: str) -> None:
    with pytest.raises(gs.UsageError) as raised:
        make(Wiring("cpu:2x1"))
    assert message in str(raised.value)


class Mine(Exception):
    """What only these tests raise."""


@pytest.mark.parametrize("machine", ["cpu:3x1", "sim:m60,ranks=4"])
@pytest.mark.parametrize("rank", [0, 1])
def test_what_a_program_raises_ends_the_run(machine: str, rank: int) -> None:
    w, _, down = joined(machine, "any_device")
    met = []

    def program(flow: Flow) -> None:
        if flow.rank == rank:
            raise Mine("this one")
        try:
            list(flow[down[flow.rank]])  # which never end
        except gs.RankError as error:
            met.append(error)
            raise

    with pytest.raises(Mine, match="this one") as raised:
        w.run(program, timeout=60)
    assert any(entry.name == "program" for entry in raised.traceback)
    assert len(met) == w.machine.size - 1
    assert all(f"because rank {rank} failed: Mine: this one" in str(error) for error in met)
    assert all(error.rank == rank for error in met)
    w.run(lambda flow: None)  # the machine, and the wiring, go on


@pytest.mark.parametrize("machine", ["cpu:2x1", "sim:m60,ranks=2"])
def test_what_a_policy_raises_ends_the_run(machine: str) -> None:
    def choose(*_: Any) -> None:
        raise Mine("no way")

    w, up, down = joined(machine, choose)
    with pytest.raises(Mine, match="no way"):
        w.run(
            lambda f: f[up[1]].send(np.zeros(1)).wait() if f.rank == 1 else list(f[down[0]]),
            timeout=60,
        )

    def swallow(flow: Flow) -> None:
        if flow.rank == 1:
            with pytest.raises(Mine):
                flow[up[1]].send(np.zeros(1))
            raise SystemExit(3)

    with pytest.raises(SystemExit):
        w.run(swallow)


def test_what_a_callback_raises_ends_the_run() -> None:
    w, link = pair(packet=64)

    def take(_: Segment) -> None:
        raise Mine("not this")

    def program(flow: Flow, quiet: bool) -> None:
        if flow.rank == 0:
            flow[link].send(np.zeros(100))
            return
        flow[link].on_receive(take)
        if quiet:  # the program goes on as if nothing had happened
            with pytest.raises(Mine):
                flow.serve()

    for quiet in (False, True):
        with pytest.raises(Mine, match="not this"):
            w.run(lambda flow, q=quiet: program(flow, q), timeout=60)


def test_policies_that_choose_what_is_no_output() -> None:
    w = Wiring("cpu:2x1")
    other = Wiring("cpu:2x1").rank(1)
    chosen: list[Any] = [w.rank(0), 3, other]
    router = w.router(1, 1, lambda *_: chosen.pop(0), "hub")
    up, down = w.connect(w.rank(0), router), w.connect(router, w.rank(1))
    for message in (
        r"the policy of router 'hub' \(<lambda>\) chose 'rank 0', which is no output of it",
        "the policy of router 'hub': expected an endpoint or a router of this wiring, got 3",
        "the policy of router 'hub': 'rank 1' is of another wiring",
    ):
        with pytest.raises(gs.UsageError, match=message):
            w.run(lambda f: f[up].send(np.zeros(1)) if f.rank == 0 else list(f[down]))


def test_the_deadline_says_who_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOSSAMER_TIMEOUT", "0.005")  # times 60 s
    w, link = pair()
    with pytest.raises(gs.Timeout) as raised:
        w.run(lambda flow: list(flow[link]) if flow.rank == 1 else time.sleep(2))
    assert "endpoint 'target' waits to receive on 'source -> target'" in str(raised.value)
    assert raised.value.rank == 1


def test_a_policy_that_never_answers_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOSSAMER_TIMEOUT", "0.005")
    w, up, down = joined("cpu:2x1", lambda *_: None)

    def program(flow: Flow) -> None:
        if flow.rank == 0:
            flow[up[0]].send(np.zeros(4))
        list(flow[down[flow.rank]])

    with pytest.raises(gs.Timeout) as raised:
        w.run(program)
    assert "waits to receive on 'router -> rank" in str(raised.value)
    assert "has 1 message of 32 bytes queued on 'rank 0 -> router'" in str(raised.value) or (
        "is stuck with 32 bytes queued on 'rank 0 -> router'" in str(raised.value)
    )
    assert "the policy of router 'router' (<lambda>) names no destination" in str(raised.value)


def test_a_modelled_machine_sees_at_once_that_nothing_can_happen() -> None:
    w = Wiring("sim:m60,ranks=2")
    ends = w.connect(w.rank(1), w.rank(0)), w.connect(w.rank(0), w.rank(1))
    begun = time.monotonic()
    with pytest.raises(gs.Timeout, match=r"waits to receive on 'rank . -> rank .'") as raised:
        w.run(lambda flow: flow[ends[flow.rank]].receive())
    assert "nothing can happen any more" in str(raised.value)
    assert time.monotonic() - begun < 10


def test_time_limits_end_loops_of_python() -> None:
    w, _ = pair()

    def program(flow: Flow) -> None:
        while True:
            pass

    begun = time.monotonic()
    with pytest.raises(gs.Timeout, match=r"dataflow did not end within 0\.3 s"):
        w.run(program, timeout=0.3)
    assert time.monotonic() - begun < 10
    w.run(lambda flow: None)


def test_ctrl_c(run_python: Callable[[str], str]) -> None:
    program = """
import _thread, threading, time
import gossamer as gs
w = gs.dataflow.Wiring("cpu:2x1")
link = w.connect(w.rank(0), w.rank(1))
ended = []
def program(flow):
    try:
        if flow.rank == 1:
            flow[link].receive()
        while True:
            pass
    except BaseException as error:
        ended.append(type(error).__name__)
        raise
threading.Timer(0.5, _thread.interrupt_main).start()
begun = time.monotonic()
try:
    w.run(program)
except KeyboardInterrupt:
    print("stopped", time.monotonic() - begun < 5)
w.run(lambda flow: None)
print(sorted(ended))
"""
    lines = run_python(program).splitlines()
    assert lines[0] == "stopped True"
    assert lines[1] in ("['Cancelled', 'KeyboardInterrupt']", "['KeyboardInterrupt'] * 2")
