"""The GRAPH argument: a file or a generator spec, with the steps asked for."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gossamer import _gossamer
from gossamer.algorithm.cg import with_values
from gossamer.arguments import memory_bytes
from gossamer.cli.groups import PLAINLY, Reading
from gossamer.cli.options import check_input_path
from gossamer.cli.output.progress import progress
from gossamer.cli.output.report import plan_totals
from gossamer.errors import CapacityError, InputError, UsageError
from gossamer.graph import Graph, read
from gossamer.graph.data_sets import data_sets, file_of
from gossamer.graph.generators import generate
from gossamer.graph.input import plan_read
from gossamer.graph.shape import GraphShape

#: How generator specs begin.
GENERATORS = " ".join(form.partition(":")[0] + ":" for form in _gossamer.generator_forms())


def _guessed(plan: dict[str, Any]) -> bool:
    return "about" in (plan["vertices_are"], plan["arcs_are"])


#: What readers take beside the graph, by its name in their plans.
_GIVEN_BACK = (
    "edges and sorting, beyond these", "row counters", "renumbering, beyond these",
    "decompression",
)  # fmt: skip

#: Made in some ten milliseconds by two cores.
_SMALL_ARCS = 1 << 20


@dataclass(frozen=True)
class GraphSource:
    """Where a graph comes from and what is done to it on the way in."""

    text: str
    reading: Reading = PLAINLY
    largest_component: bool = False
    weights: bool = False
    keep_duplicates: bool = False
    threads: int = 0
    memory: int | None = None
    #: CUDA ordinal to run generators on.
    device: int | None = None
    #: A generator's spec, even if a file has that name.
    always_generate: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "text", file_of(self.text))

    @property
    def generated(self) -> bool:
        """A file of that name wins over a generator."""
        if not self.always_generate and Path(self.text).exists():
            return False
        if _gossamer.is_generator(self.text):
            if option := self.reading.of_files:
                raise UsageError(f"{option}: {self.text} is a generator, not a file")
            return True
        if any(one.name == self.text for one in data_sets()):
            raise InputError(f"{self.text}: no such file; the data set is data:{self.text}")
        if self.text + ":" not in GENERATORS.split() and ":" not in self.text:
            raise InputError(
                f"{self.text}: no such file, and no generator (such as kron:20) or data set (such "
                "as data:road-NY)"
            )
        raise InputError(
            f"{self.text}: no such file, and no generator ({GENERATORS}); data sets by name: "
            + " ".join(f"data:{one.name}" for one in data_sets() if one.verified)
        )

    @property
    def is_small(self) -> bool:
        """Whether a generator's graph takes the host milliseconds."""
        if not self.generated:
            return False
        planned = _gossamer.plan_generate(
            self.text, self.weights, self.keep_duplicates, self.threads, 0, -1
        )
        return bool(planned["arcs"] <= _SMALL_ARCS)

    @property
    def path(self) -> Path | None:
        """The file; None of a generator."""
        return None if self.generated else Path(self.text)

    def load(self) -> Graph:
        """Reads or makes the graph, once. UsageError when its file is an output of the command."""
        check_input_path(self.path)
        steps = self.reading.steps
        how: dict[str, Any] = {"threads": self.threads, "memory": self.memory}
        if self.generated:
            with progress(f"generating {self.text}") as report:
                graph = generate(
                    self.text, weights=self.weights, keep_duplicates=self.keep_duplicates,
                    device=self.device, progress=report, **how,
                )  # fmt: skip
            # Generated graphs are symmetric already; the other steps may have work to do.
            if any(steps.values()):
                with progress(f"rebuilding {graph.name}"):
                    graph = graph.rebuild(**steps, **how)
        else:
            source, target, weight = (name or None for name in self.reading.columns)
            with progress(f"reading {Path(self.text).name}", unit="bytes") as report:
                graph = read(
                    self.text, format=self.reading.source_format, source=source, target=target,
                    weight=weight, progress=report, **steps, **how,
                )  # fmt: skip
        if not self.largest_component:
            return graph
        with progress(f"keeping the largest component of {graph.name}"):
            return graph.largest_component(**how)

    def shape(self, plan: dict[str, Any]) -> GraphShape:
        """The graph as far as it is known before it is there, from what :meth:`plan` gave."""
        known = ("vertices", "arcs", "symmetric", "vertices_are", "arcs_are", "longest_row")
        return GraphShape(**{name: plan[name] for name in known})

    def _counts(self, vertices: int, arcs: int, guessed: bool, bound: bool) -> dict[str, Any]:
        """Vertices and arcs of the graph to come, and how sure they are; `bound`: of the arcs no
        more than that is known."""
        dropping = any(self.reading.steps.values())
        arcs_are = "about" if guessed else "at most" if dropping or bound else "exact"
        vertices_are = "exact"
        if vertices == 0:
            # A list of edges names at most two vertices an edge.
            vertices, vertices_are = max(1, 2 * arcs), "about" if guessed else "at most"
        if self.largest_component:
            vertices_are, arcs_are = (
                "at most" if sure == "exact" else sure for sure in (vertices_are, arcs_are)
            )
        return {
            "vertices": vertices,
            "vertices_are": vertices_are,
            "arcs": arcs,
            "arcs_are": arcs_are,
        }

    def plan(self) -> dict[str, Any]:
        """What loading takes at its peak: rows {"device", "purpose", "bytes", "certainty",
        "stage"}, counts. Of stage ``graph`` is what stays, of ``loading`` what is given back then.

        Nothing is made or read but a file's header. Generators know their vertices and a bound of
        their arcs (of a matrix's their number); binary formats and text formats with a header all
        counts; edge lists without one and WebGraph's are estimated by the size of the file and its
        first block.
        """
        check_input_path(self.path)
        limit, limit_source = _gossamer.host_memory()
        if self.memory is not None:
            limit, limit_source = self.memory, "--memory"
        if self.generated:
            raw = _gossamer.plan_generate(
                self.text,
                self.weights,
                self.keep_duplicates,
                self.threads,
                memory_bytes(self.memory),
                -1 if self.device is None else self.device,
            )
            stays = 0 if raw["device_bytes"] else min(raw["graph_bytes"], raw["host_bytes"])
            rows = [("host", "generating: the graph", stays, "graph")] if stays else []
            if raw["host_bytes"] > stays:
                rows.append(("host", "generating, beyond it", raw["host_bytes"] - stays, "loading"))
            if raw["device_bytes"]:
                rows.append((f"cuda:{self.device}", "generating", raw["device_bytes"], "graph"))
            guessed, bound, sure = False, not raw["exact"], "at most"
            symmetric = True
        else:
            reading = self.reading
            raw = plan_read(
                self.text,
                reading.source_format,
                reading.symmetrize,
                reading.deduplicate,
                reading.remove_self_loops,
                self.threads,
                memory_bytes(self.memory),
                columns=reading.columns,
            )
            rows = [
                ("host", f"reading: {what}", size, "loading" if what in _GIVEN_BACK else "graph")
                for what, size in raw["items"]
            ]
            guessed, bound = raw["estimated"], False
            symmetric = raw["symmetric"]
            sure = "about" if guessed else "at most"
        plan = {
            **self._counts(raw["vertices"], raw["arcs"], guessed, bound),
            "symmetric": symmetric,
            "weight_bytes": raw["weight_bytes"],
            # Generated rows stay as they are, or lose arcs.
            "longest_row": raw["longest_row"] if self.generated else 0,
            "entries": [
                {"device": d, "purpose": p, "bytes": b, "certainty": sure, "stage": stage}
                for d, p, b, stage in rows
            ],
            "limits": {"host": {"bytes": limit, "source": limit_source}},
        }
        weight_bytes = raw["weight_bytes"]
        # Reading has the steps among its own items.
        if self.generated and any(self.reading.steps.values()):
            self.add_work(plan, "rebuilding", weight_bytes=weight_bytes)
        if self.largest_component:
            self.add_work(plan, "largest component", weight_bytes=weight_bytes)
        return plan

    @staticmethod
    def add_work(plan: dict[str, Any], work: str, **how: Any) -> None:
        """Adds what `work` takes beside the graph, by the costs that the library documents."""
        size = _gossamer.plan_work(
            work, plan["vertices"], plan["arcs"], symmetric=plan["symmetric"], **how
        )
        # What METIS takes inside is known from measurements only.
        guessed = work.endswith("metis") or _guessed(plan)
        sure = "about" if guessed else "at most"
        entry = {"device": "host", "purpose": work, "bytes": size, "certainty": sure}
        plan["entries"].append(entry)

    @property
    def limited(self) -> bool:
        """True when a limit was set, and not found out from the machine."""
        return self.memory is not None or _gossamer.host_memory()[1] == "GOSSAMER_MEMORY"

    def check(self, plan: dict[str, Any]) -> None:
        """CapacityError, before anything is made or read, when the plan exceeds a limit that was
        set. Plans made from guessed counts are left to the reader and to each step, which know
        better; so are limits nobody set, against which each step compares what it takes itself.
        """
        limit = plan["limits"]["host"]
        if not self.limited or _guessed(plan):
            return
        entries = [e for e in plan["entries"] if e["device"] == "host"]
        total = plan_totals(entries)["host"]
        if total <= limit["bytes"]:
            return
        show = _gossamer.format_bytes
        parts = " + ".join(f"{e['purpose']} {show(e['bytes'])}" for e in entries)
        raise CapacityError(
            f"{self.text} does not fit: {plan['vertices']} vertices, {plan['arcs']} arcs; "
            f"{parts}, {show(total)} at a time; the limit is {show(limit['bytes'])} "
            f"({limit['source']})"
        )


def load_matrix(origin: GraphSource, values: bool) -> Graph:
    """A matrix: a generator spec, or a file, with values made for a pattern on request."""
    loaded = origin.load()
    if not values:
        return loaded
    with progress(f"making values for {loaded.name}"):
        return with_values(loaded, threads=origin.threads)
