"""What was made of steps before. Algorithms say the same with each call: reading and lowering it
again would take most of a call on a small graph.
"""

from __future__ import annotations

import itertools
from collections import OrderedDict
from functools import lru_cache
from threading import Lock
from typing import Any

_numbers = itertools.count()


class Remembered:
    """Values by key, so many of them: those that were asked for last."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._values: OrderedDict[Any, Any] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Any) -> Any:
        with self._lock:
            if key not in self._values:
                return None
            self._values.move_to_end(key)
            return self._values[key]

    def add(self, key: Any, value: Any) -> Any:
        """The value of `key`: this one, or one that another thread added."""
        with self._lock:
            found = self._values.setdefault(key, value)
            if len(self._values) > self._most:
                self._values.popitem(last=False)
            return found


#: By layout and what was said. All algorithms have some hundred steps.
STEPS = Remembered(2048)
#: By layout and steps: texts of some 20 KB.
PROGRAMS = Remembered(128)


@lru_cache(maxsize=4096)
def layout(*parts: Any) -> int:
    """A number for arrays, numbers and facts in this order. One that was forgotten, or that two
    threads make at once, gets another number; none stands for two layouts."""
    return next(_numbers)
