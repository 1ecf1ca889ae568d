"""What must hold of a command line, whatever it is."""

from __future__ import annotations

import json
import re
import signal
from dataclasses import dataclass, field
from typing import NoReturn

from .lines import Case

#: Beside what was planned: modules that a command imports, stacks of threads, arenas of malloc.
BESIDE = 160 << 20
#: Beside the plan of a command line in a warm process, whose modules are there: blocks of text that
#: readers parse, stacks, what allocators keep. test_planned_commands.py allows as much; of 3,399
#: lines none took more than 3 MiB.
BESIDE_PLAN = 10 << 20
#: Exit codes of the command; what a signal ended has 128 more than its number.
CODES = range(5)
_WARNING = "gossamer: warning: "


@dataclass
class Outcome:
    """What came of a command line."""

    #: As `subprocess` has it: below 0 a signal's.
    code: int
    stderr: str = ""
    stdout: bytes = b""
    #: Bytes that it took at one time, beyond what the process had before.
    peak: int = 0
    #: Signals that it was sent.
    sent: set[int] = field(default_factory=set)
    #: It did not end after a signal asked for that.
    hung: bool = False
    #: Names of files in its folder afterwards.
    left: list[str] = field(default_factory=list)


def _no_constant(text: str) -> NoReturn:
    raise ValueError(f"{text} is no JSON")


def _json_on_stdout(case: Case) -> bool:
    given = case.arguments
    if any(word in given for word in ("-h", "--help", "--version")):
        return False  # it may say that instead
    return given.count("--json") == 1 and given[given.index("--json") + 1 :][:1] == ["-"]


def _of_lines(case: Case, outcome: Outcome) -> list[str]:
    """Faults of what was said on stderr."""
    faults = []
    if "Traceback (most recent call last)" in outcome.stderr:
        return [f"a traceback: {outcome.stderr.strip().splitlines()[-1]}"]
    if "_GOSSAMER_COMPLETE" in case.variables:
        return []  # Typer speaks to the shell
    lines = outcome.stderr.split("\n")
    if lines.pop():
        faults.append("the last line of stderr has no end")
    errors = [line for line in lines if not line.startswith(_WARNING)]
    if len(errors) > 1:
        faults.append(f"{len(errors)} lines of error, the second: {errors[1]}")
    elif errors and not errors[0].startswith("gossamer: "):
        faults.append(f"a line that is not ours: {errors[0]}")
    strange = re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029]", outcome.stderr)
    if strange:
        faults.append(f"stderr has {strange.group()!a} as it is")
    if outcome.code == 0 and errors:
        faults.append(f"success with a line of error: {errors[0]}")
    if outcome.code not in (0, 1) and not errors and case.says:
        faults.append(f"exit code {outcome.code} without a word")
    return faults


def faults(case: Case, outcome: Outcome) -> list[str]:
    """All that is wrong; empty: nothing."""
    found = []
    if outcome.hung:
        return [f"still ran after {', '.join(signal.Signals(s).name for s in outcome.sent)}"]
    if outcome.code < 0:
        found.append(f"ended by {signal.Signals(-outcome.code).name}")
    elif outcome.code not in CODES and outcome.code - 128 not in outcome.sent:
        found.append(f"exit code {outcome.code}")
    if case.says:
        found += _of_lines(case, outcome)
    if outcome.code == 0 and _json_on_stdout(case) and outcome.stdout:
        try:
            json.loads(outcome.stdout, parse_constant=_no_constant)
        except ValueError as error:
            found.append(f"stdout is no JSON: {error}")
    # Not after a second signal: that leaves at once.
    parts = [name for name in outcome.left if name.startswith(".gossamer-")]
    if parts and len(outcome.sent) < 2:
        found.append(f"left {parts[0]}")
    if outcome.peak > planned(case) + BESIDE:
        found.append(f"took {outcome.peak >> 20} MiB, planned with {planned(case) >> 20} MiB")
    if case.plan is not None and outcome.peak > case.plan + BESIDE_PLAN:
        found.append(f"took {outcome.peak >> 20} MiB, its plan has {case.plan >> 20} MiB")
    return found


def plan_of(outcome: Outcome) -> int | None:
    """Bytes of all devices that a plan has, as `--plan --json -` says it; None: it says nothing.

    Machines are CPUs: all of it lies in the host's memory.
    """
    if outcome.code != 0:
        return None
    try:
        total: int = sum(json.loads(outcome.stdout)["plan"]["totals"].values())
    except (ValueError, KeyError, TypeError):
        return None
    return total


def planned(case: Case) -> int:
    """Bytes that the case may plan with: what the last --memory says, else the variable."""
    texts = [case.variables.get("GOSSAMER_MEMORY", "")]
    for at, word in enumerate(case.arguments):
        if word == "--memory":
            texts += case.arguments[at + 1 : at + 2]
        elif word.startswith("--memory="):
            texts.append(word.partition("=")[2])
    # A limit of 0, or of GPUs alone, is none of the host's.
    sizes = [size for size in map(_bytes, reversed(texts)) if size is not None]
    # An unset limit is the host's: then a fixed ceiling holds.
    return sizes[0] if sizes else 512 << 20


def _bytes(text: str) -> int | None:
    from gossamer.arguments import memory_of_devices
    from gossamer.errors import UsageError

    try:
        size = memory_of_devices(text or None)
    except UsageError:
        return 0  # refused
    return size if size > 0 else None


def cause(fault: str) -> str:
    """The fault without what differs from case to case."""
    return re.sub(r"'[^']*'|\"[^\"]*\"|\d+(\.\d+)?(e[-+]?\d+)?|\S*/\S*", "#", fault)[:160]
