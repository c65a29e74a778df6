"""A thread with a connection to the database that stays open, for what a host does several times a second.

Django opens a connection for each call from an event loop and closes it after: on PostgreSQL a login, on
SQLite sixty functions to register. Not for what somebody's message leads to now and then
(database_sync_to_async).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import TypeVar

from django.db import connection

Result = TypeVar("Result")


class DatabaseThread:
    def __init__(self, name: str) -> None:
        self._thread = ThreadPoolExecutor(1, name)

    async def run(self, function: Callable[..., Result], *arguments: object) -> Result:
        """Call in the thread. What fails, or finds the connection broken, gets a new one the next time."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, _call, function, *arguments)

    def stop(self) -> None:
        """Close the connection after what is under way, and end; nothing where it has ended."""
        with suppress(RuntimeError):
            self._thread.submit(connection.close)
        self._thread.shutdown(wait=False)


def _call(function: Callable[..., Result], *arguments: object) -> Result:
    try:
        result = function(*arguments)
    except BaseException:
        connection.close()
        raise
    if connection.errors_occurred:
        connection.close()
    return result
