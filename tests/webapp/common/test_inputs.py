"""What browsers send: whole numbers, bodies of JSON, and characters that no text can hold. The same for every
address that takes a body."""

from __future__ import annotations

import json
import uuid

import pytest
from django.http import QueryDict
from django.urls import reverse

from webapp.annotation.models import Flag
from webapp.common import inputs
from webapp.common.inputs import is_whole, whole
from webapp.episodes import positions
from webapp.episodes.models import Episode
from webapp.matches.models import Match, Seat
from webapp.studies.models import Study

SLUG = next(iter(positions.POSITIONS))
ODD_NUMBERS = ["²", "٣", "9" * 5000, "-1", "+1", "1.0", "1e3", " 1", "1_0", "", "x", "2147483648"]


@pytest.mark.parametrize("text", [*ODD_NUMBERS, None, True, 1.0, -1, 2**31, [1]])
def test_no_whole_number(text):
    assert whole(text) is None


def test_whole_numbers_are_digits_within_a_range():
    assert [whole(text) for text in ("0", "007", "2147483647", 5)] == [0, 7, 2147483647, 5]
    assert [whole("5", 5, 7), whole("8", 5, 7), whole("4", 5, 7)] == [5, None, None]
    assert [is_whole("5"), is_whole(5), is_whole(-1, -1, 1), is_whole(True)] == [False, True, True, False]


@pytest.fixture
def episode(make_episode, pia):
    return make_episode(pia)


@pytest.fixture
def make_episode(db):
    def make(player) -> Episode:
        seats = [{"kind": "person", "pseudonym": player.pseudonym}, {"kind": "agent", "agent": "hanabi/x"}]
        found = Episode.objects.create(
            game="hanabi", rules_version="1", seats=seats, status=Episode.FINISHED, ticks=20, score=3.0
        )
        found.players.add(player)
        return found

    return make


@pytest.fixture
def addresses(episode, pia):
    """Every address that takes a body of JSON, as pia may use it."""
    match = Match.objects.create(game="hanabi", options={}, seed=1, status=Match.FINISHED, episode=episode)
    Seat.objects.create(match=match, index=0, kind=Seat.PERSON, user=pia)
    Seat.objects.create(match=match, index=1, kind=Seat.AGENT)
    return [
        reverse("accounts:save_keys"),
        reverse("play:check_layout"),
        reverse("play:read"),
        reverse("play:ask"),
        reverse("play:cost"),
        reverse("play:rate", args=[match.pk]),
        reverse("replays:marks"),
        reverse("replays:clips", args=[episode.pk]),
        reverse("replays:position-check", args=[SLUG]),
        reverse("replays:position-act", args=[SLUG]),
    ]


BODIES = {
    "deep": ("[" * 10_000, "more than 16 lists or objects in one another"),
    "rather deep": ('{"a":' * 20 + "1" + "}" * 20, "more than 16 lists or objects in one another"),
    "no number": ('{"a": NaN}', "NaN"),
    "infinity": ('{"a": 1e999}', "a number that is too large"),
    "digits": ('{"a": %s}' % ("9" * 5000), "isn't JSON"),
    "half a character": ('{"a": "\\ud83c"}', "half a character"),
    "NUL": ('{"a": "\\u0000"}', "a character of number 0"),
    "no JSON": ("{", "isn't JSON"),
    "bytes": (b'{"a": "\xff"}', "isn't text in UTF-8"),
}


@pytest.mark.parametrize("name", BODIES)
def test_every_address_refuses_an_unsound_body_with_the_same_sentence(pia_client, addresses, name):
    body, words = BODIES[name]
    for address in addresses:
        data = body
        if "marks" in address and name in ("half a character", "NUL", "no number", "infinity", "rather deep"):
            data = body[:-1] + ', "marks": []}'
        answer = pia_client.post(address, data, content_type="application/json")
        assert (answer.status_code, words in answer.json().get("error", "")) == (400, True), (
            address,
            answer.content,
        )
        assert answer.json()["error"].startswith("The body ") and answer.json()["error"].endswith(".")


@pytest.mark.parametrize("body", ["[]", "null", "3", '"text"'])
def test_a_body_is_an_object(pia_client, addresses, body):
    for address in addresses:
        answer = pia_client.post(address, body, content_type="application/json")
        assert (answer.status_code, "object" in answer.json()["error"]) == (400, True), address


def test_a_form_is_no_body_of_json(pia_client, addresses):
    for address in addresses:
        for more in ({}, {"content_type": "application/x-www-form-urlencoded"}):
            data = "a=1" if more else {"a": "1"}
            answer = pia_client.post(address, data, **more)
            said = answer.json()["error"]
            assert (answer.status_code, said.startswith("Send JSON, as application/json")) == (400, True)


def test_a_body_has_a_size(pia_client, addresses):
    most = 600 << 10
    for address in addresses:
        body = json.dumps({"a": "x" * most})
        answer = pia_client.post(address, body, content_type="application/json")
        assert (answer.status_code, "KiB" in answer.json()["error"]) == (413, True), address
    huge = json.dumps({"a": "x" * (3 << 20)})  # more than Django reads
    answer = pia_client.post(addresses[0], huge, content_type="application/json")
    assert (answer.status_code, "KiB" in answer.json()["error"]) == (413, True)


@pytest.mark.parametrize("number", ODD_NUMBERS)
class TestOddNumbersInAddressesAndForms:
    def test_a_tutorial_begins_at_the_start(self, pia_client, number):
        for name in ("replays:tutorial", "replays:tutorial-play"):
            page = pia_client.get(reverse(name), {"step": number})
            assert (page.status_code, page.context["step"]) == (200, 0)

    def test_a_study_is_the_first_one(self, anna_client, number):
        Study.objects.all().delete()
        study = Study.objects.create(name="Hanabi", game="hanabi")
        for name in ("replays:guidelines", "replays:queue"):
            assert anna_client.get(reverse(name), {"study": number}).status_code == 200
        assert anna_client.get(reverse("replays:queue"), {"study": number}).context["study"] == study
        answer = anna_client.post(reverse("replays:next"), {"study": number})
        queue = f"{reverse('replays:queue')}?study={study.pk}"
        assert (answer.status_code, answer["Location"]) == (302, queue)

    def test_a_flag_is_at_the_start(self, pia_client, episode, number):
        answer = pia_client.post(reverse("replays:flag", args=[episode.pk]), {"note": "odd", "tick": number})
        assert (answer.status_code, Flag.objects.get().tick) == (302, 0)

    def test_gold_of_no_study_is_not_there(self, adam_client, episode, number):
        answer = adam_client.post(reverse("replays:make-gold", args=[episode.pk]), {"study": number})
        assert answer.status_code == 404

    def test_filters_and_pages_that_make_no_sense_filter_nothing(self, adam_client, number):
        for address in (reverse("replays:list"), reverse("accounts:people"), reverse("accounts:audit")):
            assert adam_client.get(address, {"page": number}).status_code == 200
        found = adam_client.get(reverse("replays:list"), {"score_min": number, "score_max": "nan"})
        assert found.status_code == 200


@pytest.mark.parametrize("text", ["nan", "inf", "-inf", "1e999", "x"])
def test_a_score_is_a_number(adam_client, episode, text):
    page = adam_client.get(reverse("replays:list"), {"score_min": text})
    assert [one.pk for one in page.context["page"].object_list] == [episode.pk]


def test_no_view_sees_a_character_of_number_0(adam_client, pia_client, episode):
    page = adam_client.get("/accounts/people/?q=pi%00a")
    assert page.context["query"] == "pia"
    pia_client.post(reverse("replays:flag", args=[episode.pk]), {"note": "a\0b", "tick": "3"})
    assert Flag.objects.get().note == "ab"
    for address in ("/accounts/invitation/a%00b/", "/play/invite/%00/", f"/replays/{uuid.uuid4()}/%00"):
        assert adam_client.get(address).status_code == 404


def test_what_has_no_such_character_is_left_alone():
    query = QueryDict("a=1&a=2")
    assert inputs._without_nul(query) is query
    odd = QueryDict("a=1%00&a=2&b%00=3")
    assert dict(inputs._without_nul(odd).lists()) == {"a": ["1", "2"], "b": ["3"]}
