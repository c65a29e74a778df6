"""Logs, streams and simulated episodes: everything is re-simulated, and comes in one response."""

import gzip
import json
import uuid

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.urls import reverse

from engine import language
from engine.simulation.log import EpisodeLog, header_of, resimulate
from engine.simulation.simulation import Simulation
from tests.webapp.episodes import kitchen, talk
from webapp.accounts.models import User
from webapp.annotation.models import Mark
from webapp.annotation.simulated import annotate_with
from webapp.episodes import simulated
from webapp.episodes.controls import spans_of
from webapp.episodes.models import Episode
from webapp.episodes.stores import DatabaseLogStore, log_store
from webapp.episodes.streams import build_stream, events_of, words_of
from webapp.matches.models import Match, Seat


@pytest.fixture(autouse=True)
def own_folder(settings, tmp_path):
    settings.EPISODES_DIR = tmp_path


@pytest.fixture
def episode(db):
    return simulated.simulate("hanabi", 1, ["hanabi/grounded-bot"], seed=3)[0]


def stream_of(client, episode, **headers):
    return client.get(reverse("replays:stream", args=[episode.pk]), **headers)


def views_of(stream):
    """The state of every tick by view, put together as the browser does it (static/js/streams.js)."""
    views = {}
    for name, rows in sorted(stream["views"].items(), key=lambda item: "like" in item[1]):
        if "like" in rows:
            views[name] = [state | rows["but"] for state in views[rows["like"]]]
        else:
            views[name] = [rows["first"]]
            for change in rows["changes"]:
                views[name].append(views[name][-1] | change)
    return views


def test_the_stream_has_the_state_of_every_tick_in_every_view(episode, pia_client):
    stream = stream_of(pia_client, episode).json()
    assert (stream["ticks"], set(stream["views"])) == (episode.ticks, {"0", "1", "open"})
    log = log_store().read(episode.pk)
    for name, views in views_of(stream).items():
        assert len(views) == episode.ticks + 1
        for tick in (0, 7, episode.ticks):
            expected = resimulate(log, tick).view(None if name == "open" else int(name))
            expected.pop("moves")
            assert views[tick] == json.loads(json.dumps(expected))


def test_a_seats_view_does_not_hold_its_own_cards(episode, pia_client):
    views = views_of(stream_of(pia_client, episode).json())
    for seat in (0, 1):
        for view in views[str(seat)]:
            assert all(card["card"] is None for card in view["hands"][seat]["cards"])
            assert all(card["card"] is not None for card in view["hands"][1 - seat]["cards"])


def test_events_tell_every_move_by_its_tick(episode, pia_client):
    events = stream_of(pia_client, episode).json()["events"]
    assert [event["tick"] for event in events] == list(range(1, episode.ticks + 1))
    assert [event["seat"] for event in events[:4]] == [0, 1, 0, 1]
    assert all(event["text"].startswith("Player ") for event in events)
    failed = [event for event in events if event["kind"] == "play" and "life is lost" in event["text"]]
    assert all(event["tone"] == "bad" for event in failed)


def test_the_stream_is_gzipped_and_answered_from_the_cache_of_the_browser(episode, pia_client):
    plain = stream_of(pia_client, episode)
    packed = stream_of(pia_client, episode, HTTP_ACCEPT_ENCODING="gzip")
    assert packed["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.content) == plain.content
    again = stream_of(pia_client, episode, HTTP_IF_NONE_MATCH=plain["ETag"])
    assert (again.status_code, again.content) == (304, b"")


def test_a_running_game_is_cut_at_the_delay_and_its_tag_changes_as_it_goes_on(episode, pia, pia_client):
    Episode.objects.update(status=Episode.RUNNING, ticks=12)
    match = Match.objects.create(game="hanabi", seed=3, status=Match.PLAYING, episode=episode)
    Seat.objects.create(match=match, index=0, kind="person", user=pia)
    episode.players.add(pia)
    first = stream_of(pia_client, episode)
    assert (first.json()["ticks"], len(views_of(first.json())["0"])) == (10, 11)
    Episode.objects.update(ticks=14)
    assert stream_of(pia_client, episode)["ETag"] != first["ETag"]


def test_a_damaged_log_is_said_to_be_so(episode, pia_client, settings):
    path = settings.EPISODES_DIR / f"{episode.pk}.jsonl"
    path.write_text(path.read_text().replace('"tick":3', '"tick":4', 1))
    answer = stream_of(pia_client, episode)
    assert (answer.status_code, "damaged" in answer.json()["error"]) == (409, True)


def test_an_instruction_stands_once_with_its_last_status():
    game = Simulation("hanabi", {"players": 2})
    said = {"type": "instruction", "tick": 2, "seat": 0, "target_seat": 1, "id": "a", "text": "play hints"}
    log = EpisodeLog(
        header_of(game, str(uuid.uuid4()), []),
        [
            said | {"status": "read", "reading": {"sentence": "I play hints."}},
            {"type": "utterance", "tick": 3, "seat": 1, "text": "ok"},
            said | {"tick": 4, "status": "confirmed", "reading": {"sentence": "I play hints."}},
            {"type": "judged", "tick": 8, "seat": 0, "id": "a", "sign": -1},
        ],
    )
    words = words_of(log, 9)
    assert (words[0]["judged"], "judged" in words_of(log, 7)[0]) == (-1, False)
    assert [(word["kind"], word["tick"]) for word in words] == [("instruction", 2), ("utterance", 3)]
    assert (words[0]["status"], words[0]["reading"]) == ("confirmed", "I play hints.")
    assert words[0]["statuses"] == [[2, "read"], [4, "confirmed"]]
    assert words_of(log, 3)[0]["status"] == "read", "what comes later isn't told yet"
    assert build_stream(log, ["0"], 0)["words"] == []


@pytest.mark.django_db
def test_the_database_store_gives_back_what_the_file_store_does(episode):
    log = log_store().read(episode.pk)
    store = DatabaseLogStore()
    assert not store.exists(episode.pk)
    with pytest.raises(FileNotFoundError):
        store.read(episode.pk)
    store.append(episode.pk, [log.header])
    for record in log.records:
        store.append(episode.pk, [record])
    kept = store.read(episode.pk)
    assert (kept.header, kept.records) == (log.header, log.records)
    store.delete(episode.pk)
    assert not store.exists(episode.pk)


def test_simulated_episodes_and_marks_are_labelled_so(db, capsys):
    call_command("episodes", "simulate", "--count", "2", "--agents", "hanabi/random,hanabi/grounded-bot",
                 "--annotators", "simulated", "--json")  # fmt: skip
    said = json.loads(capsys.readouterr().out)
    assert (len(said["episodes"]), said["source"]) == (2, "simulated")
    assert set(Episode.objects.values_list("source", flat=True)) == {"simulated"}
    assert Mark.objects.count() == said["marks"] > 0
    people = User.objects.filter(marks__isnull=False).distinct()
    assert all(user.is_simulated and user.username.startswith("simulated:") for user in people)
    assert all(not user.has_usable_password() for user in people)


def test_marking_the_same_episode_again_changes_nothing(episode):
    from engine.evaluation.annotators import Annotator

    annotate_with(episode, [Annotator()])
    before = Mark.objects.count()
    annotate_with(episode, [Annotator()])
    assert Mark.objects.count() == before > 0


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--agents", "hanabi/nobody"], "There is no agent 'hanabi/nobody'"),
        (["--count", "0"], "--count: '0' is not a whole number from 1"),
        (["--options", "{"], "--options: '{' isn't JSON"),
        (["--options", '{"players": 9}'], "players"),
        (["--mistakes", "7"], "--mistakes: '7' is not a number from 0 to 1"),
        (["--game", "overcooked", "--layout", "nowhere"], "There is no layout 'nowhere'"),
    ],
)
def test_simulating_nonsense_fails_with_a_sentence(arguments, sentence):
    with pytest.raises(CommandError, match=sentence):
        call_command("episodes", "simulate", *arguments)


# --- Games in which all move at once ---


@pytest.fixture
def cooked(pia):
    return kitchen.cook(pia)


def test_what_does_not_change_is_sent_once(cooked, pia_client):
    answer = stream_of(pia_client, cooked, HTTP_ACCEPT_ENCODING="gzip")
    stream = json.loads(gzip.decompress(answer.content))
    assert [set(rows) for rows in stream["views"].values()] == [{"first", "changes"}, *[{"like", "but"}] * 2]
    assert stream["ticks_per_second"] == 6
    log = log_store().read(cooked.pk)
    for name, views in views_of(stream).items():
        for tick in (0, 7, kitchen.SERVED, cooked.ticks):
            expected = resimulate(log, tick).view(None if name == "open" else int(name))
            expected.pop("moves")
            assert views[tick] == json.loads(json.dumps(expected))
    whole = len(json.dumps(views_of(stream)).encode())
    assert len(answer.content) < whole / 30


def test_events_of_all_seats_stand_at_the_ticks_that_they_led_to(cooked, pia_client):
    events = stream_of(pia_client, cooked).json()["events"]
    told = [(event["tick"], event["seat"], event["kind"]) for event in events]
    assert told[:3] == [(2, 0, "pick"), (2, 1, "pick"), (5, 1, "put_pot")]
    assert (kitchen.FULL, 1, "put_pot") in told
    assert told[-1] == (kitchen.SERVED, 0, "deliver")
    assert [event["tone"] for event in events if event["tone"] != "plain"] == ["good"]


def test_who_was_in_control_is_told_at_every_tick(cooked, pia_client):
    stream = stream_of(pia_client, cooked).json()
    first, last = kitchen.COPILOT.start, kitchen.COPILOT.stop
    spans = [(one["seat"], one["by"], one["first"], one["last"]) for one in stream["controls"]]
    assert spans == [
        (0, "person", 1, cooked.ticks),
        (1, "agent", 1, first),
        (1, "copilot", first + 1, last),
        (1, "agent", last + 1, cooked.ticks),
    ]
    assert stream["late"] == [{"seat": 1, "tick": kitchen.LATE + 1}]
    said = [(word["tick"], word["text"]) for word in stream["words"] if word["kind"] == "control"]
    assert said == [(first, "now played by the co-pilot"), (last, "in control again")]
    assert "P-copilot" not in json.dumps(stream), "people are not named by the log"


def test_an_instruction_says_when_it_was_in_force_and_for_whom(cooked):
    log = log_store().read(cooked.pk)
    said = log.instructions[0]
    said["reading"] = language.read("overcooked", "Put an onion into the pot").as_json()
    [word] = [one for one in build_stream(log, ["0"], 60)["words"] if one["kind"] == "instruction"]
    start = said["tick"]
    # The tick at which the first onion was in the pot.
    assert word["spans"] == [{"seat": 1, "start": start, "end": 5, "why": "done", "by": ""}]
    assert start < 4
    [word] = [one for one in build_stream(log, ["0"], 4)["words"] if one["kind"] == "instruction"]
    assert word["spans"] == [{"seat": 1, "start": start, "end": None}], "nobody knows yet how it ends"
    place = 1 + next(i for i, one in enumerate(log.records) if one["type"] == "step" and one["tick"] == 2)
    log.records.insert(place, {**said, "tick": 3, "status": "withdrawn"})
    [word] = [one for one in build_stream(log, ["0"], 60)["words"] if one["kind"] == "instruction"]
    assert word["spans"] == [{"seat": 1, "start": start, "end": 3, "why": "withdrawn", "by": ""}]
    said["status"] = "read"
    [word] = [one for one in build_stream(log, ["0"], 60)["words"] if one["kind"] == "instruction"]
    assert word["spans"] == [], "nobody confirmed it"


@pytest.mark.django_db
def test_what_a_later_instruction_took_a_part_of_says_so():
    log = log_store().read(talk.table().pk)
    words = {one["id"]: one for one in build_stream(log, ["0"], 20)["words"] if one["kind"] == "instruction"}
    assert words["again"]["spans"] == [{"seat": 1, "start": 12, "end": None, "cuts": [[14, "red"]]}]
    assert all("cuts" not in span for name in ("play", "red") for span in words[name]["spans"])
    before = {one["id"]: one for one in build_stream(log, ["0"], 13)["words"] if one["kind"] == "instruction"}
    assert before["again"]["spans"] == [{"seat": 1, "start": 12, "end": None}], "and not before it did"


def test_without_words_in_the_steps_seats_and_takeovers_tell_who_was_in_control(episode):
    log = log_store().read(episode.pk)
    log.records.insert(4, {"type": "control", "tick": 4, "seat": 1, "controller": {"kind": "person"}})
    spans = spans_of(log, 10)
    assert [(one["seat"], one["by"], one["last"]) for one in spans] == [
        (0, "agent", 10),
        (1, "agent", 4),
        (1, "person", 10),
    ]


def test_kitchens_are_simulated_marked_and_verified(db, capsys):
    call_command("episodes", "simulate", "--game", "overcooked", "--layout", "coordination_ring",
                 "--options", '{"horizon": 60}', "--agents", "greedy", "--count", "2",
                 "--annotators", "simulated", "--json")  # fmt: skip
    said = json.loads(capsys.readouterr().out)
    assert Mark.objects.count() == said["marks"] > 0
    first, second = Episode.objects.all()
    assert first.options["layout"] == "coordination_ring"
    assert first.seats[0]["agent"] == "overcooked/greedy"
    assert first.digest != second.digest, "another seed is another game, though the kitchen is the same"
    call_command("episodes", "verify", "--json")
    assert json.loads(capsys.readouterr().out) == {"episodes": 2, "problems": {}}


def test_an_agent_of_another_kitchen_is_refused_with_a_sentence(db):
    with pytest.raises(CommandError, match="was trained for layout cramped_room"):
        call_command("episodes", "simulate", "--game", "overcooked", "--layout", "coordination_ring",
                     "--agents", "overcooked/self_play-cramped_room")  # fmt: skip


def test_of_several_who_move_at_once_what_went_well_or_badly_stands_out():
    events = [{"success": False}, {"success": True}, {"points": 20, "success": False}, {"points": -1}, {}]
    tones = [event["tone"] for event in events_of(3, {"events": events})]
    assert tones == ["bad", "good", "good", "bad", "plain"]
