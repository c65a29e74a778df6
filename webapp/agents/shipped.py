"""The agents that come with the repository, as rows. Not for loading them (engine.agents.catalogue)."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import engine.agents
from webapp.agents.models import Agent

FOLDER = Path(engine.agents.__file__).parent / "shipped"


@cache
def aliases() -> dict[str, str]:
    """Shipped aliases, {"hanabi/champion": ref}; what the database says goes before them (see resolve.py)."""
    path = FOLDER / "aliases.json"
    return json.loads(path.read_text()) if path.exists() else {}


def cards() -> dict[str, dict]:
    """{ref: card} of every shipped agent, in the order of the folders' names."""
    return {
        f"{path.parent.parent.name}/{path.parent.name}": json.loads(path.read_text())
        for path in sorted(FOLDER.glob("*/*/card.json"))
    }


def sync() -> dict[str, list[str]]:
    """Make one row of each shipped agent; safe to repeat.

    Returns refs by what was done: {"added", "updated", "unchanged", "retired"}. An agent that is no longer
    shipped keeps its row (episodes point at it) and is retired.
    """
    done: dict[str, list[str]] = {"added": [], "updated": [], "unchanged": [], "retired": []}
    found = cards()
    for ref, card in found.items():
        values = {
            "name": card.get("title") or card.get("name") or ref.split("/", 1)[1],
            "game": ref.split("/", 1)[0],
            "kind": "scripted" if card.get("kind") == "scripted" else "network",
            "sha256": card.get("sha256", ""),
            "card": card,
            "retired": False,
        }
        agent = Agent.objects.filter(ref=ref).first()
        if agent is None:
            Agent.objects.create(ref=ref, **values)
            done["added"].append(ref)
        elif all(getattr(agent, key) == value for key, value in values.items()):
            done["unchanged"].append(ref)
        else:
            Agent.objects.filter(pk=agent.pk).update(**values)
            done["updated"].append(ref)
    for ref, card in found.items():
        parents = Agent.objects.filter(ref__in=card.get("parents", []))
        Agent.objects.get(ref=ref).parents.set(parents)
    gone = Agent.objects.filter(folder="", round=None, retired=False).exclude(ref__in=found)
    done["retired"] = list(gone.values_list("ref", flat=True))
    gone.update(retired=True)
    return done
