"""`report`: every result and trace on one page, and one line for what is none."""

from __future__ import annotations

import importlib.util
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from gossamer import _gossamer


class Page(HTMLParser):
    """Tags with their attributes, the text outside of scripts, and the scripts."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = self.scripts = ""
        self._script = False
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.tags.append((tag, dict(attrs)))
        self._script = tag in ("script", "style")

    def handle_endtag(self, tag: str) -> None:
        self._script = self._script and tag not in ("script", "style")

    def handle_data(self, data: str) -> None:
        if self._script:
            self.scripts += data
        else:
            self.text += data

    @property
    def sections(self) -> list[str]:
        return [attrs["id"] or "" for tag, attrs in self.tags if tag == "section"]

    @property
    def figures(self) -> int:
        return sum("data-root-id" in attrs for _, attrs in self.tags)


def made(cli: Any, *arguments: str) -> Page:
    pytest.importorskip("bokeh")
    pytest.importorskip("jinja2")
    done = cli("report", *arguments, "-o", "page.html")
    assert (done.returncode, done.stdout, done.stderr) == (0, "wrote page.html\n", "")
    return Page((cli.folder / "page.html").read_text(encoding="utf-8"))


@pytest.fixture
def search(cli: Any) -> Any:
    """The command line, with `run.json` and `trace.json` of a search there."""
    common = ("kron:8", "--machine", "cpu:2x1", "--sources", "2", "--verify")
    assert cli("bfs", *common, "--json", "run.json", "--trace", "trace.json").returncode == 0
    return cli


def rewrite(folder: Path, name: str, change: Any) -> None:
    found = json.loads((folder / name).read_text())
    change(found)
    (folder / name).write_text(json.dumps(found))


def test_a_search_is_told_from_machine_to_memory(search: Any) -> None:
    search("stats", "kron:8", "--json", "stats.json")
    search("info", "--machine", "cpu:1", "--json", "info.json")
    search("bfs", "kron:8", "--machine", "cpu:2x1", "--plan", "--json", "plan.json")
    page = made(search, "run.json", "trace.json", "stats.json", "info.json", "plan.json")
    assert page.sections == ["ran", "machine", "degrees", "levels", "timeline", "memory", "runs"]
    anchors = [attrs["href"] for tag, attrs in page.tags if tag == "a"]
    assert anchors == [f"#{name}" for name in page.sections]
    # Degrees; vertices and times by level; two timelines; memory; two runs and their phases.
    assert page.figures == 1 + 2 + 2 + 1 + 2
    total = json.loads((search.folder / "plan.json").read_text())["plan"]["totals"]["host"]
    assert f"hostat a time{_gossamer.format_bytes(total)}" in "".join(page.text.split("\n"))
    for text in ("kron:8: 256 vertices", "cpu:2x1", "UTC", "rank 1: parents and depths",
                 "mean degree", "bottom-up", "numpy", "2: trace.json"):  # fmt: skip
        assert text in page.text


def test_nothing_is_fetched(search: Any) -> None:
    page = made(search, "run.json", "trace.json")
    for tag, attrs in page.tags:
        assert "src" not in attrs and "srcset" not in attrs and tag not in ("link", "img", "iframe")
        assert (attrs.get("href") or "#").startswith("#")
    (policy,) = [a["content"] for _, a in page.tags if "http-equiv" in a]
    assert policy is not None and policy.startswith("default-src 'none'")
    assert "@import" not in page.scripts and "url(http" not in page.scripts


def test_sections_without_data_are_left_out(cli: Any) -> None:
    cli("stats", "grid:4x4", "--json", "stats.json")
    assert made(cli, "stats.json").sections == ["ran", "degrees"]
    cli("info", "--machine", "cpu:1", "--json", "info.json")
    page = made(cli, "info.json")
    assert page.sections == ["ran", "machine"]
    assert (page.figures, page.scripts.count("Bokeh")) == (0, 0)


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("sssp road:9", ["sssp", "relax"]),
        ("components kron:6", ["components", "kron:6: 64 vertices"]),
        ("pagerank kron:6", ["pagerank", "pull"]),
        ("cg poisson:9x9", ["cg", "poisson:9x9: 81 vertices"]),
        ("graph500 --scale 6 --roots 3", ["graph500", "kron:6:16:1", "MTEPS"]),
        ("filter count:99 >3", ["filter", "count:99: 99 elements"]),
        ("bfs kron:6 --engine async", ["The file has no times of levels."]),
    ],
)
def test_every_command_with_runs_is_taken(cli: Any, command: str, words: list[str]) -> None:
    done = cli(*command.split(), "--machine", "cpu:1x1", "--json", "run.json")
    assert done.returncode == 0, done.stderr
    page = made(cli, "run.json")
    assert {"ran", "machine", "memory", "runs"} <= set(page.sections)
    assert all(word in page.text + page.scripts for word in words)


def test_runs_are_compared_by_what_they_ran_on(cli: Any) -> None:
    for name, graph, ranks in (("a", "kron:8", 1), ("b", "kron:8", 2), ("c", "grid:4x4", 1)):
        cli("bfs", graph, "--machine", f"cpu:{ranks}x1", "--json", f"{name}.json")
    page = made(cli, "a.json", "b.json", "c.json")
    after = page.text[page.text.index("Runs compared", page.text.index("Memory", 200)) :]
    assert after.index("bfs kron:8") < after.index("2: b.json") < after.index("bfs grid:4x4")
    assert "1.00 ×" in after and "of the fastest" in after


def test_hidden_communication_is_that_of_trace_summary(cli: Any) -> None:
    machine = ("--machine", "sim:peach2,ranks=4")
    assert cli("bfs", "kron:10", *machine, "--trace", "trace.json").returncode == 0
    (run,) = cli.json("trace", "summary", "trace.json")["runs"]
    page = made(cli, "trace.json")
    assert page.sections == ["ran", "timeline"] and "virtual time" in page.text
    assert f"{100 * run['hidden']:.1f} %" in page.text
    assert "copies behind computing" in page.scripts and "rank 3" in page.scripts


def test_timelines_compare(cli: Any) -> None:
    """Each says what ran where, and their axes end together."""
    for name, graph, machine in (
        ("a", "kron:6", "cpu:1x1"),
        ("b", "kron:10", "sim:peach2,ranks=4"),
    ):
        common = ("--machine", machine, "--sources", "2", "--trace", f"{name}.json")
        assert cli("bfs", graph, "--engine", "sync", *common).returncode == 0
    assert cli("pagerank", "kron:6", "--machine", "cpu:1x1", "--trace", "c.json").returncode == 0
    page = made(cli, "a.json", "b.json", "c.json")
    titles = re.findall(r"\d: \w+\.json, run \d: [^\n]*", page.text)
    assert len(titles) == 5
    for title, number, name, machine in (
        (titles[0], 0, "1: a.json", "cpu:1x1"), (titles[3], 1, "2: b.json", "sim:peach2,ranks=4"),
    ):  # fmt: skip
        about = json.loads((cli.folder / name[3:]).read_text())["otherData"]
        index = about["runs"][number]["source"]
        begin = f"{name}, run {number}: bfs, from index {index}, engine sync, machine {machine}, "
        assert title.startswith(begin) and title.endswith(" ms")
    assert re.match(r"3: c\.json, run 0: pagerank, engine \w+, machine cpu:1x1, ", titles[4])
    assert "All have one scale, to the end of the longest." in page.text
    axes = re.findall(r'"x_range":\{[^{}]*\{"start":0,"end":([\d.]+)\}', page.scripts)
    assert len(axes) == 5 and len(set(axes)) == 1


def test_failures_are_shown(search: Any) -> None:
    def change(found: Any) -> None:
        found["runs"][0]["verified"] = False
        found["failure"] = {"text": "rank 1 was lost", "rank": 0, "peer": 1}

    rewrite(search.folder, "run.json", change)
    text = made(search, "run.json").text
    assert "1: run.json: a result failed its check" in text
    assert "1: run.json ended early: rank 1 was lost" in text


HOSTILE = "</script><script>alert(1)</script><!--<img src=x onerror=alert(1)>\"'{{7*7}}$$x$$\\(y\\)"


def test_what_files_say_is_text(search: Any) -> None:
    """The same tags, whatever names are; none of it is a template."""
    search("stats", "kron:8", "--json", "stats.json")
    search("info", "--machine", "cpu:1", "--json", "info.json")
    search("bfs", "kron:8", "--machine", "cpu:1", "--plan", "--json", "plan.json")
    names = ["run.json", "stats.json", "info.json", "plan.json", "trace.json"]
    before = made(search, *names)

    def spoil(value: Any) -> Any:
        """Every text but those that have to be words that are known."""
        kept = ("directions", "ph", "cat", "format", "clock", "device", "certainty")
        if isinstance(value, dict):
            return {k: v if k in kept else spoil(v) for k, v in value.items()}
        if isinstance(value, list):
            return [spoil(v) for v in value]
        return HOSTILE if isinstance(value, str) else value

    for name in names:
        found = json.loads((search.folder / name).read_text())
        spoiled = spoil(found)
        if name == "run.json":
            for run in spoiled["runs"]:
                run["phases"] = {HOSTILE: 1.0}
            spoiled["options"] = {HOSTILE: [HOSTILE]}
        (search.folder / name).write_text(json.dumps(spoiled))
    done = search("report", *names, "-o", "page.html", "--title", HOSTILE)
    assert done.returncode == 0, done.stderr
    after = Page((search.folder / "page.html").read_text(encoding="utf-8"))
    told = [
        [(tag, sorted(attrs)) for tag, attrs in page.tags if tag not in ("tr", "th", "td")]
        for page in (before, after)
    ]
    assert told[0] == told[1]
    assert HOSTILE in after.text


def test_names_need_not_be_text(search: Any) -> None:
    def change(found: Any) -> None:
        found["graph"]["name"] = "\ud800"
        found["runs"][0]["phases"] = {"\udcff": 1.0}

    rewrite(search.folder, "run.json", change)
    assert r"\ud800: 256 vertices" in made(search, "run.json").text


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", "no JSON: Expecting value: line 1 column 1 (char 0)"),
        ("[" * 100_000, "no JSON: "),
        ("[1]", "no result of gossamer for a report, which takes --json of algor"),
        ('{"rows": []}', "no result of gossamer for a report, which takes --json of algor"),
        ('{"traceEvents": []}', "not a trace of gossamer (otherData names no format, or "),
        ('{"algorithm": "bfs", "runs": 3}', "result: 'machine' is missing or of another type"),
        ('{"statistics": [], "version": ""}', "result: 'statistics' is missing or of another "),
        ('{"features": 1, "devices": {}}', "devices: 'cpu' is missing or of another type"),
        ('{"plan": {}, "version": "1"}', "plan: 'command' is missing or of another type"),
    ],
)
def test_what_is_no_result_is_named(cli: Any, text: str, line: str) -> None:
    pytest.importorskip("bokeh")
    (cli.folder / "x.json").write_text(text)
    assert cli.fails(2, "report", "x.json", "-o", "page.html").startswith(f"x.json: {line}")
    assert not (cli.folder / "page.html").exists()


@pytest.mark.parametrize(
    ("path", "value", "line"),
    [
        (("runs", 0, "milliseconds"), -1, "run 0: 'milliseconds' is no time or rate"),
        (("runs", 1, "verified"), "yes", "run 1: 'verified' is missing or of another type"),
        (("runs", 0, "directions"), "t", "run 0: 'frontiers', 'directions' and times are not one"),
        (("runs", 0, "frontiers", 0), True, "run 0: 'frontiers' is missing or of another type"),
        (("graph", "arcs"), 1 << 80, "graph: 'arcs' is no count"),
        (("memory", "devices"), {"$$": {}}, "memory: '$$' is neither the host nor a GPU"),
        (("machine", "devices"), [3], "device: 'kind' is missing or of another type"),
    ],
)
def test_a_damaged_result_is_refused(
    search: Any, path: tuple[Any, ...], value: Any, line: str
) -> None:
    pytest.importorskip("bokeh")

    def change(found: Any) -> None:
        for key in path[:-1]:
            found = found[key]
        found[path[-1]] = value

    rewrite(search.folder, "run.json", change)
    said = search.fails(2, "report", "run.json", "-o", "page.html")
    assert said.startswith(f"run.json: {line}")


def test_a_damaged_trace_is_refused(search: Any) -> None:
    pytest.importorskip("bokeh")
    whole = (search.folder / "trace.json").read_text()
    (search.folder / "trace.json").write_text(whole[: len(whole) // 2])
    said = search.fails(2, "report", "run.json", "trace.json", "-o", "page.html")
    assert said.startswith("trace.json: no JSON: ")


def test_paths_are_checked_first(cli: Any) -> None:
    pytest.importorskip("bokeh")
    (cli.folder / "x.json").write_text("{}")
    assert cli.fails(2, "report", "x.json", "-o", "no/p.html") == (
        "no/p.html: there is no folder no"
    )
    assert cli.fails(2, "report", "x.json", "-o", "x.json") == (
        "x.json: is read, and cannot be an output as well"
    )
    assert cli.fails(2, "report", "gone.json", "-o", "p.html").startswith("gone.json: ")
    assert "output" in cli.fails(2, "report", "x.json")


def test_without_the_extra_it_is_named(cli: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    line = cli.fails(2, "report", "x.json", "-o", "page.html")
    assert line == "report needs jinja2 and bokeh: pip install 'gossamer[report]'"
