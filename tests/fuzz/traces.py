"""Fuzzes what reads traces back and sums them, under atheris: a text is refused in one line, or its
runs add up. Mutations keep it JSON, mostly: one value becomes another, goes, or comes twice.
"""

import copy
import json
import math
import random
import sys
from collections.abc import Iterable, Iterator
from typing import Any

import atheris
from checks import check_message

with atheris.instrument_imports(include=["gossamer.trace", "gossamer.documents"]):
    from gossamer.errors import InputError
    from gossamer.trace import RunSums, parse_trace, sum_runs

_VALUES: list[Any] = [
    0, 1, -1, 2, 3, 1.5, 1e-9, 1e300, -0.5, math.inf, math.nan, 1 << 31, 1 << 62, 1 << 64, True,
    None, "", "x", "a\nb", "é" * 300, [], {}, [0], {"run": 0},
    "run", "level", "compute", "exchange", "copy", "wait",
]  # fmt: skip


def check_run(run: RunSums) -> None:
    largest = max(1.0, run.traced)
    for rank in run.ranks:
        assert rank.idle >= 0 and rank.busy >= 0, rank
    path = sum(part.milliseconds for part in run.path)
    assert path <= largest * (1 + 1e-6), f"a path of {path} ms in {run.traced} ms"
    assert run.idle_for_copies <= run.copying * (1 + 1e-6) + 1e-6 * largest, run


def one_input(data: bytes) -> None:
    try:
        for run in sum_runs(parse_trace(data, "fuzz")):
            check_run(run)
    except InputError as e:
        check_message(str(e))
        assert str(e).startswith("fuzz: "), str(e)


def keys_of(value: Any) -> Iterable[Any]:
    if isinstance(value, dict):
        return list(value)
    return range(len(value)) if isinstance(value, list) else ()


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every member of `value`, at any depth: what holds it, and its key or index."""
    for key in keys_of(value):
        yield value, key
        yield from places(value[key])


def change(root: Any, draw: random.Random) -> None:
    """One member."""
    holder, key = draw.choice(list(places(root)))
    match draw.randrange(6):
        case 0:
            del holder[key]
        case 1 if isinstance(holder, list):
            holder.insert(draw.randrange(len(holder) + 1), copy.deepcopy(holder[key]))
        case 2 | 3:
            other, at = draw.choice(list(places(root)))
            holder[key] = copy.deepcopy(other[at])
        case 4 if isinstance(number := holder[key], (int, float)):
            holder[key] = draw.choice([number + 1, number * 2, -number, number / 3])
        case _:
            holder[key] = copy.deepcopy(draw.choice(_VALUES))


def mutate(data: bytes, most: int, seed: int) -> bytes:
    draw = random.Random(seed)
    try:
        root = json.loads(data)
        for _ in range(draw.randrange(4)):
            change(root, draw)
        made = json.dumps(root, separators=(",", ":")).encode()
    except (ValueError, RecursionError, IndexError, OverflowError):
        made = data
    return made if made != data and len(made) <= most else bytes(atheris.Mutate(data, most))


if __name__ == "__main__":
    atheris.Setup(sys.argv, one_input, custom_mutator=mutate)
    atheris.Fuzz()
