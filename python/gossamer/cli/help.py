"""What the command says of itself: an overview, options in groups, examples, and what a shell may
complete."""

from __future__ import annotations

import glob
import os
import re
from typing import Any

from gossamer import _gossamer
from gossamer.algorithm.options import engines
from gossamer.datasets import data_sets

OVERVIEW = """\
gossamer runs graph algorithms on CPU cores and GPUs.

  gossamer bfs kron:20 --verify               search a generated graph, and check the result
  gossamer pagerank links.txt.gz --top 5      rank what a file holds
  gossamer sssp roads.gr --source 1           shortest paths
  gossamer components links.txt               what hangs together
  gossamer stats links.txt                    what kind of graph it is
  gossamer convert links.txt links.gsr        a form that opens at once
  gossamer info                               devices of this machine

A GRAPH is a file, a data set (data:road-NY) or a generator. gossamer --help lists all commands,
gossamer bfs --help the options of one. gossamer --install-completion teaches your shell.
"""

#: Groups of options in help, in this order; the command's own come first.
GROUPS = {
    "Graph": (
        "from", "weight-column", "source-column", "target-column", "symmetrize", "deduplicate",
        "remove-self-loops", "largest-component", "weights", "keep-duplicates",
    ),
    "Machine": (
        "machine", "partition", "threads", "memory", "memory-node", "spill", "use", "timeout",
        "repeat", "ranks",
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
    "triangles": "gossamer triangles links.txt --symmetrize --output triangles.csv",
    "core-numbers": "gossamer core-numbers links.txt --symmetrize --output cores.csv",
    "spanning-forest": "gossamer spanning-forest roads.gr --output forest.csv",
    "strong-components": "gossamer strong-components links.txt --output labels.csv",
    "betweenness": "gossamer betweenness links.txt --samples 100 --output scores.csv",
    "closeness": "gossamer closeness links.txt --output closeness.csv",
    "harmonic": "gossamer harmonic links.txt --output harmonic.csv",
    "eccentricity": "gossamer eccentricity links.txt --symmetrize --largest-component",
    "diameter": "gossamer diameter roads.gr",
    "distances": "gossamer distances links.txt --sources 100 --output depths.npz",
    "communities": "gossamer communities links.txt --symmetrize --method leiden",
    "random-walks": "gossamer random-walks links.txt --walks 10 --p 0.5 --q 2 --output walks.npz",
    "hits": "gossamer hits links.txt --output hits.csv",
    "katz": "gossamer katz links.txt --alpha 0.01 --output katz.csv",
    "eigenvector": "gossamer eigenvector links.txt --output eigenvector.csv",
    "independent-set": "gossamer independent-set links.txt --symmetrize --output chosen.csv",
    "coloring": "gossamer coloring links.txt --symmetrize --output colors.csv",
    "cg": "gossamer cg poisson:64x64x64 --verify",
    "generate": "gossamer generate road:2000 --weights -o road.gsr",
    "convert": "gossamer convert matrix.mtx graph.npz --symmetrize",
    "stats": "gossamer stats links.txt",
    "graph500": "gossamer graph500 --scale 20",
    "gap": "gossamer gap kron:20 --machine cpu",
    "engines": "gossamer engines bfs",
    "report": "gossamer report bfs.json bfs_trace.json -o report.html",
    "reproduce": "gossamer reproduce E.fig6 C.table3 -o papers",
    "simulate": "gossamer simulate allgather --system peach2 --against hapacs-ib --ranks 16",
}

MACHINES = ("auto", "cpu", "cpu:1", "cpu:2", "cuda", "cuda:0", "mpi", "mpi:cuda", "sim:")


def group_of(option: str) -> str:
    """The heading of an option, without its dashes."""
    return next((name for name, those in GROUPS.items() if option in those), "Options")


#: What stands for a value, by what Typer's versions say of its type.
_WORDS = {
    "(<str>|TEXT)": "WORD",
    "(<int( range)?>|INTEGER( RANGE)?)": "N",
    "(<float( range)?>|FLOAT( RANGE)?)": "X",
}


def usage(command: Any) -> list[str]:
    """What may follow a command's name: options, and arguments by their names."""
    return ["[OPTIONS]", *(
        name if of.required or name.startswith("[") else f"[{name}]"
        for name, of in _arguments(command)
    )]  # fmt: skip


def _arguments(command: Any) -> list[tuple[str, Any]]:
    return [
        (of.metavar or of.name.upper(), of)
        for of in command.params
        if of.param_type_name == "argument"
    ]


def write_commands(group: Any, context: Any, formatter: Any) -> None:
    """Commands of a group, with the whole of their first sentences."""
    there = ((name, group.get_command(context, name)) for name in group.list_commands(context))
    with formatter.section("Commands"):
        formatter.write_dl([(name, of.get_short_help_str(limit=200)) for name, of in there])


def write_options(command: Any, context: Any, formatter: Any) -> None:
    """Arguments of a command, and its options by group."""
    if arguments := _arguments(command):
        with formatter.section("Arguments"):
            formatter.write_dl([(name.strip("[]."), of.help) for name, of in arguments])
    found: dict[str, list[tuple[str, str]]] = {name: [] for name in ("Options", *GROUPS)}
    # The option for help is among them, or apart, as Typer's version has it.
    asking = command.get_help_option(context)
    others = [p for p in command.get_params(context) if "--help" not in p.opts]
    for parameter in [*others, *([asking] if asking else [])]:
        record = parameter.get_help_record(context)
        if record is not None and parameter.param_type_name == "option":
            name, text = record
            for kind, word in _WORDS.items():
                name = re.sub(f" {kind}$", f" {word}", name)
            found[group_of(parameter.opts[-1].lstrip("-"))].append((name, text))
    for name, records in found.items():
        if records:
            with formatter.section(name):
                formatter.write_dl(records)


def complete_machines(incomplete: str) -> list[str]:
    """Machines that begin so; a spec may say more than these."""
    return [name for name in MACHINES if name.startswith(incomplete)]


def complete_graphs(incomplete: str) -> list[str]:
    """Generators and data sets that begin so, then files: shells ask for no others."""
    makers = [form.partition(":")[0] + ":" for form in _gossamer.generator_forms()]
    known = [*makers, *(f"data:{one.name}" for one in data_sets())]
    files = sorted(glob.glob(glob.escape(incomplete) + "*"))
    folders = [f"{file}/" if os.path.isdir(file) else file for file in files]
    return [name for name in known if name.startswith(incomplete)] + folders


def complete_engines(algorithm: str) -> Any:
    """What completes --engine of an algorithm."""

    def complete(incomplete: str) -> list[str]:
        known = ["auto", *(engine.name for engine in engines(algorithm))]
        return [name for name in known if name.startswith(incomplete)]

    return complete
