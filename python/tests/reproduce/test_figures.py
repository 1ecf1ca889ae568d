"""What the texts of papers E and A say, held against predictions. What the model misses stands here
by name, with its reason: it has to go on missing, or the reason is wrong."""

from __future__ import annotations

from itertools import pairwise
from types import ModuleType

import gossamer as gs
import pytest
from gossamer.reproduce import systems, vector_queue_runs
from gossamer.reproduce.extent import extent
from gossamer.reproduce.figures import a_fig09_kernels, e_fig12_allgather
from gossamer.simulation import CgPrediction, Collective, System, cg

TCA, MPI = System("peach2"), System("hapacs-ib")
RANKS = (2, 4, 8, 16)


@pytest.fixture
def paper() -> ModuleType:
    """The figures' matrices."""
    return systems


def faster_up_to(operation: str, ranks: int) -> float:
    """KB, a power of two as in the paper: the last before MPI is faster for the first time."""
    tca, mpi = (Collective(operation, system, ranks) for system in (TCA, MPI))
    for k in range(3, 25):
        if tca.predict(1 << k).seconds > mpi.predict(1 << k).seconds:
            return (1 << k) / 2048
    return float("inf")


@pytest.mark.parametrize(
    ("operation", "ranks", "published"),
    [
        ("broadcast", 8, 256),
        ("broadcast", 16, 256),
        ("scatter", 16, 32),  # "MPI overtakes at 64 KB"
        ("allgather", 4, 128),
        ("allgather", 8, 32),
        ("allgather", 16, 64),
        pytest.param(
            "allgather", 2, 1024,
            marks=pytest.mark.xfail(
                strict=True,
                reason="MPI's pipelined allgather ends with a copy up that nothing hides on 2 "
                "nodes; the one that was measured must do something else there",
            ),
        ),
    ],
)  # fmt: skip
def test_tca_is_faster_up_to_a_size_within_a_factor_of_two(
    operation: str, ranks: int, published: int
) -> None:
    # Fig. 6, 7 and 12; sizes of Scatter and Allgather are for each process.
    assert published / 2 <= faster_up_to(operation, ranks) <= 2 * published


@pytest.mark.parametrize(
    ("system", "algorithm", "published"),
    [
        pytest.param(TCA, "direct_host", 6.3, id="TCA, on the CPU"),
        pytest.param(
            TCA, "direct", 42.0, id="TCA, on the GPU",
            marks=pytest.mark.xfail(
                strict=True,
                reason="a gather and a launch of 14 us; the paper says nothing of the other 25 us",
            ),
        ),
        pytest.param(
            MPI, "own", 8.2, id="MPI",
            marks=pytest.mark.xfail(
                strict=True,
                reason="the 3.3 us of a call are MPI_Allreduce's, the only ones to calibrate with",
            ),
        ),
    ],
)  # fmt: skip
def test_a_reduce_of_8_bytes_is_within_30_percent(
    system: System, algorithm: str, published: float
) -> None:
    # Section 4.4, 16 nodes, microseconds.
    ours = 1e6 * Collective("reduce", system, 16, algorithm=algorithm).predict(8).seconds
    assert ours == pytest.approx(published, rel=0.3)


@pytest.mark.parametrize(("ranks", "published"), [(2, 1.5), (4, 2.6), (8, 5.0), (16, 6.4)])
def test_table_6_is_within_a_fifth(ranks: int, published: float) -> None:
    ours = 1e6 * Collective("allreduce", TCA, ranks, "host").predict(8).seconds
    assert ours == pytest.approx(published, rel=0.2)


def test_mpis_row_of_table_6_is_what_follows_from_two_nodes() -> None:
    # As predicted: 2 nodes set the call, every further step is one ping-pong.
    ours = [1e6 * Collective("allreduce", MPI, p, "host").predict(8).seconds for p in RANKS]
    assert ours[0] == pytest.approx(5.2, rel=0.01)
    steps = [after - before for before, after in pairwise(ours)]
    assert steps == pytest.approx([1.9] * 3, rel=0.02)


@pytest.mark.parametrize(("ranks", "conflicts"), [(8, [1, 0, 0]), (16, [3, 1, 0, 0])])
def test_the_searched_mapping_beats_the_one_that_is_described(
    paper: ModuleType, ranks: int, conflicts: list[int]
) -> None:
    # Section 4.5: conflicts in the first steps, where blocks are small. The search finds none.
    mapping = e_fig12_allgather.described(ranks)
    assert sorted(mapping) == list(range(ranks))
    size = 64 << 10
    times = []
    for given, expected in ((mapping, conflicts), ("searched", [0] * len(conflicts))):
        one = Collective("allgather", TCA, ranks, algorithm="recursive_doubling", mapping=given)
        found = one.predict(size)
        assert one.conflicts(size, found)[1] == expected
        times.append(found.seconds)
    identity = Collective(
        "allgather", TCA, ranks, algorithm="recursive_doubling", mapping="identity"
    ).predict(size)
    assert times[1] < times[0] < identity.seconds


def seconds(matrix: gs.Graph, system: System, ranks: int) -> float:
    found: CgPrediction = cg(matrix, system, ranks)
    return found.seconds


@pytest.mark.slow
def test_the_winner_is_right_for_six_of_seven_matrices(paper: ModuleType) -> None:
    # Section 5.1: TCA is faster on all but nd24k. TCA wins where no number of processes is slower.
    right = 0
    for name in paper.MATRICES:
        matrix = paper.matrix(name)
        wins = all(seconds(matrix, TCA, p) <= seconds(matrix, MPI, p) for p in RANKS)
        right += wins == (name != "nd24k")
    assert right >= 6


@pytest.mark.parametrize(
    ("name", "published"),
    [
        ("nasa2910", 1),
        ("s1rmq4m1", 1),
        pytest.param(
            "smt", 4,
            marks=pytest.mark.xfail(
                strict=True,
                reason="from 4 to 8 processes the product gains 34 us and communication loses 18: "
                "the stand-in is even, the real matrix is not at hand",
            ),
        ),
    ],
)  # fmt: skip
def test_adding_nodes_starts_to_hurt_where_the_paper_says(
    paper: ModuleType, name: str, published: int
) -> None:
    # Section 5.1.
    times = {p: seconds(paper.matrix(name), TCA, p) for p in (1, *RANKS)}
    assert min(times, key=lambda p: times[p]) == published
    after = [times[p] for p in times if p >= published]
    assert after == sorted(after)


@pytest.fixture
def paper_a(paper: ModuleType, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The searches, as many of them as its figures have."""
    monkeypatch.setattr(extent, "searches", 3)
    return vector_queue_runs


@pytest.mark.parametrize(("system", "published"), [("expether", 4.77), ("gaming", 24.04)])
def test_paper_as_copies_come_near_the_links_limit(
    paper_a: ModuleType, system: str, published: float
) -> None:
    # Fig. 10: 4 GPUs, 4th iteration. Published at SCALE 24, where copies are longer still.
    found = paper_a.throughput(System(system), 4, 18)
    assert found == pytest.approx(published, rel=0.15)


@pytest.mark.parametrize(("ranks", "published"), [(2, 85), (4, 80)])
def test_paper_as_searches_hide_most_of_their_copies(
    paper_a: ModuleType, ranks: int, published: float
) -> None:
    # Section 6.2, which gives neither SCALE nor source.
    assert paper_a.hidden(System("expether"), ranks, 20) == pytest.approx(published, abs=10)


def test_results_that_go_while_levels_run_cost_a_tenth_of_paper_as_search(
    paper_a: ModuleType,
) -> None:
    # Its future work: in series they cost more than half of a search on 4 GPUs. SCALE 22, with less
    # than that, takes minutes: figures/a_future_results.py.
    expether, scale = System("expether"), 20
    search = paper_a.milliseconds(expether, 4, scale)
    costs = {
        way: paper_a.label_milliseconds(expether, 4, scale, results=way) / search
        for way in ("serial", "overlapped")
    }
    assert 0 < costs["overlapped"] <= 0.1
    assert costs["serial"] > 0.5


def test_bringing_label_to_the_host_takes_the_same_time_on_any_number_of_gpus(
    paper_a: ModuleType,
) -> None:
    # Section 6.2, Fig. 8.
    times = [paper_a.label_milliseconds(System("expether"), p, 18) for p in paper_a.GPUS]
    assert max(times) < 1.05 * min(times)


@pytest.mark.xfail(
    strict=True,
    reason="the sort's bytes make it 2.8 times; what else the predecessor's kernels did is not "
    "described",
)
def test_paper_as_kernels_are_five_times_faster_than_with_a_sort(
    paper_a: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Section 6.4, Fig. 9.
    monkeypatch.setattr(extent, "kernel_scale", 17)
    kernels = a_fig09_kernels.kernels
    previous, proposed = (sum(kernels(way).values()) for way in ("sort-unique", "vector"))
    assert previous / proposed == pytest.approx(5, rel=0.3)
