"""Predicate-based filtering by links and routers: the example program of Ben-Nun et al., "Groute"
(PPoPP 2017), Fig. 6. The host sends an array to whichever rank is free; each filters the segments
that it gets and sends back what it keeps.

    python predicate_filter.py [MACHINE ...]      # default: cpu:1 cpu:3
    gossamer dataflow predicate_filter.py --machine cpu:3
"""

from __future__ import annotations

import sys

import gossamer as gs
import numpy as np


def wiring(machine: gs.Machine) -> gs.dataflow.Wiring:
    w = gs.dataflow.Wiring(machine)
    host = w.endpoint(0, "host")
    to_ranks = w.router(1, machine.size, "any_device", "to ranks")
    to_host = w.router(machine.size, 1, "gather", "to host")
    w.connect(host, to_ranks, packet="64K")
    w.connect(to_host, host, packet="64K", buffers=2)
    for rank in range(machine.size):
        w.connect(to_ranks, w.rank(rank), packet="64K", buffers=2, one_at_a_time=True)
        w.connect(w.rank(rank), to_host)
    return w


def on_host(values: np.ndarray | gs.Array) -> np.ndarray:
    """A copy, since segments are given back; those of a GPU rank lie in its memory."""
    return np.array(values) if isinstance(values, np.ndarray) else values.numpy()


def kept_of(array: np.ndarray, machine: gs.Machine) -> np.ndarray:
    """The multiples of three, in the order in which they come; in the process of rank 0."""
    w = wiring(machine)
    output = []

    def program(flow: gs.dataflow.Flow) -> None:
        if flow.rank == 0:
            results = flow[w.link("to host", "host")]
            results.on_receive(lambda got: output.append(on_host(got.array(array.dtype))))
            flow[w.link("host", "to ranks")].send(array)
            flow[w.link("host", "to ranks")].shutdown()
        me = w.rank(flow.rank)
        for segment in flow[w.link("to ranks", me)]:
            values = on_host(segment.array(array.dtype))
            flow[w.link(me, "to host")].send(values[values % 3 == 0])

    w.run(program)
    return np.concatenate(output) if output else array[:0]


def main(machines: list[str]) -> int:
    array = np.random.default_rng(1).integers(0, 1 << 30, 1_000_000, dtype=np.int32)
    for spec in machines:
        machine = gs.Machine(spec)
        kept = kept_of(array, machine)
        if not machine.here():
            continue
        if not np.array_equal(np.sort(kept), np.sort(array[array % 3 == 0])):
            print(f"predicate_filter: {spec}: {kept.size} kept, which is wrong")
            return 3
        print(f"{spec}: {kept.size} of {array.size} kept: verified")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:] or ["cpu:1", "cpu:3"]))
