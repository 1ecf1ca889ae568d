"""Random use of the command and of the Python API, for as long as asked.

    PYTHONPATH=tools python -m boundary [--minutes 2] [--cases N] [--seed S] [--case N]

Case N of a seed is always the same. Of a hundred cases two are processes of the installed command,
twenty-eight are command lines and seventy are calls, in forked children of a warm process. What
breaks the rules of verdict.py or calls.py is printed once for each cause, with the command that
repeats it, and makes the exit code 1. A case that ran in company is tried alone before that.
"""

from __future__ import annotations

import argparse
import collections
import itertools
import os
import random
import sys
import time

from . import calls, lines, material, verdict
from .children import Found, Job, Place, address_space, in_children, in_process, script, warm

#: Cases that are begun together, in as few children as they allow. A child imports for half a
#: second what would begin threads in its parent.
BATCH = 3000
KINDS = {"process": 0.02, "line": 0.28, "call": 0.7}


class Boundary:
    """Cases of one seed, and what was found."""

    def __init__(self, seed: int, kinds: list[str]) -> None:
        self.seed = seed
        self.kinds = kinds
        self.place = Place()
        self.room = address_space()
        self.counts: collections.Counter[str] = collections.Counter()
        self.causes: collections.Counter[str] = collections.Counter()

    def job(self, number: int) -> tuple[str, Job]:
        """Case `number`, and its kind."""
        rng = random.Random(f"{self.seed}/{number}")
        kind = rng.choices(list(KINDS), list(KINDS.values()))[0]
        if kind == "call":
            case = lines.Case([], material.Folder(), {"GOSSAMER_MEMORY": str(lines.MEMORY)})
            return kind, Job(number, case, lambda note: calls.run(rng, note))
        return kind, Job(number, lines.case_of(rng))

    def run(self, first: int, count: int) -> None:
        """So many cases."""
        together: list[Job] = []
        broken: list[Found] = []
        for number in range(first, first + count):
            kind, job = self.job(number)
            if kind not in self.kinds:
                continue
            self.counts[kind] += 1
            if kind == "process":
                broken += self._judge(in_process(self.place, job, [script()], self.room))
            else:
                together.append(job)
        for found in in_children(self.place, together):
            broken += self._judge(found)
        for found in broken:
            self._say(found)

    def _judge(self, found: Found) -> list[Found]:
        """Counts it; itself if it broke rules as none did before."""
        self.counts[f"exit code {found.outcome.code}"] += found.job.call is None
        new = [cause for cause in _causes(found) if cause not in self.causes]
        self.causes.update(_causes(found))
        return [found] if new else []

    def _say(self, found: Found) -> None:
        """What it broke, and the command that breaks it again."""
        number, first = found.job.number, found.first
        what = found.job.case.text() if found.job.call is None else found.last.strip()
        print("".join(f"FOUND: {fault}\n" for fault in _faults(found)) + f"  {what}")
        if found.job.call is None:
            print(f"  exit code {found.outcome.code}, stderr {found.outcome.stderr[-2000:]!r}")
        repeat = f"--case {number}"
        if number != first:
            alone = in_children(self.place, [self.job(number)[1]])
            if not {cause for one in alone for cause in _causes(one)} >= set(_causes(found)):
                repeat = f"--first {first} --cases {number - first + 1}  # not alone"
        print(f"  ./run boundary --seed {self.seed} {repeat}", flush=True)


def _faults(found: Found) -> list[str]:
    if found.job.call is None or found.outcome.code != 0:
        return verdict.faults(found.job.case, found.outcome)
    return found.faults or []


def _causes(found: Found) -> list[str]:
    return [verdict.cause(fault) for fault in _faults(found)]


def main() -> int:
    parser = argparse.ArgumentParser(prog="boundary", description=__doc__.split("\n")[0])
    parser.add_argument("--minutes", type=float, default=2)
    parser.add_argument("--cases", type=int, help="how many, whatever time that takes")
    parser.add_argument("--seed", type=int, default=time.time_ns() % 1_000_000_007)
    parser.add_argument("--case", type=int, help="this one alone")
    parser.add_argument("--first", type=int, default=0, help="the first one's number")
    parser.add_argument("--kinds", nargs="+", choices=list(KINDS), default=list(KINDS))
    given = parser.parse_args()
    if "OPENBLAS_NUM_THREADS" not in os.environ:  # read when NumPy is imported, which it is by now
        os.environ |= {"OPENBLAS_NUM_THREADS": "1", "OMP_WAIT_POLICY": "passive"}
        os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])
    warm()
    boundary = Boundary(given.seed, given.kinds)
    begun = time.monotonic()
    print(f"seed {given.seed}", flush=True)
    try:
        if given.case is not None:
            boundary.run(given.case, 1)
        else:
            for first in itertools.count(given.first, BATCH):
                spent = time.monotonic() - begun
                if given.cases is None and spent > 60 * given.minutes:
                    break
                if given.cases is not None and first >= given.first + given.cases:
                    break
                rest = BATCH if given.cases is None else given.first + given.cases - first
                boundary.run(first, min(BATCH, rest))
    finally:
        boundary.place.remove()
    counts = boundary.counts
    seconds = time.monotonic() - begun
    total = sum(counts[kind] for kind in KINDS)
    busy = sum(os.times()[:4])
    print(f"seed {given.seed}: {total} cases in {seconds:.0f} s, {total / seconds:.0f} a second "
          f"({total / busy:.0f} a second of processors): "
          + ", ".join(f"{counts[key]} {key}" for key in sorted(counts)))  # fmt: skip
    for cause, count in boundary.causes.most_common():
        print(f"  {count} of: {cause}")
    return int(bool(boundary.causes))


if __name__ == "__main__":
    sys.exit(main())
