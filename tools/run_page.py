#!/usr/bin/env python3
"""Runs a page of docs/tutorial as a reader would, and says where it prints something else.

    tools/run_page.py PAGE [--folder FOLDER] [--only build|print] [--replace A=B] [--fill]

A block whose first line names a file (`// hops.cpp: …`, `# CMakeLists.txt: …`) becomes that file
in the folder. Blocks of C++, CUDA and CMake that name none go at the end of the last one of their
language. Other blocks of Python run in this process, one after the other, and those of `sh` in the
folder. What a block prints is the block of `text` behind it. `--fill` writes that into the page.

`--only build` leaves out commands whose output the page shows, `--only print` runs nothing else.
`--replace A=B` has commands say B for A.
"""

from __future__ import annotations

import argparse
import contextlib
import difflib
import io
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
NAMED = re.compile(r"(?://|#) (\w[\w.]*\.\w+)[:,]")
FILES = {"cpp", "cuda", "cmake"}


@dataclass
class Block:
    """One fenced block of a page, and where its text lies."""

    language: str
    text: str
    start: int
    end: int


def blocks_of(page: str) -> list[Block]:
    """All fenced blocks that have a language."""
    return [Block(m[1], m[2], m.start(2), m.end(2)) for m in FENCE.finditer(page)]


class Run:
    """The state of one reading: files in a folder, names of Python's blocks."""

    def __init__(
        self,
        title: str,
        folder: Path,
        only: str | None = None,
        replace: tuple[str, str] | None = None,
    ) -> None:
        self.title = title
        self.folder = folder
        self.only = only
        self.replace = replace
        self.last: dict[str, Path] = {}
        self.names: dict[str, Any] = {}

    def step(self, block: Block, shown: bool) -> str | None:
        """What the block prints; None if it was left out, or is none that runs."""
        named = NAMED.match(block.text)
        if block.language in FILES or (block.language == "python" and named):
            self.write(block, named)
            return None
        if block.language not in ("python", "sh") or self.only == ("build" if shown else "print"):
            return None
        return self.python(block) if block.language == "python" else self.shell(block, shown)

    def write(self, block: Block, named: re.Match[str] | None) -> None:
        path = self.folder / named[1] if named else self.last[block.language]
        before = path.read_text("utf-8") + "\n" if not named else ""
        path.write_text(before + block.text, "utf-8")
        self.last[block.language] = path

    def python(self, block: Block) -> str:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(block.text, self.title, "exec"), self.names)  # noqa: S102  # our own page
        return printed.getvalue()

    def shell(self, block: Block, shown: bool) -> str:
        """A command whose output is shown may fail: the page then shows how."""
        command = block.text.replace(*self.replace) if self.replace else block.text
        done = subprocess.run(
            ["sh", "-ec", command],
            cwd=self.folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        if done.returncode != 0 and not shown:
            sys.exit(f"{self.title}: {block.text}{done.stdout}")
        return done.stdout if shown else ""


def read(path: Path, run: Run) -> tuple[str, str]:
    """The page as it is, and as it prints."""
    page = path.read_text("utf-8")
    blocks = blocks_of(page)
    made, at = "", 0
    for block, following in zip(blocks, [*blocks[1:], None], strict=True):
        shown = following is not None and following.language == "text"
        printed = run.step(block, shown)
        if printed is None:
            continue
        if following is not None and shown:
            made += page[at : following.start] + printed
            at = following.end
        elif printed:
            sys.exit(f"{path.name} does not show what this prints:\n{block.text}\n{printed}")
    return page, made + page[at:]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("page", type=Path)
    parser.add_argument("--folder", type=Path, help="where files go and commands run")
    parser.add_argument("--only", choices=["build", "print"])
    parser.add_argument("--replace", default="", metavar="A=B")
    parser.add_argument("--fill", action="store_true")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as empty:
        folder: Path = arguments.folder or Path(empty)
        folder.mkdir(parents=True, exist_ok=True)
        old, _, new = arguments.replace.partition("=")
        replace = (old, new) if old else None
        run = Run(arguments.page.name, folder, arguments.only, replace)
        page, made = read(arguments.page, run)
    if arguments.fill:
        arguments.page.write_text(made, "utf-8")
    elif page != made:
        is_now, is_made = page.splitlines(keepends=True), made.splitlines(keepends=True)
        sys.stdout.writelines(difflib.unified_diff(is_now, is_made, "the page", "what it prints"))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
