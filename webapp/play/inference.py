"""The child process in which all agents of a host think, batched: `python -m engine.agents.serve`.

Requests and answers are JSON lines over its pipes. It is started at the first request and again when it has
died; what was being asked then fails, with a sentence. Not for: what an agent is or which one sits where.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import logging
import os
import sys
from typing import Any

from django.conf import settings

logger = logging.getLogger(__name__)
LINE_LIMIT = 1 << 20
# A new child compiles and loads before its first answer; on a fresh machine that takes a while.
WAKING = 120.0  # seconds


class AgentFailed(Exception):
    """The agent gave no move; the message says why, in words that follow "couldn't move:"."""


class InferenceChild:
    """One child process, restarted when needed; any number of requests at once."""

    def __init__(self) -> None:
        self._process: asyncio.subprocess.Process | None = None
        # What the present child still owes; each child has a dict of its own.
        self._waiting: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._ids = itertools.count(1)
        self._starting = asyncio.Lock()
        self._reader: asyncio.Task | None = None
        self._awake = False

    @property
    def pid(self) -> int | None:
        running = self._process is not None and self._process.returncode is None
        return self._process.pid if running else None

    async def act(self, request: dict[str, Any], timeout: float) -> int:
        """The action that the agent chooses. Raises AgentFailed when it fails or needs more than `timeout` s.

        A child that has just been started has longer for its first answer.
        """
        number = next(self._ids)
        answer: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        try:
            async with asyncio.timeout(timeout if self._awake else max(timeout, WAKING)):
                process = await self._running()
                self._waiting[number] = answer
                line = json.dumps({"id": number, **request}, separators=(",", ":"))
                process.stdin.write(line.encode() + b"\n")
                await process.stdin.drain()
                reply = await answer
        except TimeoutError:
            raise AgentFailed("it took too long") from None
        except (OSError, ConnectionError) as error:
            raise AgentFailed("the process in which agents think has stopped") from error
        finally:
            self._waiting.pop(number, None)
        if "error" in reply:
            raise AgentFailed(reply["error"])
        return int(reply["action"])

    async def _running(self) -> asyncio.subprocess.Process:
        async with self._starting:
            if self._process is None or self._process.returncode is not None:
                self._process = await asyncio.create_subprocess_exec(
                    sys.executable,
                    "-m",
                    "engine.agents.serve",
                    stdin=asyncio.subprocess.PIPE,
                    stdout=asyncio.subprocess.PIPE,
                    cwd=settings.BASE_DIR,
                    env={"OMP_NUM_THREADS": "1", **os.environ},
                    limit=LINE_LIMIT,
                )
                self._waiting, self._awake = {}, False
                self._reader = asyncio.ensure_future(self._read(self._process, self._waiting))
                logger.info("agents think in process %s", self._process.pid)
            return self._process

    async def _read(
        self, process: asyncio.subprocess.Process, waiting: dict[int, asyncio.Future[dict[str, Any]]]
    ) -> None:
        while line := await process.stdout.readline():
            reply = json.loads(line)
            self._awake = True
            answer = waiting.get(reply["id"])
            if answer is not None and not answer.done():
                answer.set_result(reply)
        await process.wait()
        logger.warning("the process in which agents think ended with %s", process.returncode)
        for answer in waiting.values():
            if not answer.done():
                answer.set_result({"error": "the process in which agents think has stopped"})

    async def stop(self) -> None:
        """End the child and wait for it."""
        if self._process is None:
            return
        if self._process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                self._process.terminate()
            await self._process.wait()
        if self._reader:
            await self._reader
