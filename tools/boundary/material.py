"""What cases are made of: texts, numbers, specs, and files, valid, nearly valid and hostile."""

from __future__ import annotations

import io
import random
import re
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import gossamer as gs
import numpy as np

REPOSITORY = Path(__file__).parents[2]
#: What files may be called beside their own suffix.
SUFFIXES = (
    ".npz", ".npy", ".csv", ".tsv", ".parquet", ".json", ".gsr", ".gr", ".mtx", ".graph", ".txt",
    ".gz", ".xz", ".zst", ".html", ".png", ".svg", ".toml", ".part", "",
)  # fmt: skip
HOSTILE = (
    "", " ", "-", "--", ".", "..", "/", "a\nb", "a\rb", "\x1b[31m", "\x07", "é", "日本", "\u2028",
    "\u202e", "\udcff", "💥", "%s", "%n", "{}", "{0}", "$HOME", "'", '"', "\\", ",", ":", "=", "@",
    "x" * 300, "9" * 400, "(" * 300, "0x10", "1e3", "1_000", "+1", "-0", "٣", "NaN", "inf", "-inf",
    "None", "true", "auto", "none", "0",
)  # fmt: skip
NUMBERS = (
    "0", "1", "2", "3", "7", "16", "64", "-1", "255", "256", "65536", "2147483647", "2147483648",
    "4294967296", "9223372036854775807", "9223372036854775808", "18446744073709551616", "1e400",
)  # fmt: skip
REALS = (
    "0", "1", "0.5", "0.85", "1e-6", "1e-300", "1e300", "-1", "-0.0", "nan", "inf", "-inf", "1e999",
    "0x1p-3", "1,5", "2.0000000001",
)  # fmt: skip
BYTES = (
    "64", "1K", "4K", "64K", "1M", "16M", "64M", "0", "1", "-1", "1e3", "1.5M", "0.1", "64MiB",
    "64XB", "device=1M", "device=", "9e99", "K", "99999999999999999999",
)  # fmt: skip
MACHINES = ("cpu:1x1", "cpu:2x1", "cpu:1x2", "cpu:3x1", "cpu:2x2", "cpu", "auto", "cpu:1")
MODELLED = ("sim:peach2,ranks=4", "sim:h200,ranks=3", "sim:gaming,ranks=2")
ODD_MACHINES = (
    "cuda", "cuda:0", "cuda:0-3", "cuda:0*3", "mpi", "mpi:2", "cpu:0", "cpu:-1", "cpu:1x0", "cpu:x",
    "cpu:1x1+", "cpu:1x1+cuda:0", "sim:", "sim:peach2", "sim:peach2,ranks=0", "sim:x,ranks=2",
    "sim:peach2,ranks=999999", "cpu:99999999999999999999", "cpu:2x1,cpu:1x1", "sim:/,ranks=1",
    "cpu:100000x1",
)  # fmt: skip


def mutated(rng: random.Random, text: str) -> str:
    """The text with one to three small changes."""
    for _ in range(rng.randint(1, 3)):
        at = rng.randint(0, len(text))
        to = min(len(text), at + rng.randint(0, 3))
        numbers = list(re.finditer(r"\d+", text))
        how = rng.randrange(6)
        if how == 0:
            text = text[:at] + text[to:]
        elif how == 1:
            text = text[:at] + rng.choice(HOSTILE) + text[at:]
        elif how == 2 and numbers:
            number = rng.choice(numbers)
            text = text[: number.start()] + rng.choice(NUMBERS) + text[number.end() :]
        elif how == 3:
            text = text[:to] + text[at:]
        elif how == 4:
            text = text[:at]
        else:
            text = text.swapcase()
    return text


def number(rng: random.Random) -> str:
    return rng.choice(NUMBERS) if rng.random() < 0.5 else str(rng.randint(0, 9))


def real(rng: random.Random) -> str:
    return rng.choice(REALS) if rng.random() < 0.5 else f"{rng.random():.3g}"


def machine(rng: random.Random) -> str:
    kind = rng.random()
    if kind < 0.6:
        return rng.choice(MACHINES)
    if kind < 0.75:
        return rng.choice(MODELLED)
    return rng.choice(ODD_MACHINES) if kind < 0.9 else mutated(rng, rng.choice(MACHINES + MODELLED))


def graph(rng: random.Random) -> str:
    """A generator's spec, of a small graph or of one that no memory holds."""
    n = rng.randint(1, 40)
    spec = rng.choice((
        f"kron:{n % 7}", f"kron:{n % 6}:4:3", f"kron:5:3:{n}:degree", f"uniform:{n % 6}:3",
        f"grid:{n % 9}x{n % 7}", f"road:{n % 12}", f"road:{n % 12}:0.5:3", f"star:{n}", f"path:{n}",
        f"tree:{n % 5}", f"tree:{n % 3}:3", f"cliques:{n % 4}x{n % 6}", f"lollipop:{n % 8}x{n % 9}",
        f"bipartite:3x{n}:2", f"small-world:{n}:4:100", f"mesh:{n % 4}x2x3",
        f"preferential:{n}:2", f"geometric:{n}:4", f"web:{n}:3", f"poisson:{n}", "poisson:4x3x2",
        f"band:{n}:{3 * n}", "kron:40", "grid:99999999x99999999", "poisson:999999999",
        "star:9223372036854775807", "path:0", "tree:64:2", "data:none", "data:", "cnr-2000",
    ))  # fmt: skip
    return mutated(rng, spec) if rng.random() < 0.25 else spec


@cache
def engine_names(algorithm: str) -> tuple[Any, ...]:
    return tuple(gs.engines(algorithm))


def engine(rng: random.Random, algorithm: str) -> str:
    known = engine_names(algorithm)
    one = rng.choice(known)
    asked = [
        f"{option.name}={rng.choice(option.choices) if option.choices else number(rng)}"
        for option in one.options
        if rng.random() < 0.4
    ]
    text = one.name + (":" + ",".join(asked) if asked else "")
    if rng.random() < 0.2:
        return mutated(rng, text)
    return "auto" if rng.random() < 0.3 else text


# --- files ----------------------------------------------------------------------------------------


def _saved(save: Any, *arrays: Any, **named: Any) -> bytes:
    out = io.BytesIO()
    save(out, *arrays, **named)
    return out.getvalue()


@cache
def samples() -> dict[str, dict[str, bytes]]:
    """Valid files, by what they are for and their names."""
    data = {p.name: p.read_bytes() for p in sorted((REPOSITORY / "tests" / "data").iterdir())
            if p.suffix != ".py" and p.stat().st_size < 1 << 16}  # fmt: skip
    counted = np.arange(16)
    numbers = {
        "n.txt": b"".join(b"%d\n" % i for i in range(16)),
        "n.npy": _saved(np.save, counted.astype(float)),
        "i.npy": _saved(np.save, counted.astype(np.int32)),
        "big.npy": _saved(np.save, counted.astype(">i8").reshape(4, 4)),
        "n.npz": _saved(np.savez, depths=counted, distances=counted * 0.5, ranks=counted / 120,
                        labels=counted * 0, array=counted, b=counted, x=counted),
        "v.mtx": b"%%MatrixMarket matrix array real general\n4 1\n1\n2\n3\n4\n",
    }  # fmt: skip
    here = Path(__file__).parent / "samples"
    systems = sorted((REPOSITORY / "share" / "systems").glob("*.toml"))
    return {
        "graph": data,
        "numbers": numbers,
        "partition": {"p.part": b"0\n1\n" * 8, "q.part": b"0\n" * 6, "r.part": b"0\n1\n0\n1\n"},
        "rules": {"rules.txt": b"allreduce:0-4k:@one_shot,4k-inf:@ring\n"},
        "system": {p.name: p.read_bytes() for p in systems},
        "record": {p.name: p.read_bytes() for p in sorted(here.iterdir())},
    }


def damaged(rng: random.Random, content: bytes) -> bytes:
    """The bytes with one to four changes, or cut."""
    body = bytearray(content)
    for _ in range(rng.randint(1, 4)):
        at = rng.randint(0, len(body))
        to = min(len(body), at + rng.randint(0, 12))
        how = rng.randrange(7)
        if how == 0:
            del body[at:]
        elif how == 1:
            del body[at:to]
        elif how == 2:
            body[at:to] = rng.randbytes(to - at)
        elif how == 3 and at < len(body):
            body[at] ^= 1 << rng.randrange(8)
        elif how == 4:
            body[at:at] = rng.choice(HOSTILE).encode("utf-8", "surrogateescape")[:64]
        elif how == 5:
            body[at:at] = rng.choice(NUMBERS).encode()
        else:
            body[at:at] = body[at:to] * rng.randint(1, 40)
    return bytes(body)


@dataclass
class Folder:
    """What lies in the folder that a case works in, by name."""

    files: dict[str, bytes] = field(default_factory=dict)
    #: Names that stand for something else: `folder`, `fifo`, `loop`, `link`, `locked`.
    others: dict[str, str] = field(default_factory=dict)

    def place(self, rng: random.Random, kind: str) -> str:
        """A file to read: of that kind, of another, changed, or none at all."""
        what = rng.random()
        if what < 0.08:
            return self._strange(rng)
        if what < 0.16:
            kind = rng.choice(list(samples()))
        name, content = rng.choice(list(samples()[kind].items()))
        if rng.random() < 0.5:
            content = damaged(rng, content)
        if rng.random() < 0.1:
            name = rng.choice(("x", "é", "a b", "\udcff", "n\nl", "-x", "y" * 200, "\x1b[2J"))
            name += rng.choice(SUFFIXES)
        elif rng.random() < 0.05:
            name += rng.choice(SUFFIXES)
        self.files[name] = content
        return f"./{name}" if name.startswith("-") else name

    def _strange(self, rng: random.Random) -> str:
        kind = rng.choice((
            "missing.mtx", "no/such/file.gr", "/dev/null", "/dev/zero", "/dev/full", "/dev/stdin",
            "", ".", "folder", "fifo", "loop", "link", "locked", "x" * 300, "empty.mtx", "a\0b",
        ))  # fmt: skip
        if kind in ("folder", "fifo", "loop", "link", "locked"):
            self.others[kind] = kind
        elif kind == "empty.mtx":
            self.files[kind] = b""
        return kind.replace("\0", "")

    def output(self, rng: random.Random) -> str:
        """A file to write."""
        what = rng.random()
        if what < 0.75:
            return "out" + rng.choice(SUFFIXES)
        if what < 0.8 and self.files:
            return rng.choice(list(self.files))
        if what < 0.85:
            name = rng.choice(("é", "\udcff", "n\nl", "y" * 300, "\x1b[2J", " "))
            return name + rng.choice(SUFFIXES)
        kind = rng.choice((
            "-", "", ".", "/dev/full", "/dev/null", "/dev/stdout", "no/such.npz", "folder",
            "fifo", "loop", "link", "locked",
        ))  # fmt: skip
        if kind in ("folder", "fifo", "loop", "link", "locked"):
            self.others[kind] = kind
        return kind
