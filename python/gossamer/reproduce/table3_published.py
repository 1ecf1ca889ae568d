"""Paper C's Table 3: best milliseconds and the number of GPUs, by graph, algorithm and program."""

from __future__ import annotations

from .worklist_graphs import KRON, LIVE_JOURNAL, OSM, TWITTER, USA, Kind

Times = dict[str, tuple[float, int]]

PUBLISHED: dict[str, dict[str, Times]] = {
    USA.name: {
        "bfs": {"Gunrock": (617.85, 1), "B40C": (56.83, 1), "Groute": (128.38, 2)},
        "sssp": {"Gunrock": (60656.91, 8), "Groute": (725.93, 3)},
        "pagerank": {"Gunrock": (1394.25, 1), "Groute": (167.89, 8)},
        "components": {"Gunrock": (335.65, 1), "Groute": (15.11, 5)},
    },
    OSM.name: {
        "bfs": {"Gunrock": (3191.78, 1), "B40C": (2177.1, 2), "Groute": (616.4, 5)},
        "sssp": {"Gunrock": (874083.5, 4), "Groute": (3513.29, 8)},
        "pagerank": {"Groute": (1045.33, 8)},
        "components": {"Groute": (160.96, 4)},
    },
    LIVE_JOURNAL.name: {
        "bfs": {"Gunrock": (99.11, 2), "B40C": (14.07, 4), "Groute": (24.96, 6)},
        "sssp": {"Gunrock": (83.36, 5), "Groute": (30.98, 6)},
        "pagerank": {"Gunrock": (2782.06, 1), "Groute": (371.71, 5)},
        "components": {"Gunrock": (110.05, 1), "Groute": (14.19, 2)},
    },
    TWITTER.name: {
        "bfs": {"Groute": (713.6, 8)},
        "sssp": {"Gunrock": (1310.7, 7), "Groute": (649.2, 8)},
        "pagerank": {"Groute": (38549.27, 1)},
        "components": {"Groute": (384.13, 8)},
    },
    KRON.name: {
        "bfs": {"Gunrock": (156.68, 3), "Groute": (46.55, 7)},
        "sssp": {"Gunrock": (208.43, 2), "Groute": (213.92, 8)},
        "pagerank": {"Gunrock": (9800.43, 1), "Groute": (5342.73, 1)},
        "components": {"Groute": (13.86, 8)},
    },
}


def beside(kind: Kind | None, algorithm: str) -> str:
    """All that the paper has for one graph and algorithm, as text."""
    if kind is None:
        return "The paper has no graph of this kind."
    times = PUBLISHED[kind.name][algorithm].items()
    listed = ", ".join(f"{name} {ms:g} ms ({gpus})" for name, (ms, gpus) in times)
    return f"Published for {kind.name}, with GPUs: {listed}."
