"""What files of measured rows say of the machine."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest
from gossamer.reproduce.measured_file import hardware


def device(name: str, ordinal: int = -1, share: int = 1) -> Any:
    return SimpleNamespace(name=name, ordinal=ordinal, share=share)


@pytest.mark.parametrize(
    ("devices", "said"),
    [
        ([device("team"), device("team")], "2 x team"),
        ([device("H200", 0), device("H200", 1)], "2 x H200"),
        # Of two nodes, whose GPUs have numbers of their own.
        ([device("H200", 0), device("H200", 0)], "2 x H200"),
        ([device("H200", 0, 2), device("H200", 0, 2)], "1 x H200, shared by ranks"),
        (
            [device("team"), *[device("H200", 0, 3)] * 3, device("H200", 1)],
            "1 x team, 2 x H200, shared by ranks",
        ),
    ],
)
def test_hardware(devices: list[Any], said: str) -> None:
    assert hardware(cast("Any", SimpleNamespace(devices=devices))) == said
