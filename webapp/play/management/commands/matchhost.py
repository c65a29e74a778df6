"""manage.py matchhost: a process that hosts matches and nothing else, for sites with several machines.

    COPLAY_HOSTS_MATCHES=0 for the web processes; then on each machine that hosts matches
    manage.py matchhost --port 8101 --url wss://matches-1.example.org

Web processes learn of it from the database and send browsers there with a signed ticket. When it dies,
browsers ask for another host, which takes its matches over as soon as their leases have run out (5 seconds).
"""

from __future__ import annotations

import asyncio
import signal
from typing import Any
from urllib.parse import urlsplit

import uvicorn
from channels.routing import ProtocolTypeRouter, URLRouter
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from webapp.play.host import manager
from webapp.play.origins import OriginCheck
from webapp.play.routing import websocket_urlpatterns


async def not_found(scope: dict[str, Any], receive: Any, send: Any) -> None:
    """Plain HTTP: this process only says that it is there."""
    healthy = scope["path"] == "/healthz"
    headers = [(b"content-type", b"text/plain")]
    await send({"type": "http.response.start", "status": 200 if healthy else 404, "headers": headers})
    await send({"type": "http.response.body", "body": b"ok" if healthy else b"This is a match host."})


class Command(BaseCommand):
    help = (
        "Host matches in this process until it is stopped; browsers come with tickets from the web processes."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--bind", default="127.0.0.1", help="address to listen on")
        parser.add_argument("--port", type=int, default=8101)
        parser.add_argument(
            "--url", default="", help="how browsers reach it, ws:// or wss://; default: bind and port"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        url = options["url"] or settings.MATCH_HOST_URL or f"ws://{options['bind']}:{options['port']}"
        if urlsplit(url).scheme not in ("ws", "wss"):
            raise CommandError(f"--url is {url!r}; it must start with ws:// or wss://.")
        asyncio.run(self.serve(options["bind"], options["port"], url))

    async def serve(self, bind: str, port: int, url: str) -> None:
        host = manager.open_host(url)
        routes = {"websocket": OriginCheck(URLRouter(websocket_urlpatterns)), "http": not_found}
        config = uvicorn.Config(
            ProtocolTypeRouter(routes),
            host=bind,
            port=port,
            log_level="warning",
            lifespan="off",
            ws_max_size=65536,
        )
        server = uvicorn.Server(config)
        server.install_signal_handlers = lambda: None
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, lambda: setattr(server, "should_exit", True))
        self.stdout.write(f"Hosting matches at {url} (listening on {bind}:{port}).")
        serving = asyncio.ensure_future(server.serve())
        while not server.should_exit and not serving.done():
            await asyncio.sleep(0.1)
        # Sockets are closed by us with "come back" before the server would wait for them.
        await host.stop()
        await serving
