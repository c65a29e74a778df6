"""Which of several readings is meant: offered, chosen, stored beside what was read first, said again."""

import json
import uuid

import pytest
from asgiref.sync import sync_to_async

from engine import language
from engine.refusal import Refusal
from webapp.episodes.models import Episode
from webapp.language import costs, readings
from webapp.matches.models import Instruction

COLOUR = "if I hint a colour, play those cards"
AMBIGUOUS = {
    "hanabi": "greens stay in ur paws til the deck is almost gone",
    "overcooked": "nearest window, go there, then serve when i tell you",
    "arena": "get behind the rock ur a sitting duck",
}
# What people and programs paste. Nothing of it is to break a page, a log or a spreadsheet.
ODD = [
    "混一色を狙って",
    "🧅🧅🧅 🍲!!",
    "\x07\x1b[2J",
    "\u202egnihtyna",
    "<img src=x onerror=alert(1)>",
    "=HYPERLINK('http://x')",
    "'; DROP TABLE play_match; --",
]


def in_thread(function, *args, **kwargs):
    return sync_to_async(function)(*args, **kwargs)


@pytest.mark.parametrize("game", AMBIGUOUS)
def test_up_to_three_readings_are_offered_each_as_a_sentence_and_chips(game):
    shown = readings.shown(readings.read(game, AMBIGUOUS[game]))
    offered = shown["readings"]
    assert 2 <= len(offered) <= 3
    assert offered[0]["sentence"] == shown["sentence"]
    assert len({one["sentence"] for one in offered}) == len(offered)
    assert all(one["chips"] for one in offered)


def test_what_is_understood_and_cannot_be_followed_yet_says_so():
    shown = readings.shown(readings.read("arena", "put your gun away"))
    assert shown["refused"] and shown["sentence"] == "I have no move for that yet: put my gun away."
    assert readings.shown(readings.read("hanabi", COLOUR))["readings"][0]["followed"]


def test_a_rule_is_a_chip():
    text = "If I hint a colour, play those cards; discard your oldest unhinted card"
    shown = readings.shown(readings.read("hanabi", text))
    assert [len(one["chips"]) for one in shown["readings"][:1]] == [2]


def test_the_chosen_reading_keeps_what_was_read_first():
    first = readings.read("overcooked", AMBIGUOUS["overcooked"])
    chosen = readings.choose(first, 1)
    assert chosen["program"] == first["alternatives"][0]["program"]
    assert chosen["offered"]["sentence"] == first["sentence"]
    back = readings.choose(chosen, 0)
    assert (back["sentence"], back["chosen"]) == (first["sentence"], 0)
    with pytest.raises(Refusal, match="isn't among those"):
        readings.choose(first, 9)


def test_of_what_is_refused_what_is_offered_may_be_chosen():
    first = readings.read("overcooked", AMBIGUOUS["overcooked"])
    halves = [{name: first[name] for name in ("sentence", "program")}, first["alternatives"][0]]
    clash = {**first, "refused": True, "program": None, "alternatives": halves}
    assert [one["choice"] for one in readings.options(clash)] == [1, 2]
    assert readings.choose(clash, 2)["refused"] is False


def test_what_is_told_with_sense_weighs_less_and_says_so():
    strict, soft = (readings.meant("hanabi", COLOUR, {}, firm=firm) for firm in ("strict", "sensible"))
    assert "firm" not in strict and soft["firm"] == "sensible"
    weights = [[rule["weight"] for rule in one["program"]["rules"]] for one in (strict, soft)]
    assert weights == [[1.0], [language.FIRMNESS["sensible"]]]
    assert soft["sentence"].endswith(", where that costs little.")
    assert readings.choose(soft, 0)["program"] == strict["program"]
    again = readings.firmly(readings.choose(soft, 0), "hanabi", "sensible")
    assert again["sentence"] == soft["sentence"]
    assert readings.shown(readings.read("hanabi", COLOUR))["firmness"] == ["strict", "sensible"]


@pytest.mark.parametrize("game", ["overcooked", "arena"])
def test_where_instructions_have_no_weights_there_is_one_way_to_tell(game):
    shown = readings.shown(readings.read(game, AMBIGUOUS[game]))
    assert shown["firmness"] == []
    assert "firm" not in readings.meant(game, AMBIGUOUS[game], {}, firm="sensible")


def test_an_instruction_costs_what_the_most_alike_one_cost_that_was_measured():
    def row(text: str, points: float) -> dict:
        program = language.read("hanabi", text).program
        return {"text": text, "program": program, "scores": {"strict": {"mean": 20 - points}}}

    measured = {
        "ref": "hanabi/told",
        "untold": {"mean": 20.0},
        "instructions": [row(COLOUR, 0.44), row("play your newest card", 12)],
    }
    (first, *_) = readings.shown(readings.read("hanabi", COLOUR), measured)["readings"]
    alike = {"points": {"strict": 0.4}, "like": COLOUR, "changes": "/agents/hanabi/told/told/0/"}
    assert first["cost"] == {**alike, "same": True}
    red = language.read("hanabi", "if I hint red, play those cards").program
    assert costs.cost(measured, red) == {**alike, "same": False}
    assert costs.cost(measured, language.read("hanabi", "hint ranks").program) is None


# What no text can hold; the page can't send it, a program can.
UNSENDABLE = ["\x00red", "red \ud83c"]


@pytest.mark.parametrize("typed", ["a\tb", "a\r\nb", " a \x00 b ", "a\u200b\u2028b"])
def test_what_was_typed_becomes_one_line_without_control_characters(typed):
    assert readings.clean_text(typed) == "a b"


@pytest.mark.django_db
class TestWhileTyping:
    def read(self, client, text, **more):
        body = json.dumps({"game": "overcooked", "text": text, **more})
        return client.post("/play/read/", body, content_type="application/json")

    @pytest.mark.parametrize("text", ["", "   ", *ODD])
    def test_what_means_nothing_is_answered_with_a_sentence(self, pia_client, text):
        answer = self.read(pia_client, text)
        assert answer.status_code == 200
        assert answer["Content-Type"] == "application/json"
        assert answer.json()["refused"] and answer.json()["sentence"].endswith(".")

    @pytest.mark.parametrize("text", UNSENDABLE)
    def test_what_no_text_can_hold_is_refused_with_a_sentence(self, pia_client, text):
        answer = self.read(pia_client, text)
        assert (answer.status_code, answer.json()["error"].startswith("The body has ")) == (400, True)

    def test_a_text_that_is_too_long_is_refused_with_a_sentence(self, pia_client):
        answer = self.read(pia_client, "onion " * 20_000)
        assert (answer.status_code, answer.json()["error"]) == (400, "That is longer than 500 characters.")

    @pytest.mark.parametrize("body", ["[" * 50_000, "[]", "null", '{"game": 1, "text": []}', "\x00"])
    def test_what_is_no_question_is_refused_with_a_sentence(self, pia_client, body):
        answer = pia_client.post("/play/read/", body, content_type="application/json")
        assert answer.status_code == 400 and answer.json()["error"].endswith(".")

    def test_what_the_kitchen_lacks_is_said_with_what_is_nearest(self, pia_client):
        fields = {"option_layout": "cramped_room"}
        answer = self.read(pia_client, "get a tomato", names=["Pia", "Cook"], fields=fields).json()
        assert answer["refused"] and answer["sentence"] == "There are no tomatoes in this kitchen."
        assert answer["readings"][0]["sentence"] == "I fetch an onion."
        fields = {"option_layout": "custom", "layout_text": "no kitchen"}
        answer = self.read(pia_client, "get a tomato", names=["Pia", "Cook"], fields=fields).json()
        assert not answer["refused"]

    def test_the_names_at_the_table_are_known(self, pia_client):
        body = {"game": "arena", "text": "Zorro, follow me", "names": ["Pia", "Bo", "Zorro"]}
        found = pia_client.post("/play/read/", json.dumps(body), content_type="application/json").json()
        assert "Player 3" in found["sentence"]


@pytest.mark.django_db(transaction=True)
class TestInAMatch:
    async def say(self, browser, text, **more) -> dict:
        await browser.send("instruct", id=str(uuid.uuid4()), text=text, target=None, **more)
        return await browser.until("instruction")

    async def test_who_chooses_a_reading_has_confirmed_it(self, make_match, pia, browse):
        match = await in_thread(make_match, pia)
        browser = await browse(match, pia)
        told = await self.say(browser, AMBIGUOUS["hanabi"], choice=1)
        assert told["status"] == "confirmed"
        stored = await in_thread(match.instructions.get)
        assert (stored.reading["chosen"], stored.reading["sentence"]) == (1, told["sentence"])
        assert stored.reading["offered"]["sentence"] != told["sentence"]
        assert told["options"][0] == {"choice": 0, "sentence": stored.reading["offered"]["sentence"]}
        assert (await in_thread(Episode.objects.get, pk=match.pk)).instruction == AMBIGUOUS["hanabi"]

    async def test_another_reading_may_be_chosen_later(self, make_match, pia, browse):
        match = await in_thread(make_match, pia)
        browser = await browse(match, pia)
        told = await self.say(browser, AMBIGUOUS["hanabi"])
        other = told["options"][0]
        await browser.send("rewrite", id=told["id"], new_id=str(uuid.uuid4()), choice=other["choice"])
        assert (await browser.until("instruction"))["status"] == "rewritten"
        new = await browser.until("instruction")
        assert (new["status"], new["sentence"], new["text"]) == (
            "confirmed",
            other["sentence"],
            AMBIGUOUS["hanabi"],
        )
        stored = await in_thread(Instruction.objects.get, pk=new["id"])
        assert str(stored.replaces_id) == told["id"]

    async def test_a_reading_that_was_not_offered_is_refused(self, make_match, pia, browse):
        match = await in_thread(make_match, pia)
        browser = await browse(match, pia)
        for choice, code in ((7, "not_offered"), (99, "malformed"), ("1", "malformed")):
            await browser.send("instruct", id=str(uuid.uuid4()), text="hint ranks", choice=choice)
            assert await browser.refusal() == code
        told = await self.say(browser, "hint ranks")
        await browser.send("rewrite", id=told["id"], new_id=str(uuid.uuid4()), choice=8)
        assert await browser.refusal() == "not_offered"
        assert await in_thread(match.instructions.count) == 1

    async def test_how_firmly_is_part_of_what_is_said(self, make_match, pia, browse):
        match = await in_thread(make_match, pia)
        browser = await browse(match, pia)
        told = await self.say(browser, AMBIGUOUS["hanabi"], choice=0, firm="sensible")
        stored = await in_thread(match.instructions.get)
        assert stored.reading["firm"] == "sensible" and told["sentence"].endswith("where that costs little.")
        await browser.send("rewrite", id=told["id"], new_id=str(uuid.uuid4()), choice=1)
        await browser.until("instruction")
        new = await browser.until("instruction")
        assert new["sentence"].endswith("where that costs little.")
        for firm in ("harder", 3, None, []):
            await browser.send("instruct", id=str(uuid.uuid4()), text="hint ranks", firm=firm)
            assert await browser.refusal() == "malformed"

    async def test_odd_texts_are_stored_and_answered_with_a_sentence(self, make_match, pia, browse):
        match = await in_thread(make_match, pia)
        browser = await browse(match, pia)
        stored = 0
        for text in ODD:
            await browser.send("instruct", id=str(uuid.uuid4()), text=text)
            if not readings.clean_text(text):
                assert await browser.refusal() == "empty"
                continue
            if language.read("hanabi", readings.clean_text(text)).talk:
                assert (await browser.until("utterance"))["text"] == readings.clean_text(text)
                continue
            told = await browser.until("instruction")
            stored += 1
            assert (told["status"], told["text"]) == ("unread", readings.clean_text(text))
            assert told["sentence"].endswith(".")
        assert await in_thread(match.instructions.count) == stored
        for text, code in (
            ("", "empty"),
            (" \n", "empty"),
            ("x" * 501, "too_long"),
            ("y" * 100_000, "oversize"),
            *((text, "malformed") for text in UNSENDABLE),
        ):
            await browser.send("instruct", id=str(uuid.uuid4()), text=text)
            assert await browser.refusal() == code
        assert (await self.say(browser, "hint ranks"))["status"] == "read", "the line is still good"

    async def test_in_real_time_what_is_said_again_replaces_the_first(self, make_kitchen, pia, browse):
        match = await in_thread(make_kitchen, pia)
        browser = await browse(match, pia)
        told = await self.say(browser, "bring me a plate")
        assert (told["status"], told["unread"]) == ("confirmed", [])
        new = {"id": told["id"], "new_id": str(uuid.uuid4()), "text": "bring me a plate", "choice": 1}
        seq = await browser.send("rewrite", **new)
        assert (await browser.until("instruction"))["status"] == "rewritten"
        assert (await browser.until("instruction"))["sentence"] == told["options"][0]["sentence"]
        while (await browser.until("ack"))["seq"] != seq:
            pass
        stored = await in_thread(Instruction.objects.get, pk=new["new_id"])
        assert (str(stored.replaces_id), stored.reading["chosen"]) == (told["id"], 1)
