"""Rows that are chosen by a long list of ids."""

from __future__ import annotations

import uuid

import pytest

from webapp.annotation.models import Mark
from webapp.episodes.models import Episode


@pytest.mark.django_db
@pytest.mark.parametrize("many", [0, 2, 3000])
def test_rows_among_many_ids_are_those_in_the_list(many, make_episode):
    known = [make_episode().pk for _ in range(3)]
    ids = known[: min(many, 2)] + [uuid.uuid4() for _ in range(many - 2)]
    assert set(Episode.objects.filter(pk__among=ids).values_list("pk", flat=True)) == set(known[:2][:many])
    assert not Mark.objects.filter(episode__among=ids).exists()
    assert set(Episode.objects.exclude(pk__among=ids)) == set(Episode.objects.exclude(pk__in=ids[:2]))
