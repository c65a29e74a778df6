"""The child process in which all agents of a host think, batched: `python -m engine.agents.serve`; and the
one in which its plans are made, `python -m engine.planning.serve`.

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
from collections.abc import Callable
from typing import Any

from django.conf import settings

logger = logging.getLogger(__name__)
COMMAND = (sys.executable, "-m", "engine.agents.serve")
PLANNING = (sys.executable, "-m", "engine.planning.serve")
LINE_LIMIT = 1 << 20
# A new child compiles and loads before its first answer; on a fresh machine that takes a while.
WAKING = 120.0  # seconds
STOPPED = "the process in which agents think has stopped"


class AgentFailed(Exception):
    """The agent gave no move; the message says why, in words that follow "couldn't move:"."""


class InferenceChild:
    """One child process, restarted when needed; any number of requests at once. `command`: what it runs;
    None: the agents' COMMAND.
    """

    def __init__(self, command: tuple[str, ...] | None = None) -> None:
        self._command = command
        self._process: asyncio.subprocess.Process | None = None
        # What the present child still owes, and to whom; each child has a dict of its own.
        self._waiting: dict[int, Callable[[dict[str, Any]], None]] = {}
        self._ids = itertools.count(1)
        self._starting = asyncio.Lock()
        self._reader: asyncio.Task | None = None
        self._posting: set[asyncio.Task] = set()
        self._awake = False

    @property
    def pid(self) -> int | None:
        running = self._process is not None and self._process.returncode is None
        return self._process.pid if running else None

    async def act(self, request: dict[str, Any], timeout: float) -> dict[str, Any]:
        """{"action", "reasons"}: what the agent chooses, and why (engine.agents.serve). Raises AgentFailed
        when it fails or needs more than `timeout` s.

        A child that has just been started has longer for its first answer.
        """
        number = next(self._ids)
        answer: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()

        def answered(reply: dict[str, Any]) -> None:
            if not answer.done():
                answer.set_result(reply)

        try:
            async with asyncio.timeout(timeout if self._awake else max(timeout, WAKING)):
                process = await self._running()
                self._write(process, number, request, answered)
                await process.stdin.drain()
                reply = await answer
        except TimeoutError:
            raise AgentFailed("it took too long") from None
        except (OSError, ConnectionError) as error:
            raise AgentFailed(STOPPED) from error
        finally:
            self._waiting.pop(number, None)
        if "error" in reply:
            raise AgentFailed(reply["error"])
        return {"action": int(reply["action"]), "reasons": reply.get("reasons", [])}

    def post(self, request: dict[str, Any], answered: Callable[[dict[str, Any]], None]) -> None:
        """Ask without waiting: `answered` is called once, with the reply or {"error", "stopped"}, however
        late. For callers that have one request under way at a time.
        """
        if self.pid is not None and not self._starting.locked():
            self._write(self._process, next(self._ids), request, answered)
            return
        posting = asyncio.ensure_future(self._post(request, answered))
        self._posting.add(posting)
        posting.add_done_callback(self._posting.discard)

    async def _post(self, request: dict[str, Any], answered: Callable[[dict[str, Any]], None]) -> None:
        try:
            self._write(await self._running(), next(self._ids), request, answered)
        except OSError:
            logger.exception("%s could not be started", (self._command or COMMAND)[-1])
            answered({"error": STOPPED, "stopped": True})

    def _write(
        self,
        process: asyncio.subprocess.Process,
        number: int,
        request: dict[str, Any],
        answered: Callable[[dict[str, Any]], None],
    ) -> None:
        self._waiting[number] = answered
        process.stdin.write(json.dumps({"id": number, **request}, separators=(",", ":")).encode() + b"\n")

    async def _running(self) -> asyncio.subprocess.Process:
        async with self._starting:
            if self._process is None or self._process.returncode is not None:
                self._process = await asyncio.create_subprocess_exec(
                    *(self._command or COMMAND),
                    stdin=asyncio.subprocess.PIPE,
                    stdout=asyncio.subprocess.PIPE,
                    cwd=settings.BASE_DIR,
                    env={"OMP_NUM_THREADS": "1", **os.environ},
                    limit=LINE_LIMIT,
                )
                self._waiting, self._awake = {}, False
                self._reader = asyncio.ensure_future(self._read(self._process, self._waiting))
                logger.info("%s runs in process %s", (self._command or COMMAND)[-1], self._process.pid)
            return self._process

    async def _read(
        self, process: asyncio.subprocess.Process, waiting: dict[int, Callable[[dict[str, Any]], None]]
    ) -> None:
        while line := await process.stdout.readline():
            reply = json.loads(line)
            self._awake = True
            answered = waiting.pop(reply["id"], None)
            if answered is not None:
                answered(reply)
        await process.wait()
        logger.warning("%s ended with %s", (self._command or COMMAND)[-1], process.returncode)
        for answered in list(waiting.values()):
            answered({"error": STOPPED, "stopped": True})
        waiting.clear()

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
