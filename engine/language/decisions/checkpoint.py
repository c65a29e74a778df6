"""A Hugging Face checkpoint in a local folder answers, in a child process: the caller never loads torch, the
memory is free again afterwards, and the time limit holds whatever the model does.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import sys
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from engine.language.decisions import memory, prompt
from engine.language.decisions.answers import Answers, Progress, Usage
from engine.language.decisions.memory import Memory
from engine.language.decisions.questions import Question, normal
from engine.language.decisions.settings import Settings
from engine.refusal import Refusal

# One line holds the answers to one batch.
LONGEST_LINE = 1 << 20


def answer(
    settings: Settings,
    context: dict[str, Any],
    questions: Sequence[Question],
    kept: Memory | None,
    progress: Progress,
    usage: Usage,
) -> Answers:
    """Raises Refusal. `kept` is None to ignore kept answers."""
    folder = Path(settings.model)
    answers = Answers([None] * len(questions), f"{folder.name} {revision(folder)}")
    missing = memory.missing(answers, context, questions, kept)
    usage.remembered = len(questions) - sum(map(len, missing.values()))
    progress(usage.remembered, len(questions))
    if missing:
        work = _Work(answers, questions, missing, kept, progress)
        asyncio.run(_ask(folder, settings.seconds, context, work, usage))
    return answers


def revision(folder: Path) -> str:
    """A short hash of the names, sizes and times of the files in the folder; raises Refusal if it is no
    checkpoint.
    """
    try:
        files = sorted(path for path in folder.iterdir() if path.is_file())
    except OSError:
        raise Refusal(f"There is no folder {folder} to load a language model from.") from None
    names = {path.name for path in files}
    if "config.json" not in names or not any(name.endswith(".safetensors") for name in names):
        raise Refusal(
            f"{folder} holds no checkpoint: config.json, a tokenizer and weights as .safetensors are needed; "
            "other kinds of weights aren't loaded, because they may run code."
        )
    digest = hashlib.sha256()
    for path in files:
        about = path.stat()
        digest.update(f"{path.name} {about.st_size} {about.st_mtime_ns}\n".encode())
    return digest.hexdigest()[:12]


class _Work:
    """Questions on their way: what is asked, and where its answer goes."""

    def __init__(
        self,
        answers: Answers,
        questions: Sequence[Question],
        missing: dict[str, list[int]],
        kept: Memory | None,
        progress: Progress,
    ) -> None:
        self.answers, self.missing, self.kept, self.progress = answers, missing, kept, progress
        self.total = len(questions)
        self.keys = list(missing)
        self.asked = [questions[places[0]] for places in missing.values()]
        self.done = 0

    def take(self, weights: Sequence[Any]) -> None:
        """The answers to the next questions."""
        batch = list(zip(self.keys[self.done :], map(normal, weights), strict=False))
        self.done += len(batch)
        known = [(key, shares) for key, shares in batch if shares is not None]
        if self.kept is not None:
            self.kept.keep(self.answers.model, known)
        for key, shares in known:
            for i in self.missing[key]:
                self.answers.shares[i] = shares
        self.progress(self.total - len(self.keys) + self.done, self.total)


async def _ask(folder: Path, seconds: float, context: dict[str, Any], work: _Work, usage: Usage) -> None:
    request = {
        "folder": str(folder.resolve()),
        "chats": [prompt.one(context, question) for question in work.asked],
        "labels": [question.labels for question in work.asked],
    }
    child = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "engine.language.decisions.checkpoint_process",
        stdin=PIPE,
        stdout=PIPE,
        stderr=DEVNULL,
        limit=LONGEST_LINE,
        cwd=memory.ROOT,
        env=os.environ | {"HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1"},
    )
    assert child.stdin is not None and child.stdout is not None
    usage.requests += 1
    try:
        async with asyncio.timeout(seconds):
            child.stdin.write(json.dumps(request).encode())
            child.stdin.close()
            async for line in child.stdout:
                said = json.loads(line)
                if "trouble" in said:
                    raise Refusal(f"{folder} can't be asked: {said['trouble']}")
                usage.input_tokens += said["tokens"]
                work.take(said["weights"])
    except TimeoutError:
        raise Refusal(
            f"{folder} is slow: {work.done} of {len(work.keys)} questions were answered within "
            f"{seconds:g} seconds."
        ) from None
    finally:
        if child.returncode is None:
            child.kill()
        await child.wait()
    if work.done < len(work.keys):
        raise Refusal(
            f"{folder} stopped after {work.done} of {len(work.keys)} questions; memory may be short."
        )
