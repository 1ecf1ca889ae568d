"""gs.dataflow on GPUs: arrays in their memory, sent and received where they lie."""

from __future__ import annotations

from typing import Any

import gossamer as gs
import numpy as np
import pytest
from gossamer.dataflow import Flow, Segment, Wiring
from wirings import joined, pair

GPU_MACHINES = ["cuda:0", "cuda:0*3"]


class Faced:
    """A GPU array of which only the CUDA array interface is known, as Numba's and CuPy's."""

    def __init__(self, view: Any, address: int, shape: tuple[int, ...], typestr: str) -> None:
        self._view = view
        self.__cuda_array_interface__ = {
            "shape": shape, "typestr": typestr, "data": (address, False), "version": 3,
            "strides": None, "stream": 1,
        }  # fmt: skip


class Packed:
    """A GPU array of which only DLPack is known."""

    def __init__(self, view: Any) -> None:
        self._view = view

    def __dlpack__(self, **options: Any) -> Any:
        return self._view.__dlpack__(**{k: v for k, v in options.items() if k != "stream"})

    def __dlpack_device__(self) -> tuple[int, int]:
        found: tuple[int, int] = self._view.__dlpack_device__()
        return found


def on_gpu(array: np.ndarray, way: str) -> Any:
    """Before a run: a thread of none, as the bindings' is, waits for runs with its GPU memory."""
    from gossamer import _gossamer

    view, address = _gossamer.upload(array, 0)
    return Packed(view) if way == "dlpack" else Faced(view, address, array.shape, array.dtype.str)


@pytest.mark.gpu
@pytest.mark.parametrize("machine", GPU_MACHINES)
@pytest.mark.parametrize("way", ["numpy", "interface", "dlpack"])
def test_gpus_send_and_receive(machine: str, way: str) -> None:
    w, up, down = joined(machine, "ring", packet=1 << 16)
    got: dict[int, list[np.ndarray]] = {}
    sent: list[Any] = [np.arange(100_000, dtype=np.float32) + r for r in range(len(w.machine))]
    if way != "numpy":
        sent = [on_gpu(array, way) for array in sent]

    def program(flow: Flow) -> None:
        got[flow.rank] = []
        sending = flow[up[flow.rank]].send(sent[flow.rank], tag=flow.rank)
        flow[up[flow.rank]].shutdown()
        for segment in flow[down[flow.rank]]:
            there = segment.array("float32")
            assert isinstance(there, gs.Array) and there.device == "cuda:0"
            assert there.__cuda_array_interface__["shape"] == (segment.bytes // 4,)
            got[flow.rank].append(there.numpy())
        sending.wait()  # only now: the message is longer than the buffers on its way

    w.run(program, timeout=60)
    p = w.machine.size
    for rank, parts in got.items():
        expected = np.arange(100_000, dtype=np.float32) + (rank - 1) % p
        assert np.array_equal(np.concatenate(parts), expected)


@pytest.mark.parametrize(
    "machine",
    ["cpu:1x1", "cpu:3x1", *(pytest.param(gpus, marks=pytest.mark.gpu) for gpus in GPU_MACHINES)],
)
def test_segments_are_sent_on_from_where_they_lie(machine: str) -> None:
    """By more sends than a rank keeps sources of, which nobody else has."""
    w = Wiring(machine)
    p = w.machine.size
    ends = w.endpoint(0, "a"), w.endpoint(p - 1, "b"), w.endpoint(0, "c")
    there, back = w.connect(ends[0], ends[1], packet=4096), w.connect(ends[1], ends[2], packet=4096)
    sources: list[Any] = [np.full(64, i, np.int32) for i in range(200)]
    if machine.startswith("cuda"):
        sources = [on_gpu(array, "interface") for array in sources]
    sent_on: list[int] = []
    got: list[int] = []

    def send_on(segment: Segment, flow: Flow) -> None:
        flow[back].send(segment.array("int32"), tag=segment.tag, stream=1).wait()
        sent_on.append(segment.tag)

    def take(segment: Segment) -> None:
        values = segment.array("int32")
        got.append(int((values if isinstance(values, np.ndarray) else values.numpy()).sum()))

    def program(flow: Flow) -> None:
        if flow.rank == p - 1:
            flow[there].on_receive(lambda segment: send_on(segment, flow))
        if flow.rank == 0:
            flow[back].on_receive(take)
            for tag in range(200):
                flow[there].send(sources.pop(), tag=tag)
            flow[there].shutdown()
        while flow.rank == p - 1 and len(sent_on) < 200:
            flow.progress()

    w.run(program, timeout=60)
    assert sorted(got) == [64 * i for i in range(200)]
    assert sorted(sent_on) == list(range(200))


@pytest.mark.gpu
def test_mistakes_on_gpus() -> None:
    w, link = pair("cuda:0*2")

    def program(flow: Flow) -> None:
        if flow.rank == 0:
            flow[link].send(np.zeros(4, "c8"))
            return
        for segment in flow[link]:
            with pytest.raises(gs.UsageError, match="complex64 on a GPU; view the bytes"):
                segment.array("c8")

    w.run(program)
    through = Wiring("cuda:0*2")
    reduction = through.reduction()
    with pytest.raises(gs.UsageError, match="merges on CPU ranks only"):
        through.run(lambda flow: flow.reduce(reduction, np.zeros(3)))
    host, line = pair("cpu:2x1")
    there = on_gpu(np.zeros(3), "interface")
    with pytest.raises(gs.UsageError, match="the array is on cuda:0, rank 0 on the host"):
        host.run(lambda flow: flow[line].send(there) if flow.rank == 0 else list(flow[line]))
