"""Games that bring neither scripted players nor a reader are played all the same."""

from html import unescape

import pytest

from engine import language
from engine.refusal import Refusal
from engine.simulation.simulation import Simulation
from webapp.host import agents
from webapp.language import readings


def test_a_move_is_made_where_no_scripted_player_can_make_it(monkeypatch):
    monkeypatch.setattr(agents, "CAREFUL", ("nobody",))
    sim = Simulation("hanabi", seed=1)
    action = agents.scripted_move(sim, 0)
    assert sim.legal(0)[action] and not sim.legal(0)[:action].any()


def test_an_instruction_is_refused_with_a_sentence(monkeypatch):
    monkeypatch.setattr(language, "games", list)
    with pytest.raises(Refusal, match=r"^The agents of Hanabi can't be told things yet\.$"):
        readings.read("hanabi", "play it")


@pytest.mark.django_db
def test_the_lobby_says_so_instead_of_the_instruction_box(monkeypatch, pia_client):
    from webapp.agents import shipped

    shipped.sync()
    told = pia_client.get("/play/?game=hanabi").content.decode()
    monkeypatch.setattr(language, "games", list)
    untold = unescape(pia_client.get("/play/?game=hanabi").content.decode())
    sentence = "Agents of Hanabi can't be told things yet."
    assert 'name="instruction"' in told and sentence not in told
    assert 'name="instruction"' not in untold and sentence in untold
