"""Paper C, Fig. 2: direct access, packets, push against push/pull, one to all; 100 MB (drawn only
but for what the text says).

Predicted on the modelled M60s; `--measured FILE` takes all four from what
bench/micro/transfers.cpp wrote on GPUs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from .. import transfer_points as points
from ..plots import bars, lines
from ..report import Row, arguments, compared, measured, show
from ..transfer_points import Point

NAME = "c_fig02_transfers"
TITLES = {
    "b": "packets instead of one transfer",
    "c": "push against push/pull",
    "d": "one GPU to all others",
}
#: The text gives a range for packets of 1 to 10 MB, and calls it linear.
OVERHEAD = {1_000_000: 10.0, 10_000_000: 1.0}


def _curves(found: Sequence[Point], figure: str) -> dict[str, dict[int, float]]:
    """GB/s by packet, by curve."""
    curves: dict[str, dict[int, float]] = {}
    for point in found:
        if point.figure == figure:
            curves.setdefault(point.curve, {})[point.packet] = point.rate
    return curves


def _draw(folder: Path, found: Sequence[Point], how: str) -> None:
    for figure, title in TITLES.items():
        curves = _curves(found, figure)
        if not curves:
            continue
        packets = sorted({packet for curve in curves.values() for packet in curve})
        lines(
            folder, f"c_fig02{figure}", packets,
            {name: [curve.get(packet) for packet in packets] for name, curve in curves.items()},
            ("bytes of a packet", "GB/s"), f"C Fig. 2{figure}: {title} ({how}; drawn only)",
        )  # fmt: skip
    access = _curves(found, "a")
    if access:
        rates = [next(iter(curve.values())) for curve in access.values()]
        bars(folder, "c_fig02a", list(access), {"rate": rates}, "GB/s",
             f"C Fig. 2a: direct access ({how}; drawn only)")  # fmt: skip


def _access_rows(found: Sequence[Point]) -> list[Row]:
    """Fig. 2 a: coalesced over random, for each kind of access."""
    access = {name: next(iter(curve.values())) for name, curve in _curves(found, "a").items()}
    pairs = [(name, f"{name[: -len('coalesced')]}random") for name in access
             if name.endswith("coalesced")]  # fmt: skip
    return [
        Row("C Fig. 2a", f"{name} over random", 21, access[name] / access[random], "times",
            reason="Accesses of 4 bytes; the paper's best case, over PCIe. It names neither the "
            "width of an access nor whether it loads or stores.")
        for name, random in pairs
    ]  # fmt: skip


def _packet_rows(found: Sequence[Point]) -> list[Row]:
    """Fig. 2 b: what packets cost."""
    curve = _curves(found, "b")[points.BY_HOST]
    whole = curve[max(curve)]
    return [
        Row("C Fig. 2b", f"packets of {packet // 1_000_000} MB: longer than one transfer",
            published, 100 * (whole / curve[packet] - 1), "%",
            reason="An end of the range 1 to 10 % that the text gives for packets of 1 to 10 MB. "
            "Each packet is awaited here; begun ahead they cost the model nothing.")
        for packet, published in OVERHEAD.items() if packet in curve
    ]  # fmt: skip


def _push_rows(found: Sequence[Point]) -> list[Row]:
    """Fig. 2 c: which way is better, at 1 MB."""
    curves = _curves(found, "c")
    at = 1_000_000
    rates = {name: curve[at] for name, curve in curves.items() if at in curve}
    rows = [
        Row("C Fig. 2c", f"{name}, packets of 1 MB", None, rate, "GB/s")
        for name, rate in rates.items()
    ]
    for name, rate in rates.items():
        by_host = rates.get(name.replace("stores", "by the host"))
        if name.endswith("stores") and by_host is not None:
            better = "yes" if rate > by_host else "no"
            where = name.removesuffix(", stores")
            rows.append(
                Row("C Fig. 2c", f"{where}: kernels faster than the host's packets", "yes", better,
                    reason="The text: fine control pays even against packets that the host copies.")
            )  # fmt: skip
    return rows


def _ring_rows(found: Sequence[Point]) -> list[Row]:
    """Fig. 2 d: rings, and what packets and stores give."""
    best = {name: max(curve.values()) for name, curve in _curves(found, "d").items()}
    if not best:
        return []
    flat, whole = best[points.FLAT], best[points.WHOLE_RING]
    ring, stores = best[points.RING], best[points.RING_STORES]

    def row(what: str, holds: bool, reason: str) -> Row:
        return Row("C Fig. 2d", what, "yes", "yes" if holds else "no", reason=reason)

    return [
        row("a ring beats a transfer to each", whole > flat,
            f"Without packets {whole / flat:.2f} times as fast, with them {ring / flat:.2f}."),
        row("packets make the ring much faster", ring > 1.5 * whole,
            f"{ring / whole:.2f} times; taken as more than 1.5."),
        row("stores are slightly better than the host's ring", 1 <= stores / ring < 1.25,
            f"{stores / ring:.3f} times; taken as up to 1.25."),
    ]  # fmt: skip


def _rows(found: Sequence[Point]) -> list[Row]:
    return [*_access_rows(found), *_packet_rows(found), *_push_rows(found), *_ring_rows(found)]


def run(folder: Path) -> list[Row]:
    found = points.predicted()
    _draw(folder, found, "predicted")
    return compared(folder, NAME, _rows(found))


def from_file(folder: Path, file: Path) -> list[Row]:
    """The same, measured."""
    found = points.read(file)
    _draw(folder, found, "measured")
    return compared(folder, NAME, measured(_rows(found)))


if __name__ == "__main__":
    parser = arguments(__doc__)
    parser.add_argument("--measured", type=Path, required=True)
    given = parser.parse_args()
    show(from_file(given.folder, given.measured))
