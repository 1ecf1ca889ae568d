"""What the command says of itself, and what a shell may complete."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import typer
from gossamer.cli import app, help

Run = Callable[..., "subprocess.CompletedProcess[str]"]


def test_alone_it_gives_an_overview(cli: Run) -> None:
    done = cli()
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("gossamer runs graph algorithms on CPU cores and GPUs.\n")
    assert len(done.stdout.splitlines()) <= 15
    assert max(map(len, done.stdout.splitlines())) <= 100


def test_help_has_a_short_form_groups_and_an_example(cli: Run) -> None:
    done = cli("bfs", "-h")
    assert done.returncode == 0 and done.stdout == cli("bfs", "--help").stdout
    places = [done.stdout.index(f"\n{name}:\n") for name in ("Options", *help.GROUPS)]
    assert places == sorted(places)
    assert "-h, --help" in done.stdout
    assert "Example: gossamer bfs kron:20" in done.stdout


def test_help_says_what_arguments_are(cli: Run) -> None:
    shown = cli("filter", "-h").stdout
    assert shown.startswith("Usage: gossamer filter [OPTIONS] ARRAY PREDICATE\n")
    assert "\nArguments:\n  ARRAY      A file of numbers, " in shown
    assert "generator such as" in cli("bfs", "-h").stdout
    assert cli("trace", "summary", "-h").stdout.startswith(
        "Usage: gossamer trace summary [OPTIONS] FILE\n"
    )
    for name in commands():  # of types of Typer's
        assert not re.search("<(str|int|float)", cli(name, "-h").stdout), name


def test_commands_say_in_full_what_they_do(cli: Run) -> None:
    shown = cli("--help").stdout
    assert "..." not in shown.partition("Commands:")[2]
    assert "fastest at which size." in " ".join(shown.split())


@pytest.mark.parametrize(
    ("given", "where"),
    [
        (("bsf",), "gossamer"),
        (("bfs",), "gossamer bfs"),
        (("sssp", "kron:4", "--weihgts"), "gossamer sssp"),
        (("trace", "run.json"), "gossamer trace"),
    ],
)
def test_mistakes_name_the_help_to_read(cli: Run, given: tuple[str, ...], where: str) -> None:
    done = cli(*given)
    assert done.returncode == 2 and done.stderr.endswith(f"(see {where} --help)\n")


def commands() -> dict[str, Any]:
    found: dict[str, Any] = typer.main.get_command(app).commands  # type: ignore[attr-defined]
    return found


def test_groups_and_examples_name_what_there_is() -> None:
    options = {o.lstrip("-") for c in commands().values() for p in c.params for o in p.opts}
    assert {o for those in help.GROUPS.values() for o in those} - {"help"} <= options
    assert set(help.EXAMPLES) <= set(commands())


@pytest.mark.parametrize(
    "line", [e for e in help.OVERVIEW.splitlines() if e.startswith("  gossamer")]
    + list(help.EXAMPLES.values()),
)  # fmt: skip
def test_examples_parse(line: str) -> None:
    name, *words = line.split("   ")[0].split()[1:]
    command = commands()[name]
    command.make_context(name, words, resilient_parsing=False)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("bfs --engine s", ["sync", "single_kernel"]),
        ("pagerank --engine a", ["auto", "async"]),
        ("bfs --machine cu", ["cuda", "cuda:0"]),
        ("comp", ["components"]),
        ("bfs kr", ["kron:", "kr.csv", "krill/"]),
        ("stats data:road-N", ["data:road-NY"]),
    ],
)
def test_shells_complete(
    environment: dict[str, str], words: str, expected: list[str], tmp_path: Path
) -> None:
    (tmp_path / "kr.csv").touch()
    (tmp_path / "krill").mkdir()
    asked = {
        "_GOSSAMER_COMPLETE": "complete_bash",
        "COMP_WORDS": f"gossamer {words}",
        "COMP_CWORD": str(len(words.split())),
    }
    program = "import sys; sys.argv = ['gossamer']; from gossamer_command import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        env=environment | asked | {"PATH": os.environ["PATH"]},
        cwd=tmp_path,
        timeout=60,
        check=False,
    )
    assert done.stdout.split() == expected, done.stderr
