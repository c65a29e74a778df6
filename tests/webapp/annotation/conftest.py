"""Studies to hand episodes out."""

from __future__ import annotations

import uuid

import pytest

from webapp.studies.models import Study


@pytest.fixture
def study(db) -> Study:
    """The one active study, with an overlap of two, of which nothing is drawn at random."""
    Study.objects.all().delete()
    return Study.objects.create(name="Hanabi", game="hanabi", overlap=2, random_share=0)


@pytest.fixture
def make_mark():
    """A function: a mark as a browser would post it."""

    def make(episode, **fields) -> dict:
        values = {"id": str(uuid.uuid4()), "episode": str(episode.pk), "seat": 1, "tick": 5, "sign": 1}
        return values | {"revision": 1, "deleted": False, "note": "", "context": {"input": "key"}} | fields

    return make
