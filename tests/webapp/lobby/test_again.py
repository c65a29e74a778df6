"""Playing the same game again: with agents, with who played along, and a seat on."""

from __future__ import annotations

import pytest
from django.utils import timezone

from engine.simulation.life import State
from tests.webapp.lobby.test_lobby import finished, start
from tests.webapp.readings_of import read_as
from webapp.episodes.stores import log_store
from webapp.language.readings import read
from webapp.lobby import setup
from webapp.matches.models import Instruction, Match, Rating, Seat
from webapp.matches.start import instruction_record


def test_play_again_keeps_seats_options_and_instruction(agents, pia_client):
    old = finished(
        pia_client,
        seats=("agent:convention-bot", "me"),
        instruction="discard your oldest card",
        confirmed="yes",
    )
    pia_client.post(f"/play/{old.pk}/again/")
    new = Match.objects.exclude(pk=old.pk).get()
    assert (new.status, new.options, new.seed != old.seed) == (Match.PLAYING, old.options, True)
    assert new.seats.get(index=0).agent.ref == "hanabi/convention-bot"
    assert new.instructions.get().status == State.CONFIRMED


def test_every_confirmed_instruction_comes_along_but_what_was_done_or_replaced(agents, pia, pia_client):
    old = finished(pia_client, instruction="discard your oldest card", confirmed="yes")
    first = old.instructions.get()
    values = {"match": old, "user": pia, "seat": first.seat, "tick": 0, "status": State.CONFIRMED}
    texts = ("hint colours rather than ranks", "play your newest card", "discard your newest card")
    second, third, taken_back = (
        Instruction.objects.create(**values, text=text, reading=read("hanabi", text)) for text in texts
    )
    Instruction.objects.filter(pk=taken_back.pk).update(status=State.WITHDRAWN)
    records = [instruction_record(one) for one in (second, third)]
    gone = {"type": "standing", "tick": 0, "seat": 1, "id": str(third.pk), "state": "replaced", "by": None}
    log_store().append(old.pk, [*records, gone])
    pia_client.post(f"/play/{old.pk}/again/")
    new = Match.objects.exclude(pk=old.pk).get()
    told = [(one.text, one.status) for one in new.instructions.all()]
    assert told == [(first.text, State.CONFIRMED), (second.text, State.CONFIRMED)]


OLDEST, NEWEST, REDS = "discard cards=oldest", "play cards=newest", "play color=red"


@pytest.mark.parametrize("seats", ["", "rotated"])
def test_what_was_chosen_is_told_again_by_what_it_means(agents, pia_client, monkeypatch, seats):
    read_as(monkeypatch, "old ways", (OLDEST, NEWEST, REDS), 0.9)
    old = finished(pia_client, instruction="old ways", choice="1", firm="sensible")
    was = old.instructions.get().reading
    assert was["program"]["means"] == NEWEST
    read_as(monkeypatch, "old ways", (REDS, OLDEST, NEWEST), 0.9)  # as a newer reader has them
    pia_client.post(f"/play/{old.pk}/again/", {"seats": seats})
    new = Match.objects.exclude(pk=old.pk).get().instructions.get()
    assert (new.status, new.reading["program"]) == (State.CONFIRMED, was["program"])


def test_what_is_not_offered_any_more_stays_as_it_was_and_is_asked_about_at_other_seats(
    agents, pia_client, monkeypatch
):
    read_as(monkeypatch, "old ways", (OLDEST, NEWEST), 0.9)
    old = finished(pia_client, instruction="old ways", choice="1")
    read_as(monkeypatch, "old ways", (REDS, OLDEST), 0.95)
    for seats, status, means in (("", State.CONFIRMED, NEWEST), ("rotated", State.READ, REDS)):
        pia_client.post(f"/play/{old.pk}/again/", {"seats": seats})
        new = Match.objects.latest("created_at")
        said = new.instructions.get()
        assert (said.status, said.reading["program"]["means"]) == (status, means)
        Match.objects.filter(pk=new.pk).update(status=Match.FINISHED)


def test_a_rematch_with_swapped_seats_is_one_click(agents, pia_client):
    old = finished(pia_client, seats=("agent:convention-bot", "me"), option_colors="4", hidden="yes")
    pia_client.post(f"/play/{old.pk}/reveal/")
    page = pia_client.get(f"/play/{old.pk}/after/").content.decode()
    assert "Swap seats and play again" in page
    pia_client.post(f"/play/{old.pk}/again/", {"seats": "rotated"})
    new = Match.objects.exclude(pk=old.pk).get()
    assert (new.status, new.options) == (Match.PLAYING, old.options)
    assert [(seat.kind, seat.alias) for seat in new.seats.all()] == [
        ("person", ""),
        ("agent", "convention-bot"),
    ]


def test_with_more_seats_each_side_moves_on_by_one(agents, pia, pia_client):
    pia_client.post(
        "/play/new/", {"game": "hanabi", "seat": ["me", "agent:convention-bot", "agent:grounded-bot"]}
    )
    match = Match.objects.get()
    assert setup.again(match, pia, rotated=True).wishes == [
        "agent:grounded-bot",
        "me",
        "agent:convention-bot",
    ]
    squads = ["me", "agent:strong", "agent:weak", "agent:middle"]
    options = {"option_teams": "2", "option_team_size": "2"}
    pia_client.post("/play/new/", {"game": "arena", "seat": squads, **options})
    match = Match.objects.get(game="arena")
    assert setup.again(match, pia, rotated=True).wishes == [
        "agent:strong",
        "me",
        "agent:middle",
        "agent:weak",
    ]


def test_who_played_along_is_asked_to_play_again(agents, pia_client, otto_client, anna_client):
    start(pia_client, ("me", "friend"))
    old = Match.objects.get()
    otto_client.post(f"/play/{old.pk}/join/", {"token": old.join_token})
    old.refresh_from_db()
    old.status = Match.FINISHED
    old.save()
    pia_client.post(f"/play/{old.pk}/again/", {"seats": "rotated"})
    new = Match.objects.exclude(pk=old.pk).get()
    assert [seat.kind for seat in new.seats.all()] == ["open", "person"]
    asked = otto_client.get(f"/play/{old.pk}/rematches/").content.decode()
    assert "waits for you" in asked and "/join/" not in asked  # first one rates
    old.seats.filter(user__username="otto").update(revealed_at=timezone.now())
    asked = otto_client.get(f"/play/{old.pk}/rematches/").content.decode()
    assert "waits for you" in asked and f"/play/{new.pk}/join/" in asked
    assert "waits for you" not in pia_client.get(f"/play/{old.pk}/rematches/").content.decode()
    assert anna_client.get(f"/play/{old.pk}/rematches/").status_code == 404
    # A game that was set up for others is nobody's rematch.
    start(pia_client, ("me", "friend"))
    assert otto_client.get(f"/play/{old.pk}/rematches/").content.decode().count("waits for you") == 1


def test_two_who_press_play_again_meet_at_one_table(agents, pia_client, otto_client, monkeypatch):
    """One after the other, and while the other's table is being set."""
    start(pia_client, ("me", "friend"))
    old = Match.objects.get()
    otto_client.post(f"/play/{old.pk}/join/", {"token": old.join_token})
    Match.objects.filter(pk=old.pk).update(status=Match.FINISHED)
    Rating.objects.create(episode_id=old.pk, user=old.created_by, seat=0, partner_seat=1, partner=5)
    page = pia_client.post(f"/play/{old.pk}/reveal/", follow=True).content.decode()
    assert "You rated them 5 of 7" in " ".join(page.split()), "a person is no it"
    pia_client.post(f"/play/{old.pk}/again/")
    waiting = Match.objects.get(again_of=old)
    assert pia_client.post(f"/play/{old.pk}/again/").url == f"/play/{waiting.pk}/"
    assert otto_client.post(f"/play/{old.pk}/again/", {"seats": "rotated"}).url == f"/play/{waiting.pk}/"
    waiting.refresh_from_db()
    assert waiting.status == Match.PLAYING and not waiting.seats.filter(kind=Seat.OPEN).exists()

    create, pressed = setup.create_match, []

    def meanwhile(*given):
        if not pressed:
            pressed.append(otto_client)
            otto_client.post(f"/play/{old.pk}/again/")
        return create(*given)

    monkeypatch.setattr(setup, "create_match", meanwhile)
    answer = pia_client.post(f"/play/{old.pk}/again/")
    one = Match.objects.exclude(pk__in=[old.pk, waiting.pk]).get()
    assert answer.url == f"/play/{one.pk}/" and one.status == Match.PLAYING


def test_what_cannot_be_played_again_says_why(agents, pia_client):
    old = finished(pia_client)
    old.seats.filter(index=1).update(alias="gone", agent=None)
    page = pia_client.post(f"/play/{old.pk}/again/", follow=True).content.decode()
    assert "There is no hanabi agent" in page
