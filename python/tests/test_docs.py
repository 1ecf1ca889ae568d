"""docs/cli.md against the command line: every option of every command stands in its section."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import typer
from gossamer.cli import app

TEXT = (Path(__file__).parents[2] / "docs" / "cli.md").read_text(encoding="utf-8")
#: What is said once, of all commands.
SHARED = ("GRAPH", "Options of most commands", "Machines")


def sections() -> dict[str, str]:
    """Text by heading, of the second level."""
    parts = re.split(r"^## (.*)\n", TEXT, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def commands() -> list[tuple[str, Any]]:
    """Every command by its name; those of groups by both."""
    top: Any = typer.main.get_command(app)
    found = []
    for name, command in top.commands.items():
        inner = getattr(command, "commands", None)
        found += [(name, one) for one in inner.values()] if inner else [(name, command)]
    return found


@pytest.mark.parametrize(("name", "command"), commands(), ids=[n for n, _ in commands()])
def test_every_option_is_in_the_documents(name: str, command: Any) -> None:
    own = [text for heading, text in sections().items() if name in re.split(r",\s*", heading)]
    assert len(own) == 1, f"docs/cli.md has no section on {name}"
    text = own[0] + "".join(sections()[heading] for heading in SHARED)
    options = [o for p in command.params for o in (*p.opts, *p.secondary_opts)]
    missing = [o for o in options if o.startswith("--") and not re.search(rf"{o}(?![\w-])", text)]
    assert missing == [] or missing == ["--help"]
