"""Sizes of the tree, and what a new engine and a new option touch.

    python tools/tree_size.py [--build]

Prints lines of src and include, and of python/ without tests and bindings. A toy engine and a toy
option are applied to a worktree of HEAD, and the files that they touch outside the engine's own
folder are counted. --build compiles that tree and runs its conformance tests as well.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).parents[1]

#: Engine sync under another name.
ENGINE = """// A toy: engine sync under another name.
#include "algorithm/components/kinds.hpp"

namespace gossamer::components_detail {

const engine_kind& toy_kind() {
  static const engine_kind kind = [] {
    engine_kind toy = sync_kind();
    toy.info.name = "toy";
    toy.info.chosen = "";
    return toy;
  }();
  return kind;
}

}  // namespace gossamer::components_detail
"""


def run(*command: str, where: Path = ROOT) -> str:
    """What a command prints; it must succeed."""
    return subprocess.run(command, cwd=where, check=True, capture_output=True, text=True).stdout


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


def add_engine(tree: Path) -> None:
    """Engine `toy` of components."""
    folder = tree / "src/algorithm/components"
    (folder / "toy").mkdir()
    (folder / "toy" / "toy.cpp").write_text(ENGINE, encoding="utf-8")
    routed = "const engine_kind& routed_kind();\n"
    replace(folder / "kinds.hpp", routed, routed + "const engine_kind& toy_kind();\n")
    replace(folder / "table.cpp", "routed_kind};", "routed_kind, toy_kind};")


def add_option(tree: Path) -> None:
    """An option of engine `tasks` of components."""
    folder = tree / "src/algorithm/components"
    member = "  rank_use use = rank_use::automatic;\n"
    header = tree / "include/gossamer/algorithm/components.hpp"
    replace(header, member, "  bool toy = false;\n" + member)
    line = "  append(table.options, placement_options<components_options>());\n"
    names = '.name = "toy", .meaning = "a toy", .engines = {"tasks"}'
    option = f"option_of<&components_options::toy>({{{names}}})"
    replace(folder / "table.cpp", line, f"  table.options.push_back({option});\n" + line)


def touched(tree: Path, own: str) -> list[str]:
    """Files that differ from HEAD, but for those of the folder `own`."""
    changed = run("git", "status", "--porcelain", "-uall", where=tree).splitlines()
    names = [line[3:] for line in changed]
    return [name for name in names if own not in name]


def build(tree: Path) -> None:
    """Compiles the tree's conformance tests of engines, and runs them."""
    options = ["-DGOSSAMER_CUDA=OFF", "-DGOSSAMER_PYTHON=OFF", "-DCMAKE_BUILD_TYPE=Release"]
    run("cmake", "-G", "Ninja", "-S", str(tree), "-B", str(tree / "build"), *options)
    run("ninja", "-C", str(tree / "build"), "test_engines", "test_option_table")
    for name in ("conformance/test_engines", "unit/algorithm/test_option_table"):
        run(str(tree / "build/tests" / name))


def main() -> int:
    """Exit code."""
    print(f"src and include: {lines(['src', 'include']):,} lines")
    python = lines(["python/gossamer", "python/gossamer_command"], (".py",))
    print(f"python without tests and bindings: {python:,} lines")
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder) / "toy"
        run("git", "worktree", "add", "--detach", str(tree), "HEAD")
        try:
            add_engine(tree)
            engine = touched(tree, "components/toy/")
            print(f"a new engine touches {len(engine)} files: {', '.join(engine)}")
            run("git", "checkout", ".", where=tree)
            run("git", "clean", "-fdq", where=tree)
            add_option(tree)
            option = touched(tree, "components/toy/")
            print(f"an engine's new option touches {len(option)} files: {', '.join(option)}")
            if "--build" in sys.argv[1:]:
                add_engine(tree)
                build(tree)
                print("with both, the engines' tests pass")
        finally:
            run("git", "worktree", "remove", "--force", str(tree))
    return 0


if __name__ == "__main__":
    sys.exit(main())
