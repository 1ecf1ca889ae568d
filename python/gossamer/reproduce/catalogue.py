"""Every figure and table of the five papers: what makes it here, or why nothing does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gossamer.errors import UsageError

__all__ = ["CATALOGUE", "PAPERS", "Entry", "chosen"]

PAPERS = {
    "A": "Level-synchronised BFS on cost-efficient multi-GPU machines",
    "B": "Graph500 BFS over tightly coupled accelerators",
    "C": "Groute: asynchronous multi-GPU programming",
    "D": "A latency-tolerant CPU runtime",
    "E": "Collectives by remote write, and conjugate gradient on them",
}


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
    #: Its module has `on_machines`, which measures on machines that are named.
    on_machines: bool = False
    #: Of what nothing makes: what it is here.
    instead: str = "nothing to compare"

    @property
    def key(self) -> str:
        """What a user calls it: c.table3."""
        return f"{self.paper}.{self.name}".lower().replace(" ", "").replace("fig.", "fig")

    @property
    def how(self) -> str:
        if not self.module:
            return self.instead
        if self.on_machines:
            return "predicted, or --machine"
        return "measured" if self.measured else "predicted"

    @property
    def has_list(self) -> bool:
        """Measured along a list in memory, which may lie on a memory node of its own."""
        return self.measured and self.name != "processes"


CATALOGUE = (
    Entry("A", "Fig. 1", "the ExpEther machine"),
    Entry("A", "Fig. 2", "rows in compressed form", instead="input of Table 1"),
    Entry("A", "Fig. 3", "gathering neighbours"),
    Entry("A", "Fig. 4", "circular left-right exchange"),
    Entry("A", "Fig. 5", "throughput by size", "a_fig05_throughput"),
    Entry("A", "Fig. 6", "TEPS on the gaming machine", "a_fig06_teps"),
    Entry("A", "Fig. 7", "TEPS on ExpEther", "a_fig07_teps"),
    Entry("A", "Fig. 8", "search and result, by SCALE", "a_fig08_profile"),
    Entry("A", "Fig. 9", "times of kernels", "a_fig09_kernels"),
    Entry("A", "Fig. 10", "communication that is hidden", "a_fig10_overlap"),
    Entry("A", "Table 1", "levels of a search of eight vertices", "a_table1_levels"),
    Entry("A", "Table 2", "the ExpEther machine", instead="input: system expether"),
    Entry("A", "Table 3", "the gaming machine", instead="input: system gaming"),
    Entry("A", "Table 4", "TEPS beside another BFS", "a_table4_teps"),
    Entry("A", "results", "its future work: results to the host", "a_future_results"),
    Entry("B", "ping-pong", "by DMA over PEACH2 and PEACH3", "b_ping_pong"),
    Entry("B", "TEPS", "of a search on two nodes, by scale", "b_teps"),
    Entry("B", "environment", "the two test systems", instead="input: systems peach2, peach3"),
    Entry("B", "hubs", "PEACH2 and PEACH3", instead="input: systems peach2, peach3"),
    Entry("B", "messages", "of a search, bytes and times", instead="in B.breakdown"),
    Entry("B", "breakdown", "communication by kind of message", "b_breakdown"),
    Entry("C", "Fig. 1", "a node of eight GPUs", instead="input: system m60"),
    Entry("C", "Fig. 2", "transfers between GPUs", "c_fig02_transfers"),
    Entry("C", "Fig. 3", "a ring of GPUs"),
    Entry("C", "Fig. 4", "a GPU"),
    Entry("C", "Fig. 5", "filtering as a flow"),
    Entry("C", "Fig. 6", "filtering as a program"),
    Entry("C", "Fig. 7", "parts of the library"),
    Entry("C", "Fig. 8", "a router that the host controls"),
    Entry("C", "Fig. 9", "a distributed worklist"),
    Entry("C", "Fig. 10", "BFS and SSSP on 1 to 8 GPUs", "c_fig10_traversal", on_machines=True),
    Entry("C", "Fig. 11", "PageRank on 1 to 8 GPUs", "c_fig11_pagerank", on_machines=True),
    Entry("C", "Fig. 12", "components on 1 to 8 GPUs", "c_fig12_components", on_machines=True),
    Entry("C", "Fig. 13", "components as a flow"),
    Entry("C", "Table 1", "the interface"),
    Entry("C", "Table 2", "a worklist's callbacks"),
    Entry("C", "Table 3", "best times", "c_table3_runtimes", on_machines=True),
    Entry("C", "Table 4", "its graphs", instead="input: sizes of graphs"),
    Entry("C", "Table 5", "worklists of shortest paths", "c_table5_worklist", on_machines=True),
    Entry("C", "Table 6", "filtering on unequal GPUs", "c_table6_filter", on_machines=True),
    Entry("D", "Fig. 1", "the system"),
    Entry("D", "Fig. 2", "programs that follow pointers"),
    Entry("D", "Fig. 3", "references by lists", "d_fig03_lists", True),
    Entry("D", "Fig. 4", "references by tasks", "d_fig04_tasks", True),
    Entry("D", "Fig. 5", "pressure on caches", "d_fig05_cache_pressure", True),
    Entry("D", "Fig. 6", "references that take 3 us", "d_fig06_delay", True),
    Entry("D", "processes", "Fig. 6 between processes", "d_fig06_processes", True),
    Entry("D", "memory", "Fig. 3 to 6 on a model of its machine", "d_memory"),
    Entry("D", "network", "Fig. 6 over its network", "d_network"),
    Entry("E", "Fig. 1", "a node"),
    Entry("E", "Fig. 2", "how nodes are joined", instead="input: system peach2"),
    Entry("E", "Fig. 3", "ping-pong", "e_fig03_ping_pong"),
    Entry("E", "Fig. 4", "limits of GPU-direct", "e_fig04_gpu_direct_limit"),
    Entry("E", "Fig. 5", "copies within a GPU", "e_fig05_device_copy"),
    Entry("E", "Fig. 6", "broadcast", "e_fig06_broadcast"),
    Entry("E", "Fig. 7", "scatter", "e_fig07_scatter"),
    Entry("E", "Fig. 8", "gather", "e_fig08_gather"),
    Entry("E", "Fig. 9", "reduce", "e_fig09_reduce"),
    Entry("E", "Fig. 10", "patterns of allgather"),
    Entry("E", "Fig. 11", "mappings of processes to nodes", instead="in E.fig12"),
    Entry("E", "Fig. 12", "allgather", "e_fig12_allgather"),
    Entry("E", "Fig. 13", "conjugate gradient as a program"),
    Entry("E", "Fig. 14", "conjugate gradient", "e_fig14_cg"),
    Entry("E", "Fig. 15", "where its time goes", "e_fig15_cg_breakdown"),
    Entry("E", "Table 1", "the system", instead="input: systems peach2, hapacs-ib"),
    Entry("E", "Table 2", "conditions of measuring"),
    Entry("E", "Table 3", "settings of programs", instead="input: system hapacs-ib"),
    Entry("E", "Table 4", "its collectives"),
    Entry("E", "Table 5", "who sends to whom in a broadcast", instead="input: system peach2"),
    Entry("E", "Table 6", "allreduce of a number", "e_table6_allreduce"),
    Entry("E", "Table 7", "its matrices", instead="input: sizes of matrices"),
    Entry("E", "questions", "what it leaves open", "e_questions"),
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
        fits = [e for e in CATALOGUE if asked in (e.key, e.paper.lower())]
        if not fits:
            raise UsageError(f"reproduce: there is no '{name}' (--list has all)")
        made = [e for e in fits if e.module]
        if not made:
            raise UsageError(f"reproduce: {fits[0].paper} {fits[0].name}: {fits[0].instead}")
        found += [e for e in made if e not in found]
    return found


def with_machines(entries: Sequence[Entry]) -> None:
    """UsageError if one of them cannot be measured on machines that are named."""
    for entry in entries:
        if not entry.on_machines:
            can = ", ".join(f"{e.paper}.{e.key[2:]}" for e in CATALOGUE if e.on_machines)
            raise UsageError(f"reproduce: --machine is for {can}; not {entry.paper} {entry.name}")
