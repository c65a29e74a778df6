"""Simulated annotators: what they mark, how their knobs change it, and that they say what they are."""

import numpy as np
import pytest

from engine.agents.catalogue import load
from engine.evaluation.annotators import Annotator, Watched, annotate
from engine.evaluation.simulated_episodes import play_logs
from engine.experiments.parts import people_like
from engine.games.hanabi import rules
from engine.games.hanabi.evaluation import judge
from engine.simulation.log import EpisodeLog, header_of
from engine.simulation.simulation import Simulation

# player_0 holds R1 R2 Y3 G4 B5, player_1 holds R1 Y1 G1 W2 B2.
DECK_TOP = [0, 1, 7, 13, 24, 0, 5, 10, 16, 21]
DISCARD, PLAY, COLOR = 0, 5, 10


def log_of(*actions: int, instruction: dict | None = None) -> EpisodeLog:
    deck = list(DECK_TOP)
    left = [c * 5 + r for c in range(5) for r in range(5) for _ in range((3, 2, 2, 2, 1)[r])]
    for card in deck:
        left.remove(card)
    sim = Simulation("hanabi", deck=deck + left)
    log = EpisodeLog(header_of(sim, "e", [{"kind": "agent", "name": "test"}] * 2))
    if instruction:
        log.append(instruction)
    for action in actions:
        tick = sim.tick
        sim.act(sim.current, action)
        log.append({"type": "step", "tick": tick, "actions": sim.actions[-1]})
    return log


def test_progress_is_that_of_the_seats_own_moves():
    log = log_of(PLAY + 0, PLAY + 3, COLOR + 2, PLAY + 2)  # R1 fits; W2 does not; green is told; G1 fits
    mine, theirs = np.diff(Watched(log).progress(0)), np.diff(Watched(log).progress(1))
    assert (mine > 0).tolist() == [True, False, True, False]
    assert mine[1] == mine[3] == 0
    assert theirs[1] < 0 < theirs[3]


def test_with_the_last_life_goes_all_that_was_played():
    log = log_of(PLAY + 0, PLAY + 3, COLOR + 0, PLAY + 3, COLOR + 2, PLAY + 0)  # one fits: W2, B2, R1 don't
    lost = np.diff(Watched(log).progress(1))
    assert lost[5] < lost[1] - 0.9


def test_a_style_likes_a_hint_unless_the_last_one_still_waits():
    acted = log_of(COLOR + 2, PLAY + 2, COLOR + 0)  # green is told and played, then red is told
    assert np.diff(Watched(acted).rated("styled")[:, 0]).tolist() == [1, 0, 1]
    waits = log_of(COLOR + 2, COLOR + 0, COLOR + 0)  # a hint is answered by a hint, to somebody else
    assert np.diff(Watched(waits).rated("styled")[:, 0]).tolist() == [1, 0, -1]
    assert np.diff(Watched(waits).rated("styled")[:, 1]).tolist() == [0, 1, 0]
    other = log_of(COLOR + 2, DISCARD + 4, COLOR + 0)  # what was thrown away wasn't what was told
    assert np.diff(Watched(other).rated("styled")[:, 0]).tolist() == [1, 0, -1]


def test_the_judge_goes_by_the_expected_final_score():
    log = log_of(PLAY + 0, PLAY + 3, COLOR + 2, PLAY + 2)  # R1 fits; W2 does not; green is told; G1 fits
    watched = Watched(log)
    expected = judge.expected(np.stack(watched.states), 4)
    assert np.array_equal(expected, judge.expected(np.stack(watched.states), 4))
    assert (expected > 5).all() and expected[2] < expected[1]
    over = Watched(log_of(*[PLAY + 3] * 3))  # three lives: G4, W2, B5
    assert over.states[-1][rules.OVER] == rules.OUT_OF_LIVES
    assert judge.expected(over.states[-1][None], 2).tolist() == [0]


def test_what_the_judge_says_is_its_movers_and_adds_up(monkeypatch):
    monkeypatch.setattr(judge, "expected", lambda states: states[:, rules.TURN] ** 2.0)
    phi = Watched(log_of(COLOR + 2, PLAY + 2, COLOR + 0)).rated("judge")
    assert phi[:, 0].tolist() == [0, 1, 1, 6] and phi[:, 1].tolist() == [0, 0, 3, 3]


def test_a_snapshot_keeps_what_a_costly_measure_counted(tmp_path, monkeypatch):
    log, asked = log_of(COLOR + 2, PLAY + 2), []
    monkeypatch.setattr(judge, "expected", lambda states: asked.append(0) or np.arange(len(states)) + 1.0)
    first = Watched(log, tmp_path).rated("judge")
    count = len(asked)
    assert np.array_equal(Watched(log, tmp_path).rated("judge"), first) and len(asked) == count > 0
    Watched(log).rated("judge")
    assert len(asked) > count


def test_people_are_late_by_moves_where_there_is_no_clock():
    late = {rater.name: rater.delay_mean for rater in people_like("hanabi", move=2.0)}
    assert late == {"careful": 0, "late": 1, "wrong-at-times": 1}
    log = log_of(*[COLOR + 2, COLOR + 0] * 4)  # the same hints again and again
    clean = {row["tick"] for row in annotate(Watched(log), "e", 0, Annotator("x"), 1)}
    delayed = {row["tick"] for row in annotate(Watched(log), "e", 0, Annotator("x", delay_mean=1), 1)}
    assert delayed == {min(8, tick + 1) for tick in clean} != clean


def test_losing_a_card_for_good_is_regression():
    log = log_of(COLOR + 2, COLOR + 0, DISCARD + 4)  # player_0 throws the only B5 away
    assert np.diff(Watched(log).progress(0))[2] < 0


def test_following_the_instruction_is_progress_and_ignoring_it_is_regression():
    from engine.language import read

    said = {"type": "instruction", "tick": 0, "seat": 0, "target_seat": 1, "id": "i", "text": "…"}
    said |= {"status": "confirmed", "reading": read("hanabi", "If I hint you a colour, play it").as_json()}
    followed = Watched(log_of(COLOR + 2, PLAY + 2, instruction=said)).progress(1)[-1]
    plain = Watched(log_of(COLOR + 2, PLAY + 2)).progress(1)[-1]
    ignored = Watched(log_of(COLOR + 2, DISCARD + 4, instruction=said)).progress(1)[-1]
    assert followed > plain
    assert ignored < Watched(log_of(COLOR + 2, DISCARD + 4)).progress(1)[-1]


def test_a_mark_is_at_the_tick_that_the_move_led_to():
    log = log_of(PLAY + 0, PLAY + 3)
    assert [(m["tick"], m["sign"]) for m in annotate(Watched(log), "e", 0, Annotator())] == [(1, 1)]
    assert [(m["tick"], m["sign"]) for m in annotate(Watched(log), "e", 1, Annotator())] == [(2, -1)]


def test_every_mark_says_that_it_is_simulated():
    marks = annotate(Watched(log_of(PLAY + 0, PLAY + 3)), "e", 0, Annotator("hasty"))
    assert marks
    assert all(m["annotator"] == "simulated:hasty" and m["simulated"] for m in marks)


def test_the_same_annotator_makes_the_same_marks_with_the_same_ids():
    log, sloppy = (
        log_of(PLAY + 0, PLAY + 3, COLOR + 2, PLAY + 2),
        Annotator("sloppy", miss=0.3, false_marks=0.3),
    )
    assert annotate(Watched(log), "e", 0, sloppy, seed=3) == annotate(Watched(log), "e", 0, sloppy, seed=3)
    assert (
        len({m["id"] for seat in (0, 1) for m in annotate(Watched(log), "e", seat, Annotator(), seed=3)}) == 4
    )


@pytest.fixture(scope="module")
def games() -> list[EpisodeLog]:

    return list(play_logs(load("hanabi/random"), 12, mistakes=0.0, seed=2))


def marks_of(games: list[EpisodeLog], annotator: Annotator) -> list[dict]:
    return [
        m
        for i, log in enumerate(games)
        for seat in (0, 1)
        for m in annotate(Watched(log), f"e{i}", seat, annotator)
    ]


def test_the_knobs_do_what_they_say(games):
    clean = marks_of(games, Annotator())
    assert len(marks_of(games, Annotator(miss=0.6))) < 0.7 * len(clean)
    assert len(marks_of(games, Annotator(false_marks=0.3))) > 1.3 * len(clean)
    assert len(marks_of(games, Annotator(threshold=1.2))) < len(clean)
    assert max(len([m for m in marks_of([g], Annotator(most_marks=1)) if m["seat"] == 0]) for g in games) <= 1
    turned = marks_of(games, Annotator(flip=1.0))
    assert [m["sign"] for m in turned] == [-m["sign"] for m in clean]
    late = marks_of(games, Annotator(delay_mean=3.0))
    assert sum(m["tick"] for m in late) > sum(m["tick"] for m in clean)


def test_simulated_games_can_be_repeated(games):
    from engine.simulation.log import verify

    again = list(play_logs(load("hanabi/random"), 12, mistakes=0.0, seed=2))
    assert [log.steps for log in again] == [log.steps for log in games]
    assert all(verify(log) == [] for log in games)


def test_of_what_a_pace_leaves_room_for_what_stands_out_is_marked_first():
    log = log_of(PLAY + 0, PLAY + 3, COLOR + 0, PLAY + 3, COLOR + 2, PLAY + 0)  # the last life costs most
    last, marked = 6, {}
    for salience in (0.0, 8.0):
        one = Annotator(pace=14.0, salience=salience)
        marked[salience] = [
            [row["tick"] for row in annotate(Watched(log), f"e{number}", 1, one)] for number in range(60)
        ]
    often = {salience: sum(last in ticks for ticks in found) for salience, found in marked.items()}
    some = sum(bool(ticks) for ticks in marked[8.0])
    assert often[0.0] < often[8.0] == some


def test_games_are_left_in_their_middle_when_that_is_asked_for():
    asked = []

    def check() -> None:
        asked.append(1)
        if len(asked) == 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        list(play_logs(load("hanabi/random"), 3, seed=1, check=check))
    assert len(asked) == 5
