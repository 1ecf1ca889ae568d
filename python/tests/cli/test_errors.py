"""Bad usage and bad input: one line, an exit code, nothing left behind."""

from __future__ import annotations

import errno
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import gossamer as gs
import gossamer.cli
import pytest
from gossamer.cli.options import output_format


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("bfs", "absent.gr"), "absent.gr: no such file, and no generator"),
        (("bfs", "absent.gr"), "(such as kron:20) or data set (such as data:road-NY)"),
        (("bfs", "road-NY"), "road-NY: no such file; the data set is data:road-NY"),
        (("bfs", "kron"), "no generator (kron: uniform: grid:"),
        (("stats", "absent.gr"), "absent.gr: no such file"),
        (("convert", "absent.gr", "x.npz"), "absent.gr: no such file"),
        (("bfs", "kron:x"), "kron:x"),
        (("bfs", "grid:4"), "grid:4"),
        (("stats", "poisson:4x"), "generator 'poisson:4x': NY '' is not a whole number"),
        (("generate", "band:5:26", "-o", "x.npz"), "NON_ZEROS must be 5 to 25, not 26"),
        (("generate", "bush:4", "-o", "x.npz"), "'bush:4' is no generator"),
        (("generate", "kron:4"), "Give -o FILE"),
        (("generate", "kron:4", "-o", "no/such/x.npz"), "there is no folder no/such"),
        (("generate", "kron:4", "-o", "."), "is a folder"),
        (("generate", "kron:4", "-o", "x.npz", "--to", "bogus"), "bogus"),
        (("generate", "kron:4", "-o", "x.unknown"), "x.unknown: the suffix names no format"),
        (("bfs", "grid:4x4", "--source", "16"), "grid:4x4: no vertex 16 (ids are 0 to 15)"),
        (("bfs", "grid:4x4", "--source", "-1"), "no vertex -1"),
        (("bfs", "grid:1x1"), "no vertex has an edge to draw a source from"),
        (("bfs", "grid:4x4", "--source", "1", "--sources", "2"), "not both"),
        (("bfs", "grid:4x4", "--machine", "abacus"), "abacus"),
        (("bfs", "grid:4x4", "--machine", "cpu:0"), "cpu:0"),
        (
            ("bfs", "grid:4x4", "--direction", "up"),
            "unknown direction 'up' (there are auto, top-down, bottom-up)",
        ),
        (("bfs", "grid:4x4", "--engine", "warp"), "warp"),
        (("bfs", "grid:4x4", "--partition", "magic"), "no such file, and none of auto, ranges"),
        (("bfs", "grid:4x4", "--renumber", "magic"), "magic"),
        (("bfs", "grid:4x4", "--timeout", "0"), "--timeout: not a positive number"),
        (("bfs", "grid:4x4", "--timeout", "soon"), "--timeout"),
        (("bfs", "grid:4x4", "--timeout", "inf"), "--timeout: not a finite number: inf"),
        (("filter", "count:9", "<3", "--timeout", "inf"), "--timeout: not a finite number: inf"),
        (("filter", "count:9", "<3", "--slowdown", "inf"), "--slowdown: expected a finite number"),
        (("graph500", "--scale", "4", "--timeout", "inf"), "--timeout: not a finite number: inf"),
        (("cg", "poisson:6", "--tolerance", "inf"), "--tolerance: not a finite number: inf"),
        (("pagerank", "grid:4x4", "--tolerance", "nan"), "'--tolerance': Input should be"),
        (("pagerank", "grid:4x4", "--damping", "inf"), "'--damping': Input should be"),
        (("sssp", "road:4", "--delta", "inf"), "--delta: not a finite number: inf"),
        (("hits", "grid:4x4", "--tolerance", "-1"), "--tolerance: zero or more, not -1"),
        (("hits", "grid:4x4", "--tolerance", "nan"), "--tolerance: not a finite number: nan"),
        (("hits", "grid:4x4", "--weighted"), "--weighted: grid:4x4 has no weights"),
        (("katz", "grid:4x4", "--max-iterations", "0"), "--max-iterations: at least 1, not 0"),
        (("katz", "grid:4x4", "--beta", "nan"), "--beta: not a finite number: nan"),
        (
            ("eigenvector", "grid:4x4", "--max-iterations", str(1 << 31)),
            "--max-iterations: 2147483648 is above 31 bits",
        ),
        (("independent-set", "grid:4x4", "--seed", "-1"), "--seed is not in 0 … 2^64 - 1"),
        (("coloring", "grid:4x4", "--seed", str(1 << 99)), "--seed is not in 0 … 2^64 - 1"),
        (("distances", "grid:4x4", "--seed", str(1 << 64)), "--seed is not in 0 … 2^64 - 1"),
        (("distances", "grid:4x4", "--source", str(1 << 63)), "--source: 9223372036854775808 is"),
        (("distances", "grid:4x4", "--sources", str(1 << 63)), "'--sources': Input should be"),
        (("closeness", "grid:4x4", "--samples", "-1"), "'--samples': Input should be"),
        (("betweenness", "grid:4x4", "--samples", str(1 << 63)), "--samples: 92233720368547758"),
        (("communities", "grid:4x4", "--iterations", str(1 << 63)), "--iterations: 92233720368"),
        (("communities", "grid:4x4", "--resolution", "nan"), "'--resolution': Input should be"),
        (("random-walks", "grid:4x4", "--seed", str(1 << 63)), "--seed: 9223372036854775808 is"),
        (("random-walks", "grid:4x4", "--p", "0"), "'--p': Input should be"),
        (("bfs", "grid:4x4", "--output", "-"), "-: name a file: this does not go to stdout"),
        (("bfs", "grid:4x4", "--trace", "-"), "--trace -: name a file: this does not go to stdout"),
        (
            ("bfs", "kron:40", "--output", "x.txt"),
            "--output x.txt: the suffix must be .npz, .csv, .tsv or .parquet",
        ),
        (("sssp", "kron:40", "--output", "x.npy"), "--output x.npy: the suffix must be .npz"),
        (
            ("cg", "poisson:9999999999", "--output", "x.npz"),
            "--output x.npz: the suffix must be .npy",
        ),
        (("filter", "count:9", "<3", "--output", "x"), "--output x: the suffix must be .npy"),
        (
            ("filter", "count:9", "<3.5"),
            "'<3.5' is no predicate of int32, whose numbers must be who",
        ),
        (("bfs", "grid:4x4", "--memory", "lots"), "not a number of bytes: 'lots'"),
        (("bfs", "grid:4x4", "--repeat", "0"), "--repeat"),
        (("bfs", "grid:4x4", "--threads", "9223372036854775808"), "'--threads': Input should be"),
        (("bfs", "grid:4x4", "--output", "no/such.npz"), "there is no folder no"),
        (("stats", "grid:4x4", "--partition", "metis"), "expected PARTS:NAME"),
        (("stats", "grid:4x4", "--partition", "2:magic"), "magic"),
        (("bfs",), "GRAPH"),
        (("bfs", "grid:4x4", "--bogus"), "--bogus"),
        (("frobnicate",), "frobnicate"),
    ],
)
def test_bad_usage_is_one_line_and_exit_code_2(
    cli: Any, tmp_path: Path, arguments: tuple[str, ...], message: str
) -> None:
    assert message in cli.fails(2, *arguments)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("device", [1 << 31, (1 << 63) - 1, 1 << 63, 10**30])
def test_a_gpu_beyond_any_number(cli: Any, device: int) -> None:
    text = cli.fails(2, "generate", "star:4", "--device", str(device), "--plan")
    assert "--device" in text and "(see gossamer generate --help)" in text


def test_no_cuda_device(cli: Any) -> None:
    if gs._gossamer.hardware()["gpus"]:
        pytest.skip("there is a GPU")
    for spec in ("cuda", "cuda:7", "cpu:1+cuda:0"):
        text = cli.fails(2, "bfs", "grid:4x4", "--machine", spec)
        if gs._gossamer.build_info()["features"]["cuda"]:
            assert "this host has no CUDA device (" in text
        else:
            assert "CUDA devices not compiled in: configure with -DGOSSAMER_CUDA=ON" in text


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("empty.mtx", b"", "empty.mtx"),
        ("bad.gr", b"p sp 2 1\na 1 5 1\n", "bad.gr:2: "),
        ("short.gr", b"p sp 2 2\na 1 2 1\n", "short.gr"),
        ("cut.gr.gz", b"\x1f\x8b\x08\x00\x00", "cut.gr.gz"),
        ("junk.bin", bytes(range(256)), "junk.bin"),
    ],
)
def test_bad_files_are_named(
    cli: Any, tmp_path: Path, name: str, content: bytes, message: str
) -> None:
    (tmp_path / name).write_bytes(content)
    assert message in cli.fails(2, "convert", name, "out.npz")
    assert [p.name for p in tmp_path.iterdir()] == [name]


TOO_LONG = "x" * 251 + ".json"


@pytest.mark.parametrize(
    "arguments",
    [
        ("info",),
        ("generate", "kron:40", "-o", "x.gsr"),
        ("convert", "kron:40", "x.gsr"),
        ("stats", "kron:40"),
        ("bfs", "kron:40"),
        ("cg", "poisson:9999999999"),
        ("collective", "allreduce", "--machine", "cpu:2x1"),
        ("tune", "--machine", "cpu:2x1", "--output", "-"),
        ("simulate", "cg", "poisson:9999999999"),
    ],
)
@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("no/such/x.json", "no/such/x.json: there is no folder no/such"),
        (".", ".: is a folder"),
        ("", ".: is a folder"),
        (TOO_LONG, f"{TOO_LONG}: cannot be written: File name too long"),
    ],
)
def test_a_json_path_is_checked_before_the_work(
    cli: Any, tmp_path: Path, arguments: tuple[str, ...], target: str, message: str
) -> None:
    # The graphs fit no memory: they would be refused first if they were looked at.
    assert cli.fails(2, *arguments, "--json", target) == f"--json {message}"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "command",
    [
        ("bfs", "grid:4x4"),
        ("cg", "poisson:4"),
        ("filter", "count:9", "<3"),
        ("graph500", "--scale", 4),
    ],
)
def test_rules_that_are_none_are_refused_by_every_command(
    cli: Any, command: tuple[str, ...]
) -> None:
    text = cli.fails(2, *command, "--machine", "cpu:2x1", GOSSAMER_COLLECTIVES="foo")
    assert text == "foo: cannot be read as rules for collectives"


def test_pipes_and_devices_are_written_not_replaced(cli: Any, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with subprocess.Popen(["cat", tmp_path / "pipe"], stdout=subprocess.PIPE) as reader:
        assert cli("stats", "grid:4x4", "--json", "pipe").returncode == 0
        text = reader.communicate(timeout=20)[0]
    assert json.loads(text)["graph"]["vertices"] == 16
    text = cli.fails(2, "generate", "grid:4x4", "-o", "pipe", "--to", "gsr")
    assert text == "pipe: graphs are written to files, which are replaced"
    assert (tmp_path / "pipe").is_fifo()


@pytest.mark.parametrize("command", [("generate", "kron:40", "-o"), ("convert", "kron:40")])
@pytest.mark.parametrize(
    ("output", "message"),
    [
        (("x.foo",), "x.foo: the suffix names no format that is written (.mtx, .gr, .npz, .gsr)"),
        (("x.mtx.gz",), "x.mtx.gz: compressed files are read, not written"),
        (("x", "--to", "foo"), "--to foo: no format that is written (mtx, galois, npz, gsr)"),
        (("x", "--to", "dimacs"), "--to dimacs: no format that is written"),
    ],
)
def test_an_output_format_is_checked_before_the_graph(
    cli: Any, command: tuple[str, ...], output: tuple[str, ...], message: str
) -> None:
    assert cli.fails(2, *command, *output).startswith(message)


def test_output_formats_are_the_librarys(tmp_path: Path) -> None:
    graph = gs.grid(2, 2)
    suffixes = [suffix for row in gs.formats() for suffix in row[2].split()]
    names = [f"x{suffix}" for suffix in [*suffixes, "", ".gz", ".mtx.xz", ".npz.zst"]]
    for name in [*names, ".mtx"]:
        path = tmp_path / name
        try:
            graph.write(path)
        except gs.UsageError as error:
            with pytest.raises(gs.UsageError) as refused:
                output_format(path, "auto")
            assert str(refused.value) == str(error)
        else:
            written = path.read_bytes()
            graph.write(path, output_format(path, "auto"))
            assert path.read_bytes() == written
    for name, _, _, _, writes in gs.formats():
        if writes:
            assert output_format(tmp_path / "x", name) == name
            graph.write(tmp_path / "x", name)


@pytest.mark.parametrize(
    ("redirect", "code", "said"),
    [
        (">/dev/full", 1, "gossamer: stdout: No space left on device\n"),
        (">&-", 0, ""),
        ("2>&-", 0, ""),
    ],
)
def test_streams_that_take_nothing(
    environment: dict[str, str], redirect: str, code: int, said: str
) -> None:
    program = f"{sys.executable} -c 'from gossamer.cli import main; main()' bfs grid:4x4"
    done = subprocess.run(
        ["sh", "-c", f"{program} {redirect}"], capture_output=True, text=True, env=environment,
        check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (code, said)


def test_names_move_no_cursor(cli: Any, tmp_path: Path) -> None:
    (tmp_path / "a\nb\x1b[2J.mtx").write_text("no graph")
    text = cli.fails(2, "stats", "a\nb\x1b[2J.mtx")
    assert text.startswith("a\\nb\\x1b[2J.mtx")
    assert cli.fails(2, "trace", "summary", "a\u2028b").startswith("a?b: ")


@pytest.mark.parametrize(
    ("raised", "said"),
    [
        (
            ImportError("x.so: failed to map segment from shared object", name="x"),
            "cannot import x: x.so: failed to map segment from shared object",
        ),
        (MemoryError(), "out of memory"),
        (
            SystemError("error return without exception set"),
            "Python failed, maybe for want of memory: error return without exception set",
        ),
    ],
)
def test_what_finds_no_room_is_one_line(
    raised: Exception,
    said: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def without_room(**_: Any) -> None:
        raise raised

    monkeypatch.setattr(gossamer.cli, "app", without_room)
    assert gossamer.cli.run(["info"]) == 1
    assert capsys.readouterr().err == f"gossamer: {said}\n"


def test_threads_that_the_system_refuses(run_python: Any) -> None:
    program = """
import os, resource, gossamer as gs
if os.getuid() == 0:  # whose processes are not counted
    os.setresuid(65534, 65534, 65534)
resource.setrlimit(resource.RLIMIT_NPROC, (0, 0))
for call in (
    lambda: gs.generate("grid:4x4", threads=1),
    lambda: gs.bfs(graph, 0, "cpu:1x2"),
    lambda: gs.bfs(graph, 0, "cpu:3x1"),
):
    try:
        call()
    except gs.Error as error:
        print(error)
"""
    begin = "import gossamer as gs; graph = gs.grid(100, 100)"
    said = run_python(begin + program).splitlines()
    assert len(said) >= 2  # the first call needs no thread where an earlier call's is still there
    for line in said:
        assert re.fullmatch(
            "(the system refuses what this needs|only 0 of [13] rank threads could be started)"
            ": Resource temporarily unavailable", line,
        ), line  # fmt: skip


@pytest.mark.parametrize("ranks", [2_000_000_000, 50_000])
def test_a_schedule_beyond_the_memory_is_refused(cli: Any, ranks: int) -> None:
    text = cli.fails(
        2, "collective", "allgather", "--algorithm", "ring", "--ranks", ranks,
        GOSSAMER_MEMORY="32M",
    )  # fmt: skip
    what = "a rank's part takes more than 32.0 MiB" if ranks > 1 << 20 else "its text takes more"
    assert text.startswith(f"allgather of {ranks} ranks: {what}")


@pytest.mark.parametrize("command", [("bfs", "grid:4x4"), ("graph500", "--scale", "4")])
def test_whoever_read_the_output_has_gone(
    environment: dict[str, str], command: tuple[str, ...]
) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [sys.executable, "-m", "gossamer", *command], stdout=writer, stderr=subprocess.PIPE,
        env=environment, check=False, text=True,
    )  # fmt: skip
    os.close(writer)
    assert (done.returncode, done.stderr) == (1, "")


@pytest.mark.parametrize("arguments", [("bfs", "absent.gr"), ("bfs", "grid:4x4", "--source", "99")])
def test_a_failure_has_its_code_where_nothing_can_be_said(
    environment: dict[str, str], arguments: tuple[str, ...]
) -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "gossamer", *arguments], stdout=full, stderr=full,
            env=environment, check=False,
        )  # fmt: skip
    assert done.returncode == 2


def test_what_the_system_refuses_is_not_blamed_on_stdout(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refused(**_: Any) -> None:
        print("what was done before")
        raise OSError(errno.EAGAIN, "Resource temporarily unavailable")

    monkeypatch.setattr(gossamer.cli, "app", refused)
    assert gossamer.cli.run(["info"]) == 1
    said = capsys.readouterr()
    assert said.err == "gossamer: Resource temporarily unavailable\n"
    assert said.out == "what was done before\n"


def test_numbers_beyond_what_ranks_have_are_usage(cli: Any) -> None:
    for option, value in (("--ranks", 3_000_000_000), ("--root", 3_000_000_000), ("--root", -1)):
        text = cli.fails(2, "collective", "broadcast", "--algorithm", "ring", option, value)
        assert option in text


def test_rules_that_are_none_end_info(cli: Any) -> None:
    assert "nonsense" in cli.fails(2, "info", GOSSAMER_COLLECTIVES="nonsense")


def test_warnings_are_one_line(environment: dict[str, str]) -> None:
    many = 4 * len(os.sched_getaffinity(0)) + 1
    command = ("bfs", "kron:6", "--machine", f"cpu:{many}x1", "--plan")
    done = subprocess.run(
        [sys.executable, "-m", "gossamer", *command], capture_output=True, text=True,
        env=environment, check=True,
    )  # fmt: skip
    said = f"gossamer: warning: machine cpu:{many}x1: {many} threads share "
    assert done.stderr.startswith(said)
    assert done.stderr.count("\n") == 1
