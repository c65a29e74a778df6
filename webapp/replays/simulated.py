"""Episodes made by agents alone, and marks made by simulated annotators: to look around, to test, to
experiment.

Everything made here says so: the episode's source is "simulated", the annotators are people with
`is_simulated` whose names begin with "simulated:". Not for: learning (see `webapp.rounds`).
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence

from django.db import transaction
from django.utils import timezone

from engine.agents.catalogue import load
from engine.agents.policy import Policy, choose
from engine.evaluation.annotators import PREFIX, Annotator, annotate
from engine.simulation.log import header_of
from engine.simulation.simulation import Simulation
from webapp.accounts.models import User
from webapp.agents.models import Agent
from webapp.replays.models import Episode, Mark
from webapp.replays.stores import log_store

SOURCE = "simulated"
LONGEST = 10_000  # ticks; no game is longer


def simulate(
    game: str,
    count: int,
    agents: Sequence[str],
    seed: int = 0,
    options: dict | None = None,
    report: Callable[[Episode], None] | None = None,
) -> list[Episode]:
    """Play `count` games between these agents (refs, one a seat) and store them as finished episodes.

    Fewer refs than seats are repeated. Game i has seed `seed + i`. Raises what the catalogue and the game
    raise for an unknown agent or option.
    """
    policies = {ref: load(ref, game=game) for ref in agents}
    episodes = []
    for index in range(count):
        simulation = Simulation(game, options or {}, seed=seed + index)
        seats = [agents[seat % len(agents)] for seat in range(simulation.seats)]
        episode = store(simulation, seats, policies)
        episodes.append(episode)
        if report:
            report(episode)
    return episodes


def store(simulation: Simulation, refs: Sequence[str], policies: dict[str, Policy]) -> Episode:
    """Play one game to its end, write its log, then its row."""
    episode_id = uuid.uuid4()
    seats = [{"kind": "agent", "name": policies[ref].name, "agent": ref} for ref in refs]
    header = header_of(simulation, str(episode_id), seats)
    records: list[dict] = [header]
    while not simulation.over and simulation.tick < LONGEST:
        seat, tick = simulation.current, simulation.tick
        simulation.act(seat, choose(policies[refs[seat]].logits([simulation], [seat]))[0])
        records.append({"type": "step", "tick": tick, "actions": simulation.actions[-1]})
    end = {"type": "end", "tick": simulation.tick, "score": simulation.score, "digest": simulation.digest()}
    log_store().append(episode_id, [*records, end | {"reason": "finished"}])
    return add_row(episode_id, header, end)


@transaction.atomic
def add_row(episode_id: uuid.UUID, header: dict, end: dict) -> Episode:
    """The index row of a finished log."""
    episode = Episode.objects.create(
        id=episode_id,
        game=header["game"],
        rules_version=str(header["rules_version"]),
        options=header["options"],
        seats=header["seats"],
        status=Episode.FINISHED,
        ticks=end["tick"],
        score=end["score"],
        digest=end["digest"],
        source=SOURCE,
        finished_at=timezone.now(),
    )
    episode.agents.add(*Agent.objects.filter(ref__in={seat["agent"] for seat in header["seats"]}))
    return episode


def simulated_person(name: str) -> User:
    """The simulated annotator of this name, made on first use; nobody can sign in as one."""
    user, made = User.objects.get_or_create(
        username=PREFIX + name, defaults={"is_simulated": True, "first_name": f"Simulated {name}"}
    )
    if made:
        user.set_unusable_password()
        user.save(update_fields=["password"])
        user.set_roles({"annotator"})
    return user


def annotate_with(episode: Episode, annotators: Sequence[Annotator], seed: int = 0) -> int:
    """Store the marks that these simulated annotators make on every seat; how many there are.

    Doing it again with the same annotators and seed changes nothing: the ids are the same.
    """
    log = log_store().read(episode.pk)
    rows = []
    for annotator in annotators:
        user = simulated_person(annotator.name)
        for seat in range(len(episode.seats)):
            for mark in annotate(log, str(episode.pk), seat, annotator, seed):
                what = {name: mark[name] for name in ("id", "seat", "tick", "sign")}
                rows.append(Mark(episode=episode, annotator=user, context={"input": "simulated"}, **what))
    Mark.objects.bulk_create(rows, ignore_conflicts=True)
    return len(rows)
