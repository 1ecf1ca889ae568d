"""Runs every GPU test program of a build under compute-sanitizer's memcheck.

    python tools/gpu_sanitizer.py BUILD_FOLDER [TOOL…]

TOOL: memcheck (the default), racecheck, initcheck, synccheck. A program that the tests start anew
for each case runs once here, with all its cases. Exit code 1 when a program or a tool finds
something.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys

FOUND = 86  # a code that no test program returns


def programs(build: str) -> list[str]:
    """The test programs labelled gpu, each once."""
    answer = subprocess.run(
        ["ctest", "--test-dir", build, "-L", "gpu", "--show-only=json-v1"],
        check=True,
        capture_output=True,
        text=True,
    )
    commands = [test.get("command", []) for test in json.loads(answer.stdout)["tests"]]
    return sorted({command[0] for command in commands if command})


def main(arguments: list[str]) -> int:
    if not arguments:
        print(__doc__)
        return 2
    build, tools = arguments[0], arguments[1:] or ["memcheck"]
    sanitizer = shutil.which("compute-sanitizer") or "/usr/local/cuda/bin/compute-sanitizer"
    found = programs(build)
    if not found:
        print(f"no GPU tests in {build}")
        return 1
    failures = 0
    for tool in tools:
        for program in found:
            print(f"== {tool}: {program}", flush=True)
            # Tests that provoke a fault on purpose would be reported as finds.
            quiet = ["--gtest_brief=1", "--gtest_filter=-*illegal_access*"]
            watch = [sanitizer, "--tool", tool, "--error-exitcode", str(FOUND)]
            code = subprocess.run([*watch, program, *quiet], check=False).returncode
            failures += code != 0
    print(f"{len(found) * len(tools) - failures} passed, {failures} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
