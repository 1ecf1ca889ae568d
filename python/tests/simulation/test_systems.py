"""The descriptions of systems: every number says where it is from, and nothing is left unread."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from gossamer import _gossamer

_TRANSFER = {
    "name", "from", "to", "up_to", "by", "start", "setup", "gap", "latency", "bandwidth",
}  # fmt: skip
_WORKER = {"launch", "bandwidth", "rate", "scatter", "cache", "threads", "pass", "remote"}
#: Keys of each table, and of the top of the file.
KEYS = {
    "": {"name", "title", "node", "source", "nodes", "largest", "native"},
    "network": {"kind", "size", "latency", "bandwidth", "port_bandwidth", "packet",
                "host_bandwidth", "host_latency"},
    "transfer": _TRANSFER,
    "copy": _TRANSFER,
    "kernel": _WORKER,
    "processor": _WORKER,
    "chips": {"count", "cores", "misses", "queue", "core_rate", "rate", "link", "step", "update",
              "ahead", "caches", "cache_latency"},
    "software": {"call", "step", "poll", "via", "mapping"},
    "collective": {
        "operation", "algorithm", "up_to", "scaled", "buffers", "via", "mapping",
    },
}  # fmt: skip
_NUMBER = re.compile(r"(\w+)\s*=\s*[\[\d+-][^#]*(?:#(.*))?")
#: Words that alone say nothing of where a number comes from.
_EMPTY = re.compile(r"\s*(assumed|measured|estimate|stated|see above)?[\s.:]*")

FOLDER = Path(__file__).parents[3] / "share" / "systems"


def unsourced(text: str) -> list[str]:
    """Lines with a number that has no source, neither behind it nor in a comment right above."""
    found = []
    above = ""
    for line in text.splitlines():
        if line.startswith("#"):
            above += line.lstrip("#")
            continue
        number = _NUMBER.fullmatch(line)
        if number and _EMPTY.fullmatch(number[2] or "") and _EMPTY.fullmatch(above):
            found.append(line)
        above = ""
    return found


def unknown(text: str) -> list[str]:
    """Tables and keys that no description has."""
    found = []
    for name, value in tomllib.loads(text).items():
        rows = value if isinstance(value, list) else [value]
        if not isinstance(rows[0], dict):
            found += [name] * (name not in KEYS[""])
        elif name not in KEYS:
            found.append(name)
        else:
            found += [f"{name}.{key}" for row in rows for key in row if key not in KEYS[name]]
    return found


def test_there_are_files_for_all_systems() -> None:
    names = sorted(path.stem for path in FOLDER.glob("*.toml"))
    assert names == sorted(_gossamer.system_names())


@pytest.mark.parametrize("name", _gossamer.system_names())
def test_every_number_of_a_system_has_a_source(name: str) -> None:
    text = (FOLDER / f"{name}.toml").read_text(encoding="utf-8")
    assert unsourced(text) == []
    assert unknown(text) == []
    described = tomllib.loads(text)
    assert described["name"] == name and described["source"] and described["node"]
    assert described["title"] == _gossamer.system_title(name)
    assert described["nodes"] == _gossamer.system_nodes(name, [])


def test_the_checks_find_what_they_look_for() -> None:
    text = 'name = "x"\nnodes = 2\n[network]\nlatency = [1e-6, 2e-6] # assumed\n'
    assert unsourced(text) == ["nodes = 2", "latency = [1e-6, 2e-6] # assumed"]
    assert unsourced("# paper E, Table 6\nnodes = 2\nlargest = 4\n") == ["largest = 4"]
    assert unsourced("nodes = 2  # paper B: two nodes\n# or 3\n") == []
    strange = 'nodes = 2\nknots = 3\n[network]\nwarp = 1\n[[wire]]\nkind = "x"\n'
    assert unknown(strange) == ["knots", "network.warp", "wire"]
