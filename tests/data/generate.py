"""Writes the tiny graphs of this folder, in every format, without any code of Gossamer.

Run by hand when a format is added: python3 tests/data/generate.py (needs NumPy and SciPy; zstd on
the path). Binary layouts are packed here a second time on purpose: they check the readers.
"""

import gzip
import lzma
import struct
import subprocess
from pathlib import Path

import numpy as np
import scipy.sparse as sp

here = Path(__file__).parent
n = 6  # 4 and 5 are isolated; 0 -> 2 twice; a loop at 3
arcs = [(0, 1, 4), (0, 2, 1), (0, 2, 6), (1, 3, 5), (2, 1, 2), (3, 0, 1), (3, 3, 7)]
m = len(arcs)
indptr = [sum(u < v for u, _, _ in arcs) for v in range(n + 1)]


def text(name: str, content: str) -> None:
    (here / name).write_bytes(content.encode())


def binary(name: str, content: bytes) -> None:
    (here / name).write_bytes(content)


mtx = "%%MatrixMarket matrix coordinate integer general\n% tiny\n6 6 7\n" + "".join(
    f"{u + 1} {v + 1} {w}\n" for u, v, w in arcs
)
text("tiny.mtx", mtx)
binary("tiny.mtx.gz", gzip.compress(mtx.encode(), mtime=0))
binary("tiny.mtx.xz", lzma.compress(mtx.encode()))
subprocess.run(
    ["zstd", "-q", "-f", str(here / "tiny.mtx"), "-o", str(here / "tiny.mtx.zst")], check=True
)
text(
    "tiny-real.mtx",
    "%%MatrixMarket matrix coordinate real symmetric\n3 3 4\n1 1 2.5\n2 1 -1e-3\n3 2 0\n3 3 1\n",
)
text(
    "tiny-skew.mtx",
    "%%MatrixMarket matrix coordinate real skew-symmetric\n3 3 2\n2 1 1.5\n3 1 -2\n",
)
text("tiny-pattern.mtx", "%%MatrixMarket matrix coordinate pattern general\n3 3 2\n1 2\n3 1\n")
text(
    "tiny.txt",
    "# tiny\r\n# Nodes: 6 Edges: 7\r\n" + "".join(f"{u}\t{v}\t{w}\r\n" for u, v, w in arcs),
)
csv = "Source,Target,note,Weight\r\n" + "".join(
    f'{u},"{v}","an ""arc"", so",{w}\r\n' for u, v, w in arcs
)
text("tiny.csv", csv)
binary("tiny.csv.gz", gzip.compress(csv.encode(), mtime=0))
text("tiny.tsv", "to\tw\tfrom\n" + "".join(f"{v}\t{w}\t{u}\n" for u, v, w in arcs))
text("sparse-ids.txt", "# ids with holes\n100 7\n7 4000000000\n100 4000000000\n")
text(
    "tiny.gr",
    "c tiny\np sp 6 7\nc arcs\n" + "".join(f"a {u + 1} {v + 1} {w}\n" for u, v, w in arcs),
)
text(
    "tiny.graph-txt",
    "6\n" + "".join(" ".join(str(v) for u, v, _ in arcs if u == row) + "\n" for row in range(n)),
)
# A triangle 1-2-3, an edge 3-4, vertex 5 alone.
text("tiny.graph", "% tiny\n5 4\n2 3\n1 3\n1 2 4\n3\n\n")
text(
    "tiny-weighted.graph",
    "5 4 011 2\n1 1 2 10 3 20\n1 1 1 10 3 30\n1 1 1 20 2 30 4 40\n1 1 3 40\n1 1\n",
)

ends = struct.pack(f"<{n}Q", *indptr[1:])
binary(
    "tiny-v1.gr",
    struct.pack("<4Q", 1, 4, n, m)
    + ends
    + struct.pack(f"<{m}I", *(v for _, v, _ in arcs))
    + bytes(4)
    + struct.pack(f"<{m}i", *(w for _, _, w in arcs)),
)
binary(
    "tiny-v2.gr",
    struct.pack("<4Q", 2, 8, n, m)
    + ends
    + struct.pack(f"<{m}Q", *(v for _, v, _ in arcs))
    + struct.pack(f"<{m}d", *(w + 0.5 for _, _, w in arcs)),
)
text("tiny-v2.gr.metadata", "# about tiny-v2.gr\n--ncomponents=3\nedge_data = float64\n")


def half(pairs: list[tuple[int, int, int]], weighted: bool) -> bytes:
    starts = [sum(u < v for u, _, _ in pairs) for v in range(n + 1)]
    out = struct.pack(f"<{n + 1}q", *starts)
    for _, v, w in pairs:
        out += struct.pack("<ii", v, w) if weighted else struct.pack("<i", v)
    return out


reverse = sorted((v, u, w) for u, v, w in arcs)
for name, weighted in (("tiny.sg", False), ("tiny.wsg", True)):
    binary(name, struct.pack("<?qq", True, m, n) + half(arcs, weighted) + half(reverse, weighted))
binary("tiny.packed", b"".join(struct.pack("<III", u, v, 0) for u, v, _ in arcs))

data = np.array([w for _, _, w in arcs], dtype=np.int32)
cols = np.array([v for _, v, _ in arcs], dtype=np.int32)
csr = sp.csr_matrix((data, cols, np.array(indptr, dtype=np.int32)), shape=(n, n))
sp.save_npz(here / "tiny-csr.npz", csr)
flat = sp.coo_matrix((data.astype(np.float64), ([u for u, _, _ in arcs], cols)), shape=(n, n))
sp.save_npz(here / "tiny-coo.npz", flat, compressed=False)
rows = np.array([u for u, _, _ in reverse], dtype=np.int32)
csc = sp.csc_matrix(
    (
        np.array([w for _, _, w in reverse], dtype=np.float32),
        np.array([v for _, v, _ in reverse], dtype=np.int32),
        np.searchsorted(rows, np.arange(n + 1)).astype(np.int32),
    ),
    shape=(n, n),
)
sp.save_npz(here / "tiny-csc.npz", csc)
np.savez(here / "tiny-plain.npz", indptr=np.array(indptr), indices=cols.astype(np.int64))
