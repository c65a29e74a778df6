"""A replay's ticks in words: what the chosen seat saw and knew, for those who may open its view."""

import pytest
from django.urls import reverse

from engine.games.arena import frames
from engine.simulation.log import resimulate
from engine.simulation.spoken import spoken
from tests.webapp.episodes import battle, kitchen
from webapp.episodes import simulated, words
from webapp.episodes.models import Episode
from webapp.episodes.stores import log_store
from webapp.matches.models import Match, Seat


@pytest.fixture(autouse=True)
def own_folder(settings, tmp_path):
    settings.EPISODES_DIR = tmp_path


@pytest.fixture
def episode(db):
    return simulated.simulate("hanabi", 1, ["hanabi/grounded-bot"], seed=3)[0]


def words_of(client, episode, seat, tick):
    return client.get(reverse("replays:words", args=[episode.pk, seat, tick]))


def at(episode, seat, tick, start=None):
    """The same words, made from the log alone."""
    log = log_store().read(episode.pk)
    states = [resimulate(log, one).state.copy() for one in (tick if start is None else start, tick)]
    game = spoken(resimulate(log, 0).spec, *states, seat)
    return {
        "seat": seat,
        "tick": tick,
        "sees": game["sees"],
        "details": [list(row) for row in game["details"]],
    }


@pytest.mark.parametrize("tick", [0, 1, 9])
def test_hanabi_tells_what_happened_and_what_hints_told(episode, pia_client, tick):
    for seat in (0, 1):
        told = words_of(pia_client, episode, seat, tick).json()
        assert told == at(episode, seat, tick)
        assert [name for name, _ in told["details"]] == [
            "What hints told of my cards",
            "What hints told of my partner's cards",
        ]
    assert (tick > 0) == (told["sees"] != "the game has just begun")


def test_what_is_known_of_a_hand_is_the_same_for_both(episode, pia_client):
    last = episode.ticks
    mine, theirs = (dict(words_of(pia_client, episode, seat, last).json()["details"]) for seat in (0, 1))
    assert mine["What hints told of my cards"] == theirs["What hints told of my partner's cards"]
    assert any(word in str(mine) for word in ("red", "green", "not "))


def test_a_kitchen_is_told_in_sentences(pia, pia_client):
    row = kitchen.cook(pia)
    told = words_of(pia_client, row, 1, kitchen.READY).json()
    assert told == at(row, 1, kitchen.READY)
    assert "ready for a dish" in told["sees"] and told["details"] == []


def test_arena_tells_any_tick_and_the_five_seconds_before_it(pia, pia_client, monkeypatch):
    row = battle.fight(pia)
    monkeypatch.setattr(words, "STRETCH", 100)
    reads = []
    monkeypatch.setattr(frames, "states_of", lambda log, kept=frames.states_of: reads.append(1) or kept(log))
    for tick in (0, 99, 100, 150, row.ticks):
        told = words_of(pia_client, row, 2, tick).json()
        assert told == at(row, 2, tick, start=max(0, tick - 100)), tick
    assert reads == [1], "the match is stepped once"
    assert dict(map(tuple, told["details"]))["Whether have a gun"] in ("True", "False")


def test_ticks_and_seats_that_there_are_not_are_refused_with_a_sentence(episode, pia_client):
    for seat, tick in ((2, 0), (0, episode.ticks + 1)):
        answer = words_of(pia_client, episode, seat, tick)
        assert (answer.status_code, answer.json()["error"].endswith(".")) == (404, True)


def test_nobody_else_is_told(episode, otto, signed_in, client):
    Episode.objects.update(public=False)
    assert words_of(signed_in(otto), episode, 0, 0).status_code == 404
    client.logout()
    assert words_of(client, episode, 0, 0).status_code == 302


def test_a_running_game_is_told_late_and_its_players_their_own_seat_alone(
    episode, pia, pia_client, otto, signed_in
):
    Episode.objects.update(status=Episode.RUNNING, ticks=12)
    assert words_of(signed_in(otto), episode, 1, 10).status_code == 404, "a game that hides something"
    match = Match.objects.create(game="hanabi", seed=3, status=Match.PLAYING, episode=episode)
    Seat.objects.create(match=match, index=0, kind="person", user=pia)
    episode.players.add(pia)
    assert words_of(pia_client, episode, 0, 10).status_code == 200
    assert words_of(pia_client, episode, 0, 11).status_code == 404
    assert words_of(pia_client, episode, 1, 10).status_code == 404


def test_a_match_of_arena_that_runs_has_no_words(adam_client):
    row = battle.fight(None)
    Episode.objects.filter(pk=row.pk).update(status=Episode.RUNNING)
    answer = words_of(adam_client, row, 0, 0)
    assert (answer.status_code, "still runs" in answer.json()["error"]) == (409, True)


def test_a_log_that_is_gone_is_said_to_be_so(episode, pia_client, settings):
    (settings.EPISODES_DIR / f"{episode.pk}.jsonl").unlink()
    answer = words_of(pia_client, episode, 0, 0)
    assert (answer.status_code, "no log" in answer.json()["error"]) == (409, True)
