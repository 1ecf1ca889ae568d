"""Figures and tables of the five papers that this project follows, made again.

Most are predicted on models of the papers' own systems, those of paper D are measured on the host,
and most of all on machines that are named (:mod:`.here`).
:mod:`.catalogue` has all of them, :mod:`.figures` makes each, :mod:`.run` makes those that are
asked for, and one page. `gossamer reproduce` is the command.
"""

from . import figures
from .catalogue import CATALOGUE, Entry, chosen
from .run import reproduce

__all__ = ["CATALOGUE", "Entry", "chosen", "figures", "reproduce"]
