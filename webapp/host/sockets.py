"""The server's side of a WebSocket: what is sent goes at once.

The event loop gathers what is written until all that is due has been done, which in a match host is the ticks
of other matches; a buffer that holds nothing makes it send first. A close that is given up frees the
socket: the browser doesn't read. Not for messages (webapp.host.consumer).
"""

from __future__ import annotations

import asyncio

from uvicorn._types import ASGISendEvent
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol


class PromptSocket(WebSocketsSansIOProtocol):
    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self.transport.set_write_buffer_limits(high=0)

    async def send(self, message: ASGISendEvent) -> None:
        try:
            await super().send(message)
        except asyncio.CancelledError:
            if message["type"] == "websocket.close":
                self.transport.abort()
            raise
