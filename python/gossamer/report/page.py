"""The page: sections of text, tables and pictures of what inputs hold; those without are left out.

What comes from a file is escaped where it is put into HTML: by Jinja2, or by `table`. Only what
those two and Bokeh made is taken as it is.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from statistics import median
from typing import Any

from gossamer import __version__, _gossamer
from gossamer.html import table
from gossamer.trace import LevelSums, RunSums

from . import figures
from .inputs import InfoFile, Input, PlanFile, RunFile, StatsFile, TracedFile
from .timeline import MOST_RANKS, timeline

#: Rows of a table, and runs of a trace whose timelines are drawn.
_MOST_ROWS = 40
_MOST_TIMELINES = 4

_bytes = _gossamer.format_bytes


@dataclass
class Section:
    """One heading, and what stands below it as HTML."""

    name: str
    title: str
    parts: list[Any] = field(default_factory=list)


def page(inputs: Sequence[Input], title: str = "Gossamer report") -> str:
    """A whole page of HTML of these inputs, in their order."""
    return _Page(inputs).html(title)


def _verified(of: RunFile) -> str:
    checks = [run.verified for run in of.runs]
    if False in checks:
        return "FAILED"
    return "not asked" if not checks or None in checks else "yes"


def _engines(of: RunFile | TracedFile) -> str:
    return ", ".join(dict.fromkeys(run.engine for run in of.runs if run.engine))


def _sizes(of: RunFile) -> str:
    return ", ".join(f"{count:,} {what}" for what, count in of.sizes.items())


def _when(date: str) -> str:
    """`2026-01-31T12:00:00+00:00` as people write it."""
    return date.replace("T", " ").replace("+00:00", " UTC") or "not said"


def _percent(share: float | None) -> str:
    return "" if share is None else f"{100 * share:.1f} %"


class _Page:
    def __init__(self, inputs: Sequence[Input]) -> None:
        from markupsafe import Markup

        #: Marks what is HTML already; its `format` escapes all that is not.
        self._html: Callable[[str], Any] = Markup
        self._inputs = inputs
        #: Models of Bokeh, and what stands on the page for each.
        self._figures: dict[str, Any] = {}
        #: Inputs by number: several may have one file's name.
        self._labels = {
            id(of): f"{i}: {Path(of.name).name}" for i, of in enumerate(inputs, start=1)
        }

    def html(self, title: str) -> str:
        from jinja2 import Environment

        sections = [
            self.what_ran(), self.machine(), self.degrees(), self.levels(), self.timelines(),
            self.memory(), self.runs(),
        ]  # fmt: skip
        head, scripts, divisions = self._drawn()
        for section in sections:
            section.parts = [divisions.get(str(part), part) for part in section.parts]
        text = resources.files(__package__).joinpath("page.html").read_text(encoding="utf-8")
        jinja = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True)
        whole: str = jinja.from_string(text).render(
            title=title, sections=[s for s in sections if s.parts], version=__version__,
            head=self._html(head), scripts=self._html(scripts),
        )  # fmt: skip
        return whole

    def _drawn(self) -> tuple[str, str, dict[str, Any]]:
        """What pictures need in the head, at the end, and in their places."""
        if not self._figures:
            return "", "", {}
        from bokeh.embed import components
        from bokeh.resources import Resources

        script, divisions = components(self._figures)
        # Neither widgets nor formulas: a third of the whole.
        library: str = Resources(mode="inline", components=["bokeh"], log_level="error").render_js()
        return library, script, {key: self._html(text) for key, text in divisions.items()}

    # --- parts ----------------------------------------------------------------------------------

    def _of(self, kind: type[Any]) -> list[Any]:
        return [of for of in self._inputs if isinstance(of, kind)]

    def _label(self, of: Input) -> str:
        return self._labels[id(of)]

    def _words(self, text: str) -> Any:
        return self._html("<p>{}</p>").format(text)

    def _failure(self, text: str) -> Any:
        return self._html('<p class="failed">{}</p>').format(text)

    def _heading(self, text: str) -> Any:
        return self._html("<h3>{}</h3>").format(text)

    def _table(self, head: Sequence[str], rows: Iterable[Sequence[Any]], title: str = "") -> Any:
        every = list(rows)
        if len(every) > _MOST_ROWS:
            half = _MOST_ROWS // 2
            left_out = (f"… {len(every) - 2 * half:,} more", *[""] * (len(every[0]) - 1))
            every = [*every[:half], left_out, *every[-half:]]
        return self._html(f'<div class="wide">{table(title, every, head)}</div>')

    def _folded(self, title: str, inside: Any) -> Any:
        folded = self._html("<details><summary>{}</summary>{}</details>")
        return folded.format(title, inside)

    def _figure(self, made: Any) -> str:
        """Stands for it until all are known."""
        key = f"figure {len(self._figures)}"
        self._figures[key] = made
        return key

    # --- sections -------------------------------------------------------------------------------

    def what_ran(self) -> Section:
        out = Section("ran", "What ran")
        rows = [(self._label(of), *self._described(of)) for of in self._inputs]
        out.parts.append(
            self._table(
                ["input", "command", "on", "machine", "engine", "verified", "date", "version"], rows
            )
        )
        for of in self._of(RunFile):
            if of.failure:
                out.parts.append(self._failure(f"{self._label(of)} ended early: {of.failure}"))
            if _verified(of) == "FAILED":
                out.parts.append(self._failure(f"{self._label(of)}: a result failed its check"))
            options = [(key, json.dumps(value)) for key, value in of.options.items()]
            out.parts.append(
                self._folded(f"options of {self._label(of)}", self._table([], options))
            )
        return out

    def _described(self, of: Input) -> tuple[str, ...]:
        """The row of "what ran", but for its first cell."""
        if isinstance(of, TracedFile):
            ran = ", ".join(dict.fromkeys(run.algorithm for run in of.runs))
            clock = f"{of.trace.machine} ({of.trace.clock} time)"
            return (f"{ran}, traced", f"{len(of.runs)} run(s)", clock, _engines(of), *[""] * 3)
        made = (_when(of.made.date), of.made.version)
        if isinstance(of, RunFile):
            on = f"{of.subject}: {_sizes(of)}"
            return of.algorithm, on, of.machine, _engines(of), _verified(of), *made
        if isinstance(of, StatsFile):
            return "stats", of.subject, "", "", "", *made
        if isinstance(of, PlanFile):
            return f"{of.command} --plan", of.subject, "", "", "", *made
        return "info", "", "", "", "", *made

    def machine(self) -> Section:
        out = Section("machine", "Machine")
        for info in self._of(InfoFile):
            out.parts.append(
                self._table(
                    ["device", "name", "memory", "cores / SMs"],
                    [(name, what, _bytes(size), units) for name, what, size, units in info.devices],
                    f"devices, by {self._label(info)}",
                )
            )
            for text in info.warnings:
                out.parts.append(self._words(f"Warning: {text}"))
            versions = self._table([], info.versions.items())
            out.parts.append(self._folded(f"versions, by {self._label(info)}", versions))
        seen = set()
        for of in self._of(RunFile):
            rows = [
                (rank, d.kind, d.name, d.threads, d.units, _bytes(d.memory))
                for rank, d in enumerate(of.devices)
            ]
            # Not by the host's memory, which is what was free then.
            if (key := (of.machine, of.fabric, *(row[:-1] for row in rows))) not in seen:
                seen.add(key)
                title = f"machine {of.machine}, fabric {of.fabric}"
                head = ["rank", "kind", "device", "threads", "cores / SMs", "memory"]
                out.parts.append(self._table(head, rows, title))
        return out

    def degrees(self) -> Section:
        out = Section("degrees", "Degrees")
        for of in self._of(StatsFile):
            out.parts.append(self._heading(f"{of.subject} ({self._label(of)})"))
            if any(of.degrees):
                out.parts.append(self._figure(figures.degrees(of.degrees)))
            rows = [(key.replace("_", " "), value) for key, value in of.counts.items()]
            out.parts.append(self._table([], rows))
        return out

    def levels(self) -> Section:
        out = Section("levels", "Levels")
        for of in self._of(RunFile):
            run = next((run for run in of.runs if run.levels), None)
            if run is None:
                continue
            if not out.parts:
                out.parts.append(
                    self._words(
                        "Vertices that each level of the first search began with, by direction. "
                        "Searches do not count the arcs of a level."
                    )
                )
            out.parts.append(self._heading(f"{of.algorithm} {of.subject} ({self._label(of)})"))
            sizes = [level.frontier for level in run.levels]
            out.parts.append(
                self._figure(figures.levels(run.levels, sizes, "vertices", "0,0", True))
            )
            known = [level.milliseconds for level in run.levels if level.milliseconds is not None]
            if len(known) == len(run.levels):
                drawn = figures.levels(run.levels, known, "ms", "0.0000", False)
                out.parts.append(self._figure(drawn))
            else:
                out.parts.append(self._words("The file has no times of levels."))
            rows = [
                (
                    depth,
                    level.direction,
                    level.frontier,
                    "" if level.milliseconds is None else f"{level.milliseconds:.4f}",
                )
                for depth, level in enumerate(run.levels)
            ]
            out.parts.append(
                self._folded(
                    "all levels", self._table(["level", "direction", "vertices", "ms"], rows)
                )
            )
        return out

    def timelines(self) -> Section:
        out = Section("timeline", "Timeline")
        traced = self._of(TracedFile)
        drawn = [run for of in traced for run in of.runs[:_MOST_TIMELINES]]
        longest = max((run.traced for run in drawn), default=0.0)
        for of in traced:
            if not out.parts:
                out.parts.append(
                    self._words(
                        "What each rank's compute stream did (exchange: work for the sake of "
                        "peers), and below it when copies of that rank were under way: hidden "
                        "behind computing, or not. Nothing is drawn where no event is. Hidden "
                        "communication is 1 − (time without computing while copies are under way) "
                        "/ (time of copies)."
                        + (" All have one scale, to the end of the longest." * (len(drawn) > 1))
                    )
                )
            out.parts.extend(self._traced(of, longest))
        return out

    def _traced(self, of: TracedFile, longest: float) -> Iterator[Any]:
        yield self._table(
            ["run", "algorithm", "ms", "copies, ms", "hidden", "slowest rank"],
            [
                (
                    run.run,
                    run.algorithm,
                    f"{run.milliseconds:.3f}",
                    f"{run.copying:.3f}",
                    "nothing was sent" if run.hidden is None else _percent(run.hidden),
                    run.slowest,
                )
                for run in of.runs
            ],
            f"{self._label(of)}: all runs, machine {of.trace.machine}",
        )
        if of.trace.dropped:
            yield self._words(f"{of.trace.dropped:,} events had no room: sums are too small.")
        for run in of.runs[:_MOST_TIMELINES]:
            yield self._heading(self._title(of, run))
            drawn = timeline(of.trace, run.run)
            yield self._figure(figures.ranks(drawn, longest))
            if drawn.thinned:
                yield self._words(
                    "More events than can be drawn: a band shows what took most of its time."
                )
            if len(run.ranks) > MOST_RANKS:
                yield self._words(f"The first {MOST_RANKS} of {len(run.ranks)} ranks.")
            yield self._folded("sums of ranks and levels", self._sums(run))
        if len(of.runs) > _MOST_TIMELINES:
            yield self._words(f"The first {_MOST_TIMELINES} of {len(of.runs)} runs are drawn.")

    def _title(self, of: TracedFile, run: RunSums) -> str:
        """Of a timeline: what ran, and where."""
        parts = [run.algorithm]
        if run.source is not None:
            parts.append(f"from index {run.source}")
        if run.engine:
            parts.append(f"engine {run.engine}")
        parts += [f"machine {of.trace.machine}", f"{run.milliseconds:.3f} ms"]
        return f"{self._label(of)}, run {run.run}: {', '.join(parts)}"

    def _sums(self, run: RunSums) -> Any:
        ranks = self._table(
            ["rank", "compute", "exchange", "copy", "wait", "idle"],
            [
                (r.rank, *(f"{x:.3f}" for x in (r.compute, r.exchange, r.copy, r.wait, r.idle)))
                for r in run.ranks
            ],
            "ranks (ms)",
        )

        def row(of: LevelSums) -> tuple[Any, ...]:
            return (
                "none" if of.level is None else of.level,
                of.name,
                of.frontier or "",
                f"{of.milliseconds:.3f}",
                _bytes(of.bytes),
                f"{of.copying:.3f}",
                _percent(of.hidden),
            )

        if not run.levels:
            return ranks
        head = ["level", "what", "frontier", "ms", "bytes", "copies, ms", "hidden"]
        return ranks + self._table(head, map(row, run.levels), "levels")

    def memory(self) -> Section:
        out = Section("memory", "Memory")
        taken = [
            (f"{self._label(of)}, {place}", planned, used)
            for of in self._of(RunFile)
            for place, (planned, used) in of.memory.items()
        ]
        if taken:
            labels, planned, used = zip(*taken, strict=True)
            out.parts += [
                self._words(
                    "Planned for runs, and the most that was used: checks of results and pictures "
                    "count as well, and what was there before, as the graph, does not."
                ),
                self._figure(figures.memory(labels, planned, used)),
                self._table(
                    ["input, memory", "planned", "used", "used of planned"],
                    [
                        (label, _bytes(plan), _bytes(peak), _percent(peak / plan if plan else None))
                        for label, plan, peak in taken
                    ],
                ),
            ]
        for of in self._of(PlanFile):
            rows = [(place, what, sure, _bytes(size)) for place, what, sure, size in of.entries]
            rows += [(place, "at a time", "", _bytes(size)) for place, size in of.totals.items()]
            out.parts.append(
                self._table(
                    ["memory", "purpose", "how sure", "bytes"], rows,
                    f"plan of {of.command} {of.subject} ({self._label(of)})",
                )
            )  # fmt: skip
        return out

    def runs(self) -> Section:
        out = Section("runs", "Runs compared")
        groups: dict[tuple[str, str], list[RunFile]] = {}
        for of in self._of(RunFile):
            if of.runs:
                groups.setdefault((of.algorithm, of.subject), []).append(of)
        for (algorithm, subject), files in groups.items():
            out.parts.append(self._heading(f"{algorithm} {subject}"))
            labels = [self._label(of) for of in files]
            times = [[run.milliseconds for run in of.runs] for of in files]
            bars = labels, times
            if len(files) == 1:  # its runs, one beside the other
                bars = (
                    [f"run {i}" for i in range(len(times[0]))][:_MOST_ROWS],
                    [[ms] for ms in times[0]][:_MOST_ROWS],
                )
            if len(bars[0]) > 1:
                out.parts.append(self._figure(figures.times(*bars)))
            out.parts.append(self._table(*self._compared(files)))
            if any(of.runs[0].phases for of in files):
                drawn = figures.phases(labels, [of.runs[0].phases for of in files])
                out.parts += [self._words("Phases of each first run:"), self._figure(drawn)]
        return out

    def _compared(self, files: Sequence[RunFile]) -> tuple[list[str], list[tuple[Any, ...]]]:
        """Columns and rows; each time beside the fastest median."""
        medians = [median(run.milliseconds for run in of.runs) for of in files]
        rates = [[run.teps for run in of.runs if run.teps is not None] for of in files]
        fastest = min(medians)
        head = ["input", "machine", "engine", "runs", "verified", "median ms", "fastest", "slowest"]
        rows: list[tuple[Any, ...]] = []
        for of, middle in zip(files, medians, strict=True):
            times = [run.milliseconds for run in of.runs]
            rows.append(
                (
                    self._label(of), of.machine, _engines(of), len(times), _verified(of),
                    *(f"{ms:.3f}" for ms in (middle, min(times), max(times))),
                )
            )  # fmt: skip
        if len(files) > 1 and fastest > 0:
            head.append("of the fastest")
            rows = [(*row, f"{ms / fastest:.2f} ×") for row, ms in zip(rows, medians, strict=True)]
        if any(rates):
            head.append("median MTEPS")
            shown = [f"{1e-6 * median(of):,.1f}" if of else "" for of in rates]
            rows = [(*row, rate) for row, rate in zip(rows, shown, strict=True)]
        return head, rows
