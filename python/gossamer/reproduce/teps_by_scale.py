"""What Fig. 6 and 7 of paper A have alike: TEPS by SCALE on 1, 2 and 4 GPUs (drawn only)."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

from gossamer.simulation import System

from .extent import extent
from .here import Here, Machines
from .plots import lines
from .report import Row, compared
from .vector_queue_runs import GPUS, gteps

#: 4 GPUs give so much of twice what 2 give: "almost proportional" has no number in the paper.
ALMOST = 0.85


def teps_figure(
    folder: Path, figure: str, name: str, system: System, proportional: str,
    machines: Machines = (),
) -> list[Row]:  # fmt: skip
    """The curves, and what the text says of them; `proportional`: of 2 and 4 GPUs at SCALE 22."""
    scales = extent.teps_scales
    ours = {p: [gteps(system, p, scale) for scale in scales] for p in GPUS}
    found: dict[Here, dict[float, float]] = {
        h: {scale: gteps(h, h.ranks, scale) for scale in scales} for h in machines
    }
    lines(
        folder, name, scales, {f"{p} GPUs": ours[p] for p in GPUS}, ("SCALE", "GTEPS"),
        f"{figure}: {system.title}, edge factor 16, Label on the host (predicted; drawn only)",
        measured={here.title: points for here, points in found.items()},
    )  # fmt: skip
    larger = all(a < b for p in GPUS for a, b in pairwise(ours[p]))
    more = all(ours[p][i] < ours[q][i] for p, q in pairwise(GPUS) for i in range(len(scales)))
    ratio = ours[4][-1] / ours[2][-1]
    rows = [
        Row(figure, f"{system.title}: TEPS improve as the graph grows", "yes",
            "yes" if larger else "no", reason="On every number of GPUs."),
        Row(figure, f"{system.title}: TEPS improve with the number of GPUs", "yes",
            "yes" if more else "no",
            reason="At every SCALE that is drawn; below, launches and Label decide."),
        Row(figure, f"{system.title}, SCALE {scales[-1]}: 4 GPUs over 2", None, ratio, "times"),
        Row(figure, f"{system.title}, SCALE {scales[-1]}: proportional from 2 to 4 GPUs",
            proportional, "almost" if ratio > 2 * ALMOST else "no",
            reason=f"Taken as more than {ALMOST:.0%} of twice. Published at SCALE 22."),
    ]  # fmt: skip
    for here, points in found.items():
        rows += [
            here.row(figure, "TEPS improve as the graph grows",
                     "yes" if all(a < b for a, b in pairwise(points.values())) else "no",
                     published="yes", reason=f"The paper says it of the {system.title}."),
            here.row(figure, f"SCALE {scales[-1]}", points[scales[-1]], "GTEPS"),
        ]  # fmt: skip
    return compared(folder, name, rows)
