"""A reading that is likelier wrong than right is asked about: nobody obeys it before the player says yes."""

import uuid

import pytest
from asgiref.sync import sync_to_async

from engine import language
from engine.language.chance import ENOUGH
from engine.language.reading import Reading
from engine.language.second import Opinion
from engine.simulation.life import State
from tests.engine.language.test_second import option
from webapp.episodes.models import Episode
from webapp.host import manager
from webapp.language import readings
from webapp.lobby.setup import again, create_match, from_form

SURE = {"overcooked": "grab a plate", "arena": "follow me", "hanabi": "if i discard, give me a colour hint"}
GUESS = "zorp the blarg"
MEANT = {
    "overcooked": ("serve", "swap"),
    "arena": ("hold_fire", "prone"),
    "hanabi": ("hint", "play cards=newest"),
}
"""What the guess may mean: what is read first, and another reading of it."""


@pytest.fixture(autouse=True)
def read(monkeypatch):
    """GUESS is read unsurely, with another reading beside; other texts as they are."""
    kept = language.read

    def read(game: str, text: str, context: dict | None = None) -> Reading:
        if text != GUESS:
            return kept(game, text, context)
        first, other = (option(means, game) for means in MEANT[game])
        return Reading(text, False, **first, confidence=0.4, alternatives=[other])

    monkeypatch.setattr("engine.language.read", read)


def in_thread(function, *args, **kwargs):
    return sync_to_async(function)(*args, **kwargs)


def live(match):
    return manager.current_host().matches[match.pk]


async def say(page, text, **more) -> dict:
    await page.send("instruct", id=str(uuid.uuid4()), text=text, target=None, **more)
    return await page.until("instruction")


@pytest.mark.parametrize("game", MEANT)
def test_what_is_sure_is_obeyed_at_once_and_what_is_not_is_asked_about(game):
    sure, unsure = readings.read(game, SURE[game]), readings.read(game, GUESS)
    assert sure["confidence"] >= ENOUGH > unsure["confidence"]
    assert readings.status(sure, asks=False) == "confirmed"
    assert readings.status(unsure, asks=False) == readings.status(sure, asks=True) == "read"
    assert readings.status(readings.choose(unsure, 0), asks=True) == "confirmed"


@pytest.mark.parametrize("game", MEANT)
def test_what_only_a_language_model_says_is_asked_about(game):
    found = readings.read(game, GUESS, opinion=Opinion(MEANT[game][1], 1.0, "m"))
    assert not found["refused"] and readings.status(found, asks=False) == "read"


def test_a_reading_of_an_older_coplay_stays_obeyed():
    old = {"refused": False, "sentence": "I wait.", "program": {}}
    assert readings.status(old, asks=False) == "confirmed"


@pytest.mark.django_db
class TestTheLobby:
    def made(self, user, **fields):
        from tests.webapp.lobby.test_setup import COOK, form

        return create_match(from_form(form("me", COOK, **fields)), user)

    def test_a_guess_is_not_taken_for_confirmed_without_a_yes(self, agents, pia):
        said = self.made(pia, instruction=GUESS).instructions.get()
        assert said.status == State.READ
        for yes in ({"confirmed": "yes"}, {"choice": "0"}):
            match = self.made(pia, instruction=GUESS, **yes)
            assert match.instructions.get().status == State.CONFIRMED

    def test_a_yes_makes_no_reading_of_what_cannot_be_read(self, agents, pia):
        said = self.made(pia, instruction="bitte stell dich an den topf", confirmed="yes").instructions.get()
        assert said.status == State.UNREAD

    def test_playing_again_keeps_what_was_confirmed_and_no_guess(self, agents, pia):
        match = create_match(again(self.made(pia, instruction=GUESS, confirmed="yes"), pia), pia)
        assert match.instructions.get().status == State.CONFIRMED
        assert again(self.made(pia, instruction=GUESS), pia).instruction == ""


@pytest.mark.django_db(transaction=True)
class TestInAMatch:
    async def test_a_guess_is_in_force_once_it_is_confirmed(self, make_kitchen, pia, otto, browse):
        match = await in_thread(make_kitchen, pia, horizon=3000)
        page, watcher = await browse(match, pia), await browse(match, otto)
        told = await say(page, GUESS)
        assert (told["status"], told["unsure"], bool(told["options"])) == ("read", True, True)
        seen = await watcher.until("instruction")
        assert (seen["status"], seen["unsure"]) == ("read", True), "everybody sees that it isn't obeyed yet"
        await page.ticks(5)
        assert live(match).programs(1) == []
        assert (await in_thread(Episode.objects.get, pk=match.pk)).instruction == ""
        await page.send("confirm_reading", id=told["id"])
        assert (await page.until("instruction"))["status"] == "confirmed"
        assert [one["id"] for one in live(match).programs(1)] == [told["id"]]
        await live(match).host.writer.flush()
        assert (await in_thread(Episode.objects.get, pk=match.pk)).instruction == GUESS

    async def test_another_reading_of_a_guess_is_in_force_once_it_is_chosen(self, make_kitchen, pia, browse):
        match = await in_thread(make_kitchen, pia, horizon=3000)
        page = await browse(match, pia)
        told = await say(page, GUESS)
        other = told["options"][0]
        new = str(uuid.uuid4())
        await page.send("rewrite", id=told["id"], new_id=new, choice=other["choice"])
        assert (await page.until("instruction"))["status"] == "rewritten"
        chosen = await page.until("instruction")
        assert (chosen["status"], chosen["sentence"]) == ("confirmed", other["sentence"])
        assert [one["id"] for one in live(match).programs(1)] == [new]

    async def test_a_guess_may_be_dropped_and_said_again_surely(self, make_kitchen, pia, browse):
        match = await in_thread(make_kitchen, pia, horizon=3000)
        page = await browse(match, pia)
        told = await say(page, GUESS)
        new = {"new_id": str(uuid.uuid4()), "text": SURE["overcooked"]}
        await page.send("rewrite", id=told["id"], **new)
        assert (await page.until("instruction"))["status"] == "rewritten"
        assert (await page.until("instruction"))["status"] == "confirmed"
        sure = await say(page, SURE["overcooked"])
        assert (sure["status"], sure["unsure"]) == ("confirmed", False)
        again = await say(page, GUESS)
        await page.send("withdraw", id=again["id"])
        assert (await page.until("instruction"))["status"] == "withdrawn"
        assert again["id"] not in [one["id"] for one in live(match).programs(1)]

    async def test_what_says_it_again_unsurely_is_asked_about_too(self, make_kitchen, pia, browse):
        match = await in_thread(make_kitchen, pia, horizon=3000)
        page = await browse(match, pia)
        told = await say(page, SURE["overcooked"])
        new = {"new_id": str(uuid.uuid4()), "text": GUESS}
        await page.send("rewrite", id=told["id"], **new)
        assert (await page.until("instruction"))["status"] == "rewritten"
        assert (await page.until("instruction"))["status"] == "read"
        assert live(match).programs(1) == []

    async def test_a_language_models_reading_is_offered(self, make_kitchen, pia, browse):
        match = await in_thread(make_kitchen, pia, horizon=3000)
        page = await browse(match, pia)
        names = [seat["name"] for seat in page.joined["seats"]]
        context = {"names": names, "seat": 0, "people": [0]}
        reading = readings.read("overcooked", GUESS, context, Opinion("swap", 1.0, "m"))
        seal = readings.sealed("overcooked", GUESS, context, reading)
        told = await say(page, GUESS, seal=seal)
        assert (told["status"], told["unsure"]) == ("read", True)
        assert live(match).programs(1) == []

    async def test_in_the_arena_the_squad_waits_for_the_yes(self, fight, pia):
        from tests.webapp.host.arena import new_arena

        wishes = ("me", "agent:weak", "agent:weak", "agent:weak")
        match = await in_thread(new_arena, pia, wishes, 2)
        page = await fight(match, pia)
        told = await say(page, GUESS)
        assert told["status"] == "read" and live(match).programs(1) == []
        await page.send("confirm_reading", id=told["id"])
        assert (await page.until("instruction"))["status"] == "confirmed"
        assert [one["id"] for one in live(match).programs(1)] == [told["id"]]
        sure = await say(page, SURE["arena"])
        assert sure["status"] == "confirmed"

    async def test_hanabi_asks_as_before(self, make_match, pia, browse):
        match = await in_thread(make_match, pia)
        page = await browse(match, pia)
        assert (await say(page, SURE["hanabi"]))["status"] == "read"
