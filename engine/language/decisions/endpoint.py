"""An OpenAI-compatible server answers: finds out how it can be asked, sends the questions without kept
answers, several requests at a time, and stops at the time limit. Answers until then are kept.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from engine.language.decisions import memory
from engine.language.decisions.answers import MOST_UNANSWERED, Answers, Progress, Usage
from engine.language.decisions.client import Client
from engine.language.decisions.memory import Memory
from engine.language.decisions.questions import Question, parse
from engine.language.decisions.settings import Settings
from engine.language.decisions.trouble import Unsupported
from engine.language.decisions.ways import WAYS, Shares
from engine.refusal import Refusal

AT_ONCE = 8
TRIAL = [
    parse({"question": "Is ice colder than fire?"}),
    parse({"question": "Is the sea dry?"}),
]
TRIAL_CONTEXT = {"instruction": "Hint colours."}


def answer(
    settings: Settings,
    context: dict[str, Any],
    questions: Sequence[Question],
    kept: Memory | None,
    progress: Progress,
    usage: Usage,
) -> Answers:
    """Raises Refusal. `kept` is None to ignore kept answers; `usage` is counted even if it raises."""
    return asyncio.run(_answer(settings, context, questions, kept, progress, usage))


async def _answer(
    settings: Settings,
    context: dict[str, Any],
    questions: Sequence[Question],
    kept: Memory | None,
    progress: Progress,
    usage: Usage,
) -> Answers:
    answers = Answers([None] * len(questions), settings.model)
    done = refused = 0
    try:
        async with asyncio.timeout(settings.seconds), Client(settings, usage) as client:
            mode, revision = await _find_out(client, settings, kept, answers.notices)
            answers.model = f"{revision} at {client.where} by {mode}"
            missing = memory.missing(answers, context, questions, kept)
            done = usage.remembered = len(questions) - sum(map(len, missing.values()))
            progress(done, len(questions))
            limit = asyncio.Semaphore(AT_ONCE)

            async def ask(keys: list[str]) -> None:
                nonlocal done, refused
                some = [questions[missing[key][0]] for key in keys]
                shares: Shares = [None] * len(some)
                async with limit:
                    try:
                        shares = await WAYS[mode].ask(client, context, some)
                    except Unsupported:  # such as a filter that doesn't like one question
                        refused += len(some)
                        if refused > MOST_UNANSWERED * len(questions):
                            raise
                known = [(key, s) for key, s in zip(keys, shares, strict=True) if s is not None]
                if kept is not None:
                    kept.keep(answers.model, known)
                for key, s in known:
                    for i in missing[key]:
                        answers.shares[i] = s
                done += sum(len(missing[key]) for key in keys)
                progress(done, len(questions))

            size = WAYS[mode].batch
            keys = list(missing)
            async with asyncio.TaskGroup() as group:
                for start in range(0, len(keys), size):
                    group.create_task(ask(keys[start : start + size]))
    except TimeoutError:
        kept_too = " These answers are kept for the next time." if done and kept is not None else ""
        raise Refusal(
            f"{settings.url} is slow: {done} of {len(questions)} questions were answered within "
            f"{settings.seconds:g} seconds.{kept_too}"
        ) from None
    except ExceptionGroup as problems:
        troubles = [p for p in problems.exceptions if isinstance(p, Refusal)]
        if len(troubles) < len(problems.exceptions):
            raise
        if kept is not None and any(isinstance(trouble, Unsupported) for trouble in troubles):
            kept.forget_server(_name(settings))  # it can no longer do what it once could
        raise troubles[0] from None
    return answers


async def _find_out(
    client: Client, settings: Settings, kept: Memory | None, notices: list[str]
) -> tuple[str, str]:
    """How to ask the server, and which revision of the model answers.

    Asks two questions in each way until one works; a server that ignores logprobs or response_format on the
    way there is named in `notices`.
    """
    name = _name(settings)
    server = kept.server(name) if kept is not None else None
    if server is None:
        server = await _try_ways(client, settings)
        if kept is not None:
            kept.keep_server(name, server)
    notices += server["notices"]
    return server["mode"], server["revision"]


def _name(settings: Settings) -> str:
    return f"{settings.mode} {settings.model} {settings.url}"


async def _try_ways(client: Client, settings: Settings) -> dict[str, Any]:
    notices = []
    for mode in WAYS if settings.mode == "auto" else [settings.mode]:
        way = WAYS[mode]
        try:
            shares = await way.ask(client, TRIAL_CONTEXT, TRIAL[: way.batch])
            if None in shares:
                raise Unsupported(f"{client.where} gives no usable answer by {mode}.")
        except Unsupported as problem:
            notices.append(str(problem))
            continue
        ignored = [notice for notice in notices if "ignores" in notice]
        return {"mode": mode, "revision": client.revision, "notices": ignored}
    raise Refusal(" ".join(dict.fromkeys(notices)))
