"""What a run takes of each device's memory, beside what its plan says."""

from __future__ import annotations

from typing import Any

from gossamer import _gossamer
from gossamer.machine import Machine
from gossamer.machine.plans import MemoryPlan


def device_names(machine: Machine) -> list[str]:
    """The device of each rank, for plans: ranks on one GPU share its name, CPU ranks the host's."""
    return ["host" if d.kind == "cpu" else f"cuda:{d.ordinal}" for d in machine.devices]


class MemoryUse:
    """Peaks of the devices that ranks of this process run on, the host's among them, from the
    moment this is made: before anything is placed. What is there by then, as the graph, is not
    counted.

    Where ranks are MPI processes, both sides are those of this process.
    """

    def __init__(self, machine: Machine) -> None:
        self._names = device_names(machine)
        self._here = [machine.here(rank) for rank in range(machine.size)]
        self._accounts = {"host": -1}
        for device, name, here in zip(machine.devices, self._names, self._here, strict=True):
            if here and name != "host":
                self._accounts[name] = device.ordinal
        _gossamer.begin_peaks()
        self._before = {name: self._of(name)[0] for name in self._accounts}

    def _of(self, name: str) -> tuple[int, int]:
        return _gossamer.memory_in_use(self._accounts[name])

    def json(self, plan: MemoryPlan) -> dict[str, Any]:
        """The "memory" object of every run's JSON output: `plan` is that of the run."""
        planned = dict.fromkeys(self._accounts, 0)
        for entry in plan.entries:
            name = self._names[entry.rank] if entry.memory == "device" else "host"
            planned[name] += entry.bytes
        devices = {
            name: {
                "peak_bytes": self._of(name)[1] - self._before[name],
                "planned_bytes": planned[name],
            }
            for name in self._accounts
        }
        return {
            "peak_bytes": sum(d["peak_bytes"] for d in devices.values()),
            "planned_bytes": plan.total,
            "resident_bytes": _gossamer.peak_bytes(),
            "devices": devices,
        }
