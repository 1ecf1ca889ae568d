"""Paper C, Fig. 12: connected components on 1 to 8 M60s (drawn only). By hooking and pointer
jumping, and a reduction of what each GPU found, as there: engine `routed`, edges prestaged.

`--machine SPEC …` (cuda:0 cuda:0-1 cuda:0-3, or cpu:1x1 cpu:2x1) measures, and verifies."""

from pathlib import Path

from ..measured_scaling import measured_main
from ..report import Row
from ..scaling import Published, scaling_figure

COMPONENTS = Published(
    {"USA": 5, "OSM-eur-k": 4, "soc-LiveJournal1": 2, "twitter": 8, "kron21.sym": 8},
    (("kron21.sym", 8, 2.9),),
)


def run(folder: Path) -> list[Row]:
    return scaling_figure(folder, "C Fig. 12", "c_fig12_components", (("components", COMPONENTS),))


if __name__ == "__main__":
    measured_main("C Fig. 12", "c_fig12_components", ("components",), __doc__)
