"""The compiled module has what cmake/hardening.cmake asks for."""

import re
import shutil
import subprocess

import pytest
from gossamer import _gossamer

pytestmark = pytest.mark.skipif(shutil.which("readelf") is None, reason="no readelf")


def said(option: str) -> str:
    command = ["readelf", "--wide", option, str(_gossamer.__file__)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def test_what_was_settled_when_it_was_loaded_stays() -> None:
    assert "GNU_RELRO" in said("--program-headers")
    assert re.search(r"\((FLAGS|BIND_NOW|FLAGS_1)\).*NOW", said("--dynamic"))


def test_stacks_are_guarded_and_not_run() -> None:
    assert "__stack_chk_fail" in said("--dyn-syms")
    stack = re.search(r"GNU_STACK .*", said("--program-headers"))
    assert stack is not None and "RWE" not in stack[0]


def test_the_c_library_knows_how_long_buffers_are() -> None:
    checked = set(re.findall(r" (__\w+_chk)\b", said("--dyn-syms"))) - {"__stack_chk_fail"}
    assert {"__snprintf_chk", "__memcpy_chk"} & checked, checked
    assert len(checked) >= 2
