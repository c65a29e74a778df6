"""What the server does with what it sends to a browser."""

from __future__ import annotations

import asyncio

import uvicorn
from uvicorn.importer import import_from_string
from uvicorn.server import ServerState

from webapp.config import serving
from webapp.config.sockets import PromptSocket


class Transport(asyncio.Transport):
    def __init__(self) -> None:
        super().__init__()
        self.most: int | None = None

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:
        self.most = high


async def application(scope, receive, send):
    """Nothing: no request comes."""


async def test_nothing_is_gathered_before_it_is_sent():
    name = serving.OPTIONS[serving.OPTIONS.index("--ws") + 1]
    assert import_from_string(name) is PromptSocket
    transport, config = Transport(), uvicorn.Config(application, log_config=None)
    config.load()
    PromptSocket(config, ServerState(), {}).connection_made(transport)
    assert transport.most == 0
