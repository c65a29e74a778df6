"""The plots of experiments, as PNG."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import Any


def drawn(experiment: ModuleType, result: dict[str, Any], path: Path) -> None:
    """Draw the plot of an experiment."""
    from matplotlib.figure import Figure  # takes a second to import

    panels = max(1, len(result.get("settings", {})))
    figure = Figure(figsize=(3.2 * panels + 1, 4.2), layout="constrained")
    experiment.plot(result, figure)
    seeds = result["seeds"]
    note = "quick run" if result["quick"] else f"{len(seeds)} seeds" if len(seeds) > 1 else f"seed {seeds[0]}"
    by = "simulated annotators" if result["annotators"] == "simulated" else "nobody marks"
    figure.suptitle(f"{result['experiment']}, {by}, {note}", fontsize=10)
    figure.savefig(path, dpi=110)
