"""What docs/design prints of predictions is what was kept of them, so that neither goes stale."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from typing import Any

import pytest
from gossamer.simulation import Collective, System
from kept_predictions import ROOT, kept_rows, note

sys.path.insert(0, str(ROOT / "tools"))

from paper_c_rows import closing_lines

KINDS = ("USA", "OSM-eur-k", "soc-LiveJournal1", "twitter", "kron21.sym")
COPIES, STORES, LAUNCHES = "one kernel, copies", "one kernel, stores", "a launch a batch"


def ours(figure: str, what: str) -> Any:
    return kept_rows()[figure, what]["ours"]


def line(text: str, beginning: str) -> str:
    return next(one for one in text.splitlines() if one.startswith(beginning))


# --- simulation.md --------------------------------------------------------------------------------


def test_the_notes_on_the_model_have_table_6_as_predicted() -> None:
    text = note("simulation.md")
    for name, system in (("TCA", "peach2"), ("MPI", "hapacs-ib")):
        found = (
            1e6 * Collective("allreduce", System(system), p, "host").predict(8).seconds
            for p in (2, 4, 8, 16)
        )
        assert " / ".join(f"{us:.2f}" for us in found) in line(text, f"| E Table 6, {name}, ")


def test_the_notes_on_the_model_have_paper_as_rows_as_kept() -> None:
    text = note("simulation.md")
    kept = {what: row["ours"] for (_, what), row in kept_rows().items()}
    for title in ("ExpEther", "gaming machine"):
        those = " / ".join(f"{kept[f'{title}, {p} GPUs']:.2f}" for p in (1, 2, 4))
        assert those in line(text, f"| A Table 4, {title}")
    hidden = " / ".join(f"{kept[f'ExpEther, {p} GPUs: communication hidden']:.0f}" for p in (2, 4))
    assert f"| A 6.2, hidden on ExpEther, 2 / 4 GPUs | 85 / 80 % | {hidden} % |" in text
    size = kept["a GPU's copy in the 4th iteration, scaled to SCALE 24"]
    assert f"| 12.9 MB | {size:.2f} MB |" in text


def test_the_notes_on_the_model_have_paper_bs_numbers_as_kept() -> None:
    text = " ".join(note("simulation.md").split())
    peach3, peach2, mpi = (
        1e-3 * ours("B TEPS", f"{name}, scale 18")
        for name in ("PEACH3", "TCA/PEACH2", "MPI/IB FDR")
    )
    out, flag, tree = (ours("B breakdown", f"PEACH3, {kind}") for kind in ("out", "flag", "tree"))
    less = 100 * (1 - 1 / ours("B TEPS", "PEACH3, scale 18: compact frontiers over published"))
    assert (
        f"At scale 18 PEACH3 reaches {peach3:.1f} GTEPS against {peach2:.1f} of PEACH2 and "
        f"{mpi:.1f} of MPI over its own InfiniBand; frontiers of fixed size cost {out:.0f} us "
        f"there, flags {flag:.0f}, the tree {tree:.0f}; compact frontiers would take {less:.0f} % "
        "less time in all."
    ) in text


def test_the_notes_on_the_model_have_paper_es_rows_as_kept() -> None:
    text = note("simulation.md")

    def sizes(figure: str, *whats: str) -> str:
        return " / ".join(f"{ours(figure, what):.0f}" for what in whats) + " KB |"

    up_to = "nodes: TCA faster up to"
    broadcast = sizes("E Fig. 6", *(f"broadcast, {p} {up_to}" for p in (8, 16)))
    assert broadcast in line(text, "| E Fig. 6, ")
    scatter = sizes("E Fig. 7", f"scatter, 16 {up_to}")
    assert scatter in line(text, "| E Fig. 7, Scatter, 16 nodes, TCA faster")
    allgather = sizes("E Fig. 12", *(f"allgather, {p} {up_to}" for p in (4, 8, 16)))
    assert allgather in line(text, "| E Fig. 12, Allgather")
    by = ("TCA on the CPU", "TCA on the GPU", "MPI")
    reduces = " / ".join(f"{ours('E Fig. 9', f'8 B: {one}'):.1f}" for one in by)
    assert f"| {reduces} us |" in line(text, "| E Fig. 9, Reduce of 8 bytes")
    large = " / ".join(f"{1e-3 * ours('E Fig. 9', f'1024 KB: {one}'):.2f}" for one in by)
    assert f"| {large} ms |" in line(text, "| E Fig. 9, 1 MB")
    rates = ("TCA's rate at 64 KB for each process", "TCA's largest rate")
    rate = ", ".join(f"{ours('E Fig. 7', one):.2f}" for one in rates)
    assert f"| {rate} GB/s |" in line(text, "| E Fig. 7, TCA's rate")
    assert f"| {ours('E Fig. 8', rates[1]):.2f} GB/s |" in line(text, "| E Fig. 8, ")


TCA, MPI = System("peach2"), System("hapacs-ib")


def meets(slow: Callable[[int], float], fast: Callable[[int], float], between: range) -> float:
    """KB from which on the first takes longer; below it never does within `between`."""
    return next(size for size in between if slow(size) > fast(size)) / 1024


def seconds(operation: str, system: System, ranks: int, **options: Any) -> Callable[[int], float]:
    one = Collective(operation, system, ranks, **options)
    return lambda size: one.predict(size).seconds


def test_times_meet_where_the_notes_say() -> None:
    text = " ".join(note("simulation.md").split())
    near = [
        meets(seconds("allgather", TCA, p), seconds("allgather", MPI, p),
              range(64 << 10, 120 << 10, 512))
        for p in (4, 8, 16)
    ]  # fmt: skip
    four, eight, sixteen = (f"{at:.0f}" for at in near)
    assert f"at {four}, {eight} and {sixteen} KB on 4, 8 and 16 nodes" in text
    reasons = {ranks: kept_rows()["E Fig. 12", f"allgather, {ranks} nodes: TCA faster up to"]
               for ranks in (2, 4, 8)}  # fmt: skip
    assert f"meet near {four} KB" in reasons[4]["reason"]
    assert f"meet near {eight} KB" in reasons[8]["reason"]
    broadcast = meets(seconds("broadcast", TCA, 8), seconds("broadcast", MPI, 8),
                      range(256 << 10, 300 << 10, 512))  # fmt: skip
    assert f"Broadcast's on 8 nodes at {broadcast:.0f} KB" in text
    cpu, gpu = (seconds("reduce", TCA, 16, algorithm=way) for way in ("direct_host", "direct"))
    at = meets(cpu, gpu, range(6 << 10, 9 << 10, 64))
    longer = 100 * (cpu(8 << 10) / gpu(8 << 10) - 1)
    assert f"they meet at {at:.1f} KB; at 8 KB the CPU takes {longer:.0f} % longer" in text


def test_times_jump_where_mpi_changes_its_way() -> None:
    text = " ".join(note("simulation.md").split())
    tca, mpi = (seconds("broadcast", system, 16) for system in (TCA, MPI))
    lead = 100 * (mpi(128 << 10) / tca(128 << 10) - 1)
    above, later = (100 * (tca(n << 10) / mpi(n << 10) - 1) for n in (129, 180))
    said = (
        f"On 16 nodes MPI takes {lead:.0f} % longer at 128 KB; just above TCA takes {above:.0f} % "
        f"longer, at 180 KB {later:.0f} %."
    )
    assert said in text
    row = kept_rows()["E Fig. 6", "broadcast, 16 nodes: TCA faster up to"]
    assert said in " ".join(row["reason"].split())
    tca, mpi = (seconds("scatter", system, 16) for system in (TCA, MPI))
    assert tca(32 << 10) < 0.9 * mpi(32 << 10)
    assert tca(33 << 10) > 1.05 * mpi(33 << 10)


# --- tasks.md -------------------------------------------------------------------------------------

#: Beginning of a line, figure, what.
MODELLED = (
    ("| six cores by lists, most", "D 4.1", "six cores by lists, most"),
    ("| … from how many references on", "D 4.1", "… from how many references on"),
    ("| six cores by tasks, most", "D 4.1", "six cores by tasks, most"),
    ("| … at 48 tasks, 8 a core", "D 4.1", "… at 48 tasks, 8 a core"),
    ("| … from how many tasks on, six cores", "D 4.1", "… from how many tasks on"),
    ("| updates near the most", "D Fig. 5", "8 tasks, small sets: updates near the most"),
    ("| updates at 100 M/s", "D Fig. 5", "48 tasks, small sets: updates at 100 M/s"),
    ("| sets at 100 M/s", "D Fig. 5", "48 tasks, 2 updates: sets at 100 M/s"),
    ("| tasks a core for 100 M/s behind", "D Fig. 6", "tasks a core for 100 M/s"),
    ("| most behind 3 µs", "D Fig. 6", "most"),
    ("| … from how many tasks on, behind", "D Fig. 6", "… from how many tasks on"),
)


@pytest.mark.parametrize(("beginning", "figure", "what"), MODELLED)
def test_the_notes_on_tasks_have_paper_ds_machine_as_kept(
    beginning: str, figure: str, what: str
) -> None:
    row = kept_rows()[figure, what]
    cells = line(note("tasks.md"), beginning).split("|")
    assert [cell.strip() for cell in cells[2:4]] == [
        f"{row[one]:.0f}" for one in ("published", "ours")
    ]


def test_the_notes_on_tasks_have_what_going_on_changes_as_kept() -> None:
    text = note("tasks.md")
    text = text[text.index("| `ahead` |") :]
    for what in ("six cores, 8 tasks a core", "48 tasks a core, of the rate at 10",
                 "tasks a core for 100 M/s behind 3 us", "most behind 3 us"):  # fmt: skip
        cells = " | ".join(f"{ours('D ahead', f'ahead {n}: {what}'):.0f}" for n in (0, 1, 2))
        assert line(text, f"| {what.replace('us', 'µs')}").endswith(f" | {cells} |"), what


def test_the_notes_on_tasks_have_paper_ds_network_as_kept() -> None:
    text = note("tasks.md")
    figure = "D Fig. 6"
    for beginning, value in (
        ("| the network alone", "network alone: 300 references under way"),
        ("| with 4 GB/s links", "2 nodes, 300 under way, polled"),
        ("| the same, most", "with links, memory and cores: most"),
        ("| the same, manager in hardware", "manager in hardware: most"),
    ):
        assert line(text, beginning).endswith(f"| {ours(figure, value):.0f} |")
    both = (ours(figure, f"64 nodes, 2000 under way, {how}") for how in ("polled", "hardware"))
    assert line(text, "| 64 nodes").endswith(f"| {' / '.join(f'{one:.0f}' for one in both)} |")


# --- paper_c.md -----------------------------------------------------------------------------------


def test_the_notes_on_paper_c_have_table_3_as_kept() -> None:
    theirs = [
        row["ours"]
        for (figure, what), row in kept_rows().items()
        if figure == "C Table 3" and row["published"] is not None and "rate" in what
    ]
    assert len(theirs) == 20
    text = note("paper_c.md")
    lines = text[text.index("| Table 3, best rate") :].splitlines()
    for one, rates in zip(lines, (theirs[k : k + 5] for k in range(0, 20, 5)), strict=False):
        assert ", ".join(f"{rate:.0f}" for rate in rates) in one


#: Figure, title, and how the paper runs it.
SCALED = (
    ("C Fig. 10", "BFS", COPIES), ("C Fig. 10", "SSSP", COPIES),
    ("C Fig. 11", "PageRank", COPIES), ("C Fig. 12", "components", LAUNCHES),
)  # fmt: skip


@pytest.mark.parametrize(("figure", "title", "way"), SCALED)
def test_the_notes_on_paper_c_have_numbers_of_gpus_as_kept(
    figure: str, title: str, way: str
) -> None:
    text = note("paper_c.md")
    best = [ours(figure, f"{title}, {kind}: best number of GPUs, {way}") for kind in KINDS]
    beginning = "| Table 3, best GPUs, BFS" if title == "BFS" else f"| … {title} |"
    table = text[text.index("| Table 3, best GPUs") :]
    assert f" | {', '.join(map(str, best))} |" in line(table, beginning)
    gains = [ours(figure, f"{title}, {kind}: 5 GPUs over 4, {STORES}") for kind in KINDS]
    costs = [ours(figure, f"{title}, {kind}: 5 GPUs, what the socket link adds") for kind in KINDS]
    bend = text[text.index("## Does scaling bend") :].splitlines()
    at = next(i for i, one in enumerate(bend) if one.startswith(f"| {title}, 5 over 4 GPUs"))
    assert bend[at].endswith(f"| {' | '.join(f'{one:.2f}' for one in gains)} |")
    assert bend[at + 1].endswith(f"| {' | '.join(f'{abs(one):.0f}' for one in costs)} |")


def test_the_notes_on_paper_c_have_factors_as_kept() -> None:
    text = note("paper_c.md")
    for beginning, figure, what, ways in (
        ("| Fig. 11, USA", "C Fig. 11", "PageRank, USA: 8 GPUs over 1", (COPIES, STORES)),
        ("| Fig. 11, LiveJ", "C Fig. 11", "PageRank, soc-LiveJournal1: 4 GPUs over 1",
         (COPIES, STORES)),
        ("| Fig. 12, kron21", "C Fig. 12", "components, kron21.sym: 8 GPUs over 1",
         (LAUNCHES, STORES)),
    ):  # fmt: skip
        cell = line(text, beginning).split("|")[3]
        for way in ways:
            assert f"{ours(figure, f'{what}, {way}'):.3g} (" in cell
    over = ours("C Fig. 12", "components, USA, 1 GPU: over Gunrock's, by rate")
    assert f"| 10.99 | {over:.1f} |" in line(text, "| Fig. 12, USA, 1 GPU over Gunrock's")
    eight = kept_rows()["C Fig. 12", "components, USA, 8 GPUs: over Gunrock's"]
    assert (eight["published"], eight["ours"]) == (49.6, None) and eight["reason"]
    assert "| 49.6 | not compared |" in line(text, "| … 8 GPUs over Gunrock's")


def test_the_notes_on_paper_c_have_table_5_as_kept() -> None:
    text = note("paper_c.md")
    for beginning, kind, how in (
        ("| Table 5, soft priorities, LiveJournal", KINDS[2], ""),
        ("| … kron21 |", KINDS[4], ""),
        ("| … USA |", KINDS[0], ""),
        ("| … with one kernel, USA", KINDS[0], ", one kernel"),
    ):
        gains = [ours("C Table 5", f"SSSP, {kind}, {p} GPUs: soft priorities{how}")
                 for p in (1, 2, 4, 8)]  # fmt: skip
        table = text[text.index("| Table 5, soft") :]
        cells = " / ".join(f"{one:.2f}" if one < 10 else f"{one:.0f}" for one in gains)
        assert f"| {cells} |" in line(table, beginning)


def test_the_notes_on_paper_c_have_items_as_kept() -> None:
    text = note("paper_c.md")
    table = text[text.index("| 5.2, items") :]
    first, soft = "first in, first out", "soft priorities"

    def items(what: str) -> float:
        found: float = ours("C 5.2", f"{what}: items")
        return found

    sssp = (items(f"SSSP, USA, 1 GPUs, {first}"), items(f"SSSP, USA, 4 GPUs, {first}, METIS"))
    assert f"| {sssp[0]:.0f} / {sssp[1]:.0f} |" in line(table, "| 5.2, items")
    assert f"| {items(f'SSSP, USA, 4 GPUs, {soft}, METIS'):.2f} |" in line(table, "| … SSSP, soft")
    bfs = [items(f"BFS, USA, {how}") for how in
           (f"1 GPUs, {first}", f"4 GPUs, {first}, METIS", f"4 GPUs, {soft}, METIS")]  # fmt: skip
    assert f"| {bfs[0]:.2f}; {bfs[1]:.2f}, {bfs[2]:.2f} |" in line(table, "| … BFS, 1 GPU;")
    uncut = [items(f"BFS, USA, 4 GPUs, {how}") for how in (first, soft)]
    assert f"| {uncut[0]:.1f}, {uncut[1]:.2f} |" in line(table, "| … BFS, 4 GPUs without METIS")


def test_the_notes_on_paper_c_have_fig_2_as_kept() -> None:
    text = note("paper_c.md")
    text = text[text.index("## Ours beside theirs") :]
    over = ours("C Fig. 2a", "same board, stores, coalesced over random")
    assert f"| {over:.0f} times |" in line(text, "| Fig. 2 a")
    one, ten = (
        ours("C Fig. 2b", f"packets of {size} MB: longer than one transfer") for size in (1, 10)
    )
    assert f"| {one:.1f} / {ten:.1f} % |" in line(text, "| Fig. 2 b")
    stores, host = (
        ours("C Fig. 2c", f"same board, push, {how}, packets of 1 MB")
        for how in ("stores", "by the host")
    )
    assert f"| {stores:.1f} against {host:.1f} GB/s at 1 MB |" in line(text, "| Fig. 2 c")


def test_how_near_paper_c_comes_is_made_from_what_was_kept() -> None:
    rows = [
        {"figure": "C Table 3", "what": f"{name}: rate, best on 1", "published": 100, "ours": rate,
         "deviation_percent": rate - 100}
        for name, rate in (("bfs, USA", 110), ("sssp, USA", 300), ("pagerank, twitter", 900))
    ]  # fmt: skip
    text = " ".join(closing_lines(rows))
    assert "other 2 rates 1 are within 35 %, half within 10 %, and 1 within a factor of 2.5" in text
    assert "The farthest are SSSP on USA." in text
    assert "\n".join(closing_lines(list(kept_rows().values()))) in note("paper_c.md")


def test_half_of_paper_cs_rates_are_within_half() -> None:
    text = " ".join(closing_lines(list(kept_rows().values())))
    found = re.search(r"other (\d+) rates .* half within (\d+) %, and (\d+) within a factor", text)
    assert found
    rates, half, near = map(int, found.groups())
    assert rates == 19 and half < 50 and near >= 17
