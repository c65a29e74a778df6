"""`ask` through an OpenAI-compatible endpoint: a real server with a tiny model, in a process of its own."""

from __future__ import annotations

import asyncio
import logging
import math
import re
import socket
import time

import numpy as np
import pytest

from engine.language import questions
from engine.language.decide import ask
from engine.language.decisions.settings import Settings
from engine.language.decisions.ways import first_word
from tests.engine.language import server
from tests.engine.language.server import KEY
from tests.waiting import PATIENCE

pytestmark = pytest.mark.usefixtures("fresh_var")
# The embedded model can read it, and answers differently from what random weights say.
CONTEXT = {"game": "hanabi", "instruction": "If I hint a color, play those cards, otherwise hint rank."}
ASKED = questions("hanabi")[5:700:37]
CHOICE = {"question": "Which colour is meant?", "choices": ["red", "green", "blue"]}
SCORE = {"question": "How urgent is it?", "low": 1, "high": 4}


@pytest.fixture
def at(served):
    """A function: the settings that ask this kind of server."""

    def settings(kind: str, **values) -> Settings:
        return Settings("endpoint", "tiny", f"{served}/{kind}/v1", **{"key": KEY, "seconds": 30.0} | values)

    return settings


def stand_in(decision) -> bool:
    embedded = ask(CONTEXT, ASKED, Settings()).probabilities
    return decision.model == "embedded-5" and np.array_equal(decision.probabilities, embedded)


@pytest.mark.parametrize(
    ("kind", "mode"), [("honest", "systemone"), ("decisions", "decisions"), ("chat", "logprobs")]
)
def test_what_a_server_can_do_is_found_out(at, kind, mode):
    decision = ask(CONTEXT, ASKED, at(kind))
    assert decision.model.endswith(f"/{kind}/v1 by {mode}")
    assert decision.notices == []
    said = decision.probabilities
    assert said.dtype == np.float32 and said.shape == (len(ASKED),)
    assert said.min() >= 0 and said.max() <= 1 and len(np.unique(said)) > 5
    assert decision.usage.input_tokens > 0


@pytest.mark.parametrize("mode", ["systemone", "decisions", "logprobs", "structured"])
def test_every_way_answers_every_kind_of_question(at, mode):
    decision = ask(CONTEXT, [ASKED[0], CHOICE, SCORE], at("honest", mode=mode))
    yes, choice, score = decision.probabilities
    assert 0 <= yes <= 1
    assert list(choice) == CHOICE["choices"] and sum(choice.values()) == pytest.approx(1)
    assert list(score["distribution"]) == ["1", "2", "3", "4"]
    assert sum(score["distribution"].values()) == pytest.approx(1)
    assert 1 <= score["expected"] <= 4
    assert decision.model.endswith(f"by {mode}")


def test_a_server_that_ignores_logprobs_is_named_and_asked_otherwise(at):
    decision = ask(CONTEXT, [CHOICE, SCORE], at("json"))
    assert decision.model.endswith("by structured")
    assert "ignores logprobs" in decision.notice
    assert sorted(decision.probabilities[0].values()) == [0, 0, 1]
    assert "ignores logprobs" in ask(CONTEXT, [CHOICE], at("json")).notice  # remembered with the rest


def test_a_server_that_ignores_response_format_too_is_named_and_replaced(at):
    decision = ask(CONTEXT, ASKED, at("deaf"))
    assert stand_in(decision)
    assert "ignores logprobs" in decision.notice and "ignores response_format" in decision.notice


@pytest.mark.parametrize(
    ("kind", "sentence"),
    [
        ("hangs", "is slow: 0 of 19 questions were answered within 1.5 seconds."),
        ("quota", "says that the account is out of quota."),
        ("nonsense", "gives no usable answer by systemone."),
        ("html", "no JSON object"),
        ("yes", "said yes to almost every question"),
        ("moved", "error 307"),
    ],
)
def test_the_embedded_model_stands_in_with_a_notice(at, kind, sentence):
    seconds = 1.5 if kind == "hangs" else 30
    started = time.monotonic()
    decision = ask(CONTEXT, ASKED, at(kind, seconds=seconds))
    assert time.monotonic() - started < PATIENCE
    assert sentence in decision.notice and "The embedded model answered instead." in decision.notice
    assert stand_in(decision)


@pytest.mark.parametrize("mode", ["systemone", "decisions", "logprobs", "structured"])
def test_no_answer_is_too_strange(at, mode):
    for _ in server.WEIRD:
        decision = ask(CONTEXT, ASKED[:2], at("weird", mode=mode))
        assert decision.model == "embedded-5" and decision.notices


def test_errors_of_any_form_are_told(at):
    for _ in range(2):
        decision = ask(CONTEXT, ASKED[:2], at("codes", mode="systemone"))
        assert decision.model == "embedded-5" and "error 4" in decision.notice


def test_a_server_that_is_down_is_replaced_too():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    decision = ask(CONTEXT, ASKED, Settings("endpoint", "tiny", f"http://127.0.0.1:{port}/v1"))
    assert f"127.0.0.1:{port}/v1 can't be reached." in decision.notice and stand_in(decision)


def test_where_nobody_can_answer_both_reasons_are_said(at):
    with pytest.raises(ValueError, match="out of quota.*embedded model can't answer instead.*That is talk"):
        ask({**CONTEXT, "instruction": "nice one partner!!"}, ASKED, at("quota"))


def test_other_questions_are_guessed_at_instead_and_that_is_said(at):
    decision = ask(CONTEXT, [CHOICE], at("quota"))
    assert decision.stood_in and sum(decision.probabilities[0].values()) == pytest.approx(1)
    assert "out of quota" in decision.notice and "take that for a guess" in decision.notice


def test_a_wrong_key_is_not_tried_twice(at, seen):
    decision = ask(CONTEXT, ASKED, at("locked", key="sk-wrong"))
    assert "refuses the key." in decision.notice and "sk-wrong" not in decision.notice
    assert seen()["seen"]["locked"] == 1
    assert ask(CONTEXT, ASKED, at("locked")).notices == []


@pytest.mark.parametrize("kind", ["busy", "stumbles"])
def test_what_may_pass_is_waited_for(at, kind):
    decision = ask(CONTEXT, ASKED, at(kind))
    assert decision.notices == [] and decision.usage.requests > 2


def test_a_server_that_fails_and_repeats_the_key_does_not_give_it_away(at, caplog):
    for name in ("", "httpx2", "openai"):
        caplog.set_level(logging.DEBUG, name)
    decision = ask(CONTEXT, ASKED, at("broken"))
    assert "answers with error 500: broken server, key Bearer …." in decision.notice and stand_in(decision)
    assert KEY not in decision.notice + repr(at("broken")) + caplog.text


def test_answers_are_remembered_and_can_be_asked_anew(at, seen):
    told = []
    first = ask(CONTEXT, ASKED, at("honest"), lambda done, total: told.append((done, total)))
    before = seen()["seen"]["honest"]
    again = ask(CONTEXT, [*ASKED, ASKED[0]], at("honest"))
    assert seen()["seen"]["honest"] == before
    assert again.usage.requests == 0 and again.usage.remembered == len(ASKED) + 1
    assert np.array_equal(again.probabilities[:-1], first.probabilities)
    assert told[0] == (0, len(ASKED)) and told[-1] == (len(ASKED), len(ASKED))
    ask(CONTEXT, ASKED[:1], at("honest"), anew=True)
    assert seen()["seen"]["honest"] > before


def test_another_instruction_or_model_is_asked_again(at):
    ask(CONTEXT, [CHOICE], at("honest"))
    other = ask(CONTEXT | {"instruction": "Hint ranks."}, [CHOICE], at("honest"))
    assert other.usage.remembered == 0
    url = at("honest").url
    assert ask(CONTEXT, [CHOICE], Settings("endpoint", "tiny-2", url)).usage.remembered == 0


def test_what_was_answered_before_the_time_limit_is_kept(at):
    late = ask(CONTEXT, ASKED, at("slow", seconds=15.0))
    assert stand_in(late)
    # Three requests found out how to ask, six more were answered before the server stood still.
    answered = re.search(
        r"([1-6]) of 19 questions were answered within 15 seconds. These answers are", late.notice
    )
    assert answered, late.notice
    again = ask(CONTEXT, ASKED, at("slow"))
    assert again.notices == [] and again.usage.remembered == int(answered[1])


def test_a_few_questions_left_open_are_answered_by_the_embedded_model(at):
    asked = questions("hanabi")[5:1500:37]
    decision = ask(CONTEXT, asked, at("refuses"))
    assert f"left 2 of {len(asked)} questions unanswered. The embedded model answered" in decision.notice
    assert list(decision.probabilities[:2]) == list(ask(CONTEXT, asked[:2], Settings()).probabilities)
    assert len(np.unique(decision.probabilities)) > 5


def test_costs_are_summed_where_the_server_tells_them(at):
    usage = ask(CONTEXT, ASKED[:4], at("chat")).usage
    assert (usage.output_tokens, round(usage.cost, 3)) == (5, 0.005)  # four questions and one to find out


def test_nothing_that_ticks_may_ask_a_language_model(at):
    async def tick() -> None:
        with pytest.raises(RuntimeError, match="never asked inside an event loop"):
            ask(CONTEXT, ASKED, at("honest"))
        assert ask(CONTEXT, ASKED, Settings()).model == "embedded-5"

    asyncio.run(tick())


def test_a_yes_beside_something_likelier_is_no_answer():
    def said(**words: float) -> list[tuple[str, float]]:
        return [(word, math.log(share)) for word, share in words.items()]

    assert first_word([said(Perhaps=0.9, Yes=0.08)], ["Yes", "No"]) is None
    assert first_word([said(Yes=0.5, no=0.3, Perhaps=0.2)], ["Yes", "No"]) == pytest.approx([0.625, 0.375])
    begins = [said(Answer=0.9, Yes=0.08), said(No=0.7, Yes=0.2)]
    assert first_word(begins, ["Yes", "No"]) == pytest.approx([2 / 9, 7 / 9]), "the word after it"
