"""Obedience: an instructed agent does other things than an uninstructed one."""

import pytest

from engine.agents.catalogue import load
from engine.evaluation.obedience import obedience


@pytest.mark.parametrize("text", ["If I hint you a colour, play it", "don't hint ranks"])
def test_an_instructed_agent_follows_and_the_control_does_not(text):
    found = obedience(load("hanabi/convention-bot"), text, episodes=6, seed=3)
    assert found["told"]["share"] > 0.75
    assert found["told"]["share"] > found["untold"]["share"] + 0.1
    assert found["reading"].startswith(("When you hint a colour", "I do not hint"))


def test_what_cannot_be_read_cannot_be_obeyed():
    with pytest.raises(ValueError, match="can't be followed: That is talk"):
        obedience(load("hanabi/random"), "thanks", episodes=1)
