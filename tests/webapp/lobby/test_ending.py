"""How a game ended, as the page after it tells it: the last state, moments, what to try, bests."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from engine import games
from engine.simulation.log import begin
from tests.webapp import world
from tests.webapp.lobby.test_after import begun, fought
from webapp.accounts.guests import make_guest
from webapp.agents import shipped
from webapp.annotation.models import Mark
from webapp.common.made import cache
from webapp.episodes.stores import log_store
from webapp.host import storage
from webapp.lobby import ending
from webapp.lobby.setup import Setup, create_match
from webapp.matches import results
from webapp.matches.models import Match, Seat
from webapp.matches.start import start_match

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def agents(db, settings, tmp_path) -> None:
    shipped.sync()
    settings.EPISODES_DIR = tmp_path


def over(pia, friend=None, room: int = 0, state: str = Match.FINISHED) -> Match:
    """A match of one of the rooms that is over, and of which everybody has said how it was."""
    match = world.new_match(*world.ROOMS[room], pia, told=0)
    world.bring(match, state, friend or pia)
    match.seats.update(revealed_at=timezone.now())
    match.refresh_from_db()
    return match


def said(client, match) -> dict:
    answer = client.get(f"/play/{match.pk}/ending/")
    assert answer.status_code == 200, answer.content
    return answer.json()


def words(client, match) -> str:
    answer = client.get(f"/play/{match.pk}/after/")
    assert answer.status_code == 200
    return unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", answer.content.decode())))


@pytest.mark.parametrize("room", range(len(world.ROOMS)))
@pytest.mark.parametrize("state", [Match.FINISHED, Match.ABANDONED])
def test_every_game_has_an_ending_for_whoever_played(pia, otto, pia_client, room, state) -> None:
    match = over(pia, otto, room, state)
    found = said(pia_client, match)
    own = match.seats.get(user=pia).index
    assert found["seat"] == own and found["names"][own] == "You"
    assert found["picture"].startswith("data:image/png;base64,")
    assert found["view"]["game" if match.game != "arena" else "tick"] in (match.game, match.episode.ticks)
    assert "moves" not in found["view"]
    assert len(found["moments"]) <= 3
    for one in found["moments"]:
        assert 1 <= one["tick"] <= match.episode.ticks and 0 <= one["seat"] < len(found["names"])
        assert one["sign"] in (1, -1) and one["picture"].startswith("data:image/png") and one["effect"]
    if state == Match.FINISHED:
        assert found["moments"], "something changed that counts"
    ticks = [one["tick"] for one in found["moments"]]
    assert all(later - earlier > 1 for earlier, later in zip(ticks, ticks[1:], strict=False))
    assert found["clip"]["last"] <= match.episode.ticks
    answer = pia_client.post(
        found["urls"]["clips"], found["clip"], content_type="application/json"
    )  # what the page's one button asks for can be had
    assert answer.status_code == 200, answer.content


def test_the_cards_are_shown_as_they_were_held(pia, pia_client) -> None:
    match = over(pia)
    view = said(pia_client, match)["view"]
    sim = begin(log_store().read(match.pk))
    for action in log_store().read(match.pk).steps:
        sim.step(action)
    assert view["hands"] == sim.view(None)["hands"]
    assert all(card["card"] is not None for hand in view["hands"] for card in hand["cards"])


def test_nothing_is_told_before_it_is_said_how_it_was_nor_to_strangers(pia, otto, pia_client, otto_client):
    match = over(pia)
    match.seats.update(revealed_at=None)
    assert pia_client.get(f"/play/{match.pk}/ending/").status_code == 409
    Match.objects.filter(pk=match.pk).update(open_to_watch=False)
    assert otto_client.get(f"/play/{match.pk}/ending/").status_code == 404


def test_people_are_called_as_on_the_rest_of_the_page(pia, otto, pia_client, otto_client) -> None:
    match = over(pia, otto, 1)
    found = said(pia_client, match)
    other = match.seats.get(user=otto).index
    assert found["names"][other] == otto.shown_name and otto.shown_name in words(pia_client, match)


def test_a_running_game_has_no_ending(pia, pia_client) -> None:
    match = world.new_match(*world.ROOMS[0], pia, told=0)
    start_match(match)
    assert pia_client.get(f"/play/{match.pk}/ending/").status_code == 409


def test_whoever_watched_comes_to_the_same_page_without_what_is_a_players(pia, otto_client) -> None:
    match = over(pia)
    assert otto_client.get(f"/play/{match.pk}/").url == f"/play/{match.pk}/after/"
    page = words(otto_client, match)
    assert "Watch the replay" in page and "Play a game like this" in page
    assert "Play again" not in page and "With whom" not in page and "your average" not in page
    found = said(otto_client, match)
    assert found["seat"] is None and "You" not in found["names"]


def test_a_friends_guest_sees_the_ending_too(pia, client) -> None:
    match = world.new_match("hanabi", {"players": 2}, ("me", "friend"), pia, told=0)
    guest = make_guest(match.pk)
    world.take_seat(match, guest)
    match.refresh_from_db()
    match.seats.update(revealed_at=timezone.now())
    sim = begin(log_store().read(match.pk))
    records = []
    while not sim.over and sim.tick < 12:
        joint = [sim.no_op] * 2
        joint[sim.current] = int(sim.legal(sim.current).argmax())
        records.append({"type": "step", "tick": sim.tick, "actions": joint})
        sim.step(joint)
    end = {"type": "end", "tick": sim.tick, "score": sim.score, "digest": sim.digest(), "reason": "abandoned"}
    log_store().append(match.pk, [*records, end])
    storage.close(match.pk, end)
    client.force_login(guest)
    match.refresh_from_db()
    found = said(client, match)
    assert found["names"].count("You") == 1
    assert "this game's result and its replay stay open" in words(client, match)


def bombed(pia) -> Match:
    """Two-player Hanabi in which cards are played from the hand until the last life is gone."""
    match = world.new_match(*world.ROOMS[0], pia, told=0)
    start_match(match)
    match.refresh_from_db()
    sim = begin(log_store().read(match.pk))
    records = []
    while not sim.over:
        joint = [sim.no_op] * 2
        views = [move for move in sim.view(sim.current)["moves"] if move["legal"] and move["kind"] == "play"]
        joint[sim.current] = views[-1]["action"]
        records.append({"type": "step", "tick": sim.tick, "actions": joint})
        sim.step(joint)
    end = {"type": "end", "tick": sim.tick, "score": sim.score, "digest": sim.digest(), "reason": "finished"}
    log_store().append(match.pk, [*records, end])
    storage.close(match.pk, end)
    match.seats.update(revealed_at=timezone.now())
    match.refresh_from_db()
    return match


def test_a_zero_is_told_and_what_to_try(pia, pia_client) -> None:
    page = words(pia_client, bombed(pia))
    assert "took the last life, and a game that is lost so counts 0." in page
    assert "What to try: Play a card only once hints say that it fits" in page
    assert "What to try" not in words(pia_client, over(pia))


def test_the_end_of_a_match_offers_the_rematch_that_the_page_after_it_does(pia, pia_client, client) -> None:
    for wishes, options, button in (
        (("me", "agent:weak"), {"teams": 2, "team_size": 1}, None),
        (("me", *["agent:weak"] * 3), {"teams": 2, "team_size": 2}, "Swap seats and play again"),
        (("me", *["agent:weak"] * 7), {"teams": 2, "team_size": 4}, "Everybody a seat on and play again"),
    ):
        match = begun(pia, wishes, **options)
        page = unescape(pia_client.get(f"/play/{match.pk}/").content.decode())
        assert "Play again</button>" in page
        assert ('value="rotated"' in page) is (button is not None) and (button or "Play again") in page


def test_a_match_that_was_lost_at_once_is_told_what_to_try(pia, pia_client) -> None:
    match = fought(begun(pia, ("me", "agent:weak", *["agent:weak"] * 4), teams=3, team_size=2), 1)
    assert "What to try:" in words(pia_client, match)
    assert said(pia_client, match)["moments"], "somebody of the squad was put out"


def test_bests_and_earlier_games_with_the_same_partner_are_told(pia, pia_client, monkeypatch) -> None:
    first = over(pia)
    assert "Your best" not in words(pia_client, first)
    second = over(pia)
    history = results.own_history(second, pia, 0)
    name = second.seats.get(index=1).agent.name
    assert history["together"] == [f"{name} makes {first.episode.score:.1f} on average with you (1 game)."]
    assert history["best_text"] and history["best_text"] in words(pia_client, second)
    other = world.new_match("hanabi", {"players": 2}, ("me", "agent:convention-bot"), pia, told=0)
    world.bring(other, Match.FINISHED, pia)
    other.refresh_from_db()
    assert results.own_history(other, pia, 0)["together"] == [], "never with this partner"
    assert results.best_text(5, 4) == "Your best before was 4."
    assert results.best_text(4, 4) == "As good as your best, 4."
    assert results.best_text(3, 4) == "Your best is 4."


def test_the_page_and_its_ending_ask_the_database_as_often_after_many_games(pia, pia_client) -> None:
    def asked(match, part: str) -> int:
        cache.clear()
        with CaptureQueriesContext(
            connection,
        ) as queries:
            assert pia_client.get(f"/play/{match.pk}/{part}/").status_code == 200
        return len(queries)

    over(pia)
    second = over(pia)
    before = [asked(second, "after"), asked(second, "ending")]
    for _ in range(3):
        last = over(pia)
    assert [asked(last, "after"), asked(last, "ending")] == before


def test_what_was_looked_through_once_is_kept(pia, pia_client, monkeypatch) -> None:
    match = over(pia)
    first = said(pia_client, match)
    monkeypatch.setattr(ending, "decisive", lambda *args: pytest.fail("it is known"))
    assert said(pia_client, match)["moments"] == first["moments"]


def test_marks_of_moments_are_marks_like_any(pia, pia_client) -> None:
    match = over(pia)
    found = said(pia_client, match)
    one = found["moments"][0]
    mark = {
        "id": "6f9619ff-8b86-4d01-b42d-00cf4fc964ff",
        "episode": found["episode"],
        "seat": one["seat"],
        "tick": one["tick"],
        "sign": one["sign"],
        "revision": 1,
        "context": {"input": "key", "tool": "ending-1"},
    }
    body = {"person": found["person"], "marks": [mark]}
    if found["may_mark"]:
        answer = pia_client.post(found["urls"]["marks"], body, content_type="application/json").json()
        assert answer["results"][0]["status"] == "saved"
        assert Mark.objects.get().tick == one["tick"]
        assert said(pia_client, match)["marks"][0]["tick"] == one["tick"]
    else:
        assert found["why_not"]


def test_a_log_that_cannot_be_read_says_so_and_the_page_stands(pia, pia_client) -> None:
    match = over(pia)
    path = log_store().path(match.pk)
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([lines[0], b"garbled\n", *lines[2:]]))
    answer = pia_client.get(f"/play/{match.pk}/ending/")
    assert answer.status_code == 409 and "damaged" in answer.json()["error"]
    assert words(pia_client, match)


def test_a_game_with_none_of_its_own_parts_has_an_ending(pia, pia_client) -> None:
    options = games.spec("say_select").validate({})
    match = create_match(Setup(game="say_select", options=options, wishes=["me", "agent:instruct-q"]), pia)
    start_match(match)
    match.refresh_from_db()
    sim = begin(log_store().read(match.pk))
    records = []
    for action in (0, 0, 0, 5):
        tick = sim.tick
        sim.act(sim.current, action)
        records.append({"type": "step", "tick": tick, "actions": sim.actions[-1]})
    end = {"type": "end", "tick": sim.tick, "score": sim.score, "digest": sim.digest(), "reason": "finished"}
    log_store().append(match.pk, [*records, end])
    storage.close(match.pk, end)
    match.seats.filter(kind=Seat.PERSON).update(revealed_at=timezone.now())
    found = said(pia_client, match)
    assert found["module"].endswith("js/general-ending.js")
    assert found["clip"]["first"] == 0
