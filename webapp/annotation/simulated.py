"""Marks made by simulated annotators: people with `is_simulated` whose names begin with "simulated:". Not for
the annotators themselves (engine.evaluation.annotators), nor for episodes (webapp.episodes.simulated).
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.evaluation.annotators import PREFIX, Annotator, Watched, annotate
from webapp.accounts.models import User
from webapp.annotation.models import Mark
from webapp.episodes.models import Episode
from webapp.episodes.stores import log_store


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
    watched = Watched(log_store().read(episode.pk))
    rows: dict[tuple[int, int, int], Mark] = {}  # one mark an annotator, seat and tick
    for annotator in annotators:
        user = simulated_person(annotator.name)
        for seat in range(len(episode.seats)):
            for mark in annotate(watched, str(episode.pk), seat, annotator, seed):
                what = {name: mark[name] for name in ("id", "seat", "tick", "sign")}
                row = Mark(episode=episode, annotator=user, context={"input": "simulated"}, **what)
                rows.setdefault((user.pk, seat, mark["tick"]), row)
    Mark.objects.bulk_create(rows.values(), ignore_conflicts=True)
    return len(rows)
