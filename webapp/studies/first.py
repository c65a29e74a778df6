"""A study for every game, so that what is played can be marked: one, whether or not an admin closed it."""

from __future__ import annotations

from engine import games
from webapp.studies.models import Study


def ensure() -> list[str]:
    """Make a study of each game that has none; their names."""
    known = set(Study.objects.values_list("game", flat=True))
    fresh = [
        Study(name=games.spec(game).title, game=game) for game in sorted(games.names()) if game not in known
    ]
    return [study.name for study in Study.objects.bulk_create(fresh)]
