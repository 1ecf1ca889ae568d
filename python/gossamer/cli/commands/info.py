"""`gossamer info`: devices, how pairs reach each other, what was compiled in, versions."""

from __future__ import annotations

import os
import platform
from importlib.metadata import PackageNotFoundError, version
from typing import Annotated, Any

import typer

from gossamer import _gossamer, errors
from gossamer.cli import options
from gossamer.cli.output.progress import progress
from gossamer.cli.output.report import Report, format_bytes, machine_json
from gossamer.graph.xz import by_python
from gossamer.machine import Machine

_PACKAGES = ("numpy", "scipy", "typer", "rich")
_FEATURES = {
    "cuda": "CUDA devices",
    "cusparse": "conjugate gradient by cuSPARSE and cuBLAS",
    "nccl": "collectives by NCCL",
    "metis": "METIS partitioner",
    "hwloc": "thread placement (hwloc)",
    "openmp": "threads in a rank (OpenMP)",
    "boost_context": "fibers of modelled ranks (Boost.Context)",
    "mpi": "ranks as MPI processes",
    "gzip": "reading .gz",
    "xz": "reading .xz",
    "zstd": "reading .zst",
}


def _here(name: str, compiled: bool) -> str:
    if name == "xz" and by_python():
        return "by Python"
    return "yes" if compiled else "no"


def _versions() -> dict[str, str]:
    found = {"gossamer": _gossamer.version, "python": platform.python_version()}
    for name in _PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "not installed"
    runtime, driver = _gossamer.cuda_versions()
    for name, number in (("cuda runtime", runtime), ("cuda driver", driver)):
        if number:
            found[name] = f"{number // 1000}.{number % 1000 // 10}"
    return found


def _few_threads(hardware: dict[str, Any], opened: dict[str, Any] | None) -> list[str]:
    """Where GPUs have fewer CPU threads than drive them.

    Processes of an MPI job drive a GPU each, and what one may use says nothing of the others: each
    host is looked at, with the cores of all its processes. In one process, a machine could be
    opened with every GPU there is.
    """
    reason = "is driven by one thread, so that some will wait for each other"
    if opened is None or opened["fabric"] != "mpi":
        gpus, cores = len(hardware["gpus"]), hardware["cores"]
        return [f"{cores} CPU threads for {gpus} GPUs: each GPU {reason}"] if cores < gpus else []
    found = []
    for host in opened["hosts"]:
        driven = [r for r in host["ranks"] if opened["devices"][r]["kind"] == "cuda"]
        if host["cores"] < len(driven):
            found.append(
                f"{host['cores']} CPU threads for the {len(driven)} GPU ranks on the host of rank "
                f"{driven[0]}: each {reason}"
            )
    return found


def _warnings(hardware: dict[str, Any], opened: dict[str, Any] | None) -> list[str]:
    found = _few_threads(hardware, opened)
    gpus = len(hardware["gpus"])
    rows = hardware["reach"]
    staged = [(i, j) for i, row in enumerate(rows) for j, how in enumerate(row) if how == "none"]
    if staged:
        found.append(
            f"{len(staged)} of {gpus * (gpus - 1)} GPU pairs have no peer access: their transfers "
            "go through pinned host memory"
        )
    if os.environ.get("GOSSAMER_PEER", "on") in ("off", "0"):
        found.append("GOSSAMER_PEER=off: GPU pairs go through pinned host memory")
    if os.environ.get("GOSSAMER_PEER") == "no-atomics":
        found.append("GOSSAMER_PEER=no-atomics: atomics between GPUs are requests to the owner")
    return found


def _collectives(machine: Machine) -> dict[str, Any]:
    """The rules that choose algorithms of collectives there, and what they are made from."""
    tuned = _gossamer.collective_rules_file(machine._handle)
    return {
        "rules": _gossamer.collective_rules(machine._handle),
        "tuned": str(tuned) if tuned and tuned.exists() else None,
        "given": os.environ.get("GOSSAMER_COLLECTIVES"),
        "own_software": [
            {"operation": operation, "algorithm": algorithm, "up_to": up_to}
            for operation, algorithm, up_to in _gossamer.collective_own_software(machine._handle)
        ],
    }


def _print_collectives(report: Report, collectives: dict[str, Any]) -> None:
    sources = ["built in"]
    if collectives["tuned"]:
        sources.append(collectives["tuned"])
    if collectives["given"]:
        sources.append("GOSSAMER_COLLECTIVES")
    report.line(f"collectives by message size ({', over it '.join(sources)}):")
    by_system: dict[str, list[str]] = {}
    always = set()  # for messages of any size: rules have no say there
    for row in collectives["own_software"]:
        upto = "" if row["up_to"] is None else f" up to {format_bytes(row['up_to'])}"
        by_system.setdefault(row["operation"], []).append(row["algorithm"] + upto)
        always |= {row["operation"]} if row["up_to"] is None else set()
    for line in collectives["rules"].splitlines():
        if line.split(":")[0] not in always:
            report.line(f"  {line}")
    for operation, taken in by_system.items():
        report.line(f"  {operation}: {', '.join(taken)} (the system's own software)")
    report.line()


def _open(report: Report, spec: str) -> tuple[dict[str, Any] | None, str | None]:
    """The machine a spec opens, as JSON, or why it does not. Of its processes, one reports."""
    try:
        machine = report.open_machine(spec)
        with progress("trying whether kernels run together"):
            sharing = machine.sharing
    except (errors.UsageError, errors.InputError):
        raise
    except errors.Error as error:  # a device out of order: the rest is still worth printing
        return None, str(error)
    links = [[vars(link) for link in row] for row in machine.links]
    found = {
        "sharing": sharing,
        "beyond": machine.beyond,
        "links": links,
        "gpu_messages": machine.gpu_messages,
        "hosts": [{"ranks": ranks, "cores": cores} for ranks, cores in machine._handle.hosts()],
        "collectives": _collectives(machine),
    }
    return machine_json(machine) | found, None


def _words(link: dict[str, Any]) -> str:
    """How a rank reaches another: "peer (pcie), direct, atomics by request"."""
    how = "direct" if link["load_store"] else "copies only"
    asked = ", atomics by request" if link["proxied"] else ""
    return f"{link['transport']} ({link['reach']}), {how}{asked}"


def info(
    machine: Annotated[
        str, typer.Option("--machine", metavar="SPEC", help="The machine whose links to show.")
    ] = "auto",
    json: options.Json = None,
) -> None:
    """Show devices, how they reach each other, and what this build can do."""
    report = Report(json)
    hardware = _gossamer.hardware()
    build = _gossamer.build_info()
    memory, memory_source = _gossamer.host_memory()
    opened, failure = _open(report, machine)
    warnings = _warnings(hardware, opened)
    if failure:
        warnings.append(f"machine '{machine}' does not open: {failure}")
    gpus = hardware["gpus"]

    report.table(
        "devices",
        ["device", "name", "memory", "cores / SMs", "where"],
        [("cpu", hardware["processor"], format_bytes(memory), hardware["cores"], memory_source)]
        + [
            (f"cuda:{g['ordinal']}", g["name"], format_bytes(g["memory"]), g["units"], g["pci"])
            for g in gpus
        ],
        (0, 1, 4),
    )
    if not gpus:
        report.line(f"no GPU: {hardware['no_gpu_because']}")
    if len(gpus) > 1:
        names = [f"cuda:{g['ordinal']}" for g in gpus]
        rows = [(name, *row) for name, row in zip(names, hardware["reach"], strict=True)]
        report.table("which GPU reaches which, and how", ["from", *names], rows)
    if opened:
        count = len(opened["devices"])
        report.line(f"machine {opened['spec']}: {count} rank(s), fabric {opened['fabric']}")
        if opened["beyond"]:
            report.line(opened["beyond"])
        if opened["gpu_messages"]:
            report.line(f"GPU memory goes into messages by {opened['gpu_messages']}")
        shared = {
            d["ordinal"]: (d["share"], how)
            for d, how in zip(opened["devices"], opened["sharing"], strict=True)
            if d["share"] > 1
        }
        for ordinal, (ranks, how) in shared.items():
            report.line(f"cuda:{ordinal}: kernels of the {ranks} ranks that share it {how}")
            if how == "take turns":
                warnings.append(f"kernels on cuda:{ordinal} must not wait for those of other ranks")
        if 1 < count <= 16:
            rows = [(i, *(_words(link) for link in row)) for i, row in enumerate(opened["links"])]
            report.table(
                "transport from rank to rank (direct: by loads and stores, too)",
                ["from", *map(str, range(count))],
                rows,
            )
        _print_collectives(report, opened["collectives"])
    report.table(
        "compiled in",
        ["feature", "here"],
        [(title, _here(name, build["features"][name])) for name, title in _FEATURES.items()],
    )
    versions = _versions()
    report.table("versions", ["what", "version"], list(versions.items()), (0, 1))
    report.line(f"compiled by {build['compiler']}, {build['build_type']}")
    settings = {
        name: value for name, value in sorted(os.environ.items()) if name.startswith("GOSSAMER_")
    }
    for name, value in settings.items():
        report.line(f"{name}={value}")
    for text in warnings:
        report.line(f"warning: {text}")
    report.json(
        {
            "devices": {
                "cpu": {
                    "name": hardware["processor"],
                    "cores": hardware["cores"],
                    "memory": memory,
                    "memory_source": memory_source,
                },
                "gpus": gpus,
                "no_gpu_because": hardware["no_gpu_because"],
            },
            "reach": hardware["reach"],
            "machine": opened,
            "features": build["features"],
            "build": {"compiler": build["compiler"], "type": build["build_type"]},
            "versions": versions,
            "environment": settings,
            "warnings": warnings,
        }
    )
