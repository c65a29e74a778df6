"""`write`: a text by a model that chats, through a real client, from a server that says what a test wants."""

from __future__ import annotations

import asyncio

import pytest

from engine.language.decide import write
from engine.language.decisions.chat import MOST_CHARACTERS
from engine.language.decisions.memory import Memory
from engine.language.decisions.settings import Settings
from engine.language.decisions.trouble import Unsupported
from engine.refusal import Refusal
from tests.engine.language.chat_server import talking

pytestmark = pytest.mark.usefixtures("fresh_var")
CHAT = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Say “hello” in JSON."}]
SCHEMA = {"type": "object", "properties": {"said": {"type": "string"}}}


def at(url: str, **more: object) -> Settings:
    return Settings("endpoint", "writer", url, **{"seconds": 10.0} | more)  # type: ignore[arg-type]


def test_a_text_comes_with_what_it_cost() -> None:
    with talking('{"said": "hello"}') as script:
        written = write(CHAT, SCHEMA, at(script.url, key="sk-secret"))
    assert (written.text, written.model) == ('{"said": "hello"}', "scripted-1")
    assert (written.usage.input_tokens, written.usage.output_tokens, written.usage.cost) == (900, 100, 0.002)
    [body] = script.bodies
    assert body["model"] == "writer" and body["messages"] == CHAT and body["temperature"] == 0
    assert body["response_format"]["json_schema"]["schema"] == SCHEMA
    kept = Memory()
    [(_, model, spent)] = kept.spent()
    kept.close()
    assert model == "writer" and (spent.requests, spent.cost) == (1, 0.002)


def test_a_text_is_remembered_for_the_same_model_and_messages_alone() -> None:
    with talking("one", "two", "three", "four") as script:
        assert write(CHAT, SCHEMA, at(script.url)).text == "one"
        again = write(CHAT, SCHEMA, at(script.url))
        assert (again.text, again.usage.requests, again.usage.remembered) == ("one", 0, 1)
        assert write(CHAT[:1], SCHEMA, at(script.url)).text == "two"
        assert write(CHAT, {}, at(script.url)).text == "three"
        assert write(CHAT, SCHEMA, at(script.url), anew=True).text == "four"


def test_models_that_only_answer_questions_are_named() -> None:
    with pytest.raises(Unsupported, match="kind embedded answers questions and writes no text"):
        write(CHAT, SCHEMA, Settings())
    with talking("hello") as script, pytest.raises(Unsupported, match="error 404"):
        write(CHAT, SCHEMA, at(f"{script.url}/elsewhere"))
    with talking("  ") as script, pytest.raises(Unsupported, match="without a text"):
        write(CHAT, SCHEMA, at(script.url))


def test_a_model_that_is_slow_or_down_is_a_refusal_and_not_remembered() -> None:
    with talking("late", opened=False) as script:
        with pytest.raises(Refusal, match="no answer"):
            write(CHAT, SCHEMA, at(script.url, seconds=0.5))
        script.gate.set()
        assert write(CHAT, SCHEMA, at(script.url)).text == "late"
    with pytest.raises(Refusal, match="can't be reached"):
        write(CHAT[:1], SCHEMA, at(script.url, seconds=1.0))


def test_a_prompt_that_is_too_long_is_not_sent() -> None:
    with talking("hello") as script, pytest.raises(Refusal, match="up to 100,000 can be sent"):
        write([{"role": "user", "content": "x" * (MOST_CHARACTERS + 1)}], SCHEMA, at(script.url))
    assert script.bodies == []


def test_nothing_that_ticks_may_have_a_text_written() -> None:
    async def tick() -> None:
        with pytest.raises(RuntimeError, match="never asked inside an event loop"):
            write(CHAT, SCHEMA, at("http://127.0.0.1:9/v1"))

    asyncio.run(tick())
