"""Data sets by name: what is said of them, where they are found, downloads."""

from __future__ import annotations

import gzip
import hashlib
import http.server
import lzma
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gossamer as gs
import pytest
from gossamer import datasets
from gossamer.graph import data_sets

VERIFIED = [one for one in datasets.data_sets() if one.verified]
TEXT = b"0 1\n1 2\n2 0\n"


@pytest.mark.parametrize("one", VERIFIED, ids=[one.name for one in VERIFIED])
def test_what_is_said_is_so(
    one: datasets.DataSet, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GOSSAMER_DATA", str(data))
    path = datasets.find(one.name)
    assert hashlib.sha256(lzma.decompress(path.read_bytes())).hexdigest() == one.sha256
    graph = datasets.load(one.name)
    assert graph.vertices == one.vertices
    if "matrix" not in one.kind:
        assert graph.arcs == one.entries


def test_a_file_that_is_not_compressed_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GOSSAMER_DATA", str(tmp_path))
    (tmp_path / "email-Enron.txt").write_bytes(TEXT)
    assert datasets.load("enron", symmetrize=True).arcs == 6


def test_names_that_are_none_are_refused() -> None:
    with pytest.raises(gs.UsageError, match=r"data set 'road-ny': there are road-NY, road-BAY"):
        datasets.load("road-ny")
    with pytest.raises(gs.UsageError, match=r"datasets: name"):
        datasets.load(3)  # type: ignore[arg-type]


@pytest.fixture
def nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of its own, and no folder of data."""
    monkeypatch.delenv("GOSSAMER_DATA", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "gossamer" / "data"


def test_what_cannot_be_had_says_where_it_is_from(
    nowhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(gs.InputError, match=r"cnr-2000.graph-txt is not downloaded .*WebGraph"):
        datasets.find("cnr-2000")
    monkeypatch.setenv("GOSSAMER_DATA", "/nowhere")
    with pytest.raises(gs.InputError, match=r"put cnr-2000.* into /nowhere, which GOSSAMER_DATA"):
        datasets.find("cnr-2000")
    monkeypatch.setitem(sys.modules, "pooch", None)
    with pytest.raises(gs.InputError, match=r"pip install 'gossamer\[data\]'.*GOSSAMER_DATA"):
        datasets.find("road-NY")


@pytest.fixture
def server(tmp_path: Path) -> Iterator[str]:
    """Serves tiny.txt.gz."""
    folder = tmp_path / "served"
    folder.mkdir()
    (folder / "tiny.txt.gz").write_bytes(gzip.compress(TEXT))

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def __init__(self, *given: Any) -> None:
            super().__init__(*given, directory=str(folder))

        def log_message(self, *_: Any) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Quiet) as serving:
        threading.Thread(target=serving.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{serving.server_address[1]}/tiny.txt.gz"
        serving.shutdown()


def tiny(url: str, sha256: str) -> datasets.DataSet:
    return datasets.DataSet("tiny", "tiny.txt", 3, 3, "test", url, "nobody", sha256, "none")


def test_downloads_are_kept(
    nowhere: Path, server: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("pooch")
    one = tiny(server, hashlib.sha256(TEXT).hexdigest())
    monkeypatch.setitem(data_sets._BY_NAME, "tiny", one)
    assert datasets.load("tiny").arcs == 3
    assert "tiny from nobody; licence: none" in capsys.readouterr().err
    assert [p.name for p in nowhere.iterdir()] == ["tiny.txt"]
    monkeypatch.setitem(data_sets._BY_NAME, "tiny", tiny("http://127.0.0.1:9/gone", one.sha256))
    assert datasets.find("tiny") == nowhere / "tiny.txt"


def test_other_content_is_refused_and_not_kept(
    nowhere: Path, server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("pooch")
    monkeypatch.setitem(data_sets._BY_NAME, "tiny", tiny(server, "0" * 64))
    with pytest.raises(gs.InputError, match=r"other content than expected: SHA-256"):
        datasets.find("tiny")
    assert list(nowhere.iterdir()) == []
    monkeypatch.setitem(data_sets._BY_NAME, "tiny", tiny("http://127.0.0.1:9/gone.gz", ""))
    with pytest.raises(gs.InputError, match=r"data set 'tiny': http://127.0.0.1:9/gone.gz: .* put"):
        datasets.find("tiny")


def test_read_takes_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOSSAMER_DATA", str(tmp_path))
    (tmp_path / "email-Enron.txt").write_bytes(TEXT)
    graph = gs.read("data:enron", symmetrize=True)
    assert (graph.name, graph.arcs) == ("email-Enron.txt", 6)
    with pytest.raises(gs.UsageError, match=r"data set 'enrom': there are road-NY, road-BAY"):
        gs.read("data:enrom")
    # A file of that name wins, as it does on the command line.
    monkeypatch.chdir(tmp_path)
    (tmp_path / "data:enron").write_bytes(b"0 1\n")
    assert gs.read("data:enron").arcs == 1


def test_commands_take_them(cli: Any, data: Path) -> None:
    done = cli("stats", "data:enron", GOSSAMER_DATA=str(data))
    assert done.returncode == 0 and "36,692 vertices" in done.stdout
    assert "there are road-NY" in cli.fails(2, "bfs", "data:nothing")
    assert "data:road-NY" in cli.fails(2, "bfs", "nothing.txt")
