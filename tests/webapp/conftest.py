"""Episodes as rows alone, for tests that need no log."""

from __future__ import annotations

import pytest

from webapp.episodes.models import Episode


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
