"""clang-tidy runs over a unit again when something that it is made of has changed."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import tidy

# Says what it was given, and finds fault with a unit that holds the word.
FAKE = """#!/bin/sh
[ "$1" = --version ] && exec echo 1.0
if grep -q fault "$2" src/*; then echo "$2: fault"; exit 1; fi
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "src").mkdir()
    (tmp_path / "build").mkdir()
    (tmp_path / ".clang-tidy").write_text("Checks: '*'")
    (tmp_path / "src" / "below.hpp").write_text("int below;\n")
    (tmp_path / "src" / "above.hpp").write_text('#include "below.hpp"\n')
    for name in ("one", "two"):
        (tmp_path / "src" / f"{name}.cpp").write_text('#if 0\n #  include "above.hpp"\n#endif\n')
    (tmp_path / "src" / "alone.cpp").write_text("#include <vector>\n")
    united = tmp_path / "build" / "united.cxx"
    united.write_text("".join(f'#include "{tmp_path}/src/{n}.cpp"\n' for n in ("one", "two")))
    elsewhere = tmp_path / "elsewhere.cpp"
    elsewhere.touch()
    entries = [
        {"file": str(file), "directory": str(tmp_path), "command": f"g++ -I{tmp_path} -c {file}"}
        for file in (united, tmp_path / "src" / "alone.cpp", elsewhere)
    ]
    (tmp_path / "build" / "compile_commands.json").write_text(json.dumps(entries))
    program = tmp_path / "bin" / "clang-tidy"
    program.parent.mkdir()
    program.write_text(FAKE)
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:/usr/bin:/bin")
    monkeypatch.setattr(tidy, "ROOT", tmp_path)
    monkeypatch.setattr(tidy, "LOOKED_AT", (tmp_path / "src",))
    return tmp_path


def run(project: Path, capsys: pytest.CaptureFixture[str], *files: str) -> tuple[int, str]:
    tidy.includes.cache_clear()
    tidy.digest.cache_clear()
    arguments = [str(project / name) for name in ("build", *files)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["tidy.py", *arguments])
        code = tidy.main()
    return code, capsys.readouterr().out.splitlines()[-1]


def test_what_passed_is_not_looked_at_again(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(project, capsys) == (0, "clang-tidy: 2 units, 2 looked at, 0 with warnings")
    assert run(project, capsys) == (0, "clang-tidy: 2 units, 0 looked at, 0 with warnings")
    (project / "src" / "below.hpp").write_text("int changed;\n")
    assert run(project, capsys) == (0, "clang-tidy: 2 units, 1 looked at, 0 with warnings")
    (project / ".clang-tidy").write_text("Checks: 'all'")
    assert run(project, capsys) == (0, "clang-tidy: 2 units, 2 looked at, 0 with warnings")


def test_what_failed_is_looked_at_again(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "src" / "above.hpp").write_text('#include "below.hpp"  // fault\n')
    for _ in range(2):
        line = "clang-tidy: 1 units, 1 looked at, 1 with warnings"
        assert run(project, capsys, "src/above.hpp") == (1, line)
