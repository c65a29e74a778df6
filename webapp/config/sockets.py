"""The server's side of a WebSocket: what is sent goes at once.

The event loop gathers what is written until all that is due has been done, which in a match host is the ticks
of other matches; a buffer that holds nothing makes it send first. Not for messages (webapp.play.consumer).
"""

from __future__ import annotations

import asyncio

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol


class PromptSocket(WebSocketsSansIOProtocol):
    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self.transport.set_write_buffer_limits(high=0)
