"""People in a kitchen: see engine.experiments.people."""

from typing import Any

from engine.games.overcooked.experiments.lost_score import MODEL


def kitchen(layout: str, ibt: dict[str, Any]) -> dict[str, Any]:
    """The two games that ship, which are as long as six; as many of cooks."""
    return {
        "name": layout,
        "options": {"layout": layout},
        "agent": "overcooked/human",
        "episodes": 2,
        "per_seat": 3,
        "ibt": {**MODEL, **ibt},
    }


SETTINGS = [kitchen(layout, {}) for layout in ("cramped_room", "asymmetric_advantages")]
QUICK = [kitchen("cramped_room", {"steps": 20, "clone_steps": 0, "batch": 8})]
