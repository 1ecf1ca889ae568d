"""gs.dataflow: policies, reductions and segments on every kind of machine."""

from __future__ import annotations

import gc
import threading
import time
import weakref
from collections.abc import Callable
from typing import Any

import gossamer as gs
import numpy as np
import pytest
from gossamer.dataflow import Endpoint, Flow, LinkId, Message, Segment, Wiring
from wirings import joined, pair

MACHINES = ["cpu:1x1", "cpu:3x1", "sim:m60,ranks=4"]


def exchanged(
    machine: str, policy: Any, sends: Callable[[Flow, Any], None], **options: Any
) -> dict[int, list[tuple[str, int, np.ndarray]]]:
    """What each rank got when every one has done `sends(flow, its link)`: source, tag, values."""
    w, up, down = joined(machine, policy, **options)
    got: dict[int, list[tuple[str, int, np.ndarray]]] = {}

    def program(flow: Flow) -> None:
        got[flow.rank] = []
        sends(flow, flow[up[flow.rank]])
        flow[up[flow.rank]].shutdown()
        for segment in flow[down[flow.rank]]:
            values = segment.array("int64").copy()
            got[flow.rank].append((segment.source.name, segment.tag, values))

    w.run(program, timeout=60)
    return got


@pytest.mark.parametrize("machine", MACHINES)
def test_any_device_delivers_each_segment_once(machine: str) -> None:
    def sends(flow: Flow, link: Any) -> None:
        link.send(np.arange(1000) + 1000 * flow.rank, tag=flow.rank)

    got = exchanged(machine, "any_device", sends)
    every = np.concatenate([values for parts in got.values() for _, _, values in parts])
    assert np.array_equal(np.sort(every), np.arange(1000 * len(got)))
    for parts in got.values():
        assert all(source == f"rank {tag}" for source, tag, _ in parts)
        assert all(np.all(values // 1000 == tag) for _, tag, values in parts)


@pytest.mark.parametrize("machine", MACHINES)
def test_ring_hands_on_to_the_next(machine: str) -> None:
    got = exchanged(machine, "ring", lambda flow, link: link.send(np.full(3, flow.rank)))
    p = len(got)
    for rank, parts in got.items():
        assert [values.tolist() for _, _, values in parts] == [[(rank - 1) % p] * 3]


@pytest.mark.parametrize("machine", MACHINES)
def test_broadcast_reaches_all_but_the_sender(machine: str) -> None:
    def sends(flow: Flow, link: Any) -> None:
        if flow.rank == 0 and flow.ranks > 1:
            link.send(np.arange(100), tag=7)

    got = exchanged(machine, "broadcast", sends)
    for rank, parts in got.items():
        values = np.concatenate([np.zeros(0, int), *(values for _, _, values in parts)])
        assert np.array_equal(values, np.arange(0 if rank == 0 else 100))


@pytest.mark.parametrize("machine", MACHINES)
def test_scatter_gives_equal_parts(machine: str) -> None:
    def sends(flow: Flow, link: Any) -> None:
        if flow.rank == 0:
            link.send(np.arange(100 * flow.ranks))

    for rank, parts in exchanged(machine, "scatter", sends).items():
        values = np.concatenate([values for _, _, values in parts])
        assert np.array_equal(values, np.arange(100 * rank, 100 * (rank + 1)))


@pytest.mark.parametrize("machine", MACHINES)
def test_gather_goes_to_the_first_output(machine: str) -> None:
    got = exchanged(machine, "gather", lambda flow, link: link.send(np.full(2, flow.rank)))
    assert sorted(int(values[0]) for _, _, values in got[0]) == list(range(len(got)))
    assert all(not parts for rank, parts in got.items() if rank > 0)


@pytest.mark.parametrize("machine", MACHINES)
def test_peer_to_peer_goes_to_whom_the_send_names(machine: str) -> None:
    w, up, down = joined(machine, "peer_to_peer")
    got: dict[int, list[int]] = {}

    def program(flow: Flow) -> None:
        for r in range(flow.ranks):
            flow[up[flow.rank]].send(np.full(1, 10 * flow.rank + r), to=w.rank(r))
        flow[up[flow.rank]].shutdown()
        got[flow.rank] = sorted(int(s.array("int64")[0]) for s in flow[down[flow.rank]])

    w.run(program)
    assert got == {r: [10 * s + r for s in range(len(got))] for r in range(len(got))}


@pytest.mark.parametrize("machine", MACHINES)
def test_a_function_as_policy(machine: str) -> None:
    seen: list[tuple[Message, Endpoint, tuple[Endpoint, ...]]] = []

    def last_or_own(what: Message, source: Endpoint, all_of: tuple[Endpoint, ...]) -> Any:
        seen.append((what, source, all_of))
        return all_of[-1] if what.tag == 1 else [e for e in all_of if e is source]

    def sends(flow: Flow, link: Any) -> None:
        link.send(np.full(2, flow.rank), tag=flow.rank % 2)

    got = exchanged(machine, last_or_own, sends)
    p = len(got)
    for rank, parts in got.items():
        odd = [r for r in range(p) if r % 2 == 1] if rank == p - 1 else []
        own = [rank] if rank % 2 == 0 else []
        assert sorted(int(values[0]) for _, _, values in parts) == sorted(odd + own)
    what, source, destinations = seen[0]
    assert (what.offset, what.bytes, what.total, what.element, what.to) == (0, 16, 16, 8, None)
    assert source.rank == what.tag % p or p > 2
    assert [e.rank for e in destinations] == list(range(p))


@pytest.mark.parametrize("machine", MACHINES)
def test_a_function_that_names_several_to_all(machine: str) -> None:
    def ends(_: Message, __: Endpoint, all_of: tuple[Endpoint, ...]) -> list[Endpoint]:
        return sorted({all_of[0], all_of[-1]}, key=lambda e: e.index)

    got = exchanged(machine, ends, lambda flow, link: link.send(np.full(1, flow.rank)), to_all=True)
    p = len(got)
    for rank, parts in got.items():
        expected = list(range(p)) if rank in (0, p - 1) else []
        assert sorted(int(values[0]) for _, _, values in parts) == expected


@pytest.mark.parametrize("machine", MACHINES)
def test_a_policy_that_says_not_now_is_asked_again(machine: str) -> None:
    asked = []

    def later(what: Message, _: Endpoint, all_of: tuple[Endpoint, ...]) -> Any:
        asked.append(what.tag)
        if what.tag == 1:  # waits until the other message has been asked for
            return [] if asked.count(2) == 0 else all_of[0]
        return None if asked.count(2) < 3 else all_of[0]

    def sends(flow: Flow, link: Any) -> None:
        if flow.rank == 0:
            link.send(np.zeros(1, int), tag=1)
            link.send(np.zeros(1, int), tag=2)
            while asked.count(2) < 3:
                flow.progress()

    got = exchanged(machine, later, sends)
    assert sorted(tag for _, tag, _ in got[0]) == [1, 2]
    assert asked[0] == 1 and asked.count(2) >= 3


@pytest.mark.parametrize("machine", ["cpu:1x1", "cpu:3x1", "cpu:7x1", "sim:m60,ranks=4"])
@pytest.mark.parametrize("shape", ["automatic", "many_to_one", "tree"])
def test_reductions(machine: str, shape: str) -> None:
    for root in {0, gs.Machine(machine).size - 1}:
        for merge, numpys in ((np.add, np.sum), (np.maximum, np.max)):
            w = Wiring(machine)
            through = w.reduction(root, shape=shape, packet=64)
            parts = [
                np.random.default_rng(r).integers(0, 99, (5, 7)) for r in range(len(w.machine))
            ]
            merged = [part.copy() for part in parts]
            w.run(lambda flow, t=through, m=merged, f=merge: flow.reduce(t, m[flow.rank], f))
            assert np.array_equal(merged[root], numpys(np.stack(parts), axis=0))


def test_a_merge_of_the_programs_own() -> None:
    w = Wiring("cpu:3x1")
    through = w.reduction()
    longest = [np.array([b"a"], "S4"), np.array([b"ccc"], "S4"), np.array([b"bb"], "S4")]

    def longer(mine: np.ndarray, theirs: np.ndarray, out: np.ndarray) -> None:
        out[...] = np.where(np.char.str_len(theirs) > np.char.str_len(mine), theirs, mine)

    w.run(lambda flow: flow.reduce(through, longest[flow.rank], longer))
    assert longest[0][0] == b"ccc"


def test_reductions_of_unequal_arrays_are_refused() -> None:
    w = Wiring("cpu:2x1")
    through = w.reduction()
    with pytest.raises(gs.UsageError, match="rank 1 sends 24 bytes, rank 0 has 16"):
        w.run(lambda flow: flow.reduce(through, np.zeros(2 + flow.rank)))
    with pytest.raises(gs.UsageError, match="must be C-contiguous, and writable"):
        w.run(lambda flow: flow.reduce(through, np.zeros(4)[::2]))


def test_messages_of_any_shape_and_type() -> None:
    w, link = pair(packet=64)
    record = np.zeros(9, [("a", "<i2"), ("b", "<f8")])
    record["b"] = np.arange(9)
    sent = [np.zeros(0), np.array(3.5), np.arange(40, dtype="<u2").reshape(5, 8), record]
    got: dict[int, list[bytes]] = {i: [] for i in range(len(sent))}
    numbers = set()

    def program(flow: Flow) -> None:
        if flow.rank == 0:
            for i, array in enumerate(sent):
                flow[link].send(array, tag=i).wait()
            return
        for s in flow[link]:
            assert s.bytes <= 64 and s.total == sent[s.tag].nbytes and s.source.name == "source"
            assert s.bytes % sent[s.tag].dtype.itemsize == 0
            assert s.offset == sum(map(len, got[s.tag]))
            numbers.add(s.number)
            got[s.tag].append(s.array(sent[s.tag].dtype).tobytes())

    w.run(program)
    assert numbers == {0, 1, 2, 3}
    assert got[0] == [b""]
    assert [b"".join(got[i]) for i in got] == [array.tobytes() for array in sent]


def test_sources_live_until_they_have_left_and_no_longer() -> None:
    w, link = pair(packet=64, buffers=1)
    kept: list[weakref.ref[Any]] = []
    alive = []
    got: list[np.ndarray] = []

    def program(flow: Flow) -> None:
        if flow.rank == 1:
            time.sleep(0.05)
            got.extend(s.array("int64").copy() for s in flow[link])
            return
        for i in range(40):  # nobody else has the array
            array = np.full(8, i)
            kept.append(weakref.ref(array))
            future = flow[link].send(array)
            del array
        alive.append(kept[-1]() is not None)
        future.wait()
        flow[link].send(np.zeros(0, int)).done()
        flow[link].shutdown()
        gone.append(kept[0]() is None)

    gone: list[bool] = []
    w.run(program)
    gc.collect()
    assert alive == [True] and gone == [True]
    assert sorted(int(part.sum()) for part in got) == [0, *range(0, 320, 8)]
    assert all(ref() is None for ref in kept[:-1])


def test_callbacks_serve_and_release() -> None:
    w = Wiring("cpu:3x1")
    host, router = w.endpoint(0, "host"), w.router(3, 1, "gather")
    up = [w.connect(w.rank(r), router) for r in range(3)]
    down = w.connect(router, host, packet=32, buffers=1)
    got: list[int] = []
    states: list[Any] = []

    def take(segment: Segment) -> None:
        assert threading.get_ident() == states[0]
        got.append(int(segment.array("int64").sum()))
        states.append(segment)
        if len(got) % 2 == 0:
            segment.release()

    def program(flow: Flow) -> None:
        if flow.rank == 0:
            states.append(threading.get_ident())
            flow[down].on_receive(take)
            with pytest.raises(gs.UsageError, match="receive on 'router 1 -> host', which has a"):
                flow[down].receive()
        flow[up[flow.rank]].send(np.arange(40))
        flow[up[flow.rank]].shutdown()
        if flow.rank == 0:
            flow.serve()
            assert len(got) == 30

    w.run(program)
    assert sum(got) == 3 * sum(range(40))
    assert all(segment.released for segment in states[1:])


def test_receive_by_hand() -> None:
    w, link = pair(packet=8, buffers=3)
    order: list[int] = []

    def program(flow: Flow) -> None:
        out = flow[link]
        if flow.rank == 0:
            for i in range(9):
                out.send(np.full(1, i), tag=i)
            return
        held = []
        while (segment := out.receive()) is not None:
            assert segment.number == segment.tag
            held.append(segment)
            order.append(int(segment.array("int64")[0]))
            if len(held) == 3:
                assert f"8 bytes at 0 of 8, tag {held[0].tag})" in repr(held[0])
                for one in reversed(held):  # in any order
                    one.release()
                assert "released" in repr(held.pop()) and held.clear() is None
        assert out.ready()

    w.run(program)
    assert sorted(order) == list(range(9))  # messages of a link take turns


def test_released_segments_are_refused_and_their_arrays_stay_readable() -> None:
    w, link = pair()
    kept: list[Any] = []

    def program(flow: Flow) -> None:
        if flow.rank == 0:
            flow[link].send(np.arange(1000))
            return
        segment = flow[link].receive()
        assert segment is not None
        with segment:
            kept.extend([segment, segment.array("int64")[::2]])
        with pytest.raises(gs.UsageError, match="the segment was released; what it held is gone"):
            segment.array("int64")
        with pytest.raises(gs.UsageError, match="the segment was released already"):
            segment.release()
        kept.append(flow)

    w.run(program)
    segment, values, flow = kept
    # A later run needs more memory, and the machine goes: the array's memory stays.
    bigger, wide = Wiring(w.machine), None
    ends = bigger.endpoint(0, "a"), bigger.endpoint(1, "b")
    wide = bigger.connect(*ends, packet="4M")
    bigger.run(lambda f: f[wide].send(np.zeros(9)) if f.rank == 0 else list(f[wide]))
    del w, bigger
    gc.collect()
    # What it held is gone: where earlier runs needed as much, the later one wrote its zeros there.
    assert np.isin(values, [0, *range(0, 1000, 2)]).all() and np.array_equal(
        values[5:], np.arange(10, 1000, 2)
    )
    with pytest.raises(gs.UsageError, match="the run of this flow has ended"):
        flow.progress()
    with pytest.raises(gs.UsageError, match="the run of this flow has ended"):
        flow[link]
    assert segment.released and segment.total == 8000


@pytest.mark.parametrize(
    ("array", "message"),
    [
        ([1, 2], "expected a NumPy array, or one on the rank's GPU, got list"),
        (np.arange(10)[::2], "the array is not C-contiguous; copy it first"),
        (np.array([{}]), "an array of Python objects cannot leave its process"),
        (np.zeros(1, "S99"), "an element of 99 bytes does not fit a packet of 64"),
    ],
)
def test_arrays_that_cannot_be_sent(array: Any, message: str) -> None:
    w, link = pair(packet=64)
    with pytest.raises(gs.UsageError, match=message):
        w.run(lambda flow: flow[link].send(array) if flow.rank == 0 else list(flow[link]))


@pytest.mark.parametrize(
    ("use", "message"),
    [
        (lambda f, link: f[link].send(np.zeros(1), tag=-1), "tag: -1 is not in 0"),
        (lambda f, link: f[link].send(np.zeros(1), to=3), "to: expected an endpoint of the wiring"),
        (lambda f, link: f[7], "flow: expected a link of the wiring, got 7"),
        (lambda f, link: f[LinkId(7, "no")], "no link 7 among 1"),
        (lambda f, link: f[link].receive(), "does not end at an endpoint of rank 0"),
        (lambda f, link: f[link].on_receive(3), "expected a function"),
        (lambda f, link: [f[link].shutdown(), f[link].send(np.zeros(1))], "after its shutdown"),
    ],
)
def test_wrong_use_of_a_link(use: Any, message: str) -> None:
    w, link = pair()
    with pytest.raises(gs.UsageError, match=message):
        w.run(lambda flow: use(flow, link) if flow.rank == 0 else list(flow[link]))


def test_wrong_types_of_elements() -> None:
    w, link = pair()

    def program(flow: Flow) -> None:
        if flow.rank == 0:
            flow[link].send(np.zeros(3, "i4"))
            return
        for segment in flow[link]:
            with pytest.raises(gs.UsageError, match="12 bytes are no whole number of int64"):
                segment.array("int64")
            with pytest.raises(gs.UsageError, match="is no type of elements"):
                segment.array("\udcff")
            with pytest.raises(gs.UsageError, match="object is no type of elements that arrive"):
                segment.array(object)

    w.run(program)


def test_a_flow_is_its_threads_own() -> None:
    w, link = pair()
    said = []

    def program(flow: Flow) -> None:
        if flow.rank == 1:
            return

        def use() -> None:
            try:
                flow[link].send(np.zeros(1))
            except gs.UsageError as error:
                said.append(str(error))

        thread = threading.Thread(target=use)
        thread.start()
        thread.join()

    w.run(program)
    assert said == ["dataflow: only the thread of its rank may use a flow"]


def test_virtual_time() -> None:
    w, link = pair("sim:m60,ranks=2", packet="1M")
    times: dict[int, float] = {}

    def program(flow: Flow) -> None:
        if flow.rank == 0:
            flow[link].send(np.zeros(1 << 18))  # 2 MiB
        else:
            for _ in flow[link]:
                flow.charge(1e-3)
        times[flow.rank] = flow.clock()

    w.run(program)
    assert 2e-3 < times[1] < 1.0
    again = dict(times)
    w.run(program)
    assert times == again


def test_many_ranks() -> None:
    got = exchanged(
        "cpu:24x1", "any_device", lambda flow, link: link.send(np.arange(500) + 500 * flow.rank)
    )
    every = np.concatenate([values for parts in got.values() for _, _, values in parts])
    assert np.array_equal(np.sort(every), np.arange(24 * 500))


def test_wirings_of_two_threads_run_side_by_side() -> None:
    failures: list[BaseException] = []

    def work() -> None:
        try:
            for _ in range(5):
                w, link = pair("cpu:2x1")
                total: list[int] = []
                w.run(
                    lambda f, n=link, t=total: (
                        f[n].send(np.arange(999))
                        if f.rank == 0
                        else t.extend(int(s.array("int64").sum()) for s in f[n])
                    )
                )
                assert sum(total) == 999 * 998 // 2
        except BaseException as error:  # noqa: BLE001  # the test tells
            failures.append(error)

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []


def test_a_wiring_in_a_run_cannot_change() -> None:
    w, _ = pair()
    with pytest.raises(gs.UsageError, match="the wiring is in a run, and cannot change"):
        w.run(lambda flow: w.endpoint(0, "late"))


def test_wirings_with_policies_are_collected() -> None:
    def made() -> weakref.ref[Wiring]:
        w = Wiring("cpu:2x1")
        router = w.router(1, 1, lambda *_: w.rank(1), "hub")  # which has the wiring
        up, down = w.connect(w.rank(0), router), w.connect(router, w.rank(1))
        w.run(lambda f: f[up].send(np.zeros(1)) if f.rank == 0 else list(f[down]))
        return weakref.ref(w)

    gone = made()
    gc.collect()
    assert gone() is None


def test_the_printed_graph() -> None:
    w, up, _ = joined("cpu:2x1", "ring", packet=65536)
    assert str(w).splitlines() == [
        "rank 0: 'rank 0'",
        "rank 1: 'rank 1'",
        "router 'router': ring, 2 in, 2 out",
        "link 'rank 0' -> 'router'",
        "link 'rank 1' -> 'router'",
        "link 'router' -> 'rank 0'  2 x 64.0 KiB",
        "link 'router' -> 'rank 1'  2 x 64.0 KiB",
    ]
    assert w.link("rank 1", "router") is up[1]
    assert w.dot().startswith("digraph dataflow {")
    assert len(w.json()["links"]) == 4
    assert repr(w).endswith("2 endpoints, 1 routers, 4 links)")


def test_a_traced_run() -> None:
    w, link = pair()
    trace = gs.Trace()
    w.run(
        lambda flow: flow[link].send(np.zeros(1000)) if flow.rank == 0 else list(flow[link]),
        trace=trace,
    )
    assert trace.events > 0


def test_ranks_as_processes(launch: Any) -> None:
    program = """
import sys
import numpy as np
import gossamer as gs
w = gs.dataflow.Wiring("mpi")
router = w.router(3, 3, lambda what, source, all: all[(source.rank + 1) % 3], "hub")
up = [w.connect(w.rank(r), router) for r in range(3)]
down = [w.connect(router, w.rank(r), packet=512) for r in range(3)]
got = []
def program(flow):
    flow[up[flow.rank]].send(np.full(1000, flow.rank))
    flow[up[flow.rank]].shutdown()
    for segment in flow[down[flow.rank]]:
        got.append(segment.array("int64").copy())
w.run(program)
me = next(r for r in range(3) if w.machine.here(r))
assert np.array_equal(np.concatenate(got), np.full(1000, (me - 1) % 3))
def failing(flow):
    if flow.rank == 1:
        raise KeyError("lost")
    flow[down[flow.rank]].receive()
try:
    w.run(failing)
except KeyError:
    assert me == 1
except gs.RankError as error:
    assert error.rank == 1 and "KeyError: 'lost'" in str(error) and me != 1
sys.stdout.write("right\\n")  # at once: others print, too
"""
    done = launch(3, "-c", program)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["right"] * 3
