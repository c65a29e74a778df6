"""The page after a game, for winners and losers, people who left, matches that were left, and any game."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.test import Client
from django.utils import timezone

from engine import brings, games
from engine.games import stories
from engine.games.arena import state as s
from engine.games.arena.angles import bearing
from engine.simulation.log import begin
from tests.webapp import world
from tests.webapp.cast import text_of
from webapp.agents import shipped
from webapp.episodes.models import Episode
from webapp.episodes.stores import log_store
from webapp.host import storage
from webapp.lobby.setup import Setup, create_match
from webapp.lobby.views.table import take_seat
from webapp.matches import results
from webapp.matches.models import Match, Seat
from webapp.matches.start import start_match

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def agents(db, settings, tmp_path) -> None:
    shipped.sync()
    settings.EPISODES_DIR = tmp_path


def begun(pia, wishes: tuple[str, ...], friend=None, **options) -> Match:
    complete = games.spec("arena").validate({"monsters": 0, "map_seed": 3, "pace": "short", **options})
    match = create_match(Setup(game="arena", options=complete, wishes=list(wishes)), pia)
    Match.objects.filter(pk=match.pk).update(seed=5)
    match.refresh_from_db()
    if friend:
        take_seat(match, friend)
    else:
        start_match(match)
    match.refresh_from_db()
    return match


def fought(match: Match, winner: int) -> Match:
    """Everybody but one squad walks out of the zone, which takes them."""
    sim = begin(log_store().read(match.pk))
    size, records = match.options["team_size"], []
    while not sim.over:
        tick = sim.tick
        joint = [
            sim.idle(seat) if seat // size == winner else outwards(sim, seat) for seat in range(sim.seats)
        ]
        sim.step(joint)
        records.append({"type": "step", "tick": tick, "actions": sim.actions[-1]})
    end = {"type": "end", "tick": sim.tick, "score": sim.score, "digest": sim.digest(), "reason": "finished"}
    end["outcomes"] = stories.outcomes("arena", sim.view(None))
    assert sim.view(None)["winner"] == winner
    log_store().append(match.pk, [*records, end])
    storage.close(match.pk, end)
    match.seats.filter(kind=Seat.PERSON).update(revealed_at=timezone.now())
    match.refresh_from_db()
    return match


def outwards(sim, seat: int) -> list[int]:
    """A step away from the middle of the zone."""
    at = s.player(seat)
    dx = int(sim.state[at + s.X]) - int(sim.state[s.BLUE_X])
    dy = int(sim.state[at + s.Y]) - int(sim.state[s.BLUE_Y])
    return [0, 0, 1, s.B_RUN, s.PICK, int(sim.state[at + s.SLOT]), bearing(dx, dy), 0, sim.tick]


def page_of(client: Client, match: Match) -> str:
    """The words of the page after a match, without tags."""
    answer = client.get(f"/play/{match.pk}/after/")
    assert answer.status_code == 200
    return unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", answer.content.decode())))


def test_a_squad_that_lost_and_one_that_won_read_their_own_end(pia, otto, pia_client, otto_client) -> None:
    match = fought(begun(pia, ("me", "agent:weak", "friend", "agent:weak"), otto, teams=2, team_size=2), 1)
    lost, won = page_of(pia_client, match), page_of(otto_client, match)
    assert "Your squad came in 2nd of 2" in lost and "2nd of 2 squads" in lost
    assert "The orange square squad (" in lost and "You went out at" in lost
    assert "Your squad is the last one standing" in won and "1st of 2 squads" in won
    assert "You won after" in won and "with all 2 still on their feet" in won
    for page in (lost, won):
        assert "points" not in page


def test_those_who_play_alone_have_no_squad(pia, otto, pia_client, otto_client) -> None:
    match = fought(begun(pia, ("me", "friend"), otto, teams=2, team_size=1), 0)
    assert "You are the last one standing" in page_of(pia_client, match)
    assert "You came in 2nd of 2" in page_of(otto_client, match)
    assert "quad" not in re.search(r"How it went.*Play again", page_of(otto_client, match))[0]


def test_matches_are_compared_by_victories_of_ones_own_squad(pia, otto, pia_client, otto_client) -> None:
    """Pia's squad wins the first and the third; the score of a log is that of player_0's squad."""
    wishes = ("me", "agent:weak", "friend", "agent:weak")
    for winner in (0, 1, 0):
        match = fought(begun(pia, wishes, otto, teams=2, team_size=2), winner)
    assert "You have won 2 of 3 matches of this kind" in page_of(pia_client, match)
    assert "You have won 1 of 3 matches" in page_of(otto_client, match)
    mate, other = match.seats.get(index=1).agent, match.seats.get(index=3).agent
    assert mate == other
    assert results.averages(match, 0) == [f"{mate.name} has won 2 of 4 matches with people here."]
    first = fought(begun(pia, ("me", "friend", "agent:weak"), otto, teams=3, team_size=1), 0)
    assert "Your first finished match" in page_of(pia_client, first)


def test_opponents_are_no_partners(pia, pia_client) -> None:
    match = fought(begun(pia, ("me", *["agent:weak"] * 5), teams=3, team_size=2), 0)
    assert [one["seat"] for one in results.partners(match, pia, 0)] == [1]
    lobby = text_of(pia_client.get("/play/?game=arena"))
    weak = match.seats.get(index=1).agent.name
    assert f"with {weak}<" in lobby
    assert ">1st<" in lobby
    Seat.objects.filter(match=match).update(revealed_at=None)
    body = {"seat": 2, "question": "partner", "value": 4}
    answer = pia_client.post(f"/play/{match.pk}/rate/", body, content_type="application/json")
    assert answer.status_code == 400


def left(pia, friend, game: str, options: dict, wishes: tuple[str, ...]) -> Match:
    """A match that was left after a few ticks; Pia had left it for good before."""
    match = world.new_match(game, options, wishes, pia, told=0)
    world.bring(match, Match.ABANDONED, friend)
    match.seats.update(revealed_at=timezone.now())
    match.refresh_from_db()
    return match


@pytest.mark.parametrize(("game", "options", "wishes"), world.ROOMS)
def test_a_match_that_was_left_says_so_and_how_it_stood(pia, otto, pia_client, game, options, wishes) -> None:
    page = page_of(pia_client, left(pia, otto, game, options, wishes))
    assert stories.LEFT in page
    assert ("Until then, in" in page) is (game != "arena")
    assert ("were left" in page) is (game == "arena")
    assert "against your average" not in page and "You have won" not in page


def test_whoever_left_reads_that_an_agent_played_on(pia, otto, pia_client) -> None:
    match = left(pia, otto, *world.ROOMS[0])
    assert "You left before the end; " in page_of(pia_client, match)


def test_a_game_that_brings_no_story_has_a_page(pia, pia_client, monkeypatch) -> None:
    monkeypatch.setattr(brings.Story, "of", lambda game: brings.Story(None))
    match = world.new_match("hanabi", {"players": 2}, ("me", "agent:grounded-bot"), pia, told=0)
    world.bring(match, Match.FINISHED, pia)
    match.seats.update(revealed_at=timezone.now())
    page = page_of(pia_client, match)
    assert "The game is over" in page and "It ended after" in page and "nothing to compare with" in page


def test_what_a_card_tells_of_other_games_is_not_compared(pia) -> None:
    """The kitchen partner was measured over 400 ticks; its average is out of reach of shorter games."""
    wishes = ("me", "agent:partner-cramped_room")
    said = []
    for horizon in (400, 100):
        options = {"players": 2, "layout": "cramped_room", "horizon": horizon}
        match = world.new_match("overcooked", options, wishes, pia, told=0)
        start_match(match)
        said.append(results.averages(match, 0))
    assert "on average with itself" in said[0][0]
    assert said[1] == []


def test_a_log_that_cannot_be_replayed_is_no_error(pia, pia_client) -> None:
    match = fought(begun(pia, ("me", "agent:weak"), teams=2, team_size=1), 0)
    path = log_store().path(match.pk)
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([lines[0], b"garbled\n", *lines[2:]]))
    page = page_of(pia_client, match)
    assert "You are the last one standing" in page
    assert "What happened can't be told" in page


def test_lists_and_replays_name_the_winner(pia, pia_client) -> None:
    match = fought(begun(pia, ("me", "agent:weak"), teams=2, team_size=1), 1)
    assert Episode.objects.get(pk=match.pk).result == "Orange square won"
    for path in ("/replays/", f"/replays/{match.pk}/"):
        assert "Orange square won" in pia_client.get(path).content.decode()


@pytest.mark.parametrize("name", ["instruct-q", "same-number"])
def test_what_a_partner_does_in_every_situation_is_shown_once_the_game_is_over(pia, pia_client, name) -> None:
    setup = Setup(
        game="say_select",
        options=games.spec("say_select").validate({}),
        wishes=["me", f"agent:{name}"],
    )
    match = create_match(setup, pia)
    lobby = pia_client.get("/play/?game=say_select").content.decode()
    assert "There is nothing to tell in words here" in lobby and "can't be told things" not in lobby
    start_match(match)
    match.refresh_from_db()
    table = pia_client.get(f"/play/{match.pk}/").content.decode()
    assert "data-balls" in table and "There is nothing to tell in words here" in table
    sim = begin(log_store().read(match.pk))
    records = []
    for action in (0, 0, 0, 5):  # Alice says 1 twice: Bob picks it up, and quits
        records.append({"type": "step", "tick": sim.tick, "actions": [action]})
        sim.act(sim.current, action)
    assert sim.over
    end = {"type": "end", "tick": sim.tick, "score": sim.score, "digest": sim.digest(), "reason": "finished"}
    log_store().append(match.pk, [*records, end])
    storage.close(match.pk, end)
    told = "Bob picks up the ball that Alice says in 25 of 25 situations"
    assert told not in page_of(pia_client, match), "First rate how it was to play together"
    match.seats.filter(kind=Seat.PERSON).update(revealed_at=timezone.now())
    match.refresh_from_db()
    assert told in page_of(pia_client, match)
    page = unescape(pia_client.get(f"/agents/say_select/{name}/").content.decode())
    assert told in page and "level-10" in page
