"""JSON files of gossamer's that are read back: what is not as it should be is one line."""

from __future__ import annotations

import json
from typing import Any, NoReturn

from gossamer import _gossamer
from gossamer.errors import InputError


class Document:
    """Looks at the members of one file's JSON, which anybody may have written. `name` is the file's
    path, or another name for errors, which are InputError."""

    def __init__(self, name: str) -> None:
        self.name = name

    def fail(self, reason: str) -> NoReturn:
        raise InputError(f"{self.name}: {reason}")

    def parse(self, text: str | bytes) -> Any:
        """The JSON value of a text."""
        try:
            return json.loads(text)
        except (ValueError, RecursionError) as error:
            self.fail(f"no JSON: {error}")

    def read(self, what: str) -> Any:
        """The JSON value in the file of that name; `what` it is said to hold."""
        # What JSON becomes in memory is several times as long.
        most = _gossamer.host_memory()[0] // 8
        return self.parse(_gossamer.read_text(self.name, what, most))

    def field(self, of: Any, key: str, kind: type | tuple[type, ...], where: str) -> Any:
        """A member of a JSON object, of the type that it has to have."""
        value = of.get(key) if isinstance(of, dict) else None
        # A truth value is an integer to Python, and no number to JSON.
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            self.fail(f"{where}: '{key}' is missing or of another type")
        return value

    def number(self, of: Any, key: str, where: str) -> float:
        """A member that is a time, a rate or a size."""
        value = self.field(of, key, (int, float), where)
        if not 0 <= value < 1e300:
            self.fail(f"{where}: '{key}' is no time or rate")
        return float(value)
