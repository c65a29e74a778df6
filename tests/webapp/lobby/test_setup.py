"""From the lobby's form to a kitchen: layouts, pace, hidden names, and every refusal a sentence."""

import pytest
from django.http import QueryDict

from engine.refusal import Refusal
from webapp.episodes.stores import log_store
from webapp.lobby.setup import again, create_match, from_form
from webapp.matches.access import copilot_seats
from webapp.matches.models import Match
from webapp.matches.start import start_match
from webapp.studies.models import Study

COOK = "agent:self_play-cramped_room"
OWN = "XXPXX\nO  2O\nX1  X\nXDXSX\n"


def form(*seats, **fields) -> QueryDict:
    data = QueryDict(mutable=True)
    data.update({"game": "overcooked", **fields})
    data.setlist("seat", seats or ["me", COOK])
    return data


def made(user, *seats, **fields) -> Match:
    return create_match(from_form(form(*seats, **fields)), user)


@pytest.fixture(autouse=True)
def _agents(agents) -> None:
    """Every test here needs them."""


def test_a_kitchen_runs_by_the_admins_clock_from_its_start_on(pia):
    study, _ = Study.objects.update_or_create(game="overcooked", defaults={"ticks_per_second": 8})
    match = made(pia, option_horizon="100")
    assert start_match(match)
    assert (match.ticks_per_second, match.options["horizon"]) == (8, 100)
    assert log_store().read(match.pk).header["ticks_per_second"] == 8
    Study.objects.filter(pk=study.pk).update(ticks_per_second=4)
    match.refresh_from_db()
    assert match.ticks_per_second == 8


def test_turn_by_turn_has_no_clock(pia):
    match = made(pia, pace="turns")
    assert start_match(match) and match.ticks_per_second == 0


def test_hanabi_has_neither(pia):
    match = made(pia, "me", "agent:random", game="hanabi")
    assert match.ticks_per_second is None
    assert copilot_seats(match) == []


def test_an_own_layout_is_cooked_in(pia):
    match = made(pia, "me", "friend", option_layout="custom", layout_text=OWN.replace("\n", "\r\n"))
    assert match.options["layout"] == OWN


def test_who_is_called_by_name_in_the_lobby_is_told_alone(pia):
    bots = ["agent:convention-bot", "agent:convention-bot"]
    for text, to in (("bot 2: discard your oldest card", 2), ("discard your oldest card", None)):
        match = made(pia, "me", *bots, game="hanabi", instruction=text, confirmed="yes")
        said = match.instructions.get()
        sentence = "When I discard, I discard my oldest card."
        assert (said.target_seat, said.reading["sentence"]) == (to, sentence)


def test_names_are_hidden_when_asked_for_and_again_when_played_again(pia):
    match = made(pia, hidden="yes")
    start_match(match)
    assert match.seats.get(index=1).hidden
    setup = again(match, pia)
    assert (setup.hidden, setup.wishes, setup.pace) == (True, ["me", COOK], "real_time")


def test_agents_may_cook_alone_but_not_play_hanabi_alone(pia):
    assert made(pia, COOK, COOK).seats.count() == 2
    with pytest.raises(Refusal, match="one seat for yourself"):
        from_form(form("agent:random", "agent:random", game="hanabi"))


def test_every_agent_seat_has_a_link_of_its_own(pia):
    tokens = [seat.copilot_token for seat in copilot_seats(made(pia, COOK, COOK))]
    assert len({*tokens}) == 2
    assert [seat.index for seat in copilot_seats(made(pia))] == [1]


def test_an_instruction_is_obeyed_from_the_start(pia):
    match = made(pia, instruction="bring me plates")
    assert match.instructions.get().status == "confirmed"


@pytest.mark.parametrize(
    ("seats", "fields", "sentence"),
    [
        (["me", "me"], {}, "one seat for yourself"),
        (["me"], {}, "at least one partner"),
        (["me", "agent:nobody"], {}, "no overcooked agent"),
        (["me", "ghost"], {}, "Nobody called 'ghost'"),
        (["me", COOK], {"option_layout": "coordination_ring"}, "coordination_ring"),
        (["me", COOK], {"option_dynamics": "new"}, "new"),
        (["me", COOK], {"option_layout": "moon"}, "no layout 'moon'"),
        (["me", COOK], {"option_layout": "custom"}, "Write the kitchen"),
        (["me", "friend"], {"option_layout": "custom", "layout_text": "XX\nX?\n"}, "Line 2"),
        (["me", "friend"], {"option_layout": "custom", "layout_text": "X" * 5000}, "longer than"),
        (["me", "friend"], {"option_horizon": "0"}, "“Length” is a whole number"),
        (["me", "friend"], {"option_horizon": "9" * 30}, "“Length” is"),
        (["me", "friend"], {"option_start": "moon"}, "“Start” is fixed or random"),
        (["me", "friend", "friend"], {}, "start cells for 2 cooks"),
        (["me", COOK], {"pace": "warp"}, "pace is real_time or turns"),
        ([COOK, COOK], {"instruction": "bring me a dish"}, "Only a player"),
    ],
)
def test_what_cannot_be_played_is_refused_with_a_sentence(pia, seats, fields, sentence):
    with pytest.raises(Refusal, match=sentence) as refused:
        create_match(from_form(form(*seats, **fields)), pia)
    assert str(refused.value).endswith(".")
    assert not Match.objects.exists()
