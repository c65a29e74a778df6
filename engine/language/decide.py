"""`decide`: the only way to a language model. Questions about a context go in, probabilities come out;
`write` gets a text where the model is a server that chats.

Behind it are the embedded model (the default, offline), an OpenAI-compatible endpoint and a local checkpoint
(`engine.language.decisions`). If a model can't be asked, is too slow or answers nonsense, the embedded one
answers instead, and the decision says so. Code that must not wait doesn't call this: inside an event loop,
where matches tick, every model but the embedded one raises.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

import numpy as np

from engine.language.decisions import prompt
from engine.language.decisions import settings as who
from engine.language.decisions.answers import MOST_UNANSWERED, Answers, Progress, Usage
from engine.language.decisions.memory import Memory
from engine.language.decisions.questions import YES_NO, Question, answer, parse
from engine.language.decisions.settings import VARIABLES, Settings
from engine.language.decisions.trouble import Unsupported
from engine.refusal import Refusal

# A table of so many yes/no questions to which a model says almost nothing but yes has followed the
# instruction's words instead of reading them, or nothing at all.
TABLE = 12
ALL_YES = 0.95
STOOD_IN = "The embedded model answered instead."


@dataclass(frozen=True)
class Decision:
    """Answers to questions, and where they come from. `probabilities`: float32 (questions,) of P(yes) if all
    are yes/no questions, otherwise a list with one answer each
    (`engine.language.decisions.questions.answer`). `model`: which model answered. `notices`: sentences for
    people, for example that another model answered. `stood_in`: the embedded model answered everything in
    place of the one that was asked.
    """

    probabilities: np.ndarray | list[Any]
    model: str
    notices: list[str] = field(default_factory=list)
    usage: Usage = field(default_factory=Usage)
    seconds: float = 0.0
    stood_in: bool = False

    @property
    def notice(self) -> str:
        return " ".join(self.notices)


def decide(context: dict[str, Any], questions: Sequence[dict[str, Any]]) -> np.ndarray | list[Any]:
    """The probabilities of `ask`, by the model that the environment names."""
    return ask(context, questions).probabilities


def ask(
    context: dict[str, Any],
    questions: Sequence[dict[str, Any]],
    settings: Settings | None = None,
    progress: Progress = lambda done, total: None,
    anew: bool = False,
) -> Decision:
    """Answers to `questions`, all about one context. `context`: {"game", "instruction", …}, plain JSON; every
    value is treated as data. For questions see `engine.language.decisions.questions.parse`. `settings`: which
    model answers, by default the one that the environment names. `anew`: ignore kept answers. Raises
    ValueError for a context or a question that can't be asked, and if no model can answer.
    """
    started = time.monotonic()
    prompt.check(context)
    parsed = [parse(question) for question in questions]
    settings = who.check(settings or who.from_environment())
    usage = Usage()
    stood_in = False
    if settings.provider == "embedded":
        answers = _embedded(context, parsed)
    else:
        _not_while_ticking()
        try:
            answers = _sensible(_model(settings, context, parsed, progress, anew, usage), context, parsed)
        except Refusal as trouble:
            answers = _stand_in(context, parsed, str(trouble))
            stood_in = True
    if _all_yes(parsed, answers.shares):
        answers.notices.append(
            "The answer to almost every question is yes: this tells moves apart hardly at all."
        )
    progress(len(parsed), len(parsed))
    return Decision(
        _probabilities(parsed, answers.shares),
        answers.model,
        answers.notices,
        usage,
        time.monotonic() - started,
        stood_in,
    )


@dataclass(frozen=True)
class Written:
    """A text that a language model wrote; `model`: as its server names it."""

    text: str
    model: str
    usage: Usage
    seconds: float


def write(
    messages: Sequence[Mapping[str, str]],
    schema: Mapping[str, Any],
    settings: Settings | None = None,
    anew: bool = False,
) -> Written:
    """What the model writes to chat messages ({"role", "content"}), as JSON of a schema; it may be anything
    all the same. `settings`, `anew`: as in `ask`. Nobody stands in: raises Unsupported where the model only
    answers questions, Refusal if there is no answer in time.
    """
    started = time.monotonic()
    settings = who.check(settings or who.from_environment())
    if settings.provider != "endpoint":
        raise Unsupported(
            f"A language model of kind {settings.provider} answers questions and writes no text; for one "
            f"that does, set {VARIABLES['provider']}=endpoint, {VARIABLES['url']} and {VARIABLES['model']}."
        )
    _not_while_ticking()
    from engine.language.decisions import chat  # only who asks a language model loads its client

    memory, usage = Memory(), Usage()
    try:
        text, model = chat.answer(settings, messages, schema, None if anew else memory, usage)
    finally:
        memory.spend(settings.model, usage)
        memory.close()
    return Written(text, model, usage, time.monotonic() - started)


def _not_while_ticking() -> None:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return
    raise RuntimeError("A language model is never asked inside an event loop: matches tick there.")


def _model(
    settings: Settings,
    context: dict[str, Any],
    questions: list[Question],
    progress: Progress,
    anew: bool,
    usage: Usage,
) -> Answers:
    if any(not question.text for question in questions):
        raise ValueError(
            "A language model needs the observation and the action as text, not their keys alone."
        )
    memory = Memory()
    try:
        # Only who asks a language model loads its client.
        model = import_module(f"engine.language.decisions.{settings.provider}")
        return model.answer(settings, context, questions, None if anew else memory, progress, usage)
    finally:
        memory.spend(settings.model, usage)
        memory.close()


def _embedded(context: dict[str, Any], questions: list[Question]) -> Answers:
    from engine.language.decisions import embedded

    shares, notices = embedded.answer(context, questions)
    return Answers([*shares], embedded.MODEL, notices)


def _stand_in(context: dict[str, Any], questions: list[Question], why: str) -> Answers:
    """The embedded model's answers, with the reason; raises ValueError if it can't answer either."""
    try:
        answers = _embedded(context, questions)
    except ValueError as problem:
        raise ValueError(f"{why} The embedded model can't answer instead: {problem}") from None
    answers.notices.insert(0, f"{why} {STOOD_IN}")
    return answers


def _sensible(answers: Answers, context: dict[str, Any], questions: list[Question]) -> Answers:
    """The answers, with a few missing ones filled in; raises Refusal if they are nonsense."""
    holes = [i for i, shares in enumerate(answers.shares) if shares is None]
    if len(holes) > MOST_UNANSWERED * len(questions):
        raise Refusal(f"{answers.model} answered nonsense to {len(holes)} of {len(questions)} questions.")
    if _all_yes(questions, answers.shares):
        raise Refusal(f"{answers.model} said yes to almost every question, which no instruction asks for.")
    if holes:
        filled = _stand_in(
            context,
            [questions[i] for i in holes],
            f"{answers.model} left {len(holes)} of {len(questions)} questions unanswered.",
        )
        for i, shares in zip(holes, filled.shares, strict=True):
            answers.shares[i] = shares
        answers.notices += filled.notices
    return answers


def _all_yes(questions: list[Question], shares: list[list[float] | None]) -> bool:
    is_yes = [
        s[0] > 0.5 for q, s in zip(questions, shares, strict=True) if q.kind == YES_NO and s is not None
    ]
    return len(is_yes) >= TABLE and sum(is_yes) >= ALL_YES * len(is_yes)


def _probabilities(questions: list[Question], shares: list[list[float] | None]) -> np.ndarray | list[Any]:
    answers = [answer(q, s) for q, s in zip(questions, shares, strict=True) if s is not None]
    if all(q.kind == YES_NO for q in questions):
        return np.array(answers, np.float32)
    return answers
