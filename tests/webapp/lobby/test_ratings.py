"""Ratings: asked before one sees how it went and with whom, about what was in force, in every game."""

import json

import pytest

from engine import games, language
from engine.simulation.life import State
from tests.webapp.cast import text_of
from webapp.agents import shipped
from webapp.episodes.models import Episode
from webapp.episodes.stores import log_store
from webapp.lobby.setup import Setup, create_match
from webapp.matches.models import Instruction, Match, Rating
from webapp.matches.start import instruction_record, start_match

pytestmark = pytest.mark.django_db
TABLES = {
    "hanabi": ({"players": 3}, 3, "if I hint a colour, play those cards"),
    "overcooked": ({"layout": "XXPXX\nO1  O\nX 2 X\nX 3 X\nXDXSX", "players": 3}, 3, "you do the onions"),
    "arena": ({"teams": 2, "team_size": 3}, 6, "hold here"),
}


@pytest.fixture(params=sorted(TABLES))
def match(request, pia):
    """A match of one person and surprise agents that ends as soon as it began."""
    shipped.sync()
    options, seats, _ = TABLES[request.param]
    complete = games.spec(request.param).validate(options)
    wishes = ["me"] + ["surprise"] * (seats - 1)
    found = create_match(Setup(game=request.param, options=complete, wishes=wishes), pia)
    start_match(found)
    return found


def say(match, user, target, status, said=None):
    text = TABLES[match.game][2]
    if said is None:
        reading = language.read(match.game, text).as_json()
        said = Instruction(match=match, user=user, seat=0, target_seat=target, tick=0)
        said.text, said.reading = text, reading
    said.status = status
    said.save()
    log_store().append(match.pk, [instruction_record(said)])
    return said


def step(match):
    """One idle move of everybody, so that time goes by."""
    from engine.simulation.log import resimulate

    sim = resimulate(log_store().read(match.pk))
    joint = [sim.idle(seat) for seat in range(sim.seats)]
    if sim.current is not None:
        joint[sim.current] = int(sim.legal(sim.current).nonzero()[0][-1])
    log_store().append(match.pk, [{"type": "step", "tick": sim.tick, "actions": joint}])


def finish(match):
    Match.objects.filter(pk=match.pk).update(status=Match.FINISHED)
    Episode.objects.filter(pk=match.pk).update(status=Episode.FINISHED, score=0, ticks=1)


def rate(client, match, **body):
    return client.post(f"/play/{match.pk}/rate/", json.dumps(body), content_type="application/json")


def page_of(client, match):
    return client.get(f"/play/{match.pk}/after/").content.decode()


def test_nothing_is_told_of_agents_and_scores_until_the_questions_are_left(match, pia_client):
    step(match)
    finish(match)
    page = page_of(pia_client, match)
    hidden = {seat.agent.name for seat in match.seats.exclude(agent=None)}
    assert hidden and not any(name in page for name in hidden)
    assert page.count('data-question="partner"') == 2, "one's own side only"
    assert "How it went" not in page and "comparisons" not in page
    assert rate(pia_client, match, seat=1, question="partner", value=6).status_code == 200
    after = text_of(pia_client.post(f"/play/{match.pk}/reveal/", follow=True))
    assert match.seats.get(index=1).agent.name in after and "You rated it 6 of 7" in after
    late = rate(pia_client, match, seat=1, question="partner", value=1)
    assert late.status_code == 409 and "be changed any more" in late.json()["error"]
    assert Rating.objects.get().partner == 6


def test_obedience_is_asked_of_whom_was_told_what_was_in_force(match, pia, pia_client):
    kept = say(match, pia, 1, State.CONFIRMED)
    say(match, pia, 2, State.READ)
    step(match)
    taken_back = say(match, pia, 2, State.CONFIRMED)
    say(match, pia, 2, State.WITHDRAWN, taken_back)  # before anybody moved
    finish(match)
    page = page_of(pia_client, match)
    assert page.count('data-question="followed"') == 1
    assert rate(pia_client, match, seat=1, question="followed", value=7).status_code == 200
    assert Rating.objects.get().instructions == [str(kept.pk)]
    refused = rate(pia_client, match, seat=2, question="followed", value=7)
    assert refused.status_code == 400 and "no instruction to follow" in refused.json()["error"]


@pytest.mark.parametrize(
    ("game", "options", "wishes", "forms"),
    [
        (
            "hanabi",
            {"players": 4},
            ["me", "agent:grounded-bot", "agent:grounded-bot", "agent:convention-bot"],
            2,
        ),
        ("arena", {"teams": 2, "team_size": 4}, ["me", *["agent:strong"] * 3, *["agent:weak"] * 4], 1),
    ],
)
def test_mates_whom_nobody_can_tell_apart_are_rated_once(game, options, wishes, forms, pia, pia_client):
    shipped.sync()
    complete = games.spec(game).validate(options)
    match = create_match(Setup(game=game, options=complete, wishes=wishes), pia)
    start_match(match)
    said = Instruction(match=match, user=pia, seat=0, target_seat=2, tick=0, status=State.CONFIRMED)
    said.text = TABLES[game][2]
    said.reading = language.read(game, said.text).as_json()
    said.save()
    log_store().append(match.pk, [instruction_record(said)])
    step(match)
    finish(match)
    page = page_of(pia_client, match)
    assert page.count('data-question="partner"') == forms and "They were good partners" in page
    assert page.count('data-question="followed"') == 1, "one of them was told something"
    assert rate(pia_client, match, seat=2, question="followed", value=6).status_code == 200
    kept = Rating.objects.get()
    assert (kept.partner_seat, kept.followed, kept.instructions) == (1, 6, [str(said.pk)])
    after = text_of(pia_client.post(f"/play/{match.pk}/reveal/", follow=True))
    assert "You rated how they followed you 6 of 7" in after


def test_what_was_taken_back_in_the_middle_is_asked_about_too(match, pia, pia_client):
    said = say(match, pia, None, State.CONFIRMED)
    step(match)
    say(match, pia, None, State.WITHDRAWN, said)
    step(match)
    finish(match)
    assert page_of(pia_client, match).count('data-question="followed"') == 2


def test_who_played_alone_is_asked_nothing(pia, pia_client):
    shipped.sync()
    options = games.spec("arena").validate({"teams": 2, "team_size": 1})
    match = create_match(Setup(game="arena", options=options, wishes=["me", "agent:weak"]), pia)
    start_match(match)
    step(match)
    finish(match)
    page = page_of(pia_client, match)
    assert "data-question" not in page and "How it went" in page


def test_the_replay_tells_how_it_went_too(match, pia_client):
    step(match)
    finish(match)
    assert match.seats.get(index=1).agent.name in pia_client.get(f"/replays/{match.pk}/").content.decode()
    assert rate(pia_client, match, seat=1, question="partner", value=6).status_code == 409


def test_others_can_neither_rate_nor_reveal(match, pia_client, otto_client):
    finish(match)
    assert rate(otto_client, match, seat=1, question="partner", value=5).status_code in (403, 404)
    otto_client.post(f"/play/{match.pk}/reveal/")
    assert match.seats.get(index=0).revealed_at is None
