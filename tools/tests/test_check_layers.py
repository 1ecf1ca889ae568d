"""The layer check finds each kind of offence, names FILE:LINE, and passes what is allowed."""

import subprocess
import sys
from pathlib import Path

import pytest

TOOL = Path(__file__).resolve().parents[1] / "check_layers.py"


def run_on(root: Path, files: dict[str, str]) -> tuple[int, list[str]]:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    answer = subprocess.run(
        [sys.executable, TOOL, root], capture_output=True, text=True, check=False
    )
    return answer.returncode, answer.stdout.splitlines()[:-1]


ALLOWED = {
    "src/fabric/x.cpp": '#include "gossamer/machine/a.hpp"\n#include "gossamer/base/b.hpp"\n',
    "src/graph/x.cpp": '#include "gossamer/machine/a.hpp"\n',
    "include/gossamer/placement/x.hpp": '#include "gossamer/graph/a.hpp"\n',
    "src/algorithm/bfs/x.cu": '#include "gossamer/collective/a.hpp"\n#include <vector>\n',
    "src/fabric/registry.cpp": '#include "fabric/peer/channel.hpp"\n',
    "src/fabric/peer/x.cpp": '#include "fabric/peer/channel.hpp"\n#include "fabric/rank.hpp"\n',
    "src/fabric/rank.cpp": '#include "fabric/run.hpp"\n',
    "src/algorithm/bfs/verify.cpp": '#include "gossamer/algorithm/bfs.hpp"\n'
    '#include "gossamer/graph/csr.hpp"\n#include "algorithm/bfs/verify/part.hpp"\n',
    "src/algorithm/bfs/verify/part.cpp": '#include "algorithm/bfs/verify/part.hpp"\n'
    '#include "gossamer/collective/scalar.hpp"\n',
    "src/collective/choose/known_elements.hpp": '#include "gossamer/collective/schedule.hpp"\n',
    "src/machine/cuda/x.cpp": "#include <cuda_runtime_api.h>\n",
    "src/machine/either.cpp": "#if GOSSAMER_HAVE_CUDA\n#include <cuda.h>\n#endif\n",
}


def test_what_is_allowed_passes(tmp_path: Path) -> None:
    assert run_on(tmp_path, ALLOWED) == (0, [])


@pytest.mark.parametrize(
    ("file", "include", "offence"),
    [
        (
            "include/gossamer/base/x.hpp",
            '"gossamer/graph/csr.hpp"',
            "base may not include graph (gossamer/graph/csr.hpp)",
        ),
        (
            "src/graph/x.cpp",
            "<gossamer/fabric/rank.hpp>",
            "graph may not include fabric (gossamer/fabric/rank.hpp)",
        ),
        (
            "src/machine/cuda/x.cu",
            '"gossamer/algorithm/bfs.hpp"',
            "machine may not include algorithm (gossamer/algorithm/bfs.hpp)",
        ),
        (
            "src/placement/x.cpp",
            '"gossamer/collective/scalar.hpp"',
            "placement may not include collective (gossamer/collective/scalar.hpp)",
        ),
        (
            "src/algorithm/x.cpp",
            '"graph/io/sniff.hpp"',
            "graph/io/sniff.hpp is private to graph",
        ),
        (
            "include/gossamer/graph/x.hpp",
            '"graph/io/sniff.hpp"',
            "a public header includes a private one (graph/io/sniff.hpp)",
        ),
        (
            "src/algorithm/sssp/verify.cpp",
            '"algorithm/sssp/open_list.hpp"',
            "the verifier of sssp may not share code with it (algorithm/sssp/open_list.hpp)",
        ),
        (
            "src/algorithm/sssp/verify/cuda/part.cu",
            '"gossamer/dataflow/worklist/cuda/warp.cuh"',
            "the verifier of sssp may not share code with it "
            "(gossamer/dataflow/worklist/cuda/warp.cuh)",
        ),
        (
            "src/algorithm/cg/verify.cpp",
            '"gossamer/algorithm/option_table.hpp"',
            "the verifier of cg may not share code with it (gossamer/algorithm/option_table.hpp)",
        ),
        (
            "src/collective/choose/known_elements.hpp",
            '"collective/kernel/packed_hops.hpp"',
            "the verifier of collectives may not share code with them "
            "(collective/kernel/packed_hops.hpp)",
        ),
        (
            "src/fabric/rank.cpp",
            '"fabric/peer/channel.hpp"',
            "only registry.cpp, registry.hpp may include the backend peer "
            "(fabric/peer/channel.hpp)",
        ),
        (
            "src/fabric/pinned/registry.cpp",
            '"fabric/peer/channel.hpp"',
            "only registry.cpp, registry.hpp may include the backend peer "
            "(fabric/peer/channel.hpp)",
        ),
    ],
)
def test_each_offence_is_named(tmp_path: Path, file: str, include: str, offence: str) -> None:
    files = {**ALLOWED, file: f"// first line\n#include {include}\n"}
    assert run_on(tmp_path, files) == (1, [f"{file}:2: {offence}"])


def test_a_relative_include_is_followed(tmp_path: Path) -> None:
    files = {
        **ALLOWED,
        "include/gossamer/graph/csr.hpp": "",
        "include/gossamer/base/x.hpp": '#include "../graph/csr.hpp"\n',
    }
    code, lines = run_on(tmp_path, files)
    assert code == 1
    assert lines == ["include/gossamer/base/x.hpp:1: base may not include graph (../graph/csr.hpp)"]


PYTHON = {
    "python/gossamer/__init__.py": "from . import errors\nfrom .graph import Graph\n",
    "python/gossamer/errors.py": "class Error(Exception): ...\n",
    "python/gossamer/graph/__init__.py": "from .csr import Graph\n",
    "python/gossamer/graph/csr.py": "from typing import TYPE_CHECKING\n\n"
    "from gossamer import _gossamer\nfrom gossamer.errors import Error\n\n"
    "if TYPE_CHECKING:\n    from gossamer.machine import Machine\n",
    "python/gossamer/machine.py": "import numpy\nfrom .graph import Graph\n",
    "python/gossamer/algorithm/__init__.py": "",
    "python/gossamer/algorithm/katz.py": "",
    "python/gossamer/algorithm/prepared.py": "from gossamer.machine import Machine\n",
    "python/gossamer/algorithm/verify_katz.py": "from gossamer.graph.csr import Graph\n"
    "from .prepared import run_verifier\n",
    "python/gossamer/cli/__init__.py": "from gossamer import Graph\n",
    "python/gossamer_command/__init__.py": "def main():\n    from gossamer.cli import Graph\n",
}


def test_what_python_may_import_passes(tmp_path: Path) -> None:
    assert run_on(tmp_path, PYTHON) == (0, [])


@pytest.mark.parametrize(
    ("file", "text", "offence"),
    [
        (
            "gossamer/graph/shape.py",
            "from ..machine import Machine\n",
            "gossamer.graph may not import gossamer.machine (gossamer.machine)",
        ),
        (
            "gossamer/graph/shape.py",
            "def late(): from gossamer import cli\n",
            "gossamer.graph may not import gossamer.cli (gossamer.cli)",
        ),
        (
            "gossamer/errors.py",
            "import gossamer._gossamer\n",
            "gossamer.errors may not import gossamer._gossamer (gossamer._gossamer)",
        ),
        (
            "gossamer/algorithm/verify_katz.py",
            "from .katz import steps\n",
            "a verifier may not share code with what it checks (gossamer.algorithm.katz)",
        ),
        ("gossamer/extras.py", "", "gossamer.extras lies in no layer"),
    ],
)
def test_each_offence_of_python_is_named(
    tmp_path: Path, file: str, text: str, offence: str
) -> None:
    files = {**PYTHON, f"python/{file}": text}
    assert run_on(tmp_path, files) == (1, [f"python/{file}:1: {offence}"])


def test_a_circle_within_a_package_is_found(tmp_path: Path) -> None:
    files = {
        **PYTHON,
        "python/gossamer/graph/a.py": "\nfrom .b import x\n",
        "python/gossamer/graph/b.py": "def late():\n    from . import c\n",
        "python/gossamer/graph/c.py": "from gossamer.graph import a\n",
    }
    names = " -> ".join(f"gossamer.graph.{name}" for name in "abca")
    line = f"python/gossamer/graph/a.py:2: imports in a circle: {names}"
    assert run_on(tmp_path, files) == (1, [line])


def test_the_project_itself_is_in_order() -> None:
    answer = subprocess.run([sys.executable, TOOL], capture_output=True, text=True, check=False)
    assert answer.returncode == 0, answer.stdout


def test_cuda_s_headers_are_out_of_reach_without_cuda(tmp_path: Path) -> None:
    files = {
        "src/machine/cuda/x.hpp": "#pragma once\n\n#include <cuda_runtime_api.h>\n",
        "src/machine/x.hpp": '#include "machine/cuda/x.hpp"\n',
        "src/machine/absent/x.cpp": '#include <vector>\n#include "machine/x.hpp"\n',
    }
    assert run_on(tmp_path, files) == (
        1,
        [
            "src/machine/absent/x.cpp:2: a build without CUDA reaches <cuda_runtime_api.h> "
            "(src/machine/x.hpp:1 -> src/machine/cuda/x.hpp:3)"
        ],
    )
