"""Recording what runs do, reading it back, and what it adds up to.

    trace = gs.Trace()
    gs.bfs(graph, 0, machine="cpu:3", trace=trace)
    trace.write("bfs.json")                       # opens in https://ui.perfetto.dev
    trace.summary()[0].hidden, trace.summary()[0].links

Recording costs nothing when it is off.
"""

from __future__ import annotations

from .file import TraceFile, read_trace
from .recording import Trace, recorder
from .sums import sum_runs

__all__ = ["Trace", "TraceFile", "read_trace", "recorder", "sum_runs"]
