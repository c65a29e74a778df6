"""Episodes to mark and studies to hand them out; rows alone, for tests that need no log."""

from __future__ import annotations

import uuid

import pytest

from webapp.replays.models import Episode
from webapp.studies.models import Study


@pytest.fixture
def make_episode(db):
    """A function: a finished Hanabi episode of a person (seat 0, if given) and an agent."""

    def make(player=None, ticks=20, **fields) -> Episode:
        name = player.pseudonym if player else "P-other"
        seats = [
            {"kind": "person", "name": "", "pseudonym": name},
            {"kind": "agent", "name": "Convention bot", "agent": "hanabi/convention-bot"},
        ]
        values = {"game": "hanabi", "rules_version": "1", "seats": seats, "status": Episode.FINISHED}
        episode = Episode.objects.create(**values | {"ticks": ticks, "score": 18.0} | fields)
        if player:
            episode.players.add(player)
        return episode

    return make


@pytest.fixture
def study(db) -> Study:
    """The one active study, with an overlap of two."""
    Study.objects.all().delete()
    return Study.objects.create(name="Hanabi", game="hanabi", overlap=2)


@pytest.fixture
def make_mark():
    """A function: a mark as a browser would post it."""

    def make(episode, **fields) -> dict:
        values = {"id": str(uuid.uuid4()), "episode": str(episode.pk), "seat": 1, "tick": 5, "sign": 1}
        return values | {"revision": 1, "deleted": False, "note": "", "context": {"input": "key"}} | fields

    return make
