"""Where agents come from: parents, rounds, marks and (pseudonymous) people. Not for moving aliases."""

from __future__ import annotations

from collections import Counter

from webapp.agents.models import Agent
from webapp.datasets.models import SnapshotMark


def tree(agents: list[Agent]) -> list[dict]:
    """The agents as an indented list, children under their first parent: [{"agent", "depth"}]."""
    present = {agent.pk: agent for agent in agents}
    children: dict[object, list[Agent]] = {}
    for agent in sorted(agents, key=lambda one: (one.created_at, one.ref)):
        parents = [parent.pk for parent in agent.parents.all() if parent.pk in present]
        children.setdefault(parents[0] if parents else None, []).append(agent)
    rows: list[dict] = []

    def walk(parent: object, depth: int) -> None:
        for child in children.get(parent, []):
            rows.append({"agent": child, "depth": depth})
            walk(child.pk, depth + 1)

    walk(None, 0)
    return rows


def around(agent: Agent) -> list[dict]:
    """The agent's ancestors, itself and its descendants, as `tree` gives them."""
    family, edge = {agent.pk: agent}, [agent]
    while edge:
        found = [relative for one in edge for relative in one.parents.all() if relative.pk not in family]
        edge = found
        family |= {one.pk: one for one in found}
    edge = [agent]
    while edge:
        found = [relative for one in edge for relative in one.children.all() if relative.pk not in family]
        edge = found
        family |= {one.pk: one for one in found}
    return tree(list(family.values()))


def behind(agent: Agent) -> dict | None:
    """The round, snapshot, marks and people that an agent was trained from, or None for shipped agents."""
    if agent.round is None or agent.round.snapshot is None:
        return None
    snapshot = agent.round.snapshot
    marks = SnapshotMark.objects.filter(snapshot=snapshot).select_related("mark__annotator")
    per_person: Counter = Counter()
    people = {}
    for row in marks.only("sign", "mark__annotator__pseudonym", "mark__annotator__is_simulated"):
        person = row.mark.annotator
        people[person.pseudonym] = person
        per_person[person.pseudonym] += 1
    raters = [
        {"pseudonym": name, "marks": count, "simulated": people[name].is_simulated}
        for name, count in per_person.most_common()
    ]
    return {"round": agent.round, "snapshot": snapshot, "marks": sum(per_person.values()), "raters": raters}


def trained_from(mark_id: object) -> list[Agent]:
    """The agents whose snapshot holds this mark (the other way round of `behind`)."""
    return list(Agent.objects.filter(round__snapshot__marks__mark_id=mark_id).distinct())
