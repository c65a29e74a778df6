"""Two agents on the same deals: the same games whenever they are played, what is counted, what is kept."""

from __future__ import annotations

from collections import Counter

import pytest

from engine import language
from engine.agents.catalogue import load
from engine.evaluation.side_by_side import Watched, differences, illustrate, keep, watch
from engine.simulation.log import read_lines, verify
from engine.simulation.told import told


def nothing() -> None:
    pass


def games_of(agent: str, game: str, count: int, **options) -> list[Watched]:
    own = load(agent, game)
    return [watch([own, own], own, options, seed, nothing) for seed in range(count)]


def test_the_same_deal_is_the_same_for_both_and_a_game_is_the_same_whenever_it_is_played(tmp_path):
    ours, theirs = (games_of(name, "hanabi", 3) for name in ("convention-bot", "random"))
    again = games_of("convention-bot", "hanabi", 3)
    for one, other, repeated in zip(ours, theirs, again, strict=True):
        assert one.log.header["deck"] == other.log.header["deck"]
        assert one.log.header["episode"] != other.log.header["episode"]
        assert one.log.records == repeated.log.records
        assert one.log.header["episode"] == repeated.log.header["episode"]
    kept = keep(ours, theirs, tmp_path)
    assert [row["deal"] for row in kept] == [0, 1, 2]
    for row in kept:
        for side in ("ours", "theirs"):
            log = read_lines((tmp_path / row[side]["file"]).read_bytes())
            assert verify(log) == [] and log.end["score"] == row[side]["score"]
            assert (tmp_path / row[side]["picture"]).read_bytes()[:4] == b"\x89PNG"


def test_what_is_done_more_and_less_has_an_interval_and_a_moment_to_look_at(tmp_path):
    ours, theirs = (games_of(name, "hanabi", 8) for name in ("random", "convention-bot"))
    rows = differences(ours, theirs)
    by_name = {row["name"]: row for row in rows}
    failing = by_name["play that fails"]
    assert failing["clear"] and failing["worse"] and failing["difference"] > 0
    assert failing["interval"][0] > 0 and failing["unit"] == "a game"
    assert by_name["plays that succeed"]["unit"] == "share"
    # Clear ones first, of those what is worse.
    assert [row["clear"] for row in rows] == sorted((row["clear"] for row in rows), reverse=True)
    assert rows[0]["worse"]
    illustrate(rows, ours, theirs, tmp_path)
    moment = failing["moment"]
    assert moment["tick"] > 0 and (tmp_path / moment["picture"]).exists()
    assert moment["episode"] in {one.log.header["episode"] for one in ours[:3]}


def test_an_agent_differs_from_itself_in_nothing():
    ours = games_of("greedy", "overcooked", 2, horizon=60)
    assert all(row["difference"] == 0 and not row["clear"] for row in differences(ours, ours))
    assert any(row["name"] == "pick: onion" for row in differences(ours, ours))


def test_a_game_without_events_has_its_moves_counted_by_kind():
    ours, theirs = (games_of(name, "say_select", 6) for name in ("random", "same-number"))
    names = {row["name"] for row in differences(ours, theirs)}
    assert names == {"say", "pick", "quit"}


def test_what_hardly_ever_happens_is_not_told_and_one_deal_has_no_interval():
    log = games_of("same-number", "say_select", 1)[0].log
    rare, often = Watched(log, 0, Counter(rare=1, often=5)), Watched(log, 0, Counter(often=2))
    rare.good = often.good = {"rare": 0, "often": 0}
    (row,) = differences([rare], [often])
    assert (row["name"], row["difference"], row["interval"], row["clear"]) == ("often", 3, None, False)


def test_shares_are_of_the_same_deals():
    """A hard deal is hard for both: the interval of the difference doesn't hold that."""
    log = games_of("same-number", "say_select", 1)[0].log

    def side(extra: int) -> list[Watched]:
        made = [Watched(log, 0) for _ in range(20)]
        for hard, one in enumerate(made):
            one.habits["waits"] = [hard + extra, 40]
        return made

    (row,) = differences(side(2), side(0))
    assert row["difference"] == pytest.approx(0.05)
    assert row["clear"] and row["interval"] == pytest.approx([0.05, 0.05], abs=1e-6)


def test_what_seats_are_told_is_followed_and_stands_in_the_log():
    own = load("hanabi/convention-bot", "hanabi")
    ranks = language.meant("hanabi", "only hint ranks")

    def game(*seats: int) -> Watched:
        return watch([own, own], own, {}, 1, nothing, {seat: ranks for seat in seats})

    both, one, nobody = game(0, 1), game(1), game()
    assert both.events["hint color"] == 0 < one.events["hint color"]
    assert one.events["hint color"] < nobody.events["hint color"]
    assert [(span.seat, span.speaker) for span in told(both.log).spans] == [(0, 1), (1, 0)]
    assert [span.seat for span in told(one.log).spans] == [1] and not told(nobody.log).spans
    assert len({game.log.header["episode"] for game in (both, one, nobody)}) == 3
    assert both.log.header["deck"] == nobody.log.header["deck"]
    assert all(verify(game.log) == [] for game in (both, one, nobody))


def test_a_task_that_is_done_is_over_in_the_log():
    cook = load("overcooked/greedy", "overcooked")
    onion = language.meant("overcooked", "get an onion")
    options = {"layout": "cramped_room", "horizon": 60}
    found = watch([cook, cook], cook, options, 1, nothing, {1: onion})
    (span,) = told(found.log).spans
    assert span.seat == 1 and span.why == "done" and 0 < span.end < 60


def test_a_seat_that_nobody_is_beside_can_not_be_told_anything():
    idle = load("arena/idle", "arena")
    alone = {"teams": 2, "team_size": 1}
    with pytest.raises(ValueError, match="Nobody can tell seat 1 anything"):
        watch([idle, idle], idle, alone, 1, nothing, {0: language.meant("arena", "hold here")})
