"""The ways of asking a server: what is sent, and how its answer becomes probabilities.

- systemone: `POST /systemone`, a state with named noul (yes/no), choice and score questions
- decisions: `POST /decisions`, OpenAI's interface of the same kind (predicate, choice, score)
- logprobs: chat completions, one question each; the probabilities of the first word
- structured: chat completions with a JSON schema, many questions each; certain answers, no probabilities

Answers are lists, one entry a question: the probability of each option, or None where there is no answer.
Raises Unsupported where the server does something else than it was asked for.
"""

from __future__ import annotations

import json
import math
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, NamedTuple

from engine.language.decisions import prompt
from engine.language.decisions.client import Client
from engine.language.decisions.questions import CHOICE, YES_NO, Question, normal
from engine.language.decisions.trouble import Unsupported

Context = dict[str, Any]
Shares = list[list[float] | None]
LIKELY_WORDS = 20
# Models like to begin with a space, a quote or a line of their own.
FIRST_WORDS = 4


async def systemone(client: Client, context: Context, questions: Sequence[Question]) -> Shares:
    """transformers/cli/serving/systemone.py of transformers 5.23 has the request and the answer."""
    asked = {f"q{i}": _systemone_question(question) for i, question in enumerate(questions)}
    response = await client.post("/systemone", {"state": prompt.state(context), "questions": asked})
    answers = response.get("answers")
    if not isinstance(answers, dict):
        raise Unsupported(f"{client.where}/systemone gives no answers.")
    return [_systemone_answer(q, answers.get(f"q{i}")) for i, q in enumerate(questions)]


def _systemone_question(question: Question) -> dict[str, Any]:
    if question.kind == YES_NO:
        return {"type": "noul", "instructions": question.text}
    if question.kind == CHOICE:
        criteria: Any = dict.fromkeys(question.options)
        return {"type": "choice", "instructions": question.text, "criteria": criteria}
    return {"type": "score", "instructions": question.text, "criteria": list(question.options)}


def _systemone_answer(question: Question, entry: Any) -> list[float] | None:
    if not isinstance(entry, dict):
        return None
    if question.kind == YES_NO:
        return _yes_no(entry.get("noul"))
    shares = entry.get("probabilities")
    if not isinstance(shares, dict):
        return None
    # Levels are told apart by their place, choices by their text.
    names = question.options if question.kind == CHOICE else [str(i) for i in range(len(question.options))]
    return normal([shares.get(name) for name in names])


async def decisions(client: Client, context: Context, questions: Sequence[Question]) -> Shares:
    """openai/types/decision_create_params.py and decision.py of the openai client have the shapes."""
    asked = [_decisions_question(question) for question in questions]
    response = await client.post("/decisions", {"input": prompt.state(context), "questions": asked})
    answers = response.get("answers")
    if not isinstance(answers, list) or len(answers) != len(questions):
        raise Unsupported(f"{client.where}/decisions doesn't give one answer a question.")
    return [_decisions_answer(q, answer) for q, answer in zip(questions, answers, strict=True)]


def _decisions_question(question: Question) -> dict[str, Any]:
    if question.kind == YES_NO:
        # A predicate is how likely a statement is true.
        statement = f"The right answer to this question is yes: {question.text}"
        return {"type": "predicate", "instructions": statement}
    if question.kind == CHOICE:
        choices = [{"value": option} for option in question.options]
        return {"type": "choice", "instructions": question.text, "choices": choices}
    levels = [{"label": option} for option in question.options]
    return {"type": "score", "instructions": question.text, "levels": levels}


def _decisions_answer(question: Question, entry: Any) -> list[float] | None:
    if not isinstance(entry, dict):
        return None
    if question.kind == YES_NO:
        return _yes_no(entry.get("probability"))
    name = "value" if question.kind == CHOICE else "label"
    try:
        shares = {str(one[name]): one["probability"] for one in entry["probabilities"]}
    except (KeyError, TypeError):
        return None
    return normal([shares.get(option) for option in question.options])


def _yes_no(yes: Any) -> list[float] | None:
    return [yes, 1 - yes] if isinstance(yes, int | float) and 0 <= yes <= 1 else None


async def logprobs(client: Client, context: Context, questions: Sequence[Question]) -> Shares:
    [question] = questions
    said = await client.post(
        "/chat/completions",
        {
            "messages": prompt.one(context, question),
            "temperature": 0,
            "max_tokens": FIRST_WORDS,
            "logprobs": True,
            "top_logprobs": LIKELY_WORDS,
        },
    )
    try:
        words = said["choices"][0]["logprobs"]["content"]
        likely = [[(str(w["token"]), w["logprob"]) for w in word["top_logprobs"]] for word in words]
    except (KeyError, IndexError, TypeError):
        likely = []
    if not any(likely):
        raise Unsupported(f"{client.where} ignores logprobs: it answers without the probabilities of words.")
    return [first_word(likely, question.labels)]


def first_word(likely: Sequence[Sequence[tuple[str, float]]], labels: Sequence[str]) -> list[float] | None:
    """The probabilities of `labels` at the first word that is one of them rather than any other (instructRL,
    appendix C).
    """
    for words in likely:
        mass = dict.fromkeys((label.lower() for label in labels), 0.0)
        for token, logprob in words:
            word = token.strip(" \n\t\"'*.:`").lower()
            if word in mass and isinstance(logprob, int | float) and logprob > -1000:
                mass[word] += math.exp(min(logprob, 0.0))
        if shares := normal(list(mass.values())):
            return shares
    return None


async def structured(client: Client, context: Context, questions: Sequence[Question]) -> Shares:
    wanted = {"name": "decisions", "strict": True, "schema": prompt.schema(questions)}
    said = await client.post(
        "/chat/completions",
        {
            "messages": prompt.many(context, questions),
            "temperature": 0,
            "response_format": {"type": "json_schema", "json_schema": wanted},
        },
    )
    try:
        answers = json.loads(said["choices"][0]["message"]["content"])["decisions"]
        labels = [answers[f"q{i}"] for i in range(len(questions))]
    except (KeyError, IndexError, TypeError, ValueError, RecursionError):
        raise Unsupported(
            f"{client.where} ignores response_format: its answer is not the JSON that was asked for."
        ) from None
    return [
        [float(label == said) for label in q.labels] if said in q.labels else None
        for q, said in zip(questions, labels, strict=True)
    ]


class Way(NamedTuple):
    """`batch`: questions a request."""

    ask: Callable[[Client, Context, Sequence[Question]], Awaitable[Shares]]
    batch: int


# In the order in which they are tried: the best answers for the least cost first. 64 is the most that
# transformers takes; structured answers get worse, not only slower, when there are many in one.
WAYS = {
    "systemone": Way(systemone, 64),
    "decisions": Way(decisions, 64),
    "logprobs": Way(logprobs, 1),
    "structured": Way(structured, 24),
}
