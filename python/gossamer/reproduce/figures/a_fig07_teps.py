"""Paper A, Fig. 7: TEPS on ExpEther by SCALE and number of GPUs (drawn only)."""

from pathlib import Path

from ..here import Machines
from ..report import Row
from ..teps_by_scale import teps_figure
from ..vector_queue_runs import EXPETHER


def run(folder: Path, machines: Machines = ()) -> list[Row]:
    return teps_figure(folder, "A Fig. 7", "a_fig07_teps", EXPETHER, "no", machines)
