"""The reader of Hanabi instructions against the bank of phrasings and the wordings of the paper."""

import json
from functools import cache

import numpy as np
import pytest

from engine import games, language
from engine.games.hanabi.language import table
from engine.language import read
from tests.waiting import no_hang

BANK = games.folder("hanabi") / "language/phrasings/bank.jsonl"
PAPER = (
    "If my partner tells me the 'color' of some of my cards, I should 'play' those specific cards. If my "
    "partner does something else, e.g. discards their card or tells me the 'rank' of my cards, then I may "
    "'hint color' to my partner."
)
SIMPLE = (
    "If my partner told me the color of some of my cards, I should play those specific cards. Otherwise, I "
    "should hint color to my partner."
)


@cache
def bank() -> list[dict]:
    return [json.loads(line) for line in BANK.read_text().splitlines()]


def holds(clause: dict, observation: str, action: str) -> bool:
    """Whether a clause of the bank says yes to a move after an observation."""
    kind, _, rest = observation.partition(":")
    value, _, touched = rest.partition(":")
    hinted = touched.split(",") if touched else []
    how_many = ("many" if len(hinted) > 1 else "one") if hinted else None
    if clause["after"] != ["*"] and kind not in clause["after"]:
        return False
    if str(clause.get("value", value)) != value or clause.get("touched", how_many) != how_many:
        return False
    move, _, position = action.partition(":")
    if move != clause["move"] and not (clause["move"] == "hint" and move.startswith("hint")):
        return False
    if move.startswith("hint"):
        return True
    untouched = [p for p in "ABCDE" if p not in hinted]
    chosen = {
        "touched": hinted,
        "touched_newest": hinted[-1:],
        "touched_oldest": hinted[:1],
        "untouched": untouched,
        "untouched_newest": untouched[-1:],
        "untouched_oldest": untouched[:1],
        "newest": ["E"],
        "oldest": ["A"],
        "any": list("ABCDE"),
    }
    return position in chosen.get(clause["cards"], [clause["cards"]])


def wanted(item: dict) -> np.ndarray:
    """The right answers, bool (3852,)."""
    return np.array(
        [
            any(holds(c, seen, move) for c in item["yes"])
            and not any(holds(c, seen, move) for c in item.get("no", []))
            for seen, _ in table.observations()
            for move, _ in table.actions()
        ]
    )


def answered(text: str) -> np.ndarray:
    """The reader's answers, bool (3852,); all no where it refuses."""
    reading = read("hanabi", text)
    questions = [(seen, move) for seen, _ in table.observations() for move, _ in table.actions()]
    if reading.program is None:
        return np.zeros(len(questions), bool)
    return np.array([table.answer(reading.program, *question) for question in questions])


def test_the_bank_is_read_right():
    good = [item for item in bank() if not item["refused"]][::6]
    right, answers = [wanted(item) for item in good], [answered(item["text"]) for item in good]
    yes = np.concatenate(right)
    said = np.concatenate(answers)
    assert (yes == said).mean() >= 0.99
    assert (said[yes].mean() + (~said[~yes]).mean()) / 2 >= 0.97


def test_few_good_instructions_are_refused():
    good = [item["text"] for item in bank() if not item["refused"]][::4]
    assert np.mean([read("hanabi", text).refused for text in good]) <= 0.03


def test_what_means_nothing_is_refused():
    nothing = [item["text"] for item in bank() if item["refused"]]
    assert len(nothing) >= 150
    assert np.mean([read("hanabi", text).refused for text in nothing[::2]]) >= 0.97


@pytest.mark.parametrize("text", [PAPER, PAPER.replace("'", ""), SIMPLE])
@pytest.mark.parametrize("kind", ["color", "rank"])
def test_the_wordings_of_the_paper_give_its_oracle(text, kind):
    if kind == "rank":
        text = text.replace("color", "?").replace("rank", "color").replace("?", "rank")
    hint = f"hint_{kind}"
    others = [k for k in ("null", "play", "discard", "hint_color", "hint_rank") if k != hint]
    oracle = wanted(
        {
            "yes": [
                {"after": [hint], "move": "play", "cards": "touched"},
                {"after": others, "move": hint},
            ]
        }
    )
    assert oracle.sum() == 566
    assert (answered(text) == oracle).all()


def swapped(text: str) -> str:
    """`text` with two letters of its longest word swapped."""
    word = max(text.split(), key=len)
    middle = len(word) // 2
    return text.replace(word, word[:middle] + word[middle + 1] + word[middle] + word[middle + 2 :], 1)


def test_a_typing_error_seldom_changes_the_reading():
    good = [item["text"] for item in bank() if not item["refused"]][::5]
    same = [read("hanabi", swapped(text)).program == read("hanabi", text).program for text in good]
    assert np.mean(same) >= 0.9


def test_the_longest_text_is_read():
    texts = [item["text"] + " !" for item in bank()[:200]]
    with no_hang():
        assert read("hanabi", (" ".join(texts) + "hnit")[:1000]).sentence


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            "If my colour hint touches one card, play it, unless I discarded",
            "When you hint a colour and touch one card, I play the cards it touches.",
        ),
        (
            "play the oldest, no wait, the newest",
            "I play my newest card rather than any other that I am not sure of.",
        ),
        (
            "hint me colours unless I hinted you, in which case play it",
            "When you do not hint a colour or hint a rank, I hint colours; "
            "when you give me a hint, I play the cards it touches.",
        ),
        (
            "If I hint red, play it. Any other colour: discard it.",
            "When you hint red, I play the cards it touches; when you hint a colour, I discard the cards it "
            "touches; when you hint red, I do not discard the cards it touches.",
        ),
        (
            "when I hint, hint the same kind",
            "When you hint a colour, I hint colours; when you hint a rank, I hint ranks.",
        ),
    ],
)
def test_clauses_compose(text, sentence):
    assert read("hanabi", text).sentence == sentence


def test_no_words_in_any_order_break_the_reader():
    rng = np.random.default_rng(0)
    words = " ".join(item["text"] for item in bank()).split()
    for length in rng.integers(1, 20, size=400):
        reading = read("hanabi", " ".join(rng.choice(words, size=length)))
        assert reading.sentence
        if reading.program is not None:
            assert language.features("hanabi", reading.program).any()
