"""Every figure and table of the five papers: what makes it here, or why nothing does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from gossamer.errors import UsageError
from gossamer.machine import Machine

__all__ = ["CATALOGUE", "PAPERS", "Entry", "Takes", "chosen", "on_machines"]

PAPERS = {
    "A": "Level-synchronised BFS on cost-efficient multi-GPU machines",
    "B": "Graph500 BFS over tightly coupled accelerators",
    "C": "Groute: asynchronous multi-GPU programming",
    "D": "A latency-tolerant CPU runtime",
    "E": "Collectives by remote write, and conjugate gradient on them",
}


@dataclass(frozen=True)
class Takes:
    """The machines that a figure can be measured on."""

    #: Ranks; 0: any number above.
    least: int = 1
    most: int = 0
    #: All ranks are CPUs'.
    cpu: bool = False
    #: Nothing else is made then; else it is measured beside what is predicted.
    instead: bool = False
    #: One machine a run, whose ranks differ.
    single: bool = False

    @property
    def text(self) -> str:
        """Which ones, as `--list` and refusals end."""
        if self.least == 1 and not self.most:
            return "of CPU ranks" if self.cpu else ""
        ranks = f"{self.least} {'CPU ' * self.cpu}rank{'s' * (self.least > 1)}"
        return f"of {ranks}" if self.most else f"of {ranks} or more"

    def fits(self, machine: Machine) -> bool:
        if self.cpu and any(device.kind != "cpu" for device in machine.devices):
            return False
        return self.least <= machine.size <= (self.most or machine.size)


#: Any machine; one whose ranks send to each other; as the papers' two nodes.
ANY, SEVERAL, PAIR = Takes(), Takes(2), Takes(2, 2)
#: Paper C's, and paper D's, which need no model.
INSTEAD, CPU = Takes(instead=True), Takes(cpu=True, instead=True)
UNEQUAL = Takes(instead=True, single=True)
CPUS = Takes(2, cpu=True, instead=True)

#: Of those that no machine measures: what does, or why nothing.
BY_BENCH, BY_CHASES = "bench_transfers measures that", "D.fig3 to D.fig6 measure that"
BY_RANKS, BY_MPI = "D.processes measures that", "a setting of its MPI"
OF_MODEL = "changes of the model"


@dataclass(frozen=True)
class Entry:
    """One of them."""

    paper: str
    name: str
    about: str
    #: In :mod:`.figures`; empty: nothing makes it.
    module: str = ""
    #: On this host; else predicted on a model of the paper's system.
    measured: bool = False
    #: Machines that are named, on which it is measured; None: not on any, and `alone` says why.
    on: Takes | None = None
    alone: str = ""
    #: Of what nothing makes: what it is here.
    instead: str = "nothing to compare"

    @property
    def key(self) -> str:
        """What a user calls it, in any case: C.table3."""
        return f"{self.paper}.{self.name.lower().replace(' ', '').replace('fig.', 'fig')}"

    @property
    def unmade(self) -> str:
        """Why nothing makes it, as a line."""
        it = "has" if self.instead == "nothing to compare" else "is"
        what = self.instead.replace("input: ", "an input, ")
        return f"nothing makes {self.key} again ({self.about}): it {it} {what}"

    @property
    def how(self) -> str:
        if not self.module:
            return self.instead
        how = "measured" if self.measured else "predicted"
        if self.on is None:
            return f"{how}; no --machine: {self.alone}"
        return f"{how}, {'or' if self.on.instead else 'and'} --machine {self.on.text}".rstrip()

    def refused(self, machine: Machine) -> str:
        """Why it is not measured there, as a line; empty if it is."""
        if self.on is None:
            return f"{self.paper} {self.name} is not measured by --machine: {self.alone}"
        if self.on.fits(machine):
            return ""
        why = f"it takes a machine {self.on.text}"
        return f"{self.paper} {self.name} is not measured on {machine.spec}: {why}"

    @property
    def has_list(self) -> bool:
        """Measured along a list in memory, which may lie on a memory node of its own."""
        return self.measured and self.name != "processes"


CATALOGUE = (
    Entry("A", "Fig. 1", "the ExpEther machine"),
    Entry("A", "Fig. 2", "rows in compressed form", instead="input of Table 1"),
    Entry("A", "Fig. 3", "gathering neighbours"),
    Entry("A", "Fig. 4", "circular left-right exchange"),
    Entry("A", "Fig. 5", "throughput by size", "a_fig05_throughput", on=PAIR),
    Entry("A", "Fig. 6", "TEPS on the gaming machine", "a_fig06_teps", on=ANY),
    Entry("A", "Fig. 7", "TEPS on ExpEther", "a_fig07_teps", on=ANY),
    Entry("A", "Fig. 8", "search and result, by SCALE", "a_fig08_profile", on=ANY),
    Entry("A", "Fig. 9", "times of kernels", "a_fig09_kernels", on=ANY),
    Entry("A", "Fig. 10", "communication that is hidden", "a_fig10_overlap", on=SEVERAL),
    Entry("A", "Table 1", "levels of a search of eight vertices", "a_table1_levels", on=ANY),
    Entry("A", "Table 2", "the ExpEther machine", instead="input: system expether"),
    Entry("A", "Table 3", "the gaming machine", instead="input: system gaming"),
    Entry("A", "Table 4", "TEPS beside another BFS", "a_table4_teps", on=ANY),
    Entry("A", "results", "its future work: results to the host", "a_future_results", on=ANY),
    Entry("B", "ping-pong", "by DMA over PEACH2 and PEACH3", "b_ping_pong", on=PAIR),
    Entry("B", "TEPS", "of a search on two nodes, by scale", "b_teps", on=PAIR),
    Entry("B", "environment", "the two test systems", instead="input: systems peach2, peach3"),
    Entry("B", "hubs", "PEACH2 and PEACH3", instead="input: systems peach2, peach3"),
    Entry("B", "messages", "of a search, bytes and times", instead="in B.breakdown"),
    Entry("B", "breakdown", "communication by kind of message", "b_breakdown", on=PAIR),
    Entry("C", "Fig. 1", "a node of eight GPUs", instead="input: system m60"),
    Entry("C", "Fig. 2", "transfers between GPUs", "c_fig02_transfers", alone=BY_BENCH),
    Entry("C", "Fig. 3", "a ring of GPUs"),
    Entry("C", "Fig. 4", "a GPU"),
    Entry("C", "Fig. 5", "filtering as a flow"),
    Entry("C", "Fig. 6", "filtering as a program"),
    Entry("C", "Fig. 7", "parts of the library"),
    Entry("C", "Fig. 8", "a router that the host controls"),
    Entry("C", "Fig. 9", "a distributed worklist"),
    Entry("C", "Fig. 10", "BFS and SSSP on 1 to 8 GPUs", "c_fig10_traversal", on=INSTEAD),
    Entry("C", "Fig. 11", "PageRank on 1 to 8 GPUs", "c_fig11_pagerank", on=INSTEAD),
    Entry("C", "Fig. 12", "components on 1 to 8 GPUs", "c_fig12_components", on=INSTEAD),
    Entry("C", "Fig. 13", "components as a flow"),
    Entry("C", "Table 1", "the interface"),
    Entry("C", "Table 2", "a worklist's callbacks"),
    Entry("C", "Table 3", "best times", "c_table3_runtimes", on=INSTEAD),
    Entry("C", "Table 4", "its graphs", instead="input: sizes of graphs"),
    Entry("C", "Table 5", "worklists of shortest paths", "c_table5_worklist", on=INSTEAD),
    Entry("C", "Table 6", "filtering on unequal GPUs", "c_table6_filter", on=UNEQUAL),
    Entry("D", "Fig. 1", "the system"),
    Entry("D", "Fig. 2", "programs that follow pointers"),
    Entry("D", "Fig. 3", "references by lists", "d_fig03_lists", True, CPU),
    Entry("D", "Fig. 4", "references by tasks", "d_fig04_tasks", True, CPU),
    Entry("D", "Fig. 5", "pressure on caches", "d_fig05_cache_pressure", True, CPU),
    Entry("D", "Fig. 6", "references that take 3 us", "d_fig06_delay", True, CPU),
    Entry("D", "processes", "Fig. 6 between processes", "d_fig06_processes", True, CPUS),
    Entry("D", "memory", "Fig. 3 to 6 on a model of its machine", "d_memory", alone=BY_CHASES),
    Entry("D", "network", "Fig. 6 over its network", "d_network", alone=BY_RANKS),
    Entry("E", "Fig. 1", "a node"),
    Entry("E", "Fig. 2", "how nodes are joined", instead="input: system peach2"),
    Entry("E", "Fig. 3", "ping-pong", "e_fig03_ping_pong", on=PAIR),
    Entry("E", "Fig. 4", "limits of GPU-direct", "e_fig04_gpu_direct_limit", alone=BY_MPI),
    Entry("E", "Fig. 5", "copies within a GPU", "e_fig05_device_copy", on=Takes(1, 1)),
    Entry("E", "Fig. 6", "broadcast", "e_fig06_broadcast", on=SEVERAL),
    Entry("E", "Fig. 7", "scatter", "e_fig07_scatter", on=SEVERAL),
    Entry("E", "Fig. 8", "gather", "e_fig08_gather", on=SEVERAL),
    Entry("E", "Fig. 9", "reduce", "e_fig09_reduce", on=SEVERAL),
    Entry("E", "Fig. 10", "patterns of allgather"),
    Entry("E", "Fig. 11", "mappings of processes to nodes", instead="in E.fig12"),
    Entry("E", "Fig. 12", "allgather", "e_fig12_allgather", on=SEVERAL),
    Entry("E", "Fig. 13", "conjugate gradient as a program"),
    Entry("E", "Fig. 14", "conjugate gradient", "e_fig14_cg", on=ANY),
    Entry("E", "Fig. 15", "where its time goes", "e_fig15_cg_breakdown", on=ANY),
    Entry("E", "Table 1", "the system", instead="input: systems peach2, hapacs-ib"),
    Entry("E", "Table 2", "conditions of measuring"),
    Entry("E", "Table 3", "settings of programs", instead="input: system hapacs-ib"),
    Entry("E", "Table 4", "its collectives"),
    Entry("E", "Table 5", "who sends to whom in a broadcast", instead="input: system peach2"),
    Entry("E", "Table 6", "allreduce of a number", "e_table6_allreduce", on=SEVERAL),
    Entry("E", "Table 7", "its matrices", instead="input: sizes of matrices"),
    Entry("E", "questions", "what it leaves open", "e_questions", alone=OF_MODEL),
)


def chosen(names: Sequence[str], measured: bool = False) -> list[Entry]:
    """Those of these papers (`C`) and figures (`C.table3`); without names all that are predicted,
    or with `measured` all that are measured.

    UsageError for a name that there is not, or that nothing makes.
    """
    if not names:
        return [e for e in CATALOGUE if e.module and e.measured == measured]
    found: list[Entry] = []
    for name in names:
        asked = name.lower()
        fits = [e for e in CATALOGUE if asked in (e.key.lower(), e.paper.lower())]
        if not fits:
            raise UsageError(f"reproduce: there is no '{name}'{_near(asked)} (--list has all)")
        made = [e for e in fits if e.module]
        if not made:
            raise UsageError(f"reproduce: {fits[0].unmade}")
        found += [e for e in made if e not in found]
    return found


def _near(asked: str) -> str:
    """A name that is made, and may have been meant, as a question; empty where none is near."""
    made = {e.key.lower(): e.key for e in CATALOGUE if e.module}
    return "".join(f"; did you mean '{made[x]}'?" for x in get_close_matches(asked, made, n=1))


def on_machines(
    entries: Sequence[Entry], machines: Sequence[Machine], named: Sequence[str]
) -> tuple[dict[Entry, list[str]], list[str]]:
    """Of each entry the specs of those machines that it is measured on, without those that have
    none, and a line for each machine that an entry cannot be measured on.

    UsageError for a model, where an entry that was named by itself has none, and where none has
    any.
    """
    for machine in machines:
        if machine.virtual:
            raise UsageError(f"reproduce: --machine {machine.spec}: nothing is measured on a model")
    asked = {name.lower() for name in named}
    found: dict[Entry, list[str]] = {}
    refused: list[str] = []
    for entry in entries:
        there = [machine.spec for machine in machines if not entry.refused(machine)]
        why = list(filter(None, dict.fromkeys(map(entry.refused, machines))))
        if entry.on is not None and entry.on.single and len(there) > 1:
            why = [f"{entry.paper} {entry.name} is measured on one machine, whose ranks differ"]
            there = []
        refused += why
        if there:
            found[entry] = there
        elif entry.key.lower() in asked:
            raise UsageError(f"reproduce: {why[0]}")
    if not found:
        raise UsageError(f"reproduce: {refused[0]}")
    return found, refused
