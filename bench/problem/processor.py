"""Names the processor in results."""

from __future__ import annotations

import platform
from pathlib import Path


def processor_name() -> str:
    """As the system calls it."""
    for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.processor()
