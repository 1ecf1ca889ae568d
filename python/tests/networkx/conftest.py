"""NetworkX with the backend, where both are installed."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

nx = pytest.importorskip("networkx", minversion="3.5")
if "gossamer" not in nx.utils.backends.backends:
    pytest.skip("the package's entry points are not installed", allow_module_level=True)


@pytest.fixture(autouse=True)
def quiet() -> Iterator[None]:
    """No warnings when a cached graph is used."""
    with nx.config(warnings_to_ignore={"cache"}):
        yield
