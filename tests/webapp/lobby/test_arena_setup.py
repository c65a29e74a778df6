"""Setting up a match of Arena: seats for everybody, presets that work, and the clock of the game."""

import pytest
from django.http import QueryDict
from django.test import Client
from django.urls import reverse

from engine.games.arena.world import WORLD_SIZE
from engine.games.pages import pages
from engine.refusal import Refusal
from engine.simulation.life import State
from engine.simulation.log import verify
from engine.simulation.told import told
from webapp.episodes.stores import log_store
from webapp.lobby.setup import Setup, create_match, from_form
from webapp.lobby.views.table import take_seat
from webapp.matches import results
from webapp.matches.models import Match
from webapp.matches.start import start_match


def form(seats, **fields) -> QueryDict:
    query = QueryDict(mutable=True)
    query.update({"game": "arena", **fields})
    query.setlist("seat", list(seats))
    return query


def test_every_preset_starts_at_the_clock_of_the_game(agents, pia):
    for preset in pages("arena").presets:
        fields = {f"option_{name}": str(value) for name, value in preset.options.items()}
        match = create_match(from_form(form(preset.wishes, **fields)), pia)
        assert start_match(match), preset.name
        assert match.ticks_per_second == 20
        assert match.options["teams"] * match.options["team_size"] == match.seats.count()


def test_the_waiting_room_says_how_long_this_match_takes(agents, pia, pia_client):
    for pace, words in (("short", "It takes one to two minutes."), ("calm", "It takes four to six minutes.")):
        fields = {"option_teams": "2", "option_team_size": "1", "option_pace": pace}
        match = create_match(from_form(form(["me", "friend"], **fields)), pia)
        assert words in pia_client.get(reverse("play:table", args=[match.pk])).content.decode()


def test_twenty_people_may_play(agents, pia):
    seats = ["me", *["friend"] * 19]
    match = create_match(from_form(form(seats, option_teams="20", option_team_size="1")), pia)
    assert match.seats.filter(kind="open").count() == 19 and match.status == Match.WAITING


@pytest.mark.parametrize(
    ("seats", "fields", "sentence"),
    [
        (["me", "agent:weak"], {}, "for 8 players; 2 seats"),
        (["me"] * 2, {"option_teams": "2", "option_team_size": "1"}, "one seat for yourself"),
        (["me", *["agent:weak"] * 20], {"option_teams": "7", "option_team_size": "3"}, "at most 20"),
        (["me", "agent:weak"], {"option_team_size": "1", "pace": "turns"}, "runs by the clock only"),
        (["me", "agent:weak"], {"option_team_size": "1", "option_pace": "never"}, "pace is one of"),
        (["me", "agent:weak"], {"option_team_size": "1", "option_map_seed": "x"}, "map_seed"),
    ],
)
def test_what_is_no_match_is_refused_with_a_sentence(agents, pia, seats, fields, sentence):
    with pytest.raises(Refusal, match=sentence):
        create_match(from_form(form(seats, **fields)), pia)


def test_links_for_co_pilots_are_for_agents_of_the_own_side(agents, pia, otto_client, pia_client):
    squads = {"option_teams": "2", "option_team_size": "2"}
    match = create_match(from_form(form(["me", *["agent:weak"] * 3], **squads)), pia)
    start_match(match)
    mate, *enemies = (reverse("play:copilot", args=[seat.copilot_token]) for seat in match.seats.all()[1:])
    page = pia_client.get(reverse("play:table", args=[match.pk])).content.decode()
    assert mate in page and not any(link in page for link in enemies)
    for link in enemies:
        assert (otto_client.get(link).status_code, otto_client.post(link).status_code) == (404, 404)
    assert otto_client.post(mate).status_code == 302
    assert [seat.copilot_id is None for seat in match.seats.all()] == [True, False, True, True]


def test_the_ground_of_a_map_is_served_and_kept(pia_client):
    answer = pia_client.get(reverse("play:map", args=["arena", 3]))
    assert len(answer.content) == WORLD_SIZE and "immutable" in answer["Cache-Control"]
    assert pia_client.get("/play/hanabi/map/3/").status_code == 404
    assert pia_client.get("/play/chess/map/3/").status_code == 404
    assert pia_client.get(f"/play/arena/map/{2**31}/").status_code == 404


def test_only_agents_may_play_while_one_watches(agents, pia):
    options = {"teams": 2, "team_size": 1, "map_seed": None, "pace": "short", "monsters": 0}
    match = create_match(Setup(game="arena", options=options, wishes=["agent:weak"] * 2), pia)
    assert start_match(match)


def test_one_rates_ones_own_squad(agents, pia):
    preset = pages("arena").presets[0]
    fields = {f"option_{name}": str(value) for name, value in preset.options.items()}
    match = create_match(from_form(form(preset.wishes, **fields)), pia)
    assert results.partner_seats(match, 0) == [1, 2, 3]
    alone = form(["me", "agent:weak"], option_teams="2", option_team_size="1")
    assert results.partner_seats(create_match(from_form(alone), pia), 0) == []


def test_the_waiting_room_says_who_is_with_whom_and_tells_twins_apart(agents, pia, pia_client):
    fields = {"option_teams": "2", "option_team_size": "3"}
    wishes = ["me", "agent:weak", "agent:weak", "friend", "agent:champion", "agent:weak"]
    match = create_match(from_form(form(wishes, **fields)), pia)
    page = pia_client.get(reverse("play:table", args=[match.pk])).content.decode()
    for name, side in (("Weak squad 1", "with"), ("Weak squad 2", "with"), ("Weak squad 3", "against")):
        assert f'{name} <span class="muted small">{side} you</span>' in page
    assert 'a free seat <span class="muted small">against you</span>' in page
    assert "Copy: Weak squad 1" in page and "Copy: Weak squad 2" in page
    assert "the champion" not in page
    invitation = Client().get(reverse("play:invitation", args=[match.join_token])).content.decode()
    assert f"You play against {pia.shown_name}." in invitation


def test_an_instruction_from_the_lobby_may_name_the_agents_that_will_be_there(agents, pia):
    fields = {"option_teams": "2", "option_team_size": "3", "instruction": "Weak squad 2, follow me"}
    wishes = ["me", "agent:weak", "agent:weak", *["agent:idle"] * 3]
    said = create_match(from_form(form(wishes, **fields)), pia).instructions.get()
    assert [clause["to"] for clause in said.reading["program"]["clauses"]] == ["player 3"]
    assert said.reading["unread"] == []


def test_what_the_lobby_could_not_read_is_read_with_who_has_come(agents, pia, otto):
    fields = {"option_teams": "2", "option_team_size": "2", "instruction": f"follow {otto.shown_name}"}
    match = create_match(from_form(form(["me", "friend", "agent:idle", "agent:idle"], **fields)), pia)
    assert match.instructions.get().status == State.UNREAD
    assert take_seat(match, otto)
    said = match.instructions.get()
    assert said.status == State.CONFIRMED
    assert [clause["who"] for clause in said.reading["program"]["clauses"]] == ["player 2"]


@pytest.mark.parametrize("preset", pages("arena").presets, ids=lambda preset: preset.name)
def test_every_ready_match_begins_at_a_level_and_has_all_of_them(preset):
    size, teams = preset.options["team_size"], preset.options["teams"]
    assert list(preset.sides) == [level.name for level in pages("arena").levels]
    assert all(len(sides) == teams - 1 for sides in preset.sides.values())
    even = [side[seat % len(side)] for side in preset.sides["Even"] for seat in range(size)]
    assert list(preset.wishes[size:]) == even
    assert len(set(map(str, preset.sides.values()))) == len(preset.sides)


def test_agents_beside_a_person_say_and_the_log_holds_what_they_do_until_they_are_told(agents, pia):
    fields = {"option_teams": "2", "option_team_size": "3"}
    match = create_match(from_form(form(["me", *["agent:weak"] * 5], **fields)), pia)
    start_match(match)
    log = log_store().read(match.pk)
    said = [record for record in log.records if record["type"] == "utterance"]
    assert [record["seat"] for record in said] == [1] and said[0]["text"].startswith("I stay with you")
    assert [told(log).programs(seat) != [] for seat in range(6)] == [False, True, True, False, False, False]
    assert not verify(log)
    watched = create_match(from_form(form(["agent:weak"] * 6, **fields)), pia)
    start_match(watched)
    assert "defaults" not in log_store().read(watched.pk).header
