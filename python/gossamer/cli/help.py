"""What the command says of itself: an overview, options in groups, examples, and what a shell may
complete."""

from __future__ import annotations

from typing import Any

from gossamer.algorithm.options import engines

OVERVIEW = """\
gossamer runs graph algorithms on CPU cores and GPUs.

  gossamer bfs kron:20 --verify               search a generated graph, and check the result
  gossamer pagerank links.txt.gz --top 5      rank what a file holds
  gossamer sssp roads.gr --source 1           shortest paths
  gossamer components links.txt               what hangs together
  gossamer stats links.txt                    what kind of graph it is
  gossamer convert links.txt links.gsr        a form that opens at once
  gossamer info                               devices of this machine

A GRAPH is a file or a generator. gossamer --help lists all commands, gossamer bfs --help the
options of one. gossamer --install-completion teaches your shell.
"""

#: Groups of options in help, in this order; the command's own come first.
GROUPS = {
    "Graph": (
        "from", "weight-column", "source-column", "target-column", "symmetrize", "deduplicate",
        "remove-self-loops", "largest-component", "weights", "keep-duplicates",
    ),
    "Machine": (
        "machine", "partition", "threads", "memory", "spill", "use", "timeout", "repeat", "ranks",
    ),
    "Engine": ("engine", "direction", "deterministic", "renumber", "delta", "exchange"),
    "Output": (
        "verify", "verify-with", "output", "json", "plan", "plot", "trace", "breakdown", "to",
        "help",
    ),
}  # fmt: skip

EXAMPLES = {
    "bfs": "gossamer bfs kron:20 --sources 16 --verify",
    "sssp": "gossamer sssp roads.gr --source 1 --output distances.npz",
    "components": "gossamer components links.txt --json -",
    "pagerank": "gossamer pagerank links.txt --damping 0.9 --top 10",
    "cg": "gossamer cg poisson:64x64x64 --verify",
    "generate": "gossamer generate road:2000 --weights -o road.gsr",
    "convert": "gossamer convert matrix.mtx graph.npz --symmetrize",
    "stats": "gossamer stats links.txt",
    "graph500": "gossamer graph500 --scale 20",
    "engines": "gossamer engines bfs",
    "report": "gossamer report bfs.json bfs_trace.json -o report.html",
    "reproduce": "gossamer reproduce E.fig6 C.table3 -o papers",
    "simulate": "gossamer simulate allgather --system peach2 --against hapacs-ib --ranks 16",
}

MACHINES = ("auto", "cpu", "cpu:1", "cpu:2", "cuda", "cuda:0", "mpi", "mpi:cuda", "sim:")


def group_of(option: str) -> str:
    """The heading of an option, without its dashes."""
    return next((name for name, those in GROUPS.items() if option in those), "Options")


def write_options(command: Any, context: Any, formatter: Any) -> None:
    """Options of a command, by group."""
    found: dict[str, list[tuple[str, str]]] = {name: [] for name in ("Options", *GROUPS)}
    # The option for help is among them, or apart, as Typer's version has it.
    asking = command.get_help_option(context)
    others = [p for p in command.get_params(context) if "--help" not in p.opts]
    for parameter in [*others, *([asking] if asking else [])]:
        record = parameter.get_help_record(context)
        if record is not None and parameter.param_type_name == "option":
            found[group_of(parameter.opts[-1].lstrip("-"))].append(record)
    for name, records in found.items():
        if records:
            with formatter.section(name):
                formatter.write_dl(records)


def complete_machines(incomplete: str) -> list[str]:
    """Machines that begin so; a spec may say more than these."""
    return [name for name in MACHINES if name.startswith(incomplete)]


def complete_engines(algorithm: str) -> Any:
    """What completes --engine of an algorithm."""

    def complete(incomplete: str) -> list[str]:
        known = ["auto", *(engine.name for engine in engines(algorithm))]
        return [name for name in known if name.startswith(incomplete)]

    return complete
