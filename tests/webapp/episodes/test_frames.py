"""Replays that are made of frames: chunks of columns for any tick, what stands out, who may have them."""

import struct

import numpy as np
import pytest
from django.urls import reverse

from engine import language
from engine.games.arena import frames
from engine.games.arena import state as s
from engine.language.standings import LOOK_EVERY
from engine.refusal import Refusal
from engine.simulation.log import resimulate
from tests.webapp.episodes import battle
from webapp.episodes.frames import build
from webapp.episodes.models import Episode
from webapp.episodes.stores import log_store


@pytest.fixture(autouse=True)
def own_folder(settings, tmp_path):
    settings.EPISODES_DIR = tmp_path


@pytest.fixture
def episode(pia):
    return battle.fight(pia)


def stream_of(client, episode):
    return client.get(reverse("replays:stream", args=[episode.pk]))


def chunk_of(client, episode, tag, number):
    return client.get(reverse("replays:frames", args=[episode.pk, tag, number]))


def unpacked(data: bytes):
    """(first tick, table (ticks, columns), events (n, 8)) of a chunk, read as its description says."""
    _, _, rows, first, columns, varying, events = struct.unpack_from("<BBHIHHI", data)
    numbers = np.frombuffer(data[16:], "<i2")
    start, numbers = numbers[:columns], numbers[columns:]
    which, numbers = numbers[:varying].view("<u2"), numbers[varying:]
    changes, told = numbers[: varying * (rows - 1)], numbers[varying * (rows - 1) :]
    table = np.repeat(start[None], rows, axis=0)
    table[1:, which] += np.cumsum(changes.reshape(varying, rows - 1), axis=1, dtype=np.int16).T
    assert len(told) == events * s.EVENT_SIZE
    return first, table, told.reshape(-1, s.EVENT_SIZE)


def test_chunks_hold_every_field_of_every_tick(episode, pia_client):
    stream = stream_of(pia_client, episode).json()
    assert stream["ticks"] == episode.ticks == stream["frames"]["ticks"]
    log, fields = log_store().read(episode.pk), frames.fields_of(4)[0]
    chunks = episode.ticks // frames.CHUNK + 1
    assert chunks > 1
    for number in range(chunks):
        response = chunk_of(pia_client, episode, stream["tag"], number)
        first, table, _ = unpacked(b"".join(response))
        assert first == number * frames.CHUNK
        for row in (0, len(table) // 2, len(table) - 1):
            assert np.array_equal(table[row], resimulate(log, first + row).state[fields])
    assert first + len(table) - 1 == episode.ticks
    assert chunk_of(pia_client, episode, stream["tag"], chunks).status_code == 404


def test_events_stand_at_the_tick_that_they_led_to(episode, pia_client):
    stream = stream_of(pia_client, episode).json()
    log = log_store().read(episode.pk)
    events = np.concatenate(
        [
            unpacked(b"".join(chunk_of(pia_client, episode, stream["tag"], number)))[2]
            for number in range(episode.ticks // frames.CHUNK + 1)
        ]
    )
    shots = events[events[:, s.E_KIND] == s.SHOT]
    assert sum(stream["lanes"][0]["bars"]) == len(shots) > 0
    first = shots[0]
    assert int(resimulate(log, int(first[s.E_TICK])).state[s.player(first[s.E_SEAT]) + s.SHOTS]) == 1
    knocks = [event for event in stream["events"] if event["kind"] == "knock"]
    assert len(knocks) == (events[:, s.E_KIND] == s.KNOCK).sum() > 0
    assert stream["lanes"][1]["points"] == [knock["tick"] for knock in knocks]
    assert knocks[0]["text"].startswith(f"Player {knocks[0]['seat'] + 1} knocked player ")
    after = resimulate(log, knocks[0]["tick"]).state
    assert int(after[s.player(knocks[0]["other"]) + s.LIFE]) != s.UP


def test_the_stream_tells_words_controls_and_zone(episode, pia_client):
    stream = stream_of(pia_client, episode).json()
    assert [(word["kind"], word["tick"]) for word in stream["words"]][0] == ("instruction", battle.ORDERED)
    copilot = [span for span in stream["controls"] if span["by"] == "copilot"]
    assert [(span["seat"], span["first"], span["last"]) for span in copilot] == [
        (1, battle.COPILOT.start + 1, battle.COPILOT.stop)
    ]
    zone = stream["lanes"][-1]["spans"]
    assert (zone[0]["first"], zone[-1]["last"]) == (0, episode.ticks)
    assert [span["strong"] for span in zone[:2]] == [False, True]
    assert stream["ticks_per_second"] == 20
    assert len(stream["ground"]) > 40_000


def test_an_unchanged_stream_is_answered_with_304_and_a_chunk_may_be_kept(episode, pia_client):
    first = stream_of(pia_client, episode)
    again = pia_client.get(
        reverse("replays:stream", args=[episode.pk]), headers={"If-None-Match": first["ETag"]}
    )
    assert again.status_code == 304
    chunk = chunk_of(pia_client, episode, first.json()["tag"], 0)
    assert "immutable" in chunk["Cache-Control"]
    assert "private" in chunk["Cache-Control"]


def test_chunks_of_another_stream_are_refused_with_a_sentence(episode, pia_client):
    answer = chunk_of(pia_client, episode, "0" * 32, 0)
    assert (answer.status_code, answer.json()["error"]) == (409, "This replay has changed. Reload the page.")


def test_a_match_that_runs_is_watched_live_only(episode, pia_client):
    Episode.objects.filter(pk=episode.pk).update(status=Episode.RUNNING)
    answer = stream_of(pia_client, episode)
    assert answer.status_code == 409
    assert answer.json()["error"].startswith("This match still runs.")


def test_nobody_else_gets_frames(episode, otto, signed_in):
    Episode.objects.filter(pk=episode.pk).update(public=False)
    client = signed_in(otto)
    assert stream_of(client, episode).status_code == 404
    assert chunk_of(client, episode, "x", 0).status_code == 404


def test_the_page_offers_all_seats(episode, anna_client):
    page = anna_client.get(reverse("replays:replay", args=[episode.pk])).content.decode()
    assert page.partition('id="seat-list"')[2].partition("</select>")[0].count("<option") == 4
    assert "Charger 2" in page


def test_a_log_that_jumps_or_holds_no_records_is_refused(episode):
    log = log_store().read(episode.pk)
    step = next(record for record in log.records if record["type"] == "step")
    step["actions"] = [[1, 2], [3]]
    with pytest.raises(Refusal, match="The step of tick 0 isn't legal"):
        frames.record(log)
    step["tick"] = 5
    with pytest.raises(Refusal, match="a step of tick 5 where tick 0 is due"):
        frames.record(log)


@pytest.mark.parametrize(("text", "done"), [("regroup", True), ("heal yourself", True), ("lie down", False)])
def test_an_instruction_is_in_force_until_it_was_done(episode, text, done):
    log = log_store().read(episode.pk)
    said = next(record for record in log.records if record["type"] == "instruction")
    said |= {"text": text, "reading": language.read("arena", text).as_json()}
    words = build(log, 120)[0]["words"]  # nobody has moved by then, nobody is hurt
    word = next(word for word in words if word["kind"] == "instruction")
    (span,) = word["spans"]
    assert (span["start"], span.get("why")) == (battle.ORDERED, "done" if done else None)
    if done:
        assert battle.ORDERED < span["end"] <= battle.ORDERED + 2 * LOOK_EVERY
