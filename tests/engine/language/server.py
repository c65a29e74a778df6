"""A language model server for tests, run as a process of its own: `python server.py FOLDER`.

Makes a tiny Llama with random weights and a tokenizer of bytes, saves both as a checkpoint into FOLDER, and
serves it by uvicorn in OpenAI's and System One's shapes. The first part of the address says how the server
misbehaves, so one process is all servers: `/honest/v1`, `/chat/v1`, … as `KINDS` tells. Prints its port when
it is ready. Tests start it by `running`.
"""

from __future__ import annotations

import asyncio
import json
import re
import socket
import string
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from math import exp, log
from pathlib import Path
from typing import Any

KINDS = {
    "honest": "does everything",
    "chat": "chat completions with logprobs and response_format only",
    "json": "chat completions with response_format, but ignores logprobs",
    "deaf": "ignores logprobs and response_format",
    "decisions": "OpenAI's decisions only",
    "busy": "answers 429 with Retry-After twice, then is honest",
    "stumbles": "answers 500 once, then is honest",
    "broken": "answers 500",
    "hangs": "never answers",
    "slow": "chat completions only, and keeps the tenth to the seventeenth request waiting for ever",
    "quota": "is out of quota",
    "locked": "wants the key",
    "nonsense": "answers JSON of other shapes",
    "html": "answers with a page",
    "weird": "answers with one strange JSON text after the other",
    "codes": "answers errors whose parts have other types",
    "yes": "says yes to everything",
    "refuses": "answers one question of a request with a refusal, and gives nothing to another",
    "moved": "redirects to honest",
    "words": "chooses the option that has most words of the instruction, the last one where none has any",
}
KEY = "sk-the-right-key"
BIG, DEEP = "1" + "0" * 400, "[" * 100_000
WORD = '{"choices": [{"message": {"content": %s}, "logprobs": {"content": [{"top_logprobs": [%s]}]}}]}'
WEIRD = [
    "null",
    "7",
    '"yes"',
    "[]",
    "{}",
    "DEEP",
    '{"answers": null, "choices": null, "usage": 3, "model": 4}',
    '{"answers": {"q0": null, "q1": []}, "choices": {}, "usage": {"input_tokens": "many", "cost": NaN}}',
    '{"answers": [null, 3], "choices": [null]}',
    '{"answers": {"q0": {"noul": NaN}, "q1": {"noul": BIG}}}',
    '{"answers": [{"probability": -1}, {"probability": BIG}]}',
    '{"answers": [{"probability": "high"}, {"probabilities": {}}], "usage": {"input_tokens": -BIG}}',
    WORD % ('"Yes"', '{"token": 7, "logprob": 0}'),
    WORD % ('"{}"', '{"token": "Yes", "logprob": -BIG}'),
    WORD % ('"[[[["', '{"token": "Yes", "logprob": NaN}'),
    WORD % ('"DEEP"', '{"token": null}'),
    WORD % ("7", "{}"),
    WORD % (json.dumps('{"decisions": ["Yes", "No"]}'), "null"),
    WORD % (json.dumps('{"decisions": {"q0": ["Yes"], "q1": {}}}'), '{"token": "Perhaps", "logprob": -1}'),
]  # fmt: skip
seen: Counter = Counter()
last: dict[str, Any] = {}


def tokenizer():
    """A token a byte, "Yes", "No" and the letters too, and a chat template with tags."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    vocabulary = {token: i for i, token in enumerate(["<|end|>", "<|start|>", *alphabet, "Ye", "Yes", "No"])}
    core = Tokenizer(models.BPE(vocabulary, [("Y", "e"), ("Ye", "s"), ("N", "o")]))
    core.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    core.decoder = decoders.ByteLevel()
    made = PreTrainedTokenizerFast(
        tokenizer_object=core, eos_token="<|end|>", additional_special_tokens=["<|start|>"]
    )
    made.chat_template = (
        "{% for m in messages %}<|start|>{{ m.role }}: {{ m.content }}<|end|>{% endfor %}<|start|>assistant: "
    )
    return made


def model(words):
    import torch
    from transformers import LlamaConfig, LlamaForCausalLM

    torch.manual_seed(0)
    config = LlamaConfig(
        vocab_size=len(words),
        hidden_size=16,
        intermediate_size=32,
        num_hidden_layers=1,
        num_attention_heads=2,
        max_position_embeddings=8192,
        # Large, so that its answers differ from question to question.
        initializer_range=1.0,
    )
    made = LlamaForCausalLM(config)
    return made.requires_grad_(False).eval()


class Brain:
    """The tiny model: probabilities of the next word."""

    def __init__(self, folder: Path) -> None:
        self.words = tokenizer()
        self.model = model(self.words)
        self.words.save_pretrained(folder)
        self.model.save_pretrained(folder)

    def next_word(self, messages: list[dict[str, str]]) -> dict[str, float]:
        """{word: log probability}"""
        text = self.words.apply_chat_template(messages, add_generation_prompt=True, tokenize=False)
        batch = self.words(text, return_tensors="pt", add_special_tokens=False)
        scores = self.model(**batch).logits[0, -1].log_softmax(-1)
        return {self.words.decode([i]): float(score) for i, score in enumerate(scores)}

    def shares(self, state: str, question: str, labels: list[str]) -> list[float]:
        scores = self.next_word([{"role": "user", "content": f"{state} {question}"}])
        weights = [exp(scores[label]) for label in labels]
        return [w / sum(weights) for w in weights]


def systemone(brain: Brain, body: dict[str, Any]) -> dict[str, Any]:
    answers = {}
    for name, question in body["questions"].items():
        kind, text = question["type"], question["instructions"]
        if kind == "noul":
            answers[name] = {"type": kind, "noul": brain.shares(body["state"], text, ["Yes", "No"])[0]}
            continue
        options = (
            list(question["criteria"]) if kind == "choice" else [*map(str, range(len(question["criteria"])))]
        )
        shares = brain.shares(body["state"], text, list(string.ascii_uppercase[: len(options)]))
        answers[name] = {
            "type": kind,
            "probabilities": dict(zip(options, shares, strict=True)),
            "confidence": 0.5,
        }
    return {"model": body["model"], "answers": answers, "usage": {"input_tokens": 100, "output_tokens": 0}}


def decisions(brain: Brain, body: dict[str, Any]) -> dict[str, Any]:
    answers = []
    for question in body["questions"]:
        kind, text = question["type"], question["instructions"]
        answer = {"type": kind, "name": question.get("name")}
        if kind == "predicate":
            answer["probability"] = brain.shares(body["input"], text, ["Yes", "No"])[0]
        else:
            said = [{"value": c["value"]} for c in question.get("choices", [])]
            said += [{"value": i, "label": one["label"]} for i, one in enumerate(question.get("levels", []))]
            shares = brain.shares(body["input"], text, list(string.ascii_uppercase[: len(said)]))
            answer["probabilities"] = [one | {"probability": p} for one, p in zip(said, shares, strict=True)]
        answers.append(answer)
    usage = {"input_tokens": 80, "output_tokens": 0, "total_tokens": 80}
    return {"model": body["model"] + "-2026-10-06", "answers": answers, "usage": usage}


def chat(brain: Brain, body: dict[str, Any], logprobs: bool, formats: bool) -> dict[str, Any]:
    scores = brain.next_word(body["messages"])
    likely = sorted(scores.items(), key=lambda pair: -pair[1])
    message: dict[str, Any] = {"role": "assistant", "content": likely[0][0]}
    choice: dict[str, Any] = {"index": 0, "message": message, "finish_reason": "stop", "logprobs": None}
    if logprobs and body.get("logprobs"):
        # A chat model has learned to begin with a label; random weights haven't, so theirs weigh more here.
        labels = [*json.loads(body["messages"][-1]["content"])["options"]]
        mass = log(sum(exp(scores[w]) for w in labels))
        top = sorted(((w, scores[w] - mass) for w in labels), key=lambda pair: -pair[1])
        top = [{"token": w, "logprob": score} for w, score in top + likely][: body["top_logprobs"]]
        word = {"token": top[0]["token"], "logprob": top[0]["logprob"], "top_logprobs": top}
        choice["logprobs"] = {"content": [word]}
    elif formats and "response_format" in body:
        schema = body["response_format"]["json_schema"]["schema"]
        message["content"] = json.dumps(filled(schema, scores))
    usage = {"prompt_tokens": 50, "completion_tokens": 1, "total_tokens": 51, "cost": 0.001}
    return {"object": "chat.completion", "model": body["model"], "choices": [choice], "usage": usage}


def filled(schema: dict[str, Any], scores: dict[str, float]) -> Any:
    """What a JSON schema allows, enums and texts by the model's liking; lists have one entry."""
    if schema["type"] == "object":
        return {name: filled(part, scores) for name, part in schema["properties"].items()}
    if schema["type"] == "array":
        return [filled(schema["items"], scores)]
    if schema["type"] == "integer":
        return min(schema.get("enum", [0]))
    return max(schema.get("enum", scores), key=lambda label: scores[label])


def all_yes(path: str, body: dict[str, Any]) -> dict[str, Any]:
    return {"model": body["model"], "answers": {name: {"noul": 0.99} for name in body["questions"]}}


def by_words(body: dict[str, Any]) -> dict[str, Any]:
    """System One's choices by a rule instead of a model: what a model that reads would answer."""
    known = _long_words(json.loads(body["state"].split("\n")[-1])["known"]["instruction"])
    answers = {}
    for name, question in body["questions"].items():
        options = list(question["criteria"])
        best = max(options[:-1], key=lambda option: len(_long_words(option) & known))
        best = best if _long_words(best) & known else options[-1]
        answers[name] = {"probabilities": {one: 0.9 if one == best else 0.01 for one in options}}
    return {"model": body["model"], "answers": answers, "usage": {"input_tokens": 7, "cost": 0.002}}


def _long_words(text: str) -> set[str]:
    return {word for word in re.findall(r"\w+", text.lower()) if len(word) > 3}


async def respond(
    brain: Brain, kind: str, path: str, body: dict[str, Any], key: str
) -> tuple[int, Any, dict]:
    """Status, answer (JSON, or text for a page) and headers."""
    seen[kind] += 1
    error = {"error": {"message": f"{kind} server, key {key}", "code": None}}
    if kind == "busy" and seen[kind] <= 2:
        return 429, error, {"retry-after": "0.1"}
    if kind == "broken" or (kind == "stumbles" and seen[kind] == 1):
        return 500, error, {}
    if kind == "hangs" or (kind == "slow" and 10 <= seen[kind] < 18):
        await asyncio.sleep(600)
    if kind == "quota":
        return 429, {"error": {"message": "You exceeded your quota.", "code": "insufficient_quota"}}, {}
    if kind == "locked" and key != f"Bearer {KEY}":
        return 401, error, {}
    if kind == "nonsense":
        return (
            200,
            {"answers": {"q0": {"noul": "perhaps"}, "q1": 7}, "choices": [{"message": {"content": "{"}}]},
            {},
        )
    if kind == "weird":
        strange = WEIRD[seen[kind] % len(WEIRD)].replace("BIG", BIG).replace("DEEP", DEEP)
        return 200, strange, {"content-type": "application/json"}
    if kind == "codes":
        return 400 + 29 * (seen[kind] % 2), {"error": {"code": {}, "message": []}}, {"retry-after": "nan"}
    if kind == "html":
        return 200, "<!doctype html><title>It works!</title>", {}
    if kind == "moved":
        return 307, {}, {"location": f"/honest/v1{path}"}
    if path == "/systemone" and kind not in {"chat", "json", "deaf", "decisions", "slow"}:
        if kind == "yes":
            return 200, all_yes(path, body), {}
        if kind == "words" and all(one["type"] == "choice" for one in body["questions"].values()):
            return 200, by_words(body), {}
        answer = systemone(brain, body)
        if kind == "refuses" and len(body["questions"]) > 2:
            names = list(body["questions"])
            answer["answers"][names[0]] = {"type": "refusal"}
            del answer["answers"][names[1]]
        return 200, answer, {}
    if path == "/decisions" and kind in {"honest", "decisions"}:
        return 200, decisions(brain, body), {}
    if path == "/chat/completions" and kind in {"honest", "chat", "json", "deaf", "slow"}:
        formats, words = kind != "deaf", kind in {"honest", "chat", "slow"}
        return 200, chat(brain, body, words, formats), {}
    return 404, {"error": {"message": f"There is no {path} here.", "code": "not_found"}}, {}


def application(brain: Brain):
    """An ASGI application. `GET /seen` tells what was asked: how often each server, and the last request."""

    async def app(scope, receive, send) -> None:
        if scope["type"] != "http":
            return
        text = b""
        while (message := await receive()).get("more_body") or message.get("body"):
            text += message["body"]
            if not message.get("more_body"):
                break
        kind, _, path = scope["path"].lstrip("/").partition("/v1")
        headers = {name.decode(): value.decode() for name, value in scope["headers"]}
        if kind == "seen":
            status, answer, extra = 200, {"seen": seen, "last": last}, {}
        else:
            body = json.loads(text)
            last[kind] = {"path": path, "body": body, "headers": headers}
            status, answer, extra = await respond(brain, kind, path, body, headers.get("authorization", ""))
        page = isinstance(answer, str)
        extra.setdefault("content-type", "text/html" if page else "application/json")
        sent = [(name.encode(), value.encode()) for name, value in extra.items()]
        await send({"type": "http.response.start", "status": status, "headers": sent})
        content = answer if page else json.dumps(answer)
        await send({"type": "http.response.body", "body": content.encode()})

    return app


@contextmanager
def running(folder: Path) -> Iterator[str]:
    """A server in a process of its own; its address up to the kind. Its checkpoint is in `folder`."""
    command = [sys.executable, __file__, str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        try:
            assert process.stdout is not None
            yield f"http://127.0.0.1:{int(process.stdout.readline())}"
        finally:
            process.kill()


def main(folder: Path) -> None:
    import uvicorn

    brain = Brain(folder)
    listener = socket.create_server(("127.0.0.1", 0))
    print(listener.getsockname()[1], flush=True)
    config = uvicorn.Config(application(brain), log_level="error", lifespan="off")
    asyncio.run(uvicorn.Server(config).serve([listener]))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
