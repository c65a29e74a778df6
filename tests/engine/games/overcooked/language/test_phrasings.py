"""How well the reader of kitchen instructions does on the bank of phrasings, and what it must cost.

The bank (language/phrasings/bank.jsonl) was written by hand before and while the reader was built,
so these bars guard against losing what is read, and say nothing about texts that nobody has seen.
"""

import json
import random
import subprocess
import sys

import pytest

from engine import games
from engine.games.overcooked.language.intents import INTENTS, KINDS, SIDES
from engine.language import by_grammar, read
from tests.waiting import no_hang

FILE = games.folder("overcooked") / "language/phrasings/bank.jsonl"
BANK = [json.loads(line) for line in FILE.read_text().splitlines()]
GOOD = [entry for entry in BANK if not entry["refused"]]
BAD = [entry for entry in BANK if entry["refused"]]
# Enough to notice what is lost, in seconds.
SOME = GOOD[::4]


def triples(goals: list[dict]) -> set[tuple]:
    return {(goal["intent"], goal["who"], goal["negated"]) for goal in goals}


def f1(entries: list[dict], texts: list[str]) -> float:
    """Micro F1 over (intent, who, negated)."""
    right = given = wanted = 0
    for entry, text in zip(entries, texts, strict=True):
        reading = read("overcooked", text)
        got = set() if reading.refused else triples(reading.program["goals"])
        want = triples(entry["subgoals"])
        right, given, wanted = right + len(got & want), given + len(got), wanted + len(want)
    return 2 * right / (given + wanted)


def with_a_typing_error(text: str, rng: random.Random) -> str:
    """Two neighbours swapped, a letter lost or doubled, within one long word."""
    words = text.split(" ")
    long = [at for at, word in enumerate(words) if len(word) >= 6 and word.isalpha()]
    if long:
        at = rng.choice(long)
        word, cut = words[at], rng.randrange(2, len(words[at]) - 2)
        words[at] = rng.choice(
            [
                word[:cut] + word[cut + 1] + word[cut] + word[cut + 2 :],
                word[:cut] + word[cut + 1 :],
                word[:cut] + word[cut] + word[cut:],
            ]
        )
    return " ".join(words)


def test_the_bank_has_twenty_phrasings_of_every_intent_and_known_values_only():
    assert len(BAD) >= 150
    for intent in INTENTS:
        assert sum(any(goal["intent"] == intent for goal in e["subgoals"]) for e in GOOD) >= 20, intent
    for entry in GOOD:
        for goal in entry["subgoals"]:
            assert goal["who"] in ("me", "you", "both")
            assert goal["target"] is None or goal["target"]["kind"] in KINDS
            assert goal["target"] is None or goal["target"]["which"] in (None, *SIDES)
    assert len({entry["text"] for entry in BANK}) == len(BANK)


def test_the_bank_is_read():
    assert f1(SOME, [entry["text"] for entry in SOME]) >= 0.93
    assert sum(read("overcooked", entry["text"]).refused for entry in SOME) <= 0.03 * len(SOME)


def test_what_means_nothing_is_refused():
    nothing = BAD[::2]
    assert sum(read("overcooked", entry["text"]).refused for entry in nothing) >= 0.97 * len(nothing)


def test_a_typing_error_in_each_text_costs_little():
    rng = random.Random(1)
    assert f1(SOME, [with_a_typing_error(entry["text"], rng) for entry in SOME]) >= 0.88


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("get onions, no wait, plates", {("fetch_dish", "you", False)}),
        ("serving is up to me, not you", {("serve_soup", "me", False), ("serve_soup", "you", True)}),
        ("why aren't you getting me onions?!", {("fetch_onion", "you", False)}),
        ("don't just stand there, fill the pot", {("put_onion_in_pot", "you", False)}),
        ("when the soup's done, serve it", {("serve_soup", "you", False)}),
        ("serve, because I am too far away to do it", {("serve_soup", "you", False)}),
        ("be so kind as to fetch a plate", {("fetch_dish", "you", False)}),
        ("we are out of plates", {("fetch_dish", "you", False)}),
    ],
)
def test_manners_reasons_and_corrections_are_seen_through(text, wanted):
    assert triples(read("overcooked", text).program["goals"]) == wanted


def test_words_that_are_not_understood_cost_confidence():
    sure, unsure = (by_grammar("overcooked", f"get a plate{rest}") for rest in ("", " zibble quonk"))
    assert unsure.unread == ["zibble", "quonk"]
    assert sure.confidence == 1 and unsure.confidence < 0.8


@pytest.mark.parametrize(
    "words",
    [
        "get onions and then serve the soup. ",
        "you are in the ",
        "a ",
        "keep doing ",
        "the soup ",
        "plaet ",
        "stop ",
        "i need to go to the ",
        "don't you have to be the one of us who ",
    ],
)
def test_the_longest_text_is_read(words):
    with no_hang():
        assert read("overcooked", (words * 1000)[:999]).sentence


def test_reading_needs_no_compiler():
    code = "import sys, engine.language as it; it.read('overcooked', 'go'); print('numba' in sys.modules)"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "False"
