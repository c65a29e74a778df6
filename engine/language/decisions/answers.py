"""What a model gives back, before questions turn it into what they promise."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

# The share of questions that a model may leave unanswered; priors stand 10 to 15 % of wrong answers.
MOST_UNANSWERED = 0.05
Progress = Callable[[int, int], None]
"""Called with how many questions are answered, and how many there are."""


@dataclass
class Usage:
    """What answering took: requests, tokens and cost as the server reports them; answers remembered."""

    requests: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float = 0.0
    remembered: int = 0


@dataclass
class Answers:
    """`shares`: for each question the probability of each option, or None where the model gave no answer."""

    shares: list[list[float] | None]
    model: str
    notices: list[str] = field(default_factory=list)
