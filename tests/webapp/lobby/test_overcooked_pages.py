"""The pages of Overcooked: lobby, kitchen, co-pilot's link, result."""

from __future__ import annotations

import json
import uuid
from typing import Any

import pytest
from django.utils import timezone

from engine import games
from engine.games.pages import pages
from webapp.accounts.guests import make_guest
from webapp.accounts.models import SiteSettings
from webapp.agents.models import Agent
from webapp.gallery import company
from webapp.lobby.views import copilot
from webapp.matches import results
from webapp.matches.models import Match, Rating, Seat
from webapp.matches.start import start_match

pytestmark = pytest.mark.django_db

KITCHEN = "XXPXX\nO 1 O\nX  2X\nXDXSX"


@pytest.fixture
def cook(db) -> Agent:
    """An agent of Overcooked that sits where the test puts it."""
    card = {"game": "overcooked", "kind": "scripted", "players": [2, 3, 4]}
    return Agent.objects.update_or_create(
        ref="overcooked/greedy",
        defaults={"name": "Greedy", "game": "overcooked", "kind": "scripted", "card": card},
    )[0]


def kitchen_match(user, cook: Agent, person_too: bool = True, **options: Any) -> Match:
    """A running match with the agent in seat 1; without a person it is two agents that are watched."""
    complete = games.spec("overcooked").validate(options)
    match = Match.objects.create(
        game="overcooked", options=complete, seed=1, created_by=user, ticks_per_second=6
    )
    agent = {"match": match, "kind": Seat.AGENT, "agent": cook, "alias": "greedy"}
    if person_too:
        Seat.objects.create(match=match, index=0, kind=Seat.PERSON, user=user)
    else:
        Seat.objects.create(index=0, **agent)
    Seat.objects.create(index=1, **agent)
    assert start_match(match)
    return match


def copilot_link(match: Match, seat: int = 1) -> str:
    return f"/play/copilot/{match.seats.get(index=seat).copilot_token}/"


def finish(match: Match, score: float) -> Match:
    Match.objects.filter(pk=match.pk).update(status=Match.FINISHED, finished_at=timezone.now())
    match.episode.status, match.episode.score = "finished", score
    match.episode.save()
    match.refresh_from_db()
    return match


# --- Lobby -------------------------------------------------------------------------------------------------


def test_the_lobby_of_a_game_opens_again_where_one_was(pia_client):
    assert "Play Hanabi" in pia_client.get("/play/").content.decode()
    assert "Cook with people" in pia_client.get("/play/?game=overcooked").content.decode()
    assert "Cook with people" in pia_client.get("/play/").content.decode()
    assert pia_client.get("/play/?game=chess").status_code == 200


def test_the_five_kitchens_and_ones_own_are_offered_with_their_plans(pia_client):
    layouts = pia_client.get("/play/?game=overcooked").context["layouts"]
    assert [one["value"] for one in layouts][-1] == "custom"
    assert len(layouts) == 6
    assert layouts[0]["rows"] == ["XXPXX", "O  2O", "X1  X", "XDXSX"]
    assert all(one["players"] == 2 for one in layouts)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (KITCHEN.replace("S", " "), "Line 4, column 4"),
        (KITCHEN.replace("2", " ").replace("1", " "), "start"),
        (KITCHEN.replace("P", "X"), "pot"),
        ("", "Write the kitchen"),
        ("X" * 4001, "make it smaller"),
    ],
)
def test_a_kitchen_is_checked_while_one_writes(pia_client, text, sentence):
    answer = check(pia_client, text)
    assert answer.status_code == 200
    assert sentence in answer.json()["error"]


def check(client, text, game="overcooked"):
    body = json.dumps({"game": game, "text": text})
    return client.post("/play/layout/", body, content_type="application/json")


def test_a_good_kitchen_comes_back_as_a_plan(pia_client):
    assert check(pia_client, KITCHEN).json()["rows"] == KITCHEN.split("\n")
    assert check(pia_client, KITCHEN).json()["players"] == 2
    assert check(pia_client, KITCHEN, game="hanabi").status_code == 400
    assert check(pia_client, KITCHEN, game="chess").status_code == 400
    assert pia_client.post("/play/layout/", "{", content_type="application/json").status_code == 400
    assert not Match.objects.exists()


def start(client, **fields):
    return client.post("/play/new/", {"game": "overcooked", "seat": ["me", "friend"], **fields})


def test_a_new_kitchen_is_drawn_by_its_number(pia_client):
    answer = check(pia_client, "new 7").json()
    assert answer["name"] == "new 7" and answer["players"] == 2
    start(pia_client, option_layout="custom", layout_text="new 7")
    layout = Match.objects.get().options["layout"]
    assert layout.startswith("name: new 7\n") and pages("overcooked").layout_label(layout) == "new kitchen 7"


def test_kitchen_pace_and_length_reach_the_match(pia_client):
    start(pia_client, option_layout="coordination_ring", option_horizon="200", pace="turns")
    match = Match.objects.get()
    assert (match.options["layout"], match.options["horizon"]) == ("coordination_ring", 200)
    assert match.ticks_per_second == 0
    start(pia_client, option_layout="custom", layout_text=KITCHEN)
    assert Match.objects.exclude(pk=match.pk).get().options["layout"].strip() == KITCHEN


def test_a_refused_form_keeps_everything_that_was_chosen(pia_client):
    bad = KITCHEN.replace("P", "X")
    answer = start(
        pia_client, option_layout="custom", layout_text=bad, pace="turns", instruction="you do onions"
    )
    assert answer.status_code == 422
    typed = answer.context["typed"]
    assert (typed["layout_text"], typed["pace"], typed["seat"]) == ([bad], ["turns"], ["me", "friend"])
    assert "csrfmiddlewaretoken" not in typed
    assert "you do onions" in answer.content.decode()


def test_the_champion_is_named_for_each_kitchen(pia_client, cook):
    from webapp.agents.models import Alias

    other = Agent.objects.create(
        ref="overcooked/ring-cook", name="Ring cook", game="overcooked", kind="network", card={}
    )
    Alias.objects.create(game="overcooked", layout="coordination_ring", name="champion", agent=other)
    Alias.objects.create(game="overcooked", layout="", name="champion", agent=cook)
    partners = pia_client.get("/play/?game=overcooked").context["partners"]
    assert partners[0]["value"] == "agent:champion"
    assert partners[0]["means"]["coordination_ring"] == "agent:ring-cook"
    assert partners[0]["means"][""].endswith(cook.slug)
    assert partners[-1]["value"] == "surprise"


# --- The kitchen and its co-pilot ---------------------------------------------------------------------------


def page_of(answer) -> dict[str, Any]:
    return answer.context["page"]


def test_a_player_gets_the_kitchen_with_a_link_for_a_co_pilot(pia, pia_client, cook):
    match = kitchen_match(pia, cook)
    answer = pia_client.get(f"/play/{match.pk}/")
    assert (page_of(answer)["seat"], page_of(answer)["copilot"]) == (0, None)
    assert copilot_link(match) in answer.content.decode()
    assert "js/games/overcooked/table.js" in answer.content.decode()


def test_a_spectator_gets_neither_words_nor_links(pia, otto_client, cook):
    match = kitchen_match(pia, cook)
    answer = otto_client.get(f"/play/{match.pk}/")
    assert page_of(answer)["seat"] is None
    for absent in ("data-instruct-text", "copilot/link", "data-pad", "data-leave"):
        assert absent not in answer.content.decode()


def test_the_first_to_press_is_the_co_pilot(pia, otto, otto_client, anna_client, cook):
    match = kitchen_match(pia, cook, person_too=True)
    Match.objects.filter(pk=match.pk).update(open_to_watch=False)
    link = copilot_link(match)
    assert otto_client.get(f"/play/{match.pk}/").status_code == 404
    assert "Be the co-pilot" in otto_client.get(link).content.decode()
    assert otto_client.post(link).url == f"/play/{match.pk}/"
    assert match.seats.get(index=1).copilot == otto
    answer = otto_client.get(f"/play/{match.pk}/")
    assert (page_of(answer)["seat"], page_of(answer)["copilot"]) == (None, 1)
    assert "data-pad" in answer.content.decode()
    assert otto_client.get(link).url == f"/play/{match.pk}/"
    assert "Somebody else is the co-pilot" in anna_client.post(link).content.decode()
    assert match.seats.get(index=1).copilot == otto
    assert f"/play/{match.pk}/" in otto_client.get("/play/open/").content.decode()


def test_who_plays_is_nobodys_co_pilot(pia, pia_client, cook):
    match = kitchen_match(pia, cook)
    answer = pia_client.post(copilot_link(match))
    assert "You play in this game yourself" in answer.content.decode()
    assert match.seats.get(index=1).copilot is None


def test_whoever_opens_the_link_is_the_co_pilot_with_or_without_an_account(pia, client, cook):
    match = kitchen_match(pia, cook)
    link = copilot_link(match)
    assert "Be the co-pilot" in client.get(link).content.decode()
    assert client.post(link).url == f"/play/{match.pk}/"
    guest = match.seats.get(index=1).copilot
    assert guest.is_guest and guest.guest_of == match.pk
    assert page_of(client.get(f"/play/{match.pk}/"))["copilot"] == 1


def test_a_guest_of_another_game_keeps_it_where_somebody_is_faster(pia, otto, signed_in, cook, monkeypatch):
    match, another = kitchen_match(pia, cook), uuid.uuid4()
    guest = make_guest(another)
    come = copilot.come_as_guest

    def slowly(*args):
        answer = come(*args)
        match.seats.filter(index=1).update(copilot=otto)
        return answer

    with monkeypatch.context() as raced:
        raced.setattr(copilot, "come_as_guest", slowly)
        assert "Somebody else is the co-pilot" in signed_in(guest).post(copilot_link(match)).content.decode()
    guest.refresh_from_db()
    assert guest.guest_of == another
    match.seats.filter(index=1).update(copilot=None)
    signed_in(guest).post(copilot_link(match))
    guest.refresh_from_db()
    assert guest.guest_of == match.pk


def test_where_no_guests_may_play_a_stranger_signs_in_first(pia, client, otto_client, cook):
    SiteSettings.objects.update_or_create(pk=1, defaults={"friends_play": False})
    match = kitchen_match(pia, cook)
    link = copilot_link(match)
    page = client.get(link).content.decode()
    assert "Sign in" in page and "Be the co-pilot</button>" not in page
    client.post(link)
    assert match.seats.get(index=1).copilot is None
    assert otto_client.get("/play/copilot/guess/").status_code == 404
    assert otto_client.get("/play/copilot//").status_code == 404


def test_a_co_pilot_who_waits_is_told_so_and_offered_no_seat(pia, otto, otto_client, cook):
    options = games.spec("overcooked").validate({})
    match = Match.objects.create(game="overcooked", options=options, seed=1, created_by=pia)
    Seat.objects.create(match=match, index=0, kind=Seat.OPEN)
    Seat.objects.create(match=match, index=1, kind=Seat.AGENT, agent=cook, copilot=otto)
    page = otto_client.get(f"/play/{match.pk}/").content.decode()
    assert f"You are the co-pilot of {cook.name}" in page and "Take the seat" not in page


def test_a_game_that_is_over_takes_no_co_pilot(pia, otto_client, cook):
    match = finish(kitchen_match(pia, cook), 40)
    assert "This game is over" in otto_client.post(copilot_link(match)).content.decode()
    assert match.seats.get(index=1).copilot is None


def test_the_maker_of_a_game_of_agents_watches_and_may_invite(pia, pia_client, cook):
    match = kitchen_match(pia, cook, person_too=False)
    answer = pia_client.get(f"/play/{match.pk}/")
    assert page_of(answer)["seat"] is None
    assert copilot_link(match, 0) in answer.content.decode()
    finish(match, 20)
    after = pia_client.get(f"/play/{match.pk}/after/").content.decode()
    assert f"/replays/{match.pk}/" in after and "Play again" not in after


# --- After it -----------------------------------------------------------------------------------------------


def test_scores_compare_with_games_in_the_same_kitchen_only(pia, pia_client, cook):
    finish(kitchen_match(pia, cook, layout="coordination_ring"), 200)
    finish(kitchen_match(pia, cook), 20)
    match = finish(kitchen_match(pia, cook), 60)
    history = results.own_history(match, pia, 0)
    assert (history["games"], history["difference"], history["is_best"]) == (1, 40, True)
    assert results.averages(match, 0) == ["Greedy makes 20.0 on average with people here (1 game)."]
    Rating.objects.create(episode=match.episode, seat=0, user=pia, partner_seat=1, partner=6)
    found = company.with_people(cook)
    assert (found["ratings"], found["partner_mean"]) == (1, 6.0)
    assert found["sentences"] == [
        "Overcooked, cramped room: Greedy makes 40.0 on average with people here (2 games).",
        "Overcooked, coordination ring: Greedy makes 200.0 on average with people here (1 game).",
    ]
    shown = pia_client.get(f"/agents/overcooked/{cook.slug}/").content.decode()
    assert "<h3>With people</h3>" in shown and "As a partner: 6.0 of 7 in 1 rating." in shown
    page = pia_client.post(f"/play/{match.pk}/reveal/", follow=True).content.decode()
    for words in ("Your best game so far", "Nobody had made a move", "Greedy makes 20.0 on average"):
        assert words in page
    assert "Play again" in page


def test_the_first_game_says_that_there_is_nothing_to_compare_with(pia, pia_client, cook):
    match = finish(kitchen_match(pia, cook), 0)
    page = pia_client.post(f"/play/{match.pk}/reveal/", follow=True).content.decode()
    assert "Your first finished game with these settings" in page
    assert "Time is up" in page
