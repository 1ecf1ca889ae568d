"""Paper A, Fig. 6: TEPS on the gaming machine by SCALE and number of GPUs (drawn only)."""

from pathlib import Path

from ..here import Machines
from ..report import Row
from ..teps_by_scale import teps_figure
from ..vector_queue_runs import GAMING


def run(folder: Path, machines: Machines = ()) -> list[Row]:
    return teps_figure(folder, "A Fig. 6", "a_fig06_teps", GAMING, "almost", machines)
