"""Random command lines, from what the commands themselves declare, and what is around them:
variables, streams, limits of the process, and signals."""

from __future__ import annotations

import random
import re
import resource
import signal
from dataclasses import dataclass, field
from functools import cache
from typing import Any, get_args, get_type_hints

import gossamer.cli
import typer.main
from gossamer import _gossamer
from gossamer.simulation import WHAT_IF

from . import material
from .material import REPOSITORY, Folder

#: How often a command is drawn; others once. Of some nearly every call takes seconds.
_SHARES = {"tune": 0.03, "reproduce": 0.1, "graph500": 0.3, "gap": 0.3, "report": 0.15, "info": 0.5}
#: What is planned with, unless a case has another limit of its own; generators ask for 64 MiB.
MEMORY = 128 << 20
#: What Typer makes of the command line anew for each call.
COMMAND = typer.main.get_command(gossamer.cli.app)
_OUTPUTS = ("output", "json", "plot", "trace")


@dataclass
class Case:
    """A command line and what is around it."""

    arguments: list[str]
    folder: Folder
    variables: dict[str, str] = field(default_factory=dict)
    stdin: bytes = b""
    #: Descriptors that the caller has closed.
    closed: tuple[int, ...] = ()
    #: Where they go: a file, /dev/full, or a pipe whose reader has gone.
    stdout: str = "file"
    stderr: str = "file"
    #: Limits by their names in `resource`; RLIMIT_AS is beyond what a warm process has.
    limits: dict[str, int] = field(default_factory=dict)
    #: Sent after so many seconds.
    signal: tuple[int, float] | None = None
    #: Whether its plan is asked for first, and what that had: bytes of all devices.
    asks: bool = False
    plan: int | None = None

    @property
    def alone(self) -> bool:
        """Whether it needs a process of its own: something is done to the process itself."""
        return self.as_nobody or bool(self.closed or self.limits or self.signal or not self.heard)

    @property
    def heard(self) -> bool:
        """Whether what it says goes to files."""
        return self.stdout == "file" and self.stderr == "file"

    @property
    def says(self) -> bool:
        """Whether its stderr can be read."""
        return self.stderr == "file" and 2 not in self.closed and "RLIMIT_FSIZE" not in self.limits

    @property
    def as_nobody(self) -> bool:
        """Whether root, for whom nothing is locked and processes are not counted, has to be
        somebody else."""
        return "RLIMIT_NPROC" in self.limits or "locked" in self.folder.others.values()

    def planning(self) -> Case:
        """The command line that asks for this one's plan, in the same folder."""
        arguments = [*self.arguments, "--plan", "--json", "-"]
        return Case(arguments, self.folder, self.variables, self.stdin)

    def text(self) -> str:
        """The case in words."""
        line = " ".join([f"{k}={v!r}" for k, v in self.variables.items()] + ["gossamer"])
        said = [line + "".join(f" {a!r}" for a in self.arguments)]
        if self.folder.files:
            said.append("files " + ", ".join(f"{n!r} ({len(c)} bytes)"
                                             for n, c in self.folder.files.items()))  # fmt: skip
        if self.closed:
            said.append(f"closed {self.closed}")
        said += [f"{of}: {getattr(self, of)}" for of in ("stdout", "stderr")
                 if getattr(self, of) != "file"]  # fmt: skip
        if self.limits:
            said.append(f"limits {self.limits}")
        if self.plan is not None:
            said.append(f"{self.plan} bytes by --plan")
        if self.signal:
            said.append(f"{signal.Signals(self.signal[0]).name} after {self.signal[1]:.4f} s")
        return "; ".join(said)


@cache
def commands() -> dict[str, Any]:
    """Every command by its words: the command line's own objects."""
    found: dict[str, Any] = {}

    def walk(command: Any, words: str) -> None:
        for name, of in sorted(getattr(command, "commands", {}).items()):
            walk(of, f"{words} {name}".strip())
        if not hasattr(command, "commands"):
            found[words] = command

    walk(COMMAND, "")
    return found


@cache
def _planning(words: str) -> bool:
    """Whether the command has --plan."""
    return any("--plan" in p.opts for p in commands()[words].params)


@cache
def variables() -> tuple[str, ...]:
    """Those that docs/cli.md lists."""
    text = (REPOSITORY / "docs" / "cli.md").read_text()
    return tuple(sorted(set(re.findall(r"^\| `(GOSSAMER_[A-Z_]+)", text, re.MULTILINE))))


@cache
def _kinds(command: Any) -> dict[str, tuple[type, Any]]:
    """Type and declaration of each parameter, by its name."""
    found = {}
    for name, hint in get_type_hints(command.callback, include_extras=True).items():
        kind, declared = (*get_args(hint), None, None)[:2]
        plain = [of for of in (*get_args(kind), kind) if of in (bool, int, float)]
        found[name] = (plain[0] if plain else str, declared)
    return found


@cache
def _words(help_text: str) -> tuple[str, ...]:
    """What a help text may be naming."""
    return tuple(dict.fromkeys(re.findall(r"[\w.-]+", help_text.partition(": ")[0]))) or ("auto",)


@cache
def _collectives() -> tuple[tuple[str, str], ...]:
    return tuple((a["operation"], a["name"]) for a in _gossamer.collective_algorithms())


def _system(rng: random.Random, folder: Folder) -> str:
    names = list(_gossamer.system_names())
    return rng.choice(names) if rng.random() < 0.6 else folder.place(rng, "system")


def _text(rng: random.Random, command: str, name: str, declared: Any, folder: Folder) -> str:
    """A value of a parameter that is no number."""
    if name in _OUTPUTS or (command == "convert" and name == "output"):
        return folder.output(rng)
    if name in ("graph", "spec", "data", "matrix_argument"):
        return material.graph(rng) if rng.random() < 0.55 else folder.place(rng, "graph")
    if name in ("verify_with", "personalization"):
        return folder.place(rng, "numbers")
    if name in ("file", "files"):
        return folder.place(rng, "record")
    if name == "rhs":
        return (
            rng.choice(("ones", "random")) if rng.random() < 0.5 else folder.place(rng, "numbers")
        )
    if name == "array_argument":
        made = rng.choice(("random:9", "count:20", "random:5:3", "count:0", "random:", "count:-1"))
        return made if rng.random() < 0.6 else folder.place(rng, "numbers")
    if name == "predicate":
        text = rng.choice(("<3", "<=2.5", ">0", ">=-1", "==4", "!=0", "1..4", "4..1", "<nan", "<"))
        return material.mutated(rng, text) if rng.random() < 0.2 else text
    if name == "partition":
        if rng.random() < 0.6:
            return rng.choice(("auto", "ranges", "edges", "hash", "metis", "2:hash", "3:metis"))
        place = folder.place(rng, "partition")
        return f"{material.number(rng)}:{place}" if rng.random() < 0.5 else place
    if name == "machine":
        return material.machine(rng)
    if name == "engine":
        own, known = command.replace("-", "_"), list(_gossamer.algorithms())
        # Some commands run another's search: graph500, closeness, eccentricity.
        return material.engine(rng, own if own in known else rng.choice(known))
    if name in ("memory", "packet", "size", "max_bytes"):
        return rng.choice(material.BYTES) if rng.random() < 0.7 else "4..64"
    if name in ("operation", "ops"):
        return rng.choice([o for o, _ in _collectives()] + ["cg", "bfs"])
    if name == "algorithm" and command != "engines":
        return rng.choice([n for _, n in _collectives()] + ["own", "fastest"])
    if name in ("system", "against"):
        return _system(rng, folder)
    if name == "what_if":
        return rng.choice(list(WHAT_IF))
    if name == "change":
        return f"{rng.choice(('network.latency', 'x', 'gpu.memory', ''))}={material.real(rng)}"
    if name in ("ranks", "slowdown"):
        return ",".join(material.number(rng) for _ in range(rng.randint(1, 3)))
    if name in ("source", "target", "run", "device"):
        return material.number(rng)
    if name == "what":
        return rng.choice(("C", "E.fig6", "D.memory", "Z", "E.fig99", "e.fig6"))
    return rng.choice(_words(str(getattr(declared, "help", None) or "auto")))


def _value(rng: random.Random, command: str, name: str, of: Any, folder: Folder) -> str:
    kind, declared = _kinds(of).get(name, (str, None))
    if name not in _OUTPUTS and rng.random() < 0.06:
        return rng.choice(material.HOSTILE)
    if kind is float:
        return material.real(rng)
    if kind is int:
        least, most = getattr(declared, "min", None), getattr(declared, "max", None)
        if rng.random() < 0.6:
            return str(int(least or 0) + rng.randint(0, 3))
        edges = [int(e) + d for e in (least, most) if e is not None for d in (-1, 0, 1)]
        return str(rng.choice(edges)) if edges and rng.random() < 0.4 else material.number(rng)
    return _text(rng, command, name, declared, folder)


#: Without these a call of the command takes seconds.
_SMALL = {
    "graph500": ["--scale", "4", "--roots", "2"], "tune": ["--max-bytes", "64", "--ops", "barrier"],
    "simulate": ["--bytes", "64"], "reproduce": ["--list"],
}  # fmt: skip


def _arguments(rng: random.Random, folder: Folder) -> list[str]:
    known = commands()
    command = rng.choices(list(known), [_SHARES.get(c, 1) for c in known])[0]
    of = known[command]
    words, tail = [], command.split()
    if rng.random() < 0.02:
        tail = [material.mutated(rng, command)]
    for parameter in of.params:
        option = next((o for o in parameter.opts if o.startswith("-")), None)
        needed = 0.97 if parameter.required or option is None else 0.12
        if parameter.name in ("help", "install_completion") or rng.random() > needed:
            continue
        if option is None:
            count = rng.randint(0, 3) if parameter.nargs == -1 else 1
            tail += [_value(rng, command, parameter.name, of, folder) for _ in range(count)]
            continue
        for _ in range(rng.randint(1, 2) if parameter.multiple or rng.random() < 0.03 else 1):
            spelt = rng.choice([*parameter.opts, *parameter.secondary_opts])
            if rng.random() < 0.01:
                spelt = material.mutated(rng, spelt)
            if parameter.is_flag:
                words.append([spelt])
                continue
            value = _value(rng, command, parameter.name, of, folder)
            words.append([f"{spelt}={value}"] if rng.random() < 0.2 else [spelt, value])
    if rng.random() < 0.9 and command in _SMALL:
        tail += _SMALL[command]
    rng.shuffle(words)
    every = [*tail, *(word for words_of in words for word in words_of)]
    if rng.random() < 0.03:
        every.insert(rng.randint(0, len(every)), rng.choice(material.HOSTILE))
    if rng.random() < 0.02:
        every.insert(rng.randint(0, len(every)), rng.choice(("-h", "--help", "--version")))
    return [word.replace("\0", "") for word in every]


def _variables(rng: random.Random, folder: Folder) -> dict[str, str]:
    found: dict[str, str] = {}
    for name in variables():
        if name == "GOSSAMER_MEMORY" or rng.random() > 0.02:
            continue
        kind = rng.randrange(5)
        if kind == 0:
            found[name] = rng.choice(("on", "off", "auto", "no-atomics", "1", "0", "", "yes"))
        elif kind == 1:
            found[name] = material.real(rng)
        elif kind == 2:
            found[name] = rng.choice(material.HOSTILE)
        elif kind == 3:
            found[name] = folder.place(rng, "rules")
        else:
            found[name] = rng.choice(
                (material.machine(rng), "allreduce:0-4k:@ring", "barrier:x", "64K")
            )
    if rng.random() < 0.03:
        found["GOSSAMER_MEMORY"] = rng.choice(("1", "64K", "1M", "lots", "0", "-1", "", "1e9"))
    if rng.random() < 0.01:
        found["LC_ALL"] = rng.choice(("C", "C.UTF-8", "POSIX", "none"))
    if rng.random() < 0.01:
        found["COLUMNS"] = rng.choice(("0", "1", "20", "-5", "x", "99999"))
    if rng.random() < 0.005:
        found["_GOSSAMER_COMPLETE"] = rng.choice(
            ("complete_bash", "complete_zsh", "complete_fish", "source_bash", "x")
        )
        found["COMP_WORDS"] = rng.choice(("gossamer bfs --eng", "gossamer ", "gossamer 'x", ""))
        found["COMP_CWORD"] = rng.choice(("0", "1", "2", "9", "-1", "x"))
    return found


def _around(rng: random.Random, case: Case) -> None:
    """What is done to the process."""
    what = rng.random()
    if what < 0.25:
        case.closed = tuple(sorted(rng.sample((0, 1, 2), rng.randint(1, 3))))
    elif what < 0.35:
        setattr(case, rng.choice(("stdout", "stdout", "stderr")), rng.choice(("full", "gone")))
    elif what < 0.65:
        name = rng.choice(("RLIMIT_AS", "RLIMIT_FSIZE", "RLIMIT_NOFILE", "RLIMIT_NPROC"))
        most = {"RLIMIT_AS": 1 << 28, "RLIMIT_FSIZE": 1 << 14, "RLIMIT_NOFILE": 40}.get(name, 6)
        case.limits[name] = int(most * rng.random() ** 2) + 3 * (name == "RLIMIT_NOFILE")
    else:
        number = rng.choice((signal.SIGINT, signal.SIGINT, signal.SIGTERM, signal.SIGHUP))
        case.signal = (int(number), rng.random() * 0.05)


def case_of(rng: random.Random) -> Case:
    """Always the same for a generator in the same state."""
    folder = Folder()
    case = Case(_arguments(rng, folder), folder, _variables(rng, folder))
    case.variables.setdefault("GOSSAMER_MEMORY", str(MEMORY))
    if rng.random() < 0.02:
        case.stdin = b"0 1\n1 2\n"
    if rng.random() < 0.06:
        _around(rng, case)
    # A plan costs as much as a small run: half of them are asked for.
    has_plan = (
        case.arguments[:1] and case.arguments[0] in commands() and _planning(case.arguments[0])
    )
    if has_plan and rng.random() < 0.5 and not {"--plan", "--"} & {*case.arguments}:
        case.asks = not case.alone
    assert all(hasattr(resource, name) for name in case.limits)
    return case
