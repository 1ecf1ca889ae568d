"""Data sets that have a name: what is known of them, and where their files are.

:mod:`gossamer.datasets` says how they are found.
"""

from __future__ import annotations

import hashlib
import os
import sys
from dataclasses import dataclass
from pathlib import Path

from gossamer.arguments import instance
from gossamer.errors import InputError, UsageError


@dataclass(frozen=True)
class DataSet:
    """What is known of a data set without its file."""

    name: str
    #: Its usual name, without a compression's suffix.
    file: str
    #: Vertices, and entries of the file.
    vertices: int
    entries: int
    kind: str
    #: Where it is downloaded from; empty: nowhere in this form.
    url: str
    source: str
    #: Of the decompressed file, in hexadecimal; empty: not verified by us.
    sha256: str = ""
    licence: str = "see the source"

    @property
    def verified(self) -> bool:
        """Whether its hash and numbers were looked at."""
        return self.sha256 != ""


_DIMACS = (
    "9th DIMACS Implementation Challenge (Demetrescu, Goldberg, Johnson; US Census TIGER/Line)"
)
_SNAP = "SNAP (Leskovec, Krevl: Stanford Large Network Dataset Collection, 2014)"
_LAW = "Laboratory for Web Algorithmics (Boldi, Vigna: The WebGraph framework I, WWW 2004)"
_SUITE = "SuiteSparse Matrix Collection (Davis, Hu: ACM TOMS 38, 2011)"
_ROADS = "http://www.diag.uniroma1.it/challenge9/data/USA-road-d"
_OF_SNAP = "https://snap.stanford.edu/data"

_ALL = (
    DataSet(
        "road-NY", "USA-road-d.NY.gr", 264_346, 733_846, "roads", f"{_ROADS}/USA-road-d.NY.gr.gz",
        _DIMACS, "37f5b3eff82330850466956b6c036a8ab8551512bdc7509edca1d4c6cf943fa3",
        "public domain",
    ),
    DataSet(
        "road-BAY", "USA-road-d.BAY.gr", 321_270, 800_172, "roads",
        f"{_ROADS}/USA-road-d.BAY.gr.gz", _DIMACS,
        "75a1a78d1f1bd1d8d86b2dc81b0c2ac30f701e078c514c9f9b953130b83f979e", "public domain",
    ),
    DataSet(
        "slashdot", "soc-Slashdot0902.txt", 82_168, 948_464, "social network",
        f"{_OF_SNAP}/soc-Slashdot0902.txt.gz", _SNAP,
        "f503f1fea1caa322c10cd2c02bffbd8cac97834375c7cec30cdc8bf3bf2bb756",
    ),
    DataSet(
        "enron", "email-Enron.txt", 36_692, 367_662, "e-mail", f"{_OF_SNAP}/email-Enron.txt.gz",
        _SNAP, "ea392d7a4cc24e0d43c16b078939e92aeb2950b6bbb14605dd31856a27273a82",
    ),
    DataSet(
        "cnr-2000", "cnr-2000.graph-txt", 325_557, 3_216_152, "web", "", _LAW,
        "8b603ff66ae8060e17785767a889a5f2babd6b2f9e2dc3dce272c553059e7ae1",
    ),
    DataSet(
        "s1rmq4m1", "s1rmq4m1.mtx", 5_489, 262_411, "matrix", "", _SUITE,
        "750fa27c8b5abe006fff5a762f391d14cff69b791849533c24e502745b2b75cb", "CC-BY 4.0",
    ),
    DataSet(
        "bcsstk17", "bcsstk17.mtx", 10_974, 428_650, "matrix", "", _SUITE,
        "f2f10380370e1d8a2460602e5feaccf4468ef9127bddeb6544f27191062236c1", "CC-BY 4.0",
    ),
    DataSet(
        "crystm01", "crystm01.mtx", 4_875, 105_339, "matrix", "", _SUITE,
        "5c54f148a906cd9d10dab356290eececaaab415c12a8840fb4f10b93a79e7c30", "CC-BY 4.0",
    ),
    DataSet(
        "nasa2910", "nasa2910-pattern.mtx", 2_910, 174_296, "matrix, without values", "", _SUITE,
        "3200463adc27714dc66eb407ab136ab37ba925f33dca03fbb7592e19dd0ea313", "CC-BY 4.0",
    ),
    DataSet(
        "road-USA", "USA-road-d.USA.gr", 23_947_347, 58_333_344, "roads",
        f"{_ROADS}/USA-road-d.USA.gr.gz", _DIMACS, licence="public domain",
    ),
    DataSet(
        "roadNet-CA", "roadNet-CA.txt", 1_965_206, 5_533_214, "roads",
        f"{_OF_SNAP}/roadNet-CA.txt.gz", _SNAP,
    ),
    DataSet(
        "web-Google", "web-Google.txt", 875_713, 5_105_039, "web", f"{_OF_SNAP}/web-Google.txt.gz",
        _SNAP,
    ),
    DataSet(
        "LiveJournal", "soc-LiveJournal1.txt", 4_847_571, 68_993_773, "social network",
        f"{_OF_SNAP}/soc-LiveJournal1.txt.gz", _SNAP,
    ),
    DataSet(
        "Orkut", "com-orkut.ungraph.txt", 3_072_441, 117_185_083, "social network",
        f"{_OF_SNAP}/bigdata/communities/com-orkut.ungraph.txt.gz", _SNAP,
    ),
)  # fmt: skip
_BY_NAME = {one.name: one for one in _ALL}
_SUFFIXES = ("", ".xz", ".gz", ".zst")


def data_sets() -> list[DataSet]:
    """All data sets that have a name here, those verified first."""
    return list(_ALL)


def named(name: str) -> DataSet:
    """The data set of that name. UsageError: there is none."""
    found = _BY_NAME.get(instance(name, str, "datasets: name", "a name, as text"))
    if found is None:
        raise UsageError(f"data set '{name}': there are {', '.join(_BY_NAME)}")
    return found


def _in(folder: Path, file: str) -> Path | None:
    return next((p for s in _SUFFIXES if (p := folder / (file + s)).is_file()), None)


def find(name: str) -> Path:
    """Its file: of ``GOSSAMER_DATA``, downloaded before, or downloaded now, which prints licence
    and source.

    InputError: it is not here and cannot be downloaded, or its content is not what it should be.
    """
    one = named(name)
    folder = os.environ.get("GOSSAMER_DATA")
    if folder and (here := _in(Path(folder), one.file)) is not None:
        return here
    if not one.url:
        raise InputError(
            f"data set '{name}': {one.file} is not downloaded in this form; {_put_it(one)}. It is "
            f"from {one.source}"
        )
    return _downloaded(one)


def _put_it(one: DataSet) -> str:
    """What somebody can do who has the file."""
    folder = os.environ.get("GOSSAMER_DATA")
    there = (
        f"{folder}, which GOSSAMER_DATA names" if folder else "the folder that GOSSAMER_DATA names"
    )
    return f"put {one.file} into {there}"


def _downloaded(one: DataSet) -> Path:
    try:
        import platformdirs
        import pooch
    except ImportError:
        raise InputError(
            f"data set '{one.name}': downloads need pooch: pip install 'gossamer[data]'; or "
            + _put_it(one)
        ) from None
    cache = Path(platformdirs.user_cache_dir("gossamer")) / "data"
    if (here := _in(cache, one.file)) is not None:
        return here
    # What an earlier download has left, cut short.
    for part in (f"{one.file}.part.gz", f"{one.file}.part"):
        (cache / part).unlink(missing_ok=True)
    print(f"gossamer: {one.name} from {one.source}; licence: {one.licence}", file=sys.stderr)
    try:
        fetched = pooch.retrieve(
            one.url, known_hash=None, path=cache, fname=f"{one.file}.part.gz",
            processor=pooch.Decompress(name=f"{one.file}.part"),
        )  # fmt: skip
    except Exception as error:  # of any of the libraries below it
        raise InputError(f"data set '{one.name}': {one.url}: {error}; or {_put_it(one)}") from error
    partial = Path(fetched)
    (cache / f"{one.file}.part.gz").unlink(missing_ok=True)
    if one.sha256 and (found := sha256_of(partial)) != one.sha256:
        partial.unlink()
        raise InputError(
            f"data set '{one.name}': {one.url} has other content than expected: SHA-256 {found}"
        )
    return partial.rename(cache / one.file)


def file_of(text: str) -> str:
    """The file of a data set that is named ``data:NAME``, unless there is a file of that name; else
    the text itself. Errors as of :func:`find`."""
    name = text.removeprefix("data:")
    return text if name == text or Path(text).exists() else str(find(name))


def sha256_of(path: Path) -> str:
    """Of a file's bytes as they are, in hexadecimal."""
    with path.open("rb") as file:
        digest = hashlib.sha256()
        while part := file.read(1 << 20):
            digest.update(part)
    return digest.hexdigest()
