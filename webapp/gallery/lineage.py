"""Where agents come from: parents, rounds, marks and (pseudonymous) people. Not for moving aliases."""

from __future__ import annotations

from django.db.models import Sum

from webapp.agents.models import Agent
from webapp.agents.resolve import place
from webapp.datasets.models import Marked


def tree(agents: list[Agent]) -> list[dict]:
    """The agents as an indented list, children under their first parent: [{"agent", "place", "depth"}]; the
    place is the layout that one was made for, which tells those of one name apart.
    """
    present = {agent.pk: agent for agent in agents}
    children: dict[object, list[Agent]] = {}
    for agent in sorted(agents, key=lambda agent: (agent.created_at, agent.ref)):
        parents = [parent.pk for parent in agent.parents.all() if parent.pk in present]
        children.setdefault(parents[0] if parents else None, []).append(agent)
    rows: list[dict] = []

    def walk(parent: object, depth: int) -> None:
        for child in children.get(parent, []):
            where = place(child.game, child.card.get("options", {}))
            rows.append({"agent": child, "place": where, "depth": depth})
            walk(child.pk, depth + 1)

    walk(None, 0)
    return rows


def around(agent: Agent) -> list[dict]:
    """The agent's ancestors, itself and its descendants, as `tree` gives them."""
    family, edge = {agent.pk: agent}, [agent]
    while edge:
        edge = [relative for agent in edge for relative in agent.parents.all() if relative.pk not in family]
        family |= {relative.pk: relative for relative in edge}
    edge = [agent]
    while edge:
        edge = [relative for agent in edge for relative in agent.children.all() if relative.pk not in family]
        family |= {relative.pk: relative for relative in edge}
    return tree(list(family.values()))


def behind(agent: Agent) -> dict | None:
    """The round, snapshot, marks and people that an agent was trained from, or None for shipped agents."""
    if agent.round is None or agent.round.snapshot is None:
        return None
    snapshot = agent.round.snapshot
    raters = [
        {"pseudonym": name, "marks": count, "simulated": simulated}
        for name, simulated, count in Marked.objects.filter(snapshot=snapshot)
        .values_list("annotator__pseudonym", "annotator__is_simulated")
        .annotate(count=Sum("marks"))
        .order_by("-count")
    ]
    marks = sum(rater["marks"] for rater in raters)
    return {"round": agent.round, "snapshot": snapshot, "marks": marks, "raters": raters}
