"""Which process of an MPI job this is, for commands that have no machine and start no MPI."""

from __future__ import annotations

import os

#: What launchers tell each process of its place: Open MPI, MPICH and its kin, PMIx, MVAPICH2.
_RANKS = ("OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK", "MV2_COMM_WORLD_RANK")


def first() -> bool:
    """True unless a launcher has started this process as another than its first."""
    given = next((os.environ[name] for name in _RANKS if name in os.environ), "0")
    return not given.isdecimal() or int(given) == 0
