"""What notebooks show of graphs, machines, plans and results."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import Any

import gossamer as gs
import pytest
from gossamer.html import table

GRAPH = gs.from_edges([0, 1], [1, 2], [1, 2], name="<b>&", names=["a", "b", "c"])
MACHINE = gs.Machine("cpu:2x1")


class Cells(HTMLParser):
    """The texts of a table's cells."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.texts: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


@pytest.mark.parametrize(
    ("shown", "words"),
    [
        (GRAPH, ["Graph <b>&", "vertices", "3", "directed", "yes", "caller", "host"]),
        (MACHINE, ["rank", "kind", "0", "1", "cpu"]),
        (gs.BfsSearch.plan(GRAPH, MACHINE), ["rank", "purpose", "exact"]),
        (gs.bfs(GRAPH, 0, "cpu:1"), ["BfsResult", "source", "reached", "3", "levels"]),
        (gs.sssp(GRAPH, 0, "cpu:1"), ["SsspResult", "reached", "ranks used", "1"]),
        (gs.components(GRAPH, "cpu:1"), ["ComponentsResult", "count", "largest"]),
        (gs.pagerank(GRAPH, "cpu:1"), ["PagerankResult", "converged", "yes"]),
    ],
)
def test_objects_show_as_tables(shown: Any, words: list[str]) -> None:
    cells = Cells(shown._repr_html_())
    assert cells.open == [] and set(words) <= set(cells.texts)


def test_cells_are_escaped_and_readable() -> None:
    assert table("a<b", [("<i>", 1234567, 0.123456, False)]) == (
        "<table><caption>a&lt;b</caption>"
        "<tr><th>&lt;i&gt;</th><td>1,234,567</td><td>0.1235</td><td>no</td></tr></table>"
    )
