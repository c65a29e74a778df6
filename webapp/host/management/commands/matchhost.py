"""manage.py matchhost: a process that hosts matches and nothing else, for sites with several machines.

    COPLAY_HOSTS_MATCHES=0 for the web processes; then on each machine that hosts matches
    manage.py matchhost --port 8101 --url wss://matches-1.example.org

Web processes learn of it from the database and send browsers there with a signed ticket. When it dies,
browsers ask for another host, which takes its matches over as soon as their leases have run out (4 seconds).
"""

from __future__ import annotations

import asyncio
import signal
from argparse import ArgumentTypeError
from typing import Any

import uvicorn
from channels.db import database_sync_to_async
from channels.routing import ProtocolTypeRouter, URLRouter
from django.conf import settings
from django.core.management.base import CommandError, CommandParser
from django.urls import reverse

from engine import command_line
from webapp.common import health
from webapp.common.commands import CoplayCommand, refuse_taken_port
from webapp.host import manager
from webapp.host.origins import OriginCheck
from webapp.host.routing import websocket_urlpatterns
from webapp.host.sockets import PromptSocket


async def only_health(scope: dict[str, Any], receive: Any, send: Any) -> None:
    """Plain HTTP: this process only says how it is."""
    if scope["path"] == f"/{health.PATH}":
        answer = await database_sync_to_async(health.health)()
        status, body = answer.status_code, answer.content
    else:
        status, body = 404, b'{"error": "This is a match host; pages are elsewhere."}'
    headers = [(b"content-type", b"application/json")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


class Command(CoplayCommand):
    help = (
        "Host matches in this process until it is stopped; browsers come with tickets from the web processes."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--bind", type=command_line.host, default="127.0.0.1", help="address to listen on"
        )
        parser.add_argument("--port", type=command_line.port, default=8101)
        parser.add_argument(
            "--url",
            type=command_line.socket_url,
            help="how browsers reach it, ws:// or wss://; default: COPLAY_MATCH_HOST_URL, or bind and port",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        bind, port = options["bind"], options["port"]
        place = f"[{bind}]:{port}" if ":" in bind else f"{bind}:{port}"
        try:
            url = options["url"] or command_line.socket_url(settings.MATCH_HOST_URL or f"ws://{place}")
        except ArgumentTypeError as problem:
            raise CommandError(f"COPLAY_MATCH_HOST_URL: {problem}.") from None
        refuse_taken_port(bind, port, f"--port {port % 65_535 + 1}")
        asyncio.run(self.serve(bind, port, url))

    async def serve(self, bind: str, port: int, url: str) -> None:
        host = manager.open_host(url)
        reverse("home")  # reads all addresses in, which would hold the first match up
        routes = {"websocket": OriginCheck(URLRouter(websocket_urlpatterns)), "http": only_health}
        config = uvicorn.Config(
            ProtocolTypeRouter(routes),
            host=bind,
            port=port,
            log_level="warning",
            lifespan="off",
            ws=PromptSocket,
            ws_max_size=65536,
            ws_per_message_deflate=False,
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
