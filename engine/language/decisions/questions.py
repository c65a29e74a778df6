"""Questions that may be asked, and the form of their answers. Every kind is a choice among options: a model
gives each option a probability, and `answer` turns these into what the kind promises.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

YES_NO, CHOICE, SCORE = "yes/no", "choice", "score"
# As many as the shortest list of likely first words that servers give (top_logprobs).
MOST_OPTIONS = 20
LETTERS = "ABCDEFGHIJKLMNOPQRST"


@dataclass(frozen=True)
class Question:
    """One question: its kind, its text (empty when only keys of the embedded tables were given), and what can
    be answered. `asked` is the question as it came.
    """

    kind: str
    text: str
    options: tuple[str, ...]
    asked: dict[str, Any]

    @property
    def labels(self) -> tuple[str, ...]:
        """What a language model says for each option: one short word or letter."""
        return ("Yes", "No") if self.kind == YES_NO else tuple(LETTERS[: len(self.options)])


def parse(asked: Any) -> Question:
    """A question from its dict; raises ValueError, with what is allowed, for anything else.

    - yes/no: {"question"}, or {"observation", "action"} as in a game's tables (texts or their keys)
    - choice: {"question", "choices": [2 to 20 different texts]}
    - score: {"question", "low", "high"}: whole numbers, 2 to 20 levels
    """
    if not isinstance(asked, dict):
        raise ValueError(f"A question is a dict, not {type(asked).__name__}.")
    text = _text(asked)
    if "choices" in asked:
        choices = asked["choices"]
        if not isinstance(choices, Sequence) or isinstance(choices, str):
            raise ValueError("The choices of a question are a list of texts.")
        if not all(isinstance(c, str) and c.strip() for c in choices) or len(set(choices)) < len(choices):
            raise ValueError("The choices of a question must be different texts, none of them empty.")
        if not 2 <= len(choices) <= MOST_OPTIONS:
            raise ValueError(f"A question has 2 to {MOST_OPTIONS} choices, not {len(choices)}.")
        return Question(CHOICE, text, tuple(choices), asked)
    if "low" in asked or "high" in asked:
        low, high = asked.get("low"), asked.get("high")
        if type(low) is not int or type(high) is not int:
            raise ValueError(f"low and high of a score must be whole numbers, not {low!r} and {high!r}.")
        if not 2 <= high - low + 1 <= MOST_OPTIONS:
            raise ValueError(f"A score has 2 to {MOST_OPTIONS} levels, not {high - low + 1}.")
        return Question(SCORE, text, tuple(str(level) for level in range(low, high + 1)), asked)
    return Question(YES_NO, text, ("yes", "no"), asked)


def _text(asked: dict[str, Any]) -> str:
    if "observation" in asked and "action" in asked:
        return f"{asked['observation']} {asked.get('question') or 'Should I ' + str(asked['action']) + '?'}"
    if "observation_key" in asked and "action_key" in asked:
        return ""
    text = asked.get("question")
    if not isinstance(text, str) or not text.strip():
        raise ValueError('A question needs a text, {"question": …}, or an observation and an action.')
    return text.strip()


def answer(question: Question, shares: Sequence[float]) -> float | dict[str, Any]:
    """What a question promises, from the probability of each option:

    yes/no: P(yes); choice: {choice: probability}; score: {"expected": mean level, "distribution": {level:
    probability}} with levels as text, as JSON has them.
    """
    if question.kind == YES_NO:
        return float(shares[0])
    by_option = {option: float(p) for option, p in zip(question.options, shares, strict=True)}
    if question.kind == CHOICE:
        return by_option
    return {"expected": sum(int(level) * p for level, p in by_option.items()), "distribution": by_option}


LEAST_MASS = 0.5
"""The share of all that a model might say that its answers have at least: where it would rather say something
else, it has answered nothing ("yes" with 8 % is no yes), and the article "A" isn't option A."""


def normal(weights: Sequence[Any]) -> list[float] | None:
    """Probabilities of the options alone, from those that a model gave them; None where they are no such
    thing, or where most of what it might say is none of them.
    """
    if not all(isinstance(w, int | float) and 0 <= w < 1e300 for w in weights):
        return None
    total = float(sum(weights))
    return [w / total for w in weights] if total > 0 and total >= LEAST_MASS else None
