"""The site: these pages, and references made of the package and of the headers (`./run docs`)."""

from __future__ import annotations

import inspect
import posixpath
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import gossamer
from docutils import nodes

sys.path.insert(0, str(Path(__file__).parent))
import cpp_reference

project = "Gossamer"
author = "the Gossamer developers"
release = gossamer.__version__
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.viewcode", "sphinx_copybutton"]
extensions += ["breathe"]
breathe_projects = {"gossamer": str(cpp_reference.XML)}
breathe_default_project = "gossamer"
breathe_show_include = False  # each header has its section
cpp_id_attributes = ["__device__", "__host__", "__global__", "__forceinline__", "GOSSAMER_HD"]
source_suffix = {".md": "markdown"}
exclude_patterns = ["README.md", "pictures"]
html_theme = "pydata_sphinx_theme"
html_title = f"Gossamer {release}"
html_theme_options = {"show_toc_level": 2, "navigation_with_keys": False}
html_show_copyright = False
myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 4
# Pages are read beside the sources, too, and link to these.
suppress_warnings = ["myst.xref_missing", "misc.highlighting_failure", "ref.python"]
# Sphinx knows no requires-expression, and prints it as it is.
suppress_warnings += ["source_code_parser.cpp"]
autodoc_typehints = "signature"
autodoc_member_order = "bysource"
autodoc_default_options = {"members": True}
# Between single backticks stands code, as in Markdown.
default_role = "code"

#: Pages of the reference, by where things are defined.
PAGES = {
    "graphs": ("Graphs", ("gossamer.graph", "gossamer.datasets")),
    "machines": ("Machines and memory", ("gossamer.machine", "gossamer.arrays")),
    "algorithms": ("Algorithms", ("gossamer.algorithm", "gossamer.graph500")),
    "programs": (
        "Algorithms of your own",
        ("gossamer.vertex_program", "gossamer.vertex_steps", "gossamer.program"),
    ),
    "dataflow": ("Links and routers", ("gossamer.dataflow",)),
    "traces": ("Traces", ("gossamer.trace",)),
    "models": (
        "Models and measurements",
        ("gossamer.simulation", "gossamer.bench", "gossamer.gap"),
    ),
    "errors": ("Errors and warnings", ("gossamer.errors",)),
}


def public(of: ModuleType) -> Iterator[tuple[str, Any]]:
    """What users get by the package's or a module's own name; a module's imports are its own."""
    listed = getattr(of, "__all__", None)
    names = listed or [n for n in vars(of) if not n.startswith("_")]
    for name in sorted(names, key=str.lower):
        found = getattr(of, name)
        here = listed or of is gossamer or getattr(found, "__module__", "") == of.__name__
        if here and (inspect.isclass(found) or inspect.isroutine(found)):
            yield name, found


def is_of(found: Any, modules: tuple[str, ...]) -> bool:
    """Whether it is defined in one of these packages."""
    where = getattr(found, "__module__", "") or ""
    return any(where == m or where.startswith(m + ".") for m in modules)


def name_pages(app: Any, document: nodes.document, page: str) -> None:
    """Links whose text is a file of the sources, as `cli.md`, have the page's title here."""
    for link in document.findall(nodes.reference):
        if not re.fullmatch(r"[\w/]+\.md", link.astext()):
            continue
        to = posixpath.join(posixpath.dirname(page), link.get("refuri", "").partition("#")[0])
        title = app.env.titles.get(posixpath.normpath(to).removesuffix(".html"))
        if title is not None:
            link.children = [nodes.inline("", title.astext().partition(":")[0])]


def write_reference(app: Any) -> None:
    """One page a group, of all that is public."""
    folder = Path(app.srcdir) / "reference"
    folder.mkdir(exist_ok=True)
    spaces: list[tuple[str, ModuleType]] = [("gossamer", gossamer)]
    modules = ("dataflow", "datasets", "bench", "gap")
    spaces += [(f"gossamer.{n}", getattr(gossamer, n)) for n in modules]
    for page, (title, modules) in PAGES.items():
        lines = [f"# {title}", ""]
        for space, module in spaces:
            for name, found in public(module):
                if not is_of(found, modules) or (space != "gossamer" and hasattr(gossamer, name)):
                    continue
                kind = (
                    "autoexception"
                    if inspect.isclass(found) and issubclass(found, BaseException)
                    else "autoclass"
                    if inspect.isclass(found)
                    else "autofunction"
                )
                lines += ["```{eval-rst}", f".. {kind}:: {space}.{name}", "```", ""]
        write(folder / f"{page}.md", lines)
    contents = ["# Reference", "", "```{toctree}", ":maxdepth: 1", "", *PAGES, "cpp/index"]
    write(folder / "index.md", [*contents, "```", ""])
    cpp_reference.put_in_order()
    for page, lines in cpp_reference.pages():
        write(folder / "cpp" / f"{page}.md", lines)


def write(path: Path, lines: list[str]) -> None:
    """A page that is as it was keeps its date, so that Sphinx reads it no more."""
    text = "\n".join(lines)
    path.parent.mkdir(exist_ok=True)
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


def setup(app: Any) -> None:
    app.connect("builder-inited", write_reference)
    app.connect("doctree-resolved", name_pages)
