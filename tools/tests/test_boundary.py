"""The boundary's fuzzer: cases repeat, and each way to break the rules is seen."""

from __future__ import annotations

import contextlib
import faulthandler
import io
import mmap
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import gossamer as gs
import gossamer.cli
import numpy as np
import pytest
from gossamer import _gossamer

TOOLS = Path(__file__).parent.parent
sys.path.insert(0, str(TOOLS))

from boundary import calls, children, lines, material, verdict  # noqa: E402
from boundary.__main__ import Boundary  # noqa: E402
from boundary.children import Found, Job, Place, in_children, in_process  # noqa: E402


@pytest.fixture
def place() -> Iterator[Place]:
    made = Place()
    yield made
    made.remove()


def case(*arguments: str, **around: Any) -> lines.Case:
    return lines.Case(list(arguments), material.Folder(), {"GOSSAMER_MEMORY": "64M"}, **around)


def faults_of(found: Found) -> list[str]:
    return verdict.faults(found.job.case, found.outcome)


def test_a_case_is_always_the_same() -> None:
    def texts(seed: int) -> list[str]:
        return [lines.case_of(random.Random(f"{seed}/{n}")).text() for n in range(60)]

    assert texts(3) == texts(3)
    assert len(set(texts(3))) > 50
    assert texts(3) != texts(4)


def test_every_command_and_most_options_are_drawn() -> None:
    drawn = [lines.case_of(random.Random(f"1/{n}")).arguments for n in range(8000)]
    for words, command in lines.commands().items():
        of = [set(a) for a in drawn if a[: len(words.split())] == words.split()]
        assert of, words
        options = {o for p in command.params for o in p.opts if o.startswith("--")}
        missing = options - set.union(*of)
        assert len(missing) <= len(options) // 2, (words, missing)
    assert len(lines.variables()) > 10


def test_samples_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names = list(material.samples()["record"])
    for name, content in material.samples()["record"].items():
        Path(name).write_bytes(content)
    assert "trace.json" in names
    assert gossamer.cli.run(["trace", "summary", "trace.json"]) == 0
    pytest.importorskip("bokeh")
    pytest.importorskip("jinja2")
    assert gossamer.cli.run(["report", *names, "-o", "page.html"]) == 0


# --- what breaks the rules ------------------------------------------------------------------------


def _raise() -> None:
    raise ZeroDivisionError("by nothing")


def _two_lines() -> None:
    print("gossamer: one\ngossamer: two", file=sys.stderr)
    raise SystemExit(1)


def _foreign_line() -> None:
    os.write(2, b"libgomp: no thread\n")
    raise SystemExit(1)


def _escape() -> None:
    print("gossamer: \x1b[2J", file=sys.stderr)
    raise SystemExit(1)


def _crash() -> None:
    faulthandler.disable()
    os.kill(os.getpid(), signal.SIGSEGV)


def _code(code: int) -> Callable[[], None]:
    def leave() -> None:
        raise SystemExit(code)

    return leave


def _much() -> None:
    kept = b"x" * ((64 << 20) + verdict.BESIDE + (32 << 20))
    assert len(kept) > 0


def _as_much_as(bytes_of_it: int) -> Callable[[], None]:
    def take() -> None:
        if "--plan" in sys.argv:
            print('{"plan": {"totals": {"host": 1000000, "cuda:0": 48576}}}')
            return
        # New pages: what this process once gave back would be taken without growing.
        with mmap.mmap(-1, bytes_of_it) as fresh:
            for at in range(0, bytes_of_it, mmap.PAGESIZE):
                fresh[at] = 1

    return take


def _partial() -> None:
    Path(".gossamer-1-2.partial").touch()


@pytest.mark.parametrize(
    ("act", "arguments", "said"),
    [
        (_raise, (), "a traceback: ZeroDivisionError: by nothing"),
        (_two_lines, (), "2 lines of error, the second: gossamer: two"),
        (_foreign_line, (), "a line that is not ours: libgomp: no thread"),
        (_escape, (), "stderr has '\\x1b' as it is"),
        (_crash, (), "ended by SIGSEGV"),
        (_code(5), (), "exit code 5"),
        (_code(130), (), "exit code 130"),
        (_code(2), (), "exit code 2 without a word"),
        (_much, (), "MiB, planned with 64 MiB"),
        (_much, ("--memory", "1M"), "MiB, planned with 1 MiB"),
        (_much, ("--memory", "1M", "--memory=2M"), "MiB, planned with 2 MiB"),
        (_much, ("--memory", "128M"), ""),
        (_much, ("--memory", "device=1K"), "MiB, planned with 64 MiB"),
        (_partial, (), "left .gossamer-1-2.partial"),
        (lambda: print("NaN"), ("info", "--json", "-"), "stdout is no JSON: NaN is no JSON"),
        (lambda: print("{}"), ("info", "--json", "-"), ""),
        (lambda: print("help"), ("info", "--json", "-", "-h"), ""),
        (_code(0), (), ""),
    ],
)
def test_what_breaks_the_rules_is_seen(
    place: Place, monkeypatch: pytest.MonkeyPatch, act: Callable[[], None],
    arguments: tuple[str, ...], said: str,
) -> None:  # fmt: skip
    monkeypatch.setattr(gossamer.cli, "app", lambda **_: act())
    jobs = [Job(1, case(*arguments)), Job(2, case("--version"))]
    first, second = in_children(place, jobs)
    assert (first.job.number, second.job.number) == (1, 2)
    assert any(said in fault for fault in faults_of(first)) if said else not faults_of(first)


@pytest.mark.parametrize("seen", [True, False])
def test_more_than_its_plan_is_seen(
    place: Place, monkeypatch: pytest.MonkeyPatch, seen: bool
) -> None:
    much = verdict.BESIDE_PLAN + (8 << 20 if seen else -8 << 20)
    monkeypatch.setattr(gossamer.cli, "app", lambda **_: _as_much_as(much)())
    (found,) = in_children(place, [Job(1, case("bfs", asks=True))])
    assert found.job.case.plan == 1048576
    assert "1048576 bytes by --plan" in found.job.case.text()
    assert [fault.partition(", ")[2] for fault in faults_of(found)] == seen * ["its plan has 1 MiB"]


def test_a_plan_that_goes_wrong_is_seen(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gossamer.cli, "app", lambda **_: "--plan" in sys.argv and _crash())
    first, second = in_children(place, [Job(1, case("bfs", asks=True))])
    assert faults_of(first) == ["ended by SIGSEGV", "exit code -11 without a word"]
    assert (second.job.case.plan, faults_of(second)) == (None, [])


def test_plans_are_asked_for(place: Place) -> None:
    drawn = [lines.case_of(random.Random(f"1/{n}")) for n in range(2000)]
    asking = [one for one in drawn if one.asks]
    assert 200 < len(asking) < 1000
    assert {one.arguments[0] for one in asking} > {"bfs", "convert", "gap", "filter"}
    assert not any(one.alone or "--plan" in one.arguments for one in asking)
    jobs = [Job(n, case(*line, asks=True)) for n, line in enumerate((
        ("bfs", "path:9"), ("bfs", "path:9", "--json", "x"), ("bfs", "path:0"), ("tune", "x"),
    ))]  # fmt: skip
    found = list(in_children(place, jobs))
    assert [(one.job.number, faults_of(one)) for one in found] == [(n, []) for n in range(4)]
    plans = [one.job.case.plan for one in found]
    assert plans[0] == plans[1] and (plans[0] or 0) > 1000
    assert plans[2:] == [None, None]


def test_what_does_not_end_is_seen(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    def sleep(**_: Any) -> None:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        time.sleep(60)

    monkeypatch.setattr(gossamer.cli, "app", sleep)
    monkeypatch.setattr(children, "PATIENCE", 0.1)
    monkeypatch.setattr(children, "DEADLINE", 0.2)
    (found,) = in_children(place, [Job(1, case())])
    assert faults_of(found) == ["still ran after SIGINT"]


def test_an_interrupt_ends_a_command_as_documented(place: Place) -> None:
    long = ("tune", "--machine", "cpu:1x1", "--output", "-")
    at_once = case(*long, signal=(int(signal.SIGTERM), 0.05))
    (found,) = in_children(place, [Job(1, at_once)])
    assert (found.outcome.code, faults_of(found)) == (128 + signal.SIGTERM, [])


@pytest.mark.parametrize(
    ("around", "code"),
    [
        ({"closed": (0, 1, 2)}, 0),
        ({"stdout": "full"}, 1),
        ({"stdout": "gone"}, 1),
        ({"stdout": "full", "stderr": "full"}, 1),
        ({"limits": {"RLIMIT_FSIZE": 0}}, 1),
        ({"limits": {"RLIMIT_NOFILE": 64}}, 0),
    ],
)
@pytest.mark.parametrize("how", ["child", "process"])
def test_streams_and_limits_are_as_a_case_has_them(
    place: Place, around: dict[str, Any], code: int, how: str
) -> None:
    job = Job(1, case("engines", "bfs", **around))
    if how == "child":
        (found,) = in_children(place, [job])
    else:
        found = in_process(place, job, [children.script()], children.address_space())
    assert (found.outcome.code, faults_of(found)) == (code, [])


ONE_LIMITED = """
from boundary import children, lines, material
children.warm()
of = ["core-numbers", "path:3", "--output", "o.parquet"]
case = lines.Case(of, material.Folder(), limits={"RLIMIT_NPROC": 1})
place = children.Place()
(found,) = children.in_children(place, [children.Job(1, case)])
place.remove()
print(found.outcome.code, found.outcome.stderr, end="")
"""


@pytest.mark.skipif(find_spec("pyarrow") is None, reason="pyarrow is not installed")
@pytest.mark.skipif(
    os.getuid() != 0, reason="threads are counted for a user that runs nothing else"
)
def test_one_line_where_pyarrow_gets_no_thread() -> None:
    done = subprocess.run(  # in a process that has not imported it
        [sys.executable, "-c", ONE_LIMITED], capture_output=True, text=True, check=True,
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(TOOLS), *sys.path]),
                          "OPENBLAS_NUM_THREADS": "1"},
    )  # fmt: skip
    assert done.stdout == (
        "1 gossamer: the system refuses what this needs: Resource temporarily unavailable\n"
    )


def test_descriptors_of_the_parent_do_not_count(place: Place) -> None:
    kept = [os.open(os.devnull, os.O_RDONLY) for _ in range(80)]
    limited = case("engines", "bfs", limits={"RLIMIT_NOFILE": 64})
    (found,) = in_children(place, [Job(1, limited)])
    assert (found.outcome.code, faults_of(found)) == (0, [])
    for one in kept:
        os.close(one)


def test_who_wants_to_be_alone_does_not_part_the_others(place: Place) -> None:
    alone = case("--version", signal=(int(signal.SIGTERM), 30.0))
    jobs = [Job(1, case("--version")), Job(2, alone), Job(3, case("engines", "bfs"))]
    found = list(in_children(place, jobs))
    assert [(one.job.number, one.first) for one in found] == [(1, 1), (3, 1), (2, 2)]
    assert not any(faults_of(one) for one in found)


def _drawn(monkeypatch: pytest.MonkeyPatch, app: Callable[[], None]) -> str:
    """What is said of four lines, each of which does that."""
    monkeypatch.setattr(gossamer.cli, "app", lambda **_: app())
    boundary = Boundary(1, ["line"])
    monkeypatch.setattr(boundary, "job", lambda number: ("line", Job(number, case())))
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        boundary.run(5, 4)
    boundary.place.remove()
    assert sum(boundary.causes.values()) == (4 if app is _raise else 1)
    return said.getvalue()


def test_what_fails_in_company_is_tried_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    began: list[int] = []

    def third() -> None:
        began.append(1)
        if len(began) == 3:
            _raise()

    said = _drawn(monkeypatch, third)
    assert said.count("FOUND: a traceback: ZeroDivisionError: by nothing") == 1
    assert said.endswith("  ./run boundary --seed 1 --first 5 --cases 3  # not alone\n")
    said = _drawn(monkeypatch, _raise)
    assert said.count("FOUND") == 1 and said.endswith("  ./run boundary --seed 1 --case 5\n")


def test_processes_are_judged_as_well(place: Place) -> None:
    program = "import os, signal; os.kill(os.getpid(), signal.SIGABRT)"
    found = in_process(place, Job(1, case()), [sys.executable, "-c", program], 0)
    assert faults_of(found) == ["ended by SIGABRT", "exit code -6 without a word"]


# --- calls ----------------------------------------------------------------------------------------


def documented(x: int) -> None:
    """KeyError for every x."""
    raise KeyError(x)


def undocumented(x: int) -> None:
    """Nothing is said."""
    raise KeyError(x)


def fatal(x: int) -> None:
    _crash()


def test_exceptions_that_no_docstring_names_are_seen(tmp_path: Path) -> None:
    note = os.open(tmp_path / "note", os.O_RDWR | os.O_CREAT)
    session = calls.Session(random.Random(1), gs.grid(3, 3), note)
    assert session.call("documented", documented) == ""
    assert session.call("undocumented", undocumented).startswith("undocumented raised KeyError")
    assert b"undocumented(x=" in os.pread(note, 1000, 0)
    os.close(note)


def test_a_call_that_ends_the_process_is_seen(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(calls, "targets", lambda: (("fatal", fatal),))
    jobs = [
        Job(n, case(), lambda note, n=n: calls.run(random.Random(f"2/{n}"), note)) for n in range(8)
    ]
    found = list(in_children(place, jobs))
    assert [one.job.number for one in found] == list(range(8))
    ended = [one for one in found if one.outcome.code == -signal.SIGSEGV]
    assert len(ended) > 3 and "fatal(x=" in ended[0].last


def test_public_functions_are_called() -> None:
    names = dict(calls.targets())
    public = {
        f"gossamer.{name}"
        for name in ("bfs", "cg", "filter", "from_csr", "read", "Machine", "Trace")
    }
    assert public <= set(names)
    searches = {name for name in dir(gs) if name.endswith(("Search", "Solver"))}
    plans = {f"gossamer.{name}.plan" for name in searches if hasattr(getattr(gs, name), "plan")}
    assert len(plans) > 12 and plans <= set(names)
    assert names["gossamer.bench.gap"] is gs.bench.gap
    assert not any(np.iterable(of) for of in names.values())


def test_engines_of_all_algorithms_are_drawn() -> None:
    session = calls.Session(random.Random(1), gs.grid(3, 3), -1)
    drawn = {str(session.argument("engine", "str")).partition(":")[0] for _ in range(2000)}
    every = {engine.name for name in _gossamer.algorithms() for engine in gs.engines(name)}
    assert every <= drawn


# --- all of it ------------------------------------------------------------------------------------


def test_some_hundred_cases() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "boundary", "--cases", "300", "--seed", "1"], check=False,
        capture_output=True, text=True, env=os.environ | {"PYTHONPATH": str(TOOLS)}, timeout=600,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.startswith("seed 1\nseed 1: 300 cases in ")
    assert " process" in done.stdout
