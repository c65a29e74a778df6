"""Rows of the agents that ship: made, changed and retired with the cards in the repository."""

from __future__ import annotations

import pytest

from webapp.agents import shipped
from webapp.agents.models import Agent


def parents(ref: str) -> set[str]:
    return set(Agent.objects.get(ref=ref).parents.values_list("ref", flat=True))


@pytest.mark.django_db
def test_parents_are_those_that_the_cards_name_now(monkeypatch, django_assert_max_num_queries) -> None:
    card = {"kind": "network", "name": "one"}
    cards = {f"hanabi/{name}": dict(card) for name in ("base", "other", "made", "gone")}
    cards["hanabi/made"]["parents"] = ["hanabi/base", {"ref": "hanabi/gone", "sha256": "0"}, "hanabi/unknown"]
    monkeypatch.setattr(shipped, "cards", lambda: cards)
    with django_assert_max_num_queries(12):
        assert len(shipped.sync()["added"]) == 4
    assert parents("hanabi/made") == {"hanabi/base", "hanabi/gone"}
    assert len(shipped.sync()["unchanged"]) == 4

    del cards["hanabi/gone"]
    cards["hanabi/made"] |= {"parents": ["hanabi/other"], "name": "another"}
    found = shipped.sync()
    assert (found["updated"], found["retired"]) == (["hanabi/made"], ["hanabi/gone"])
    assert parents("hanabi/made") == {"hanabi/other"}
    cards["hanabi/made"] = {**card, "name": "without"}
    shipped.sync()
    assert parents("hanabi/made") == set()
