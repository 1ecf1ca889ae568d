"""Links and routers between the ranks of a machine: Groute's model (paper C).

    import gossamer as gs

    w = gs.dataflow.Wiring("cpu:3")
    host = w.endpoint(0, "host")
    router = w.router(1, 3, "any_device", "to ranks")
    feed = w.connect(host, router)
    inputs = [w.connect(router, w.rank(r), packet="64K", buffers=2) for r in range(3)]

    def program(flow):                       # called once for each rank, in its own thread
        if flow.rank == 0:
            flow[feed].send(np.arange(1 << 20))
            flow[feed].shutdown()
        for segment in flow[inputs[flow.rank]]:
            work_on(segment.array("int64"))

    w.run(program)

A wiring is a graph of endpoints (who sends and receives), routers (which choose where a segment
goes) and links, checked before it runs. Programs, policies and callbacks are Python functions;
ranks wait without the interpreter's lock, and compute in turns as its threads do, but for what
NumPy, CuPy and others do without it.
"""

from __future__ import annotations

from .flow import Endpoint, Flow, Link, LinkId, Reduction, Segment, SendFuture
from .wiring import Message, Wiring, wiring_text

__all__ = [
    "Endpoint",
    "Flow",
    "Link",
    "LinkId",
    "Message",
    "Reduction",
    "Segment",
    "SendFuture",
    "Wiring",
    "wiring_text",
]
