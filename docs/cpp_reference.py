"""The site's reference of C++: a page a layer, of the public headers.

A header's first lines, which say what it is for, come as they are. What it declares comes from the
XML that Doxygen made of it (docs/Doxyfile), by way of breathe.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby, takewhile
from pathlib import Path
from xml.etree import ElementTree

ROOT = Path(__file__).parents[1]
XML = ROOT / "build" / "doxygen" / "xml"
HEADERS = ROOT / "include" / "gossamer"

#: Layers from the lowest up, with what they are for.
LAYERS = {
    "base": "errors, arrays, files, settings",
    "machine": "devices, memory, streams, who runs where",
    "graph": "graphs, readers, generators, partitions",
    "placement": "a graph laid over the ranks of a machine",
    "fabric": "windows, puts and signals between ranks",
    "collective": "plans of collectives, and how they are chosen",
    "dataflow": "links, routers, worklists",
    "task": "tasks of one core and of many",
    "algorithm": "what comes along, and operators of your own",
}


def headers_of(layer: str) -> list[Path]:
    """The layer's own headers; those in folders below are parts of them."""
    found = sorted(p for p in (HEADERS / layer).iterdir() if p.suffix in (".hpp", ".cuh"))
    assert found, f"no headers of {layer}"
    return found


def escaped(line: str) -> str:
    """Prose as Markdown that says the same, but for what stands between backticks."""
    parts = line.split("`")
    parts[::2] = [
        re.sub(r"(\*\w+\*)|([\\*_<>\[\]#$])", lambda m: m[1] or f"\\{m[2]}", part)
        for part in parts[::2]
    ]
    return "`".join(parts)


def paragraphs(lines: list[str]) -> Iterator[str]:
    """A comment's lines as Markdown: prose, lists, tables, and what is indented as code."""
    for blank, group in groupby(lines, lambda line: not line):
        block = list(group)
        if blank:
            yield ""
        elif block[0].startswith("|"):
            yield from block
        elif block[0].startswith("  ") and not block[0].lstrip().startswith(("* ", "- ")):
            yield from ("```cpp", *(line[2:] for line in block), "```")
        else:
            for line in block:
                bullet = re.match(r"\s*[*-] ", line)
                yield f"- {escaped(line[bullet.end() :])}" if bullet else escaped(line)


def head_of(header: Path) -> list[str]:
    """The comment that a header begins with, as Markdown."""
    lines = header.read_text(encoding="utf-8").splitlines()
    return list(
        paragraphs(
            [line[2:].removeprefix(" ") for line in takewhile(lambda x: x[:2] == "//", lines)]
        )
    )


def put_in_order() -> None:
    """Functions of a group get their names with the namespace, as its classes have them. Members
    that are defined outside of their class are left to the class."""
    index = ElementTree.parse(XML / "index.xml").getroot()
    types = {c.findtext("name") for c in index if c.get("kind") in ("class", "struct")}
    for path in XML.glob("group__*.xml"):
        tree = ElementTree.parse(path)
        changed = False
        for section in tree.iter("sectiondef"):
            for member in section.findall("memberdef"):
                name, qualified = member.find("name"), member.findtext("qualifiedname")
                assert name is not None and qualified is not None
                if qualified.rpartition("::")[0] in types:
                    section.remove(member)
                    changed = True
                # Sphinx knows no function beside a type of its name.
                elif qualified not in types and name.text != qualified:
                    name.text = qualified
                    changed = True
        if changed:
            tree.write(path, encoding="utf-8")


def pages() -> Iterator[tuple[str, list[str]]]:
    """Every page by its name, the index first."""
    rows = [f"| [{layer}]({layer}.md) | {what} |" for layer, what in LAYERS.items()]
    lines = [
        "# Reference of C++",
        "",
        "Layers from the lowest up. Each uses those above it here.",
        "",
    ]
    lines += ["| layer | holds |", "|---|---|", *rows, ""]
    yield "index", [*lines, "```{toctree}", ":hidden:", "", *LAYERS, "```", ""]
    for layer, what in LAYERS.items():
        lines = [f"# {layer.capitalize()}: {what}", ""]
        for header in headers_of(layer):
            name = f"{layer}/{header.name}"
            lines += [f"## {name}", "", *head_of(header), ""]
            group = re.sub("[/.]", "_", name)
            lines += ["```{eval-rst}", f".. doxygengroup:: {group}", "   :content-only:"]
            lines += ["   :members:", "   :undoc-members:", "```", ""]
        yield layer, lines
