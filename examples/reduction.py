"""A histogram of all ranks' values: each counts its own, and a router brings the counts together
along a tree, merged on the way (the reduction of Ben-Nun et al., "Groute", PPoPP 2017).

    python reduction.py [MACHINE ...]             # default: cpu:1 cpu:5
    gossamer dataflow reduction.py --machine cpu:5
"""

from __future__ import annotations

import sys

import gossamer as gs
import numpy as np

BINS = 1000


def values_of(rank: int) -> np.ndarray:
    return np.random.default_rng(rank).integers(0, BINS, 100_000)


def wiring(machine: gs.Machine) -> gs.dataflow.Wiring:
    return reducing(machine)[0]


def reducing(machine: gs.Machine) -> tuple[gs.dataflow.Wiring, gs.dataflow.Reduction]:
    w = gs.dataflow.Wiring(machine)
    return w, w.reduction(root=0, shape="tree", packet="1K")


def main(machines: list[str]) -> int:
    for spec in machines:
        machine = gs.Machine(spec)
        w, through = reducing(machine)
        found = {}

        def program(flow: gs.dataflow.Flow) -> None:
            counts = np.bincount(values_of(flow.rank), minlength=BINS)
            flow.reduce(through, counts, np.add)  # noqa: B023 (it runs before the next machine)
            found[flow.rank] = counts  # noqa: B023

        w.run(program)
        if not machine.here():
            continue
        everything = np.concatenate([values_of(r) for r in range(machine.size)])
        if not np.array_equal(found[0], np.bincount(everything, minlength=BINS)):
            print(f"reduction: {spec}: counts differ")
            return 3
        print(f"{spec}: {found[0].sum()} values of {machine.size} ranks counted: verified")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:] or ["cpu:1", "cpu:5"]))
