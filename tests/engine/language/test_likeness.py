"""What no grammar reads is read as the phrasing that it is most like, if it is about the game at all."""

import subprocess
import sys
import time

import numpy as np
import pytest

from engine import language
from engine.language import likeness
from engine.language.reading import Reading
from engine.learning import relevance

GAMES = ("arena", "hanabi", "overcooked")


@pytest.mark.parametrize("game", GAMES)
def test_texts_without_meaning_are_told_from_the_others(game):
    rows = likeness.bank(game)
    about = np.array([likeness.is_about(game, row["text"]) for row in rows])
    asks = np.array([not row["refused"] for row in rows])
    # The score that is asked for is chosen on phrasings left out of training: few of those without meaning.
    assert about[asks].mean() > 0.75 and about[~asks].mean() < 0.05
    assert not likeness.is_about(game, "") and not likeness.is_about(game, "?!")


@pytest.mark.parametrize("game", GAMES)
def test_a_phrasing_is_most_like_itself_and_like_itself_with_a_typing_error(game):
    texts = [row["text"] for row in likeness.bank(game) if not row["refused"]][::97]
    assert all(likeness.nearest(game, text)[0] == text for text in texts)
    long = [text for text in texts if len(text) > 30]
    mistyped = [text[:10] + text[11] + text[10] + text[12:] for text in long]
    found = [likeness.nearest(game, wrong)[0] == text for wrong, text in zip(mistyped, long, strict=True)]
    assert np.mean(found) > 0.9


def read_as(readings: dict[str, Reading]):
    return lambda text: readings.get(text, Reading(text, True, "I could not read that."))


def test_a_guess_is_no_surer_than_half_and_offers_the_others(monkeypatch):
    monkeypatch.setattr(likeness, "is_about", lambda game, text: True)
    monkeypatch.setattr(likeness, "nearest", lambda game, text: ["a", "unreadable", "b", "a again", "c", "d"])
    said = {"a": "I do A.", "b": "I do B.", "a again": "I do A.", "c": "I do C.", "d": "I do D."}
    readings = {text: Reading(text, False, done, 0.9, {"does": done}) for text, done in said.items()}
    refused = Reading("xyz", True, "I could not read that.", 0.0, None, ["xyz"])
    found = likeness.guess("xyz", "arena", read_as(readings), refused)
    assert (found.text, found.refused, found.sentence, found.confidence) == ("xyz", False, "I do A.", 0.45)
    assert [one["sentence"] for one in found.alternatives] == ["I do B.", "I do C."]
    assert found.unread == ["xyz"]


def test_what_is_about_something_else_stays_refused(monkeypatch):
    refused = Reading("xyz", True, "I could not read that.")
    monkeypatch.setattr(likeness, "is_about", lambda game, text: False)
    assert likeness.guess("xyz", "arena", read_as({}), refused) is refused
    monkeypatch.setattr(likeness, "is_about", lambda game, text: True)
    assert likeness.guess("xyz", "arena", read_as({}), refused) is refused


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(
    "text", ["", " ", "x" * 100_000, "\x00\x01", "🎉" * 50, "<b>hi</b>", "今日は良い天気ですね"]
)
def test_nonsense_is_refused_with_a_sentence_and_quickly(game, text):
    language.read(game, "warm up")
    began = time.process_time()
    reading = language.read(game, text)
    assert reading.refused and reading.sentence.endswith((".", "”."))
    assert time.process_time() - began < 0.5


def test_training_learns_what_the_bank_says(monkeypatch):
    good = [f"please {verb} the {thing}" for verb in ("fetch", "bring", "carry") for thing in "abcdefgh"]
    bad = [f"what a {day} day, {name}" for day in ("nice", "rainy", "cold") for name in "abcdefgh"]
    rows = [{"text": text, "refused": text in bad} for text in [*good, *bad]]
    monkeypatch.setattr(likeness, "bank", lambda game: rows)
    monkeypatch.setattr(language, "games", lambda: ["arena"])
    weights, bias, found = relevance.train("arena")
    assert found["phrasings"] == found["meaningless"] == 24
    assert found["phrasings_refused"] == 0

    def score(text: str) -> float:
        buckets, values = likeness.hashed(text)
        return float(values @ weights[buckets]) + bias

    assert score("fetch the thing please") > score("what a fine day")


def test_after_warming_up_the_first_text_is_read_at_once():
    program = (
        "import time; from engine import language; language.warm(); began = time.process_time(); "
        "[language.read(game, 'please do wait over there, then hint red') for game in language.games()]; "
        "print(time.process_time() - began)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert float(done.stdout) < 0.3
