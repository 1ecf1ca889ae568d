"""How much the benches compute: every point, or a few that show that a bench works."""

from __future__ import annotations

from dataclasses import dataclass, field

__all__ = ["Extent", "extent"]


@dataclass
class Extent:
    """What all benches share; they read it when they run."""

    #: Bytes of messages.
    sizes: list[int] = field(default_factory=lambda: [1 << k for k in range(3, 25)])
    #: Processes of conjugate gradient.
    ranks: tuple[int, ...] = (1, 2, 4, 8, 16)
    #: Of paper E's Table 7, by name; none: all of them.
    matrices: tuple[str, ...] = ()
    #: Of breadth-first search's graphs.
    scales: tuple[int, ...] = tuple(range(12, 19))

    #: Paper A's searches: scale of Fig. 8, of Fig. 10, of Table 4, its edge factor (0: the
    #: paper's), and from how many sources.
    search_scale: int = 22
    overlap_scale: int = 24
    #: Of Fig. 6 and 7, and of Fig. 9, whose queue of all neighbours has to fit a GPU of 2 GB.
    teps_scales: tuple[int, ...] = (16, 18, 20, 22)
    kernel_scale: int = 20
    table_scale: int = 20
    table_edge_factor: int = 0
    searches: int = 3

    #: Runs of what is measured beside predictions, of which the fastest counts: hosts are shared.
    repeat: int = 3
    #: Iterations of conjugate gradient that are measured; predictions are of 1,000.
    iterations: int = 1000

    #: Paper D's references to other nodes: how many are under way, steps of each, and nodes.
    chase_tasks: tuple[int, ...] = (1, 3, 10, 30, 100, 200, 300, 500, 1000, 2000, 4000)
    chase_steps: int = 200
    chase_nodes: tuple[int, ...] = (2, 4, 8, 16, 32, 64)

    #: Paper C's worklists: numbers of GPUs, and whether graphs are some thousand vertices only.
    gpus: tuple[int, ...] = (1, 2, 3, 4, 5, 6, 7, 8)
    small_graphs: bool = False

    def shorten(self) -> None:
        """Seconds instead of minutes: crossovers become coarse, and the large matrices are left
        out. The sizes kept are those that the papers' texts name."""
        self.sizes = [1 << k for k in (3, 4, 7, 8, 13, 15, 16, 17, 18, 20)]
        self.ranks = (1, 2, 4)
        self.matrices = ("nasa2910", "s1rmq4m1")
        self.scales = (8, 9)
        self.search_scale, self.table_scale, self.table_edge_factor = 14, 12, 16
        self.overlap_scale = 14
        self.teps_scales, self.kernel_scale = (10, 13), 13
        self.searches = 1
        self.repeat, self.iterations = 1, 20
        self.chase_tasks, self.chase_steps, self.chase_nodes = (1, 300), 50, (2, 5)
        self.gpus, self.small_graphs = (1, 4, 5), True

    def at_scale(self, scale: int) -> None:
        """Papers A's and B's graphs up to that SCALE, in place of the papers' own."""
        self.search_scale = self.overlap_scale = self.kernel_scale = self.table_scale = scale
        self.teps_scales = tuple(range(scale - 6, scale + 1, 2))
        self.scales = tuple(range(scale - 6, scale + 1))


extent = Extent()
