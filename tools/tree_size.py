"""Sizes of the tree, and what a new engine and a new option touch.

    python tools/tree_size.py [--build]

Prints lines of src and include, and of python/ without tests and bindings. A toy engine and a toy
option of several algorithms are applied to a worktree of HEAD, and the files that they touch
outside the engine's own folder are listed. --build compiles a tree with all of them and runs its
conformance tests.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).parents[1]

#: Whose engines are `engine_kind`s.
ALGORITHMS = ("components", "pagerank", "sssp")

#: Engine sync under another name.
ENGINE = """// A toy: engine sync under another name.
#include "algorithm/ALGORITHM/kinds.hpp"

namespace gossamer::ALGORITHM_detail {

const engine_kind& toy_kind() {
  static const engine_kind kind = [] {
    engine_kind toy = sync_kind();
    toy.info.name = "toy";
    toy.info.chosen = "";
    return toy;
  }();
  return kind;
}

}  // namespace gossamer::ALGORITHM_detail
"""


def run(*command: str, where: Path = ROOT) -> str:
    """What a command prints; where it fails, the tool ends with that."""
    done = subprocess.run(command, cwd=where, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(command)}:\n{done.stdout}{done.stderr}")
    return done.stdout


def lines(of: Iterable[str], suffixes: tuple[str, ...] = ("",)) -> int:
    """Lines of the tracked files below these folders."""
    names = [n for n in run("git", "ls-files", *of).splitlines() if n.endswith(suffixes)]
    return sum((ROOT / n).read_bytes().count(b"\n") for n in names if "/tests/" not in n)


def replace(file: Path, old: str, new: str) -> None:
    """Puts `new` in the place of `old`, which must be there once."""
    text = file.read_text(encoding="utf-8")
    if text.count(old) != 1:
        raise SystemExit(f"{file}: {old!r} is not there once: the toy no longer fits")
    file.write_text(text.replace(old, new), encoding="utf-8")


def add_engine(tree: Path, algorithm: str) -> None:
    """Engine `toy`."""
    folder = tree / "src/algorithm" / algorithm
    (folder / "toy").mkdir()
    text = ENGINE.replace("ALGORITHM", algorithm)
    (folder / "toy" / "toy.cpp").write_text(text, encoding="utf-8")
    sync = "const engine_kind& sync_kind();\n"
    replace(folder / "kinds.hpp", sync, sync + "const engine_kind& toy_kind();\n")
    replace(folder / "table.cpp", "{sync_kind,", "{sync_kind, toy_kind,")


def add_option(tree: Path, algorithm: str) -> None:
    """An option of engine `async`."""
    member = "  rank_use use = rank_use::automatic;\n"
    header = tree / f"include/gossamer/algorithm/{algorithm}.hpp"
    replace(header, member, "  bool toy = false;\n" + member)
    line = f"  append(table.options, placement_options<{algorithm}_options>());\n"
    names = '.name = "toy", .meaning = "a toy", .engines = {"async"}'
    option = f"option_of<&{algorithm}_options::toy>({{{names}}})"
    table = tree / "src/algorithm" / algorithm / "table.cpp"
    replace(table, line, f"  table.options.push_back({option});\n" + line)


def touched(tree: Path) -> list[str]:
    """Files that differ from HEAD, but for those of the toys' own folders."""
    changed = run("git", "status", "--porcelain", "-uall", where=tree).splitlines()
    names = [line[3:] for line in changed]
    return [name for name in names if "/toy/" not in name]


def clean(tree: Path) -> None:
    """HEAD again."""
    run("git", "checkout", ".", where=tree)
    run("git", "clean", "-fdq", where=tree)


def build(tree: Path) -> None:
    """Compiles the tree's conformance tests of engines, and runs them."""
    options = ["-DGOSSAMER_CUDA=OFF", "-DGOSSAMER_PYTHON=OFF", "-DCMAKE_BUILD_TYPE=Release"]
    run("cmake", "-G", "Ninja", "-S", str(tree), "-B", str(tree / "build"), *options)
    run("ninja", "-C", str(tree / "build"), "test_engines")
    run(str(tree / "build/tests/conformance/test_engines"))


def main() -> int:
    """Exit code."""
    print(f"src and include: {lines(['src', 'include']):,} lines")
    python = lines(
        ["python/gossamer", "python/gossamer_command", "python/_gossamer_networkx"], (".py",)
    )
    print(f"python without tests and bindings: {python:,} lines")
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder) / "toy"
        run("git", "worktree", "add", "--detach", str(tree), "HEAD")
        try:
            for algorithm in ALGORITHMS:
                add_engine(tree, algorithm)
                engine = touched(tree)
                print(f"a new engine of {algorithm} touches {', '.join(engine)}")
                clean(tree)
                add_option(tree, algorithm)
                print(f"an engine's new option touches {', '.join(touched(tree))}")
                clean(tree)
            if "--build" in sys.argv[1:]:
                for algorithm in ALGORITHMS:
                    add_engine(tree, algorithm)
                    add_option(tree, algorithm)
                build(tree)
                print("with all of them, the engines' tests pass")
        finally:
            run("git", "worktree", "remove", "--force", str(tree))
    return 0


if __name__ == "__main__":
    sys.exit(main())
