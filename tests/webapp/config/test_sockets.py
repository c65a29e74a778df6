"""What the server does with what it sends to a browser."""

from __future__ import annotations

import asyncio

import pytest
import uvicorn
from uvicorn.importer import import_from_string
from uvicorn.server import ServerState

from webapp.config import serving
from webapp.host.sockets import PromptSocket


class Transport(asyncio.Transport):
    def __init__(self) -> None:
        super().__init__()
        self.most: int | None = None
        self.aborted = False

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:
        self.most = high

    def abort(self) -> None:
        self.aborted = True


async def application(scope, receive, send):
    """Nothing: no request comes."""


def opened() -> tuple[PromptSocket, Transport]:
    transport, config = Transport(), uvicorn.Config(application, log_config=None)
    config.load()
    protocol = PromptSocket(config, ServerState(), {})
    protocol.connection_made(transport)
    return protocol, transport


async def test_nothing_is_gathered_before_it_is_sent():
    name = serving.OPTIONS[serving.OPTIONS.index("--ws") + 1]
    assert import_from_string(name) is PromptSocket
    assert import_from_string("webapp.config.sockets:PromptSocket") is PromptSocket, "units of earlier sites"
    assert opened()[1].most == 0


@pytest.mark.parametrize(("kind", "freed"), [("websocket.close", True), ("websocket.send", False)])
async def test_a_close_that_is_given_up_frees_the_socket(kind, freed):
    protocol, transport = opened()
    protocol.pause_writing()  # the browser doesn't read
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0):
            await protocol.send({"type": kind})
    assert transport.aborted is freed
