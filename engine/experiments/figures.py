"""The plots of experiments, as PNG."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import Any


def drawn(experiment: ModuleType, found: dict[str, Any], path: Path) -> None:
    """Draw the plot of an experiment."""
    from matplotlib.figure import Figure  # takes a second to import

    panels = max(1, len(found.get("settings", {})))
    figure = Figure(figsize=(3.2 * panels + 1, 4.2), layout="constrained")
    experiment.plot(found, figure)
    note = "quick run" if found["quick"] else f"{len(found['seeds'])} seeds"
    by = "simulated annotators" if found["annotators"] == "simulated" else "nobody marks"
    figure.suptitle(f"{found['experiment']}, {by}, {note}", fontsize=10)
    figure.savefig(path, dpi=110)
