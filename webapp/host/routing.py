"""Socket addresses, and where there are none."""

from __future__ import annotations

import json
from typing import Any

from django.conf import settings
from django.urls import path

from webapp.host.consumer import MatchConsumer

websocket_urlpatterns = [path("play/<uuid:match_id>/socket/", MatchConsumer.as_asgi())]


class WhereMatchesAre:
    """Sockets go on to `app` only in a process that hosts matches: one that serves pages alone would take the
    match from its host.
    """

    REFUSAL = {
        "type": "error",
        "code": "no_host",
        "text": "Here are only pages; games are played at a match host. Ask for this game's address again.",
    }

    def __init__(self, app: Any) -> None:
        self.app = app

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        if settings.HOSTS_MATCHES:
            await self.app(scope, receive, send)
            return
        await receive()
        await send({"type": "websocket.accept"})
        await send({"type": "websocket.send", "text": json.dumps(self.REFUSAL)})
        await send({"type": "websocket.close", "code": 4009})
