"""Paper D, Fig. 6 with its network in place of a delay: references to other nodes' memory, on the
modelled system `grappa` (1.1 us interface, 0.4 us switch, 100 M messages/s) with 2 to 64 nodes.

`network alone` is that round trip and message rate and nothing else: no limit by bandwidth, no time
of cores and memory. What a memory manager in hardware would gain is the difference to one that
costs core time.
"""

from pathlib import Path

from gossamer.bench import GlobalChase, global_chase

from ..extent import extent
from ..plots import lines
from ..report import NOT_IN_PAPER, Row, compared

ROUND_TRIP = 3e-6
#: What takes time beside the network's latencies and message rate.
UNLIMITED = (
    "network.bandwidth=1e15", "network.port_bandwidth=1e15", "transfer.message.bandwidth=1e15",
    "kernel.bandwidth=1e15",
)  # fmt: skip
#: By which an adapter that serves 64 destinations is still to be kept busy.
MANY = 2000


def machine(nodes: int, *changes: str) -> str:
    return ",".join(("sim:grappa", f"ranks={nodes}", *changes))


def walk(
    in_flight: int, spec: str, manager: str = "polled", steps: int | None = None
) -> GlobalChase:
    """One point."""
    references = (steps or extent.chase_steps) * in_flight
    return global_chase(in_flight, machine=spec, manager=manager, references=references)


def millions(chase: GlobalChase) -> float:
    """References a second of one node."""
    return chase.rate / 1e6


def against_tasks(folder: Path) -> list[Row]:
    """Two nodes: what Little's law gives, and what saturates."""
    counts = extent.chase_tasks
    alone = [millions(walk(n, machine(2, *UNLIMITED))) for n in counts]
    polled = [millions(walk(n, machine(2))) for n in counts]
    hardware = [millions(walk(n, machine(2), "hardware")) for n in counts]
    curves = {
        "network alone": alone,
        "with links, memory and cores": polled,
        "the same, manager in hardware": hardware,
        "Little": [n / ROUND_TRIP / 1e6 for n in counts],
    }
    lines(
        folder, "d_network_tasks", list(counts), curves,
        ("references under way", "million references a second, each node"),
        "References to the other of 2 nodes", ours_only=list(curves),
    )  # fmt: skip
    at_300 = alone[counts.index(300)]
    gain = max(hardware) / max(polled)
    return [
        Row("D Fig. 6", "network alone: 300 references under way", 100.0, at_300, "M/s",
            reason="starts of parcels and receipts, 10 ns each, and three round trips at the end"),
        Row("D Fig. 6", "with links, memory and cores: most", NOT_IN_PAPER, max(polled), "M/s"),
        Row("D Fig. 6", "manager in hardware: most", NOT_IN_PAPER, max(hardware), "M/s"),
        Row("D Fig. 6", "a manager in hardware gains", NOT_IN_PAPER, 100 * (gain - 1), "%"),
    ]  # fmt: skip


def against_nodes(folder: Path) -> list[Row]:
    """More nodes: each reference goes to another one, so that messages share fewer parcels."""
    counts = extent.chase_nodes
    curves: dict[str, list[float]] = {}
    rows = []
    for in_flight in (300, MANY):
        for manager in ("polled", "hardware"):
            # Fewer than above: simulated parcels grow with the square of the nodes.
            steps = extent.chase_steps // 5
            found = [walk(in_flight, machine(p), manager, steps) for p in counts]
            curves[f"{in_flight} under way, {manager}"] = [millions(f) for f in found]
            rows += [
                Row("D Fig. 6", f"{p} nodes, {in_flight} under way, {manager}", NOT_IN_PAPER,
                    millions(f), "M/s", reason=f"{f.messages_a_parcel:.1f} messages a parcel")
                for p, f in zip(counts, found, strict=True)
            ]  # fmt: skip
    lines(
        folder, "d_network_nodes", list(counts), curves,
        ("nodes", "million references a second, each node"),
        "References to all other nodes", ours_only=list(curves),
    )  # fmt: skip
    return rows


def run(folder: Path) -> list[Row]:
    return compared(folder, "d_network", against_tasks(folder) + against_nodes(folder))
