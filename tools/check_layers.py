"""Checks that no file includes a layer above its own.

Folders are layers. A layer may include the layers that BELOW lists, and what those may include. Two
more rules keep the layers' insides apart: a layer's private headers (src/<layer>/) are not included
by another layer or by a public header, and a transport (src/fabric/<transport>/) is known only to
itself and to the registry.

    python tools/check_layers.py [ROOT]

Prints FILE:LINE and the rule for each offence; exit code 1 when there is one.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

# layer: the layers directly below it.
BELOW: dict[str, set[str]] = {
    "base": set(),
    "machine": {"base"},
    "graph": {"machine"},
    "fabric": {"machine"},
    "collective": {"fabric"},
    "dataflow": {"collective"},
    "task": {"collective"},
    "placement": {"fabric", "graph"},
    "algorithm": {"placement", "dataflow", "task"},
}
# Private headers that one more layer may see: a run's state belongs to the machine, which starts
# it, and to the fabric, which it is made of. So do the processes of an MPI job and their memory.
# Turns at the GPUs are everyone's who makes the driver wait.
SHARED: dict[str, set[str]] = {
    "machine/driver_gate.hpp": {"fabric", "graph", "algorithm"},
    "machine/machine_state.hpp": {"fabric"},
    "machine/gpu_memory.hpp": {"fabric"},
    "machine/process_gpus.hpp": {"fabric"},
    "machine/run_signs.hpp": {"fabric"},
    "machine/processes.hpp": {"fabric"},
    "machine/shared_block.hpp": {"fabric"},
    "machine/mpi/world.hpp": {"fabric"},
}
# Layers whose subfolders in src/ are backends, and the files that may name them.
BACKENDS: dict[str, set[str]] = {"fabric": {"registry.cpp", "registry.hpp"}}

SUFFIXES = {".hpp", ".cpp", ".cuh", ".cu", ".h"}
INCLUDE = re.compile(r'^\s*#\s*include\s*(?:"([^"]+)"|<(gossamer/[^>]+)>)')


@dataclass(frozen=True)
class Header:
    """What an include names: a layer, whether it is private, and the folder of a backend."""

    layer: str
    private: bool
    backend: str | None


def reachable(layer: str) -> set[str]:
    """The layers that `layer` may include, itself among them."""
    found = {layer}
    for below in BELOW[layer]:
        found |= reachable(below)
    return found


def place(path: Path) -> Header | None:
    """The layer that a path relative to the root, such as src/fabric/peer/x.cpp, belongs to."""
    parts = path.parts
    if parts[:2] == ("include", "gossamer") and len(parts) > 3 and parts[2] in BELOW:
        return Header(parts[2], private=False, backend=None)
    if parts[:1] == ("src",) and len(parts) > 2 and parts[1] in BELOW:
        backend = parts[2] if len(parts) > 3 and parts[1] in BACKENDS else None
        return Header(parts[1], private=True, backend=backend)
    return None


def resolve(text: str, source: Path, root: Path) -> Header | None:
    """Where an include leads: through include/, through src/, or beside the including file."""
    if text.startswith("gossamer/"):
        return place(Path("include") / text)
    beside = Path(*_normalised((source.parent / text).parts))
    if (root / beside).is_file():
        return place(beside)
    return place(Path("src") / text)


def _normalised(parts: tuple[str, ...]) -> list[str]:
    kept: list[str] = []
    for part in parts:
        if part == ".." and kept:
            kept.pop()
        elif part != ".":
            kept.append(part)
    return kept


def offences_in(source: Path, root: Path) -> Iterator[str]:
    """Each broken rule in one file, as FILE:LINE: text."""
    own = place(source)
    if own is None:
        return
    allowed = reachable(own.layer)
    lines = (root / source).read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines, start=1):
        match = INCLUDE.match(line)
        if not match:
            continue
        text = match.group(1) or match.group(2)
        target = resolve(text, source, root)
        if target is None:
            continue
        where = f"{source}:{number}: "
        if target.layer not in allowed:
            yield where + f"{own.layer} may not include {target.layer} ({text})"
        elif target.private and not own.private:
            yield where + f"a public header includes a private one ({text})"
        elif (
            target.private
            and target.layer != own.layer
            and own.layer not in SHARED.get(text, set())
        ):
            yield where + f"{text} is private to {target.layer}"
        elif (
            target.backend
            and target.backend != own.backend
            and (own.backend or source.name not in BACKENDS[own.layer])
        ):
            registry = ", ".join(sorted(BACKENDS[own.layer]))
            yield where + f"only {registry} may include the backend {target.backend} ({text})"


def check(root: Path) -> list[str]:
    """All offences under include/ and src/."""
    found: list[str] = []
    for top in ("include", "src"):
        for path in sorted((root / top).rglob("*")):
            if path.suffix in SUFFIXES:
                found.extend(offences_in(path.relative_to(root), root))
    return found


def main(arguments: list[str]) -> int:
    root = Path(arguments[0]) if arguments else Path(__file__).resolve().parent.parent
    offences = check(root)
    for offence in offences:
        print(offence)
    print(f"layers: {len(offences)} offences" if offences else "layers: in order")
    return 1 if offences else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
