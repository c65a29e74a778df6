"""A text that a server writes to chat messages, as JSON of a schema; beside the questions of `endpoint`, by
the same client, and kept as answers are. Not for what the text means: whoever asked checks it.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

from engine.language.decisions import prompt
from engine.language.decisions.answers import Usage
from engine.language.decisions.client import Client
from engine.language.decisions.memory import Memory
from engine.language.decisions.settings import Settings
from engine.language.decisions.trouble import Unsupported
from engine.refusal import Refusal

MOST_CHARACTERS = 100_000
Messages = Sequence[Mapping[str, str]]
"""[{"role": "system" | "user" | "assistant", "content": text}, …]"""


def answer(
    settings: Settings, messages: Messages, schema: Mapping[str, Any], kept: Memory | None, usage: Usage
) -> tuple[str, str]:
    """(the text, the model as the server names it). Raises Refusal, and Unsupported where the server doesn't
    chat. `kept` is None to ignore kept texts; `usage` is counted even if it raises.
    """
    length = sum(len(message["content"]) for message in messages)
    if length > MOST_CHARACTERS:
        raise Refusal(f"The prompt has {length:,} characters; up to {MOST_CHARACTERS:,} can be sent.")
    key = key_of(settings, messages, schema)
    known = kept.text(key) if kept is not None else None
    if known is not None:
        usage.remembered += 1
        return known
    text, model = asyncio.run(_answer(settings, messages, schema, usage))
    if kept is not None:
        kept.keep_text(key, text, model)
    return text, model


def key_of(settings: Settings, messages: Messages, schema: Mapping[str, Any]) -> str:
    """The key of a kept text: server, model, and all that is sent."""
    parts = [settings.url.rstrip("/"), settings.model, messages, schema]
    return hashlib.sha256(prompt.data(parts).encode()).hexdigest()


async def _answer(
    settings: Settings, messages: Messages, schema: Mapping[str, Any], usage: Usage
) -> tuple[str, str]:
    wanted = {"name": "answer", "strict": True, "schema": schema}
    body = {
        "messages": list(messages),
        "temperature": 0,
        "response_format": {"type": "json_schema", "json_schema": wanted},
    }
    try:
        async with asyncio.timeout(settings.seconds), Client(settings, usage) as client:
            said = await client.post("/chat/completions", body)
            model = client.revision
    except TimeoutError:
        raise Refusal(f"{settings.url} is slow: no answer within {settings.seconds:g} seconds.") from None
    try:
        text = said["choices"][0]["message"]["content"]
    except (KeyError, IndexError, TypeError):
        text = None
    if not isinstance(text, str) or not text.strip():
        raise Unsupported(f"{settings.url} answers a chat without a text.")
    return text, model
