"""Documents against what they describe: options of commands, and programs that run."""

from __future__ import annotations

import importlib
import os
import re
import shlex
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gossamer as gs
import numpy as np
import pytest
import typer
from gossamer.cli import app

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
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


def test_the_program_on_links_and_routers_runs(capsys: pytest.CaptureFixture[str]) -> None:
    page = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
    section = page.split("\n## Links and routers\n")[1].split("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("    ") or not line]
    program = textwrap.dedent("\n".join(lines))
    names: dict[str, Any] = {"gs": gs, "np": np}
    exec(compile(program, "python.md", "exec"), names)
    assert set(names["totals"]) == {0, 1, 2}
    assert "router 'to ranks': any device, 1 in, 3 out" in capsys.readouterr().out


def test_the_programs_on_steps_run(capsys: pytest.CaptureFixture[str]) -> None:
    page = (ROOT / "docs" / "vertex_steps.md").read_text(encoding="utf-8")
    names: dict[str, Any] = {}
    programs = re.findall(r"^```python\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    assert len(programs) == 6
    for program in programs:
        exec(compile(program, "vertex_steps.md", "exec"), names)
    np.testing.assert_array_equal(names["depth"], gs.bfs(names["graph"], 1, "cpu").depths)
    said = capsys.readouterr().out
    assert names["rounds"] == 5 and said.startswith("894 vertices within 4 hops\n")
    assert said.endswith("vertex steps did not end within 0.2 s\n")


def test_steps_refuse_in_the_words_of_the_page() -> None:
    page = (ROOT / "docs" / "vertex_steps.md").read_text(encoding="utf-8")
    shown = re.search(r"^```\n(vertex_steps: .*?)^```", page, re.MULTILINE | re.DOTALL)
    s = gs.vertex_steps(gs.kronecker(4), "cpu")
    s.fields(rank=1.0, got=0.0)
    with pytest.raises(gs.ExpressionError) as caught:
        s.map(rank="0.15 / vertices + 0.85 * gott")
    assert shown is not None and str(caught.value) == shown[1].rstrip("\n")


def test_the_programs_on_expressions_run(capsys: pytest.CaptureFixture[str]) -> None:
    page = (ROOT / "docs" / "vertex_program.md").read_text(encoding="utf-8")
    names: dict[str, Any] = {}
    for program in re.findall(r"^```python\n(.*?)^```", page, re.MULTILINE | re.DOTALL):
        exec(compile(program, "vertex_program.md", "exec"), names)
    assert capsys.readouterr().out == "[1.      0.9     0.5     0.475   0.47025 0.     ]\n"
    assert names["bits"].tolist() == [3, 3, 3, 3, 3, 0]
    assert [best.argmin() for best in names["best"]] == [5, 5, 5]
    assert 0 < names["result"].left < 6 * 1e-9


def test_expressions_are_refused_in_the_words_of_the_page() -> None:
    page = (ROOT / "docs" / "vertex_program.md").read_text(encoding="utf-8")
    shown = re.search(r"^```\n(vertex_program: .*?)^```", page, re.MULTILINE | re.DOTALL)
    with pytest.raises(gs.ExpressionError) as caught:
        gs.vertex_program("min", "value + wieght", "float64")
    assert shown is not None and str(caught.value) == shown[1].rstrip("\n")


def test_the_programs_on_networkx_run(run_python: Callable[[str], str]) -> None:
    pytest.importorskip("networkx", minversion="3.5")
    page = (ROOT / "docs" / "networkx.md").read_text(encoding="utf-8")
    programs = re.findall(r"^```python\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    assert len(programs) == 6
    # In a process of its own: they configure NetworkX.
    run_python("\n".join(programs))


def test_the_programs_on_the_package_run() -> None:
    pytest.importorskip("pandas")
    page = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
    names: dict[str, Any] = {}
    programs = re.findall(r"^```python\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    assert len(programs) == 1
    for program in programs:
        exec(compile(program, "python.md", "exec"), names)


def tutorials(of: str) -> list[Path]:
    """Those of Python alone, of programs that are built (`shell`), or for GPUs' arrays (`gpu`)."""

    def kind(page: Path) -> str:
        text = page.read_text(encoding="utf-8")
        return "shell" if "\n```sh\n" in text else "gpu" if "\nimport cupy" in text else "python"

    pages = sorted((ROOT / "docs" / "tutorial").glob("[!i]*.md"))
    return [page for page in pages if kind(page) == of]


def check_page(page: Path, capsys: pytest.CaptureFixture[str]) -> None:
    blocks = re.findall(
        r"^```(python|text)\n(.*?)^```", page.read_text("utf-8"), re.MULTILINE | re.DOTALL
    )
    assert len(blocks) > 4
    names: dict[str, Any] = {}
    for (kind, text), (following, shown) in zip(blocks, [*blocks[1:], ("", "")], strict=True):
        if kind == "python":
            exec(compile(text, page.name, "exec"), names)
            assert capsys.readouterr().out == (shown if following == "text" else "")


@pytest.mark.parametrize(
    "page", [ROOT / "docs" / "howto.md", *tutorials("python")], ids=lambda page: page.stem
)
def test_pages_print_what_they_say(page: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("scipy")
    check_page(page, capsys)


@pytest.mark.gpu
@pytest.mark.parametrize("page", tutorials("gpu"), ids=lambda page: page.stem)
def test_pages_on_gpus_print_what_they_say(page: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for library in ("cupy", "torch"):
        pytest.importorskip(library)
    check_page(page, capsys)


def test_the_tutorial_on_processes_prints_what_it_says(launch: Any, tmp_path: Path) -> None:
    # The page's commands are a reader's, who is not root and has cores enough.
    bin_folder = tmp_path / "bin"
    bin_folder.mkdir()
    for name, command in (("mpirun", launch.command()), ("python", [sys.executable])):
        script = bin_folder / name
        script.write_text(f'#!/bin/sh\nexec {shlex.join(command)} "$@"\n', encoding="utf-8")
        script.chmod(0o755)
    page = ROOT / "docs" / "tutorial" / "processes.md"
    variables = launch.variables() | {"PATH": f"{bin_folder}{os.pathsep}{os.environ['PATH']}"}
    # With it a line and its end are two writes, and mpirun puts other ranks' between them.
    variables.pop("PYTHONUNBUFFERED", None)
    done = subprocess.run(
        [sys.executable, ROOT / "tools" / "run_page.py", page],
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
        env=variables,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_other_tutorials_are_run_by_ctest() -> None:
    lists = (ROOT / "tests" / "install" / "CMakeLists.txt").read_text(encoding="utf-8")
    for page in tutorials("shell"):
        assert page.stem == "processes" or re.search(rf"[( ]{page.stem}[ )]", lists), page


def test_every_page_is_on_the_site() -> None:
    docs = ROOT / "docs"
    listed = [docs / "index.md", docs / "howto.md", docs / "tutorial" / "index.md"]
    lines = {
        (page.parent / line).resolve()
        for page in listed
        for line in page.read_text(encoding="utf-8").splitlines()
    }
    for page in (*docs.glob("*.md"), *(docs / "tutorial").glob("*.md")):
        assert page.with_suffix("") in lines or page.name == "README.md" or page in listed[:1]


def test_every_header_is_in_the_reference(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(ROOT / "docs")
    reference = importlib.import_module("cpp_reference")
    headers = ROOT / "include" / "gossamer"
    assert set(reference.LAYERS) == {folder.name for folder in headers.iterdir()}
    pages = dict(reference.pages())
    for header in (*headers.glob("*/*.hpp"), *headers.glob("*/*.cuh")):
        name = f"{header.parent.name}/{header.name}"
        assert f"## {name}" in pages[header.parent.name] and reference.head_of(header), name
        # The filter of Doxygen's input goes by these lines.
        text = header.read_text(encoding="utf-8")
        begins = re.findall(r"^namespace (gossamer\S*) {$", text, re.MULTILINE)
        assert begins == re.findall(r"^}  // namespace (gossamer\S*)$", text, re.MULTILINE), name


def test_every_page_is_in_the_index() -> None:
    index = (ROOT / "docs" / "README.md").read_text(encoding="utf-8")
    for page in (ROOT / "docs").glob("*.md"):
        assert page.name in ("README.md", "index.md", "howto.md") or f"]({page.name})" in index


def test_every_example_is_on_its_page() -> None:
    text = (ROOT / "docs" / "examples.md").read_text(encoding="utf-8")
    shown = re.findall(r"^```{literalinclude} \.\./examples/(\S+)$", text, re.MULTILINE)
    folder = ROOT / "examples"
    there = [p for p in folder.rglob("*") if p.suffix in (".py", ".cpp", ".cu")]
    assert sorted(shown) == sorted(str(p.relative_to(folder)) for p in there)
    # Each stands in a table, which leads to its heading.
    headings = re.findall(r"^### (.*)$", text, re.MULTILINE)
    links = re.findall(r"^\| \[.*?\]\(#(\S+)\) \| .+ \|$", text, re.MULTILINE)
    named = [re.sub(r"[^\w -]", "", heading.lower()) for heading in headings]
    assert links == [name.replace(" ", "-") for name in named]
    assert len(headings) == len(shown)


def test_every_example_of_steps_is_named() -> None:
    page = (ROOT / "docs" / "vertex_steps.md").read_text(encoding="utf-8")
    for path in (ROOT / "examples" / "steps").glob("*.py"):
        assert f"`{path.stem}`" in page


def test_the_programs_of_the_readme_run(run_python: Callable[[str], str]) -> None:
    pytest.importorskip("networkx", minversion="3.5")
    page = (ROOT / "README.md").read_text(encoding="utf-8")
    programs = re.findall(r"^```python\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    assert len(programs) == 3
    # On a smaller graph, and in a process of its own: NetworkX is loaded.
    text, replaced = re.subn(r"kronecker\(20", "kronecker(10", "\n".join(programs))
    assert replaced == 1
    checks = """
assert search.reached > 500 and (width > 0).sum() >= search.reached - 1
assert abs(ranks.sum() - 1) < 1e-3 and paths.min() == 0 and far[29, 29] == 58
"""
    said = run_python("import warnings; warnings.simplefilter('error')\n" + text + checks)
    assert re.fullmatch(r"\d+ vertices in \d levels\n", said)


def test_the_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) <= 120


def test_what_shows_that_inputs_may_be_hostile_is_there() -> None:
    named = re.findall(
        r"`([\w/]+_test\.cpp|[\w/]+\.py)`", (ROOT / "SECURITY.md").read_text("utf-8")
    )
    assert len(named) > 10
    for name in named:
        assert (ROOT / name).is_file() or list((ROOT / "tests" / "unit").glob(f"*/**/{name}")), name
    fuzzers = (ROOT / "tests" / "fuzz" / "CMakeLists.txt").read_text(encoding="utf-8")
    for name in ("vectors", "partition", "rules", "machine_specs", "graph_specs", "options"):
        assert name in fuzzers, name


def test_the_citation_names_this_version_and_the_papers() -> None:
    text = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\nversion: {gs.__version__}\n" in text
    cited = text.split("\nreferences:\n")[1].split("\n  - type: ")
    assert len(cited) == 5 and all(
        "\n    title: " in one and "family-names" in one for one in cited
    )
