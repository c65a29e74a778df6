"""Requests to an OpenAI-compatible server: temporary errors are retried, others become sentences.

The `openai` client sends the requests. The waits between tries are made here, because all tries together have
one time limit.
"""

from __future__ import annotations

import asyncio
import math
import random
from collections.abc import Mapping
from typing import Any

import openai
from openai import AsyncOpenAI, DefaultAsyncHttpxClient

from engine.language.decisions.answers import Usage
from engine.language.decisions.settings import Settings
from engine.language.decisions.trouble import Unsupported
from engine.refusal import Refusal

TRIES = 4
FIRST_WAIT_SECONDS = 0.25
# One answer may take this long at most; a server that is slower than that is slow for everybody.
LONGEST_ANSWER_SECONDS = 60.0
OUT_OF_QUOTA = ("insufficient_quota", "billing_hard_limit_reached", "billing_not_active")


class Client:
    """One server, for the time of one call; counts what is used."""

    def __init__(self, settings: Settings, usage: Usage) -> None:
        self.where = settings.url.rstrip("/")
        self.model = settings.model
        self.usage = usage
        self.revision = ""  # as the server names the model that answers
        self._key = settings.key
        self._until = asyncio.get_running_loop().time() + settings.seconds
        # A redirect could lead the key and what people typed to somebody else.
        self._openai = AsyncOpenAI(
            base_url=self.where,
            api_key=settings.key or "none",
            max_retries=0,
            timeout=min(settings.seconds, LONGEST_ANSWER_SECONDS),
            http_client=DefaultAsyncHttpxClient(follow_redirects=False),
        )

    async def __aenter__(self) -> Client:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._openai.close()

    async def post(self, path: str, body: Mapping[str, Any]) -> dict[str, Any]:
        """The JSON object that the server answers; raises Refusal, or Unsupported if the server doesn't know
        this kind of request.
        """
        answer = await self._patiently(path, {"model": self.model, **body})
        if not isinstance(answer, dict):
            raise Unsupported(f"{self.where} answers {path} with something that is no JSON object.")
        self.revision = str(answer.get("model") or self.model)[:200]
        self._count(answer.get("usage"))
        return answer

    async def _patiently(self, path: str, body: dict[str, Any]) -> Any:
        clock = asyncio.get_running_loop().time
        again = 0
        while True:
            again += 1
            self.usage.requests += 1
            try:
                return await self._openai.post(path, cast_to=object, body=body)
            except (openai.APIConnectionError, openai.RateLimitError, openai.InternalServerError) as problem:
                wait = _asked_wait(problem) or FIRST_WAIT_SECONDS * 2 ** (again - 1) * random.uniform(1, 1.5)
                out_of_quota = getattr(problem, "code", None) in OUT_OF_QUOTA
                if getattr(problem, "status_code", None) == 501:
                    raise Unsupported(self._sentence(problem, path)) from None
                # A server that says when to come back is believed until time is up.
                told = isinstance(problem, openai.RateLimitError) and _asked_wait(problem) is not None
                if out_of_quota or (again >= TRIES and not told) or clock() + wait > self._until:
                    raise Refusal(self._sentence(problem)) from None
                await asyncio.sleep(wait)
            except (openai.AuthenticationError, openai.PermissionDeniedError) as problem:
                raise Refusal(self._sentence(problem)) from None
            except openai.APIStatusError as problem:
                raise Unsupported(self._sentence(problem, path)) from None
            except (openai.OpenAIError, ValueError, RecursionError) as problem:
                raise Unsupported(
                    f"{self.where} answers {path} with no JSON ({type(problem).__name__})."
                ) from None

    def _sentence(self, problem: openai.APIError, path: str = "") -> str:
        if isinstance(problem, openai.APITimeoutError):
            return f"{self.where} is slow: no answer in time."
        if isinstance(problem, openai.APIConnectionError):
            return f"{self.where} can't be reached."
        if problem.code in OUT_OF_QUOTA:
            return f"{self.where} says that the account is out of quota."
        if isinstance(problem, openai.RateLimitError):
            return f"{self.where} has too many requests to answer (error 429)."
        if isinstance(problem, openai.AuthenticationError | openai.PermissionDeniedError):
            return f"{self.where} refuses the key."
        said = problem.body.get("message") if isinstance(problem.body, dict) else None
        why = f": {str(said)[:200].rstrip('.')}" if said else ""
        if self._key:  # some servers repeat it
            why = why.replace(self._key, "…")
        return f"{self.where}{path} answers with error {getattr(problem, 'status_code', '?')}{why}."

    def _count(self, used: Any) -> None:
        """Chat completions count prompt and completion tokens, decisions input and output tokens."""
        if not isinstance(used, dict):
            return
        self.usage.input_tokens += _number(used.get("input_tokens", used.get("prompt_tokens")))
        self.usage.output_tokens += _number(used.get("output_tokens", used.get("completion_tokens")))
        cost = used.get("cost")
        self.usage.cost += cost if isinstance(cost, int | float) and 0 <= cost < 1e9 else 0.0


def _number(value: Any) -> int:
    return value if isinstance(value, int) and 0 <= value < 10**12 else 0


def _asked_wait(problem: openai.APIError) -> float | None:
    """Seconds that the server asks to wait (Retry-After), where it says so in seconds."""
    response = getattr(problem, "response", None)
    try:
        wait = float(response.headers["retry-after"]) if response is not None else None
    except (KeyError, ValueError):
        return None
    return max(wait, FIRST_WAIT_SECONDS) if wait is not None and 0 <= wait < math.inf else None
