"""Runs clang-tidy over what has changed since it last passed.

    python tools/tidy.py BUILD [FILE…]

BUILD is a build folder with compile_commands.json. Its sources of src/ and python/bindings/ are
looked at, or those units alone that FILEs are part of. A unit is what the compiler sees at once: in
a united build up to eight files, whose headers are read once.

A unit that passed leaves an empty file in BUILD/passed. Its name is a hash of clang-tidy's version
and settings, of the unit's command, and of all that it includes of this project. So nothing is
preprocessed to find that nothing changed. Headers of the system do not count: after a new compiler,
remove the folder.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LOOKED_AT = (ROOT / "src", ROOT / "python" / "bindings")
# Of a unit's command, what says how it is to be read. Warnings are the compiler's.
KEPT = ("-I", "-D", "-std", "-fopenmp", "-isystem")
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"]+)"', re.MULTILINE)


@dataclass(frozen=True)
class Unit:
    source: Path
    folder: Path
    arguments: tuple[str, ...]

    @property
    def places(self) -> list[Path]:
        """Where its own includes are looked for."""
        return [Path(a[2:]) for a in self.arguments if a.startswith("-I")]

    def files(self) -> set[Path]:
        """The project's files that it is made of, whatever conditions they stand in."""
        found: set[Path] = set()
        left = [self.source]
        while left:
            file = left.pop()
            if file in found:
                continue
            found.add(file)
            for name in includes(file):
                paths = [(place / name).resolve() for place in (file.parent, *self.places)]
                left += [p for p in paths if p.is_file() and p.is_relative_to(ROOT)][:1]
        return found

    def key(self, settings: bytes) -> str:
        of = hashlib.sha256(settings)
        of.update("\0".join(self.arguments).replace(str(ROOT), "").encode())
        for file in sorted(self.files()):
            of.update(f"\0{file.relative_to(ROOT)}\0{digest(file)}".encode())
        return of.hexdigest()


@cache
def includes(file: Path) -> list[str]:
    return INCLUDE.findall(file.read_text(encoding="utf-8"))


@cache
def digest(file: Path) -> str:
    # A united source names its files by where they lie.
    return hashlib.sha256(file.read_bytes().replace(str(ROOT).encode(), b"")).hexdigest()


def units(build: Path) -> Iterator[Unit]:
    for entry in json.loads((build / "compile_commands.json").read_text(encoding="utf-8")):
        source = Path(entry["file"])
        parts = [Path(name) for name in includes(source)] if build in source.parents else [source]
        if parts and all(any(part.is_relative_to(at) for at in LOOKED_AT) for part in parts):
            # A launcher may stand before the compiler, and the output's name at the end.
            words = shlex.split(entry["command"])
            flags = tuple(
                word
                for before, word in pairwise(words)
                if word.startswith(KEPT) or before == "-isystem"
            )
            yield Unit(source, Path(entry["directory"]), flags)


def headers_of_openmp(build: Path) -> Path:
    """A folder with GCC's omp.h alone: its others, of intrinsics, are not for clang."""
    folder = build / "openmp"
    folder.mkdir(exist_ok=True)
    command = [os.environ.get("CXX", "g++"), "-print-file-name=include/omp.h"]
    at = Path(subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip())
    if at.is_file():
        (folder / "omp.h").write_bytes(at.read_bytes())
    return folder


def passes(unit: Unit, openmp: Path) -> bool:
    more = ["-x", "c++", "-isystem", str(openmp), "-Wno-everything"]
    command = ["clang-tidy", "--quiet", str(unit.source), "--", *unit.arguments, *more]
    done = subprocess.run(command, cwd=unit.folder, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.stdout.write(done.stdout + (done.stderr if not done.stdout else ""))
        sys.stdout.flush()
    return done.returncode == 0


def main() -> int:
    build, *wanted = (Path(word).resolve() for word in sys.argv[1:])
    version = subprocess.run(["clang-tidy", "--version"], capture_output=True, check=True).stdout
    settings = version + (ROOT / ".clang-tidy").read_bytes()
    openmp = headers_of_openmp(build)
    passed = build / "passed"
    passed.mkdir(exist_ok=True)
    kept = {stamp.name for stamp in passed.iterdir()}
    todo: dict[Unit, str] = {}
    total = 0
    for unit in units(build):
        if wanted and not unit.files().intersection(wanted):
            continue
        total += 1
        key = unit.key(settings)
        if key not in kept:
            todo[unit] = key

    def check(unit: Unit) -> bool:
        if good := passes(unit, openmp):
            (passed / todo[unit]).touch()
        return good

    jobs = int(os.environ.get("CMAKE_BUILD_PARALLEL_LEVEL") or os.cpu_count() or 1)
    with ThreadPoolExecutor(jobs) as pool:
        failed = [good for good in pool.map(check, todo) if not good]
    print(f"clang-tidy: {total} units, {len(todo)} looked at, {len(failed)} with warnings")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
