"""The agents that come with the repository, as rows. Not for loading them (engine.agents.catalogue)."""

from __future__ import annotations

from engine import games
from engine.agents import catalogue
from webapp.agents.models import Agent


def cards() -> dict[str, dict]:
    """{ref: card} of every shipped agent of every game."""
    return {ref: card for game in games.names() for ref, card in catalogue.shipped(game).items()}


def parent_refs(card: dict) -> list[str]:
    """The refs of the agents that an agent was trained from; a card names them alone or with their sha256."""
    return [parent["ref"] if isinstance(parent, dict) else parent for parent in card.get("parents", [])]


def sync() -> dict[str, list[str]]:
    """Make one row of each shipped agent; safe to repeat.

    Returns refs by what was done: {"added", "updated", "unchanged", "retired"}. An agent that is no longer
    shipped, or whose card is broken, keeps its row (episodes point at it) and is retired.
    """
    done: dict[str, list[str]] = {"added": [], "updated": [], "unchanged": [], "retired": []}
    in_files = cards()
    known = Agent.objects.in_bulk(list(in_files), field_name="ref")
    new: list[Agent] = []
    for ref, card in in_files.items():
        values = {
            "name": card.get("title") or card.get("name") or ref.split("/", 1)[1],
            "game": ref.split("/", 1)[0],
            "kind": card["kind"] if card.get("kind") in Agent.KINDS else "network",
            "sha256": card.get("sha256", ""),
            "card": card,
            "retired": False,
        }
        agent = known.get(ref)
        if agent is None:
            new.append(Agent(ref=ref, **values))
            done["added"].append(ref)
        elif all(getattr(agent, key) == value for key, value in values.items()):
            done["unchanged"].append(ref)
        else:
            Agent.objects.filter(pk=agent.pk).update(**values)
            done["updated"].append(ref)
    Agent.objects.bulk_create(new)
    _set_parents({ref: card for ref, card in in_files.items() if parent_refs(card) or ref in done["updated"]})
    gone = Agent.objects.filter(folder="", round=None, retired=False).exclude(ref__in=in_files)
    done["retired"] = list(gone.values_list("ref", flat=True))
    gone.update(retired=True)
    return done


def _set_parents(in_files: dict[str, dict]) -> None:
    """The parents of these agents are those that their cards name."""
    link = Agent.parents.through
    keys = dict(Agent.objects.values_list("ref", "pk"))
    wanted = {
        (keys[ref], keys[parent])
        for ref, card in in_files.items()
        for parent in parent_refs(card)
        if parent in keys
    }
    mine = link.objects.filter(from_agent__ref__in=in_files)
    there = {(one.from_agent_id, one.to_agent_id): one.pk for one in mine}
    link.objects.filter(pk__in=[there[pair] for pair in there.keys() - wanted]).delete()
    link.objects.bulk_create(link(from_agent_id=a, to_agent_id=b) for a, b in sorted(wanted - there.keys()))
