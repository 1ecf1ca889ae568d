"""python tools/soak [--minutes 2] [--seed S] [--case N [--processes]] [--machine SPEC …]

Case N of a seed is always the same graph and call. A refusal (UsageError, NotCompiled,
CapacityError) is an answer.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from soak import processes
from soak.batches import MACHINES, call_of, run_case, soak


def main() -> None:
    """Runs one case, or as many as the time allows."""
    parser = argparse.ArgumentParser(description="random cases against SciPy and NumPy")
    parser.add_argument("--minutes", type=float, default=2)
    parser.add_argument("--seed", type=int, default=time.time_ns() % 1_000_000_007)
    parser.add_argument("--case", type=int)
    parser.add_argument("--machine", nargs="+", default=MACHINES)
    parser.add_argument("--processes", action="store_true", help="cases from N in an MPI job")
    parser.add_argument("--rank-in", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.rank_in is not None:
        processes.rank(given.seed, given.case, given.rank_in)
    if given.case is None:
        print(f"seed {given.seed}", flush=True)
        soak(given.seed, given.minutes, given.machine)
        return
    if given.processes:
        print(processes.job(given.seed, given.case, lose=False) or "right")
        return
    print(call_of(given.seed, given.case, given.machine)[0], flush=True)
    print(run_case(given.seed, given.case, given.machine))


if __name__ == "__main__":
    main()
