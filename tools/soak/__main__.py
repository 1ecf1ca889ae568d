"""python tools/soak [--minutes 2] [--seed S] [--case N] [--machine SPEC …]

Case N of a seed is always the same graph and call. A refusal (UsageError, NotCompiled,
CapacityError) is an answer.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from soak.batches import MACHINES, call_of, run_case, soak


def main() -> None:
    """Runs one case, or as many as the time allows."""
    parser = argparse.ArgumentParser(description="random cases against SciPy and NumPy")
    parser.add_argument("--minutes", type=float, default=2)
    parser.add_argument("--seed", type=int, default=time.time_ns() % 1_000_000_007)
    parser.add_argument("--case", type=int)
    parser.add_argument("--machine", nargs="+", default=list(MACHINES))
    given = parser.parse_args()
    if given.case is None:
        print(f"seed {given.seed}", flush=True)
        soak(given.seed, given.minutes, given.machine)
        return
    print(call_of(given.seed, given.case, given.machine)[0], flush=True)
    print(run_case(given.seed, given.case, given.machine))


if __name__ == "__main__":
    main()
