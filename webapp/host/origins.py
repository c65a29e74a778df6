"""Which pages may open a socket: those of this site. Every denial is logged."""

from __future__ import annotations

import logging
from typing import Any
from urllib.parse import urlsplit

from channels.security.websocket import WebsocketDenier
from django.conf import settings
from django.http.request import validate_host

logger = logging.getLogger(__name__)


def is_allowed(origin: str | None, host: str | None) -> bool:
    """Whether a socket from a page of `origin` may be opened at `host` (both as in the request's headers).

    Allowed are the site's own address and pages of the very host that is asked, if that is an allowed host. A
    missing origin is refused: browsers always send one.
    """
    if not origin:
        return False
    parts = urlsplit(origin)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        return False
    if f"{parts.scheme}://{parts.netloc}" == settings.SITE_URL:
        return True
    return parts.netloc == host and validate_host(parts.hostname, settings.ALLOWED_HOSTS)


class OriginCheck:
    """ASGI application that lets sockets of allowed origins through to `app`."""

    def __init__(self, app: Any) -> None:
        self.app = app
        self.denier = WebsocketDenier.as_asgi()

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        headers = {name.lower(): value.decode("latin-1") for name, value in scope.get("headers", [])}
        origin, host = headers.get(b"origin"), headers.get(b"host")
        if is_allowed(origin, host):
            await self.app(scope, receive, send)
            return
        client = (scope.get("client") or ["?"])[0]
        logger.warning(
            "socket denied: origin=%r host=%r path=%s client=%s", origin, host, scope.get("path"), client
        )
        await self.denier(scope, receive, send)
