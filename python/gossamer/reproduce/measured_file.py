"""Rows that were measured on named machines, as one JSON file: what bench/results keeps."""

from __future__ import annotations

import datetime
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import gossamer as gs

from .report import Row, write_whole


def hardware(machine: gs.Machine) -> str:
    """What its ranks are, processors or GPUs, of which some may be shared."""
    names: dict[str, set[int]] = {}
    shared = False
    for rank, device in enumerate(machine.devices):
        shared = shared or device.share > 1
        place = -1 - device.ordinal if device.share > 1 else rank
        names.setdefault(device.name, set()).add(place)
    said = ", ".join(f"{len(places)} x {name}" for name, places in names.items())
    return f"{said}, shared by ranks" if shared else said


def command() -> str:
    """How this was called, without this host's folders."""
    given = [Path(word).name if word.startswith("/") else word for word in sys.argv]
    return " ".join(["python", *given])


def save(
    file: Path, rows: Sequence[Row], machines: Sequence[gs.Machine], **further: Any
) -> None:  # fmt: skip
    """`further`: lists that belong to them."""
    packed = {
        "date": datetime.date.today().isoformat(),
        "machines": [{"spec": m.spec, "hardware": hardware(m)} for m in machines],
        "command": command(),
        "load": os.getloadavg(),
        "results": [row.record() for row in rows],
        **further,
    }
    write_whole(file, json.dumps(packed, indent=1) + "\n")
