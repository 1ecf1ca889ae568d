"""Well-known graphs and matrices by name: found on this machine, or downloaded once.

    graph = gs.datasets.load("road-NY")

:func:`gossamer.read` takes the same as ``data:road-NY``. A file is looked for in the folder that
``GOSSAMER_DATA`` names, under its usual name, compressed or not; then among those downloaded
before. Downloads need pooch (``pip install gossamer[data]``). A file whose hash is known is
compared with it when it has been downloaded.
"""

from __future__ import annotations

from typing import Any

from gossamer.graph import Graph, read
from gossamer.graph.data_sets import DataSet, data_sets, find

__all__ = ["DataSet", "data_sets", "find", "load"]


def load(name: str, **how: Any) -> Graph:
    """The graph of that name, read as :func:`gossamer.read` is told to by `how`.

    UsageError names those that there are. InputError as of :func:`find`.
    """
    return read(find(name), **how)
