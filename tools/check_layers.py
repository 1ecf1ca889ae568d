"""Checks that no file includes or imports a layer above its own.

In C++ folders are layers. A layer may include the layers that BELOW lists, and what those may
include. Two more rules keep the layers' insides apart: a layer's private headers (src/<layer>/) are
not included by another layer or by a public header, and a transport (src/fabric/<transport>/) is
known only to itself and to the registry. A verifier (src/algorithm/<name>/verify*) shares nothing
with what it checks: it includes the layers below, its algorithm's public header, and itself. So do
those of collectives, which see what is asked of one alone, and those of Python's algorithms.

What a build without CUDA compiles reaches none of CUDA's headers, outside `#if`.

In Python modules and packages are layers. One may import itself, and what stands in the rows of
PYTHON before its own. Modules of one package do not import each other in a circle. Imports inside
functions count, those under TYPE_CHECKING do not.

    python tools/check_layers.py [ROOT]

Prints FILE:LINE and the rule for each offence; exit code 1 when there is one.
"""

from __future__ import annotations

import ast
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
# Turns at the GPUs are everyone's who makes the driver wait. Tasks keep frames and stacks by
# thread.
SHARED: dict[str, set[str]] = {
    "base/thread_owned.hpp": {"task"},
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

# Layers that a verifier may include; machinery of engines (dataflow, task) is none of them.
OF_VERIFIERS = {"base", "machine", "graph", "fabric", "collective", "placement"}

# What says which elements a collective makes, and the one header of its layer that it may include:
# what is asked for.
OF_COLLECTIVES = ("src/collective/choose/known_elements.hpp", "gossamer/collective/schedule.hpp")

# Packages and modules that python/gossamer/algorithm/verify_*.py may import: graphs and what is
# below them, arcs in blocks, and what gives a check its deadline.
OF_PYTHON_VERIFIERS = {
    "gossamer.arguments",
    "gossamer.arrays",
    "gossamer.errors",
    "gossamer.graph",
    "gossamer.algorithm.arc_blocks",
    "gossamer.algorithm.prepared",
}

# What the build makes of python/bindings.
COMPILED = "gossamer._gossamer"

# Python's layers, from below. A package is what lies in it, but for what is named here by itself.
PYTHON: tuple[tuple[str, ...], ...] = (
    ("gossamer_command.signals", COMPILED, "gossamer.errors", "gossamer.html"),
    ("gossamer.arguments", "gossamer.documents"),
    ("gossamer.arrays",),
    ("gossamer.graph",),
    ("gossamer.machine",),
    ("gossamer.trace", "gossamer.program", "gossamer.datasets"),
    ("gossamer.vertex_steps",),
    ("gossamer.algorithm", "gossamer.dataflow"),
    ("gossamer.vertex_program",),
    ("gossamer.graph500", "gossamer.simulation"),
    ("gossamer.gap",),
    ("gossamer.bench",),
    ("gossamer",),
    ("gossamer.report", "gossamer.reproduce"),
    ("_gossamer_networkx",),
    ("gossamer.cli.help", "gossamer.cli.processes"),
    ("gossamer.cli.options",),
    ("gossamer.cli.groups",),
    ("gossamer.cli.output",),
    ("gossamer.cli.input", "gossamer.cli.runs"),
    ("gossamer.cli.graph_command",),
    ("gossamer.cli.distance_command", "gossamer.cli.steps_command"),
    ("gossamer.cli.commands",),
    ("gossamer.cli",),
    ("gossamer_command", "gossamer.__main__"),
)

SUFFIXES = {".hpp", ".cpp", ".cuh", ".cu", ".h"}
INCLUDE = re.compile(r'^\s*#\s*include\s*(?:"([^"]+)"|<(gossamer/[^>]+)>)')
OF_CUDA = re.compile(r"^\s*#\s*include\s*<((?:cuda|cublas|cusparse|nccl|nvrtc|nvtx)[^>]*)>")
CONDITION = re.compile(r"^\s*#\s*if")
CONDITION_END = re.compile(r"^\s*#\s*endif")


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


def verifier_of(path: Path) -> str | None:
    """The algorithm that src/algorithm/<name>/verify.cpp or …/verify/… checks; else None."""
    parts = path.parts
    if parts[:2] != ("src", "algorithm") or len(parts) < 4:
        return None
    return parts[2] if parts[3].partition(".")[0] == "verify" else None


def is_for_verifiers(text: str, target: Header, algorithm: str) -> bool:
    """Whether a verifier of that algorithm may include what `text` names."""
    if target.layer != "algorithm":
        return target.layer in OF_VERIFIERS
    public = {f"gossamer/algorithm/{name}.hpp" for name in (algorithm, "verification")}
    return text in public or text.startswith(f"algorithm/{algorithm}/verify/")


def offences_in(source: Path, root: Path) -> Iterator[str]:
    """Each broken rule in one file, as FILE:LINE: text."""
    own = place(source)
    if own is None:
        return
    allowed = reachable(own.layer)
    checks = verifier_of(source)
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
        if source.as_posix() == OF_COLLECTIVES[0] and target.layer not in {"base", "machine"}:
            if text != OF_COLLECTIVES[1]:
                yield where + f"the verifier of collectives may not share code with them ({text})"
        elif checks and not is_for_verifiers(text, target, checks):
            yield where + f"the verifier of {checks} may not share code with it ({text})"
        elif target.layer not in allowed:
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


def is_for_cuda(path: Path) -> bool:
    """Whether a build without CUDA leaves a source out (as CMake's lists have it)."""
    return bool({"cuda", "nvtx"} & set(path.parts[:-1])) or path.suffix == ".cu"


def included(source: Path, root: Path) -> Iterator[tuple[int, Path | str]]:
    """What a file includes outside `#if`: files of the project as paths, CUDA's by their names."""
    depth = 0
    lines = (root / source).read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines, start=1):
        if CONDITION.match(line):
            depth += 1
        elif CONDITION_END.match(line):
            depth -= 1
        elif depth == 0 and (match := OF_CUDA.match(line)):
            yield number, match.group(1)
        elif depth == 0 and (match := INCLUDE.match(line)):
            text = match.group(1) or match.group(2)
            beside = Path(*_normalised((source.parent / text).parts))
            for path in (beside, Path("include") / text, Path("src") / text):
                if (root / path).is_file():
                    yield number, path
                    break


def way_to_cuda(source: Path, root: Path, clean: set[Path]) -> list[str]:
    """The includes from a file to a header of CUDA's, as FILE:LINE; empty where none leads there.

    ``clean`` holds files that lead to none, and gets those that are found.
    """
    clean.add(source)
    for number, target in included(source, root):
        where = f"{source}:{number}"
        if isinstance(target, str):
            return [where, target]
        if target not in clean and (way := way_to_cuda(target, root, clean)):
            clean.discard(source)
            return [where, *way]
    return []


def check_builds_without_cuda(root: Path) -> Iterator[str]:
    """Sources that a machine without CUDA's toolkit cannot compile."""
    clean: set[Path] = set()
    for path in sorted((root / "src").rglob("*.cpp")):
        source = path.relative_to(root)
        if not is_for_cuda(source) and (way := way_to_cuda(source, root, clean)):
            yield f"{way[0]}: a build without CUDA reaches <{way[-1]}> ({' -> '.join(way[1:-1])})"


@dataclass(frozen=True)
class Import:
    """One import of a module of ours by another."""

    source: str
    line: int
    target: str


def python_modules(root: Path) -> dict[str, Path]:
    """The modules under python/, by their dotted names, without the compiled one."""
    found: dict[str, Path] = {}
    top = root / "python"
    for package in ("gossamer", "gossamer_command", "_gossamer_networkx"):
        for path in sorted((top / package).rglob("*.py")):
            parts = path.relative_to(top).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def _is_for_types(node: ast.AST) -> bool:
    """Whether it is ``if TYPE_CHECKING:``."""
    return isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING")


def imports_of(module: str, modules: dict[str, Path]) -> Iterator[Import]:
    """What a module imports of ours when it runs, wherever that stands in it."""
    path = modules[module]
    known = {*modules, COMPILED}
    package = module if path.stem == "__init__" else module.rpartition(".")[0]
    left: list[ast.AST] = [ast.parse(path.read_text(encoding="utf-8"))]
    while left:
        node = left.pop()
        if not _is_for_types(node):
            left.extend(ast.iter_child_nodes(node))
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) - node.level + 1]
            start = ".".join([*above, *filter(None, [node.module])]) if node.level else node.module
            names = [f"{start}.{alias.name}" for alias in node.names]
        else:
            continue
        for name in names:
            # What is no module is a name in one.
            target = name if name in known else name.rpartition(".")[0]
            if target in known and target != module:
                yield Import(module, node.lineno, target)


def python_layer(module: str) -> str | None:
    """The layer of a module: the longest name of PYTHON that it lies in; None if it is in none."""
    names = {name for row in PYTHON for name in row}
    lies_in = [n for n in names if module == n or module.startswith(f"{n}.")]
    layer = max(lies_in, key=len, default=None)
    if layer != module and any(n.startswith(f"{layer}.") for n in names):
        return None  # beside the layers of that package
    return layer


def circle(imports: dict[str, list[Import]]) -> list[Import]:
    """Imports that lead from a module back to it; empty where none do."""
    done: set[str] = set()

    def follow(module: str, way: list[Import]) -> list[Import]:
        for step in imports.get(module, []):
            for i, before in enumerate(way):
                if before.source == step.target:
                    return [*way[i:], step]
            if step.target not in done and (found := follow(step.target, [*way, step])):
                return found
        done.add(module)
        return []

    for module in imports:
        if module not in done and (found := follow(module, [])):
            return found
    return []


def check_python(root: Path) -> Iterator[str]:
    """Each broken rule under python/, as FILE:LINE: text."""
    modules = python_modules(root)
    imports = {m: sorted(imports_of(m, modules), key=lambda i: i.line) for m in modules}
    row_of = {name: number for number, row in enumerate(PYTHON) for name in row}
    for module, path in modules.items():
        own = python_layer(module)
        if own is None:
            yield f"{path.relative_to(root)}:1: {module} lies in no layer"
            continue
        for one in imports[module]:
            layer = python_layer(one.target)
            if module.startswith("gossamer.algorithm.verify_") and not (
                OF_PYTHON_VERIFIERS & {layer, one.target}
            ):
                where = f"{path.relative_to(root)}:{one.line}: "
                yield where + f"a verifier may not share code with what it checks ({one.target})"
            if layer is not None and layer != own and row_of[layer] >= row_of[own]:
                where = f"{path.relative_to(root)}:{one.line}: "
                yield where + f"{own} may not import {layer} ({one.target})"
    if way := circle(imports):
        path = modules[way[0].source].relative_to(root)
        names = " -> ".join([way[0].source, *(step.target for step in way)])
        yield f"{path}:{way[0].line}: imports in a circle: {names}"


def check(root: Path) -> list[str]:
    """All offences under include/, src/ and python/."""
    found: list[str] = []
    for top in ("include", "src"):
        for path in sorted((root / top).rglob("*")):
            if path.suffix in SUFFIXES:
                found.extend(offences_in(path.relative_to(root), root))
    found.extend(check_builds_without_cuda(root))
    found.extend(check_python(root))
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
