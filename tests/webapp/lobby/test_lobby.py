"""The lobby: what it offers, what it refuses, friends by link, guests, and a fixed number of queries."""

import json
import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from engine import games
from engine.simulation.life import State
from engine.simulation.log import resimulate
from webapp.accounts.models import SiteSettings, User
from webapp.agents.models import Agent
from webapp.episodes.models import Episode
from webapp.episodes.stores import log_store
from webapp.host.consumer import admit
from webapp.language import readings
from webapp.lobby import listing as lobby
from webapp.matches.models import Instruction, Match, Rating, Seat
from webapp.studies.models import Study

pytestmark = pytest.mark.django_db


def start(client, seats=("me", "agent:champion"), **fields):
    return client.post("/play/new/", {"game": "hanabi", "seat": list(seats), **fields})


def test_it_starts_a_game_with_the_champion(agents, pia_client, pia):
    answer = start(pia_client)
    match = Match.objects.get()
    assert (answer.status_code, answer.url) == (302, f"/play/{match.pk}/")
    assert (match.status, match.seats.get(index=0).user) == (Match.PLAYING, pia)
    assert match.seats.get(index=1).agent.game == "hanabi"
    assert match.episode.status == "running"
    assert pia_client.get(answer.url).status_code == 200


@pytest.mark.parametrize(
    ("seats", "fields", "sentence"),
    [
        (("me",), {}, "at least one partner"),
        (("agent:random", "agent:random"), {}, "one seat for yourself"),
        (("me", "me"), {}, "one seat for yourself"),
        (("me", "agent:nobody"), {}, "There is no hanabi agent"),
        (("me", "nobody"), {}, "can take a seat"),
        (("me", "agent:random"), {"option_colors": "9"}, "is one of 1, 2, 3, 4, 5"),
        (("me", "agent:random"), {"option_bomb": "maybe"}, "is one of zero, keep"),
        (("me", "agent:random"), {"instruction": "x" * 501}, "say it shorter"),
        (("me", *["agent:random"] * 5), {}, "players"),
    ],
)
def test_it_refuses_with_a_sentence_and_keeps_what_was_typed(agents, pia_client, seats, fields, sentence):
    answer = start(pia_client, seats, **fields)
    assert answer.status_code == 422
    assert sentence in answer.content.decode()
    assert not Match.objects.exists()


def test_a_network_for_two_is_refused_at_a_table_of_three(agents, pia_client):
    answer = start(pia_client, ("me", "agent:champion", "agent:random"))
    assert answer.status_code == 422
    assert "plays with 2 players" in answer.content.decode()


def test_options_reach_the_game(agents, pia_client):
    start(pia_client, ("me", "agent:convention-bot", "agent:random"), option_colors="4", option_bomb="keep")
    options = Match.objects.get().options
    assert (options["players"], options["colors"], options["bomb"]) == (3, 4, "keep")


def test_a_surprise_stays_secret_until_the_end(agents, pia_client):
    start(pia_client, ("me", "surprise"))
    match = Match.objects.get()
    seat = match.seats.get(index=1)
    assert (seat.hidden, seat.agent is not None) == (True, True)
    assert seat.agent.name not in pia_client.get(f"/play/{match.pk}/").content.decode()
    match.status = Match.FINISHED
    match.save()
    match.episode.status = "finished"
    match.episode.score = 12
    match.episode.save()
    before = pia_client.get(f"/play/{match.pk}/after/").content.decode()
    assert "Surprise agent" in before and seat.agent.name not in before
    after = pia_client.post(f"/play/{match.pk}/reveal/", follow=True).content.decode()
    assert seat.agent.name in after
    assert "surprise partner" in after


def test_an_instruction_is_stored_with_its_reading(agents, pia_client):
    start(pia_client, instruction="if I hint a colour, play it", confirmed="yes")
    said = Instruction.objects.get()
    assert (said.status, said.tick, said.seat) == (State.CONFIRMED, 0, 0)
    start(pia_client, instruction="quousque tandem", confirmed="yes")
    assert Instruction.objects.filter(status=State.UNREAD).count() == 1


def test_the_choice_among_readings_and_the_first_wording_are_stored(agents, pia_client):
    start(
        pia_client,
        instruction="greens stay in ur paws til the deck is almost gone",
        choice="1",
        first_said="new ones!\x00",
    )
    first, said = Instruction.objects.order_by("created_at")
    assert (first.text, first.status) == ("new ones!", State.REWRITTEN)
    assert (said.status, said.reading["chosen"], said.replaces) == (State.CONFIRMED, 1, first)
    log = log_store().read(said.match_id)
    assert [(one["text"], one["status"]) for one in log.instructions] == [(said.text, "confirmed")]


def test_a_choice_that_was_not_offered_is_refused_and_nothing_is_lost(agents, pia_client):
    answer = start(pia_client, instruction="hint reds", choice="9")
    assert answer.status_code == 422
    assert "say it in other words" in answer.content.decode()
    assert not Match.objects.exists()


def test_how_firmly_is_stored_and_said_again_in_the_next_game(agents, pia_client):
    match = finished(pia_client, instruction="discard your oldest card", confirmed="yes", firm="sensible")
    pia_client.post(f"/play/{match.pk}/again/")
    for said in Instruction.objects.all():
        assert said.reading["firm"] == "sensible" and said.reading["sentence"].endswith("costs little.")
    assert Instruction.objects.count() == 2
    answer = start(pia_client, instruction="hint reds", firm="madly")
    assert answer.status_code == 422 and "strict or sensible, not" in answer.content.decode()


def test_control_characters_do_not_reach_the_database(agents, pia_client):
    start(pia_client, instruction="hint\x00 reds\u202e\x1b")
    assert Instruction.objects.get().text == "hint reds"


def test_reading_while_typing_stores_nothing(pia_client):
    def read(text, game="hanabi"):
        body = json.dumps({"game": game, "text": text})
        return pia_client.post("/play/read/", body, content_type="application/json")

    assert read("play your newest card").json()["refused"] is False
    assert read("lorem ipsum").json()["refused"] is True
    assert [read("x" * 501).status_code, read("x", "chess").status_code] == [400, 400]
    assert pia_client.post("/play/read/", "{", content_type="application/json").status_code == 400
    assert not Instruction.objects.exists()


def test_a_sub_goal_that_is_left_out_while_typing_is_sealed_with_the_reading(pia_client):
    who = {"names": ["Pia", "Bo"], "seat": 0, "people": [0]}
    text = "go to the house crouched and then lie down"

    def read(**more):
        body = json.dumps({"game": "arena", "text": text, **who, **more})
        return pia_client.post("/play/read/", body, content_type="application/json")

    first = read().json()
    crouch, *others = first["readings"][0]["subgoals"]
    assert (crouch["label"], crouch["says"]) == ("crouch position", "yes")
    kept = [{name: one[name] for name in ("clause", "name", "value")} for one in others]
    after = read(seal=first["seal"], choice=0, subgoals=kept).json()
    assert after["sentence"] == "I stay less than 2 metres from the point, then I lie down."
    labels = [one["label"] for one in after["readings"][0]["subgoals"]]
    assert labels == ["distance with point", "prone position"] and not after["unsure"]
    # The match knows more of the speaker: what they look at.
    context = {**who, "aim": {"x": 9, "y": 9, "seat": None}}
    heard = readings.meant("arena", text, context, after["seal"])
    assert heard["sentence"] == after["sentence"] and heard["chosen"] == 0
    refused = read(seal=after["seal"], subgoals=[])
    assert refused.status_code == 400 and "Nothing would be left to do" in refused.json()["error"]


def test_a_friend_joins_by_link_and_the_game_starts(agents, pia_client, otto_client, otto):
    start(pia_client, ("me", "friend"))
    match = Match.objects.get()
    assert match.status == Match.WAITING
    page = pia_client.get(f"/play/{match.pk}/").content.decode()
    link = f"/play/invite/{match.join_token}/"
    assert link in page
    assert "invites you" in otto_client.get(link).content.decode()
    otto_client.post(f"/play/{match.pk}/join/", {"token": match.join_token})
    match.refresh_from_db()
    assert (match.status, match.seats.get(index=1).user) == (Match.PLAYING, otto)
    waiting = pia_client.get(f"/play/{match.pk}/waiting/")
    assert waiting["HX-Redirect"] == f"/play/{match.pk}/"


def test_without_the_link_a_closed_game_cannot_be_joined(agents, pia_client, otto_client):
    start(pia_client, ("me", "friend"))
    match = Match.objects.get()
    assert otto_client.post(f"/play/{match.pk}/join/", {"token": "guess"}).status_code == 404
    assert otto_client.get(f"/play/{match.pk}/").status_code == 404


def test_an_open_game_is_listed_and_joined_once(agents, pia_client, otto_client, anna_client):
    start(pia_client, ("me", "friend"), open_to_join="yes")
    match = Match.objects.get()
    assert f"/play/{match.pk}/join/" in otto_client.get("/play/open/").content.decode()
    assert otto_client.post(f"/play/{match.pk}/join/").status_code == 302
    assert anna_client.post(f"/play/{match.pk}/join/").status_code in (404, 409)
    assert Seat.objects.filter(match=match, kind="open").count() == 0


def test_own_games_that_nobody_goes_on_with_leave_room_and_empty_tables_are_not_watched(
    agents, pia_client, pia, otto
):
    for _ in range(5):
        start(pia_client, open_to_watch="yes")
    own = lobby.open_games(pia)
    assert [match.is_mine for match in own] == [True] * 3, "the newest of one's own"
    assert own[0].created_at > own[2].created_at
    start(pia_client, ("me", "agent:grounded-bot", "agent:grounded-bot"))
    assert lobby.open_games(pia)[0].who.startswith("you, 2 × "), "twins once"
    assert len(lobby.open_games(otto)) == 5, "just begun"
    Match.objects.update(started_at=timezone.now() - timedelta(minutes=5))
    assert lobby.open_games(otto) == []
    hosted = Match.objects.filter(open_to_watch=True).first()
    Match.objects.filter(pk=hosted.pk).update(lease_until=timezone.now() + timedelta(seconds=15))
    assert lobby.open_games(otto) == [hosted]


def guest_of(match) -> Client:
    """A stranger who took the link's seat."""
    stranger = Client()
    assert stranger.post(f"/play/invite/{match.join_token}/guest/").url == f"/play/{match.pk}/"
    return stranger


def test_a_friend_takes_the_seat_without_an_account_unless_an_admin_forbids_it(agents, pia_client):
    start(pia_client, ("me", "friend"))
    match = Match.objects.get()
    link = f"/play/invite/{match.join_token}/"
    SiteSettings.objects.update_or_create(pk=1, defaults={"friends_play": False})
    assert "Play as a guest" not in Client().get(link).content.decode()
    assert Client().post(f"{link}guest/").status_code == 403
    assert not User.objects.filter(is_guest=True).exists()
    SiteSettings.objects.update_or_create(pk=1, defaults={"friends_play": True})
    assert "Play as a guest" in Client().get(link).content.decode()
    friend = guest_of(match)
    match.refresh_from_db()
    guest = match.seats.get(index=1).user
    assert (match.status, guest.is_guest, guest.guest_of, guest.roles) == (
        Match.PLAYING,
        True,
        match.pk,
        {"player"},
    )
    assert guest.pseudonym.startswith("P-")
    assert friend.get(f"/play/{match.pk}/").status_code == 200
    # Once the seat is taken, the link makes no more guests.
    assert Client().post(f"{link}guest/").url == link
    assert User.objects.filter(is_guest=True).count() == 1


def test_a_friends_guest_sees_that_one_game_alone(agents, pia_client):
    other = finished(pia_client, open_to_watch="yes")
    start(pia_client, open_to_watch="yes")
    running = Match.objects.exclude(pk=other.pk).get()
    start(pia_client, ("me", "friend"))
    match = Match.objects.exclude(pk__in=[other.pk, running.pk]).get()
    friend = guest_of(match)
    guest = match.seats.get(index=1).user
    for path in (
        "/play/open/",
        "/replays/",
        "/agents/",
        "/replays/people/",
        f"/play/{running.pk}/",
        f"/replays/{other.pk}/",
    ):
        assert friend.get(path).status_code == 403, path
    assert friend.post("/play/new/", {"game": "hanabi", "seat": ["me", "agent:champion"]}).status_code == 403
    assert friend.get("/play/").url == "/" and friend.get("/").url == f"/play/{match.pk}/"
    assert admit(guest.pk, running.pk)[0] == "not_found" and admit(guest.pk, match.pk)[2] is not None
    page = friend.get(f"/play/{match.pk}/")
    assert page.context["navigation"] == [] and 'aria-label="Main"' in page.content.decode()

    Match.objects.filter(pk=match.pk).update(status=Match.FINISHED)
    Episode.objects.filter(pk=match.pk).update(status="finished", score=3.0)
    assert friend.post(f"/play/{match.pk}/reveal/").url == f"/play/{match.pk}/after/"
    after = friend.get(f"/play/{match.pk}/after/").content.decode()
    assert (
        f"/replays/{match.pk}/" in after
        and "/play/?" not in after.partition("How it went")[2].partition("<main")[0]
    )
    assert friend.post(f"/play/{match.pk}/again/").status_code == 403
    replay = friend.get(f"/replays/{match.pk}/")
    assert replay.status_code == 200
    assert friend.get(f"/replays/{match.pk}/stream.json").status_code == 200
    # The rematch is theirs by its link, as the same person.
    pia_client.post(f"/play/{match.pk}/again/")
    rematch = Match.objects.get(again_of=match)
    asked = friend.get(f"/play/{match.pk}/rematches/").content.decode()
    assert f"/play/invite/{rematch.join_token}/guest/" in asked
    friend.post(f"/play/invite/{rematch.join_token}/guest/")
    assert rematch.seats.get(index=1).user == guest
    assert friend.get("/").url == f"/play/{rematch.pk}/"


def test_strangers_and_people_without_a_role_stay_out(client, pia, pia_client):
    assert client.get("/play/").status_code == 302
    pia.set_roles(set())
    assert pia_client.get("/play/").status_code == 403


def test_only_its_maker_calls_a_waiting_game_off(agents, pia_client, otto_client):
    start(pia_client, ("me", "friend"), open_to_join="yes")
    match = Match.objects.get()
    otto_client.post(f"/play/{match.pk}/call-off/")
    assert Match.objects.exists()
    pia_client.post(f"/play/{match.pk}/call-off/")
    assert not Match.objects.exists()


def finished(client, score=14.0, **fields) -> Match:
    start(client, **fields)
    match = Match.objects.filter(status=Match.PLAYING).latest("created_at")
    Match.objects.filter(pk=match.pk).update(status=Match.FINISHED, finished_at=match.started_at)
    episode = match.episode
    episode.status, episode.score = "finished", score
    episode.save()
    return match


def a_move_of(match) -> dict:
    sim = resimulate(log_store().read(match.pk))
    joint = [sim.no_op] * sim.seats
    joint[sim.current] = int(sim.legal(sim.current).nonzero()[0][-1])
    return {"type": "step", "tick": sim.tick, "actions": joint}


def test_ratings_are_saved_once_and_changed_by_the_next(agents, pia_client, otto_client):
    match = finished(pia_client, open_to_watch="yes", instruction="discard your oldest card", confirmed="yes")
    log_store().append(match.pk, [a_move_of(match)])

    def rate(client, **body):
        return client.post(
            f"/play/{match.pk}/rate/", json.dumps(body), content_type="application/json"
        ).status_code

    assert rate(pia_client, seat=1, question="partner", value=6) == 200
    assert rate(pia_client, seat=1, question="partner", value=2) == 200
    assert rate(pia_client, seat=1, question="followed", value=7) == 200
    assert Rating.objects.values_list("partner", "followed").get() == (2, 7)
    for value in (0, 8, True, "6", None):
        assert rate(pia_client, seat=1, question="partner", value=value) == 400
    assert rate(pia_client, seat=0, question="partner", value=5) == 400
    assert rate(pia_client, seat=True, question="partner", value=5) == 400
    assert rate(otto_client, seat=1, question="partner", value=5) == 403


def test_after_a_game_the_score_stands_beside_the_own_history(agents, pia_client):
    finished(pia_client, score=10.0)
    match = finished(pia_client, score=15.0)
    page = pia_client.post(f"/play/{match.pk}/reveal/", follow=True).content.decode()
    assert "Your best game so far" in page
    assert "5.0" in page


def seen(page: str) -> str:
    """What a page says to its reader."""
    shown = re.sub(r"<(script|style|head|code)\b.*?</\1>|<!--.*?-->", "", page, flags=re.S)
    return re.sub(r"<[^>]*>", " ", shown)


SLUG = re.compile(
    r"\b(?:hanabi|overcooked|arena)/[a-z]|\b[a-z]+_[a-z_]+\b|\b(?:convention-bot|learner-1|companion-|zoo-)|\bticks?\b"
)


@pytest.mark.parametrize("game", games.names())
def test_players_read_names_and_never_slugs(agents, pia_client, game):
    assert SLUG.findall(seen(pia_client.get(f"/play/?game={game}").content.decode())) == []
    fields = {"option_teams": "2", "option_team_size": "2"} if game == "arena" else {}
    agent = Agent.objects.filter(game=game).exclude(kind="people").order_by("-ref").first()
    others = ["friend", f"agent:{agent.slug}", f"agent:{agent.slug}"] if game == "arena" else ["friend"]
    answer = pia_client.post("/play/new/", {"game": game, "seat": ["me", *others], **fields})
    assert answer.status_code == 302
    waiting = seen(pia_client.get(answer.url).content.decode())
    assert SLUG.findall(waiting) == []
    for words in (games.spec(game).title, "Players", "What comes next", "How it is played"):
        assert words in waiting
    if game == "arena":
        assert agent.name in waiting and agent.name in seen(pia_client.get("/play/open/").content.decode())
    if game == "overcooked":
        assert "Cramped room" in waiting and "real time" in waiting


def test_every_game_has_a_picture_of_its_own(agents, pia_client):
    pictures = {game: pia_client.get(f"/play/{game}/picture/") for game in games.names()}
    assert all(one["Content-Type"] == "image/png" for one in pictures.values())
    assert len({one.content for one in pictures.values()}) == len(pictures)
    assert pia_client.get("/play/chess/picture/").status_code == 404


def test_the_number_of_queries_does_not_grow_with_games(agents, pia_client, django_assert_num_queries):
    pia_client.get("/play/")
    finished(pia_client)
    start(pia_client, ("me", "friend"))
    start(pia_client)
    with django_assert_num_queries(17):
        pia_client.get("/play/")
    for _ in range(5):
        finished(pia_client, instruction="save hints")
        start(pia_client, ("me", "friend"))
    start(pia_client)
    with django_assert_num_queries(17):
        assert pia_client.get("/play/").status_code == 200


def test_where_fingers_are_all_there_is_no_page_names_a_key(agents, pia_client):
    for game in ("arena", "hanabi", "overcooked"):
        lobby = pia_client.get(f"/play/?game={game}").content.decode()
        assert 'class="for-keys">Press <kbd>?</kbd>' in lobby
        assert "for-touch" not in lobby, "every game can be played by fingers"


@pytest.mark.parametrize(
    ("asked", "watched", "annotated"),
    [("yes", True, True), ("annotators", False, True), ("no", False, False)],
)
def test_a_game_is_open_to_everybody_to_annotators_alone_or_to_nobody(
    agents, pia_client, asked, watched, annotated
):
    start(pia_client, open_to_watch=asked)
    match = Match.objects.get()
    assert (match.open_to_watch, match.for_annotators) == (watched, annotated)
    assert (match.episode.public, match.episode.for_annotators) == (watched, annotated)


def test_the_study_says_to_whom_new_games_are_open(agents, pia_client):
    chosen = '<option value="{}" selected>'
    assert chosen.format("annotators") in pia_client.get("/play/?game=hanabi").content.decode()
    Study.objects.update(opens=Study.NOBODY)
    assert chosen.format("no") in pia_client.get("/play/?game=hanabi").content.decode()
    Study.objects.all().delete()
    assert chosen.format("yes") in pia_client.get("/play/?game=hanabi").content.decode()
