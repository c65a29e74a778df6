"""The table of what players told agents: for admins, escaped, safe in spreadsheets."""

import csv
import io
import json

import pytest

from webapp.datasets.instructions import PER_PAGE
from webapp.language.readings import choose, read
from webapp.matches.models import Instruction, Match

pytestmark = pytest.mark.django_db
PAGE, CSV, CORRECTIONS = (
    "/datasets/instructions/",
    "/datasets/instructions/export.csv",
    "/datasets/instructions/corrections.jsonl",
)


@pytest.fixture
def say(pia):
    """A function that stores an instruction of pia's."""
    match = Match.objects.create(game="overcooked", seed=1, created_by=pia)

    def make(text: str, status: str = "read", **fields) -> Instruction:
        given = {"match": match, "user": pia, "seat": 0, "tick": 3, "reading": read("overcooked", text)}
        return Instruction.objects.create(text=text, status=status, **given | fields)

    return make


def text(response) -> str:
    return " ".join(response.content.decode().split())


def table(response) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(b"".join(response.streaming_content).decode())))


def test_only_admins_see_what_people_said(pia_client, anna_client, client, say):
    say("bring me a dish")
    for address in (PAGE, CSV, CORRECTIONS):
        assert pia_client.get(address).status_code == anna_client.get(address).status_code == 403
        assert client.get(address).status_code == 302


def test_an_empty_table_says_what_to_do(adam_client):
    assert "Nobody has given an agent an instruction yet." in text(adam_client.get(PAGE))


def test_text_reading_and_what_was_offered_first_stand_side_by_side(adam_client, say, pia):
    first = read("overcooked", "bring me a dish")
    say("bring me a dish", "confirmed", reading=choose(first, 1))
    page = text(adam_client.get(PAGE))
    assert first["alternatives"][0]["sentence"] in page and f"first read: {first['sentence']}" in page
    assert pia.pseudonym in page and pia.email not in page


def test_what_a_reading_left_out_is_a_column_of_its_own(adam_client, say):
    say("bring me onions", reading={**read("overcooked", "bring me onions"), "unread": ["dance"]})
    say("bring me onions", "confirmed")
    say("zwei Bier", "unread")
    assert [row["left_out"] for row in table(adam_client.get(CSV))] == ["", "", "dance"]
    assert "left out: dance" in text(adam_client.get(PAGE))


def test_markup_and_formulas_stay_text(adam_client, say):
    say("<script>alert(1)</script>", "unread")
    say('=HYPERLINK("http://x")', "unread")
    page = text(adam_client.get(PAGE))
    assert "<script>alert" not in page and "&lt;script&gt;alert(1)" in page
    texts = {row["text"] for row in table(adam_client.get(CSV))}
    assert texts == {"<script>alert(1)</script>", '\'=HYPERLINK("http://x")'}


def test_filters_hold_for_the_page_and_the_export(adam_client, say):
    say("bring me a dish")
    say("zwei Bier", "unread")
    for query, texts in (
        ("which=unread", ["zwei Bier"]),
        ("text=dish", ["bring me a dish"]),
        ("game=hanabi", []),
        ("which=corrected", []),
        ("game=chess&which=all&text=%00", ["zwei Bier", "bring me a dish"]),
    ):
        assert [row["text"] for row in table(adam_client.get(f"{CSV}?{query}"))] == texts
    assert "No instruction matches these filters." in text(adam_client.get(f"{PAGE}?game=hanabi"))


def test_corrections_are_what_the_command_writes(adam_client, say):
    say("bring me a dish", reading=choose(read("overcooked", "bring me a dish"), 1))
    lines = b"".join(adam_client.get(CORRECTIONS).streaming_content).decode().splitlines()
    assert [json.loads(line)["kind"] for line in lines] == ["chosen"]


def test_the_page_makes_a_fixed_number_of_queries(adam_client, say, django_assert_max_num_queries):
    for number in range(PER_PAGE + 5):
        say(f"bring me a dish {number}")
    with django_assert_max_num_queries(8):
        page = text(adam_client.get(PAGE))
    assert f"{PER_PAGE + 5} instructions" in page and "Oldest" in page
    with django_assert_max_num_queries(8):
        adam_client.get(f"{PAGE}?end=1")
