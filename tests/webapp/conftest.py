"""Episodes as rows alone, for tests that need no log."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from webapp.replays.models import Assignment, Episode
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
def hand(db):
    """A function: hand an episode to an annotator, as the queue of its game does."""

    def handed(episode: Episode, user) -> Assignment:
        study = Study.objects.filter(game=episode.game).first() or Study.objects.create(
            name=episode.game, game=episode.game
        )
        until = timezone.now() + timedelta(hours=1)
        return Assignment.objects.create(study=study, episode=episode, annotator=user, expires_at=until)

    return handed
