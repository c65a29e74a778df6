"""Whether the people in what filters find are enough to make a proxy of."""

from __future__ import annotations

import pytest

from tests.webapp.datasets.test_selection import OPTIONS, episode
from webapp.datasets import people
from webapp.datasets.selection import Filters

pytestmark = pytest.mark.django_db


def table(*names: str) -> list[dict]:
    return [{"kind": "person", "pseudonym": name} for name in names]


def test_those_who_sit_together_often_are_read_once(monkeypatch):
    for _ in range(5):
        episode(seats=table("a", "b"))
    episode(seats=[*table("c"), {"kind": "agent", "name": "Bot", "agent": "hanabi/bot"}])
    episode(seats=[{"kind": "agent", "name": "Bot", "agent": "hanabi/bot"}] * 2)
    seen = []
    monkeypatch.setattr(people, "too_few", lambda tables, divide: seen.extend(tables) or "few")
    monkeypatch.setattr(people, "little", lambda moves: f"{moves} moves")
    filters = Filters(game="hanabi", min_marks=0, options=OPTIONS)
    assert people.lacking(filters, 4) == ("few", "165 moves")  # each moves half the time of 30 ticks
    assert sorted(seen) == [["a", "b"], ["c"]]
