"""The connection to a match from Python: signing in, starting or finding a match, the socket, its frames.

    site = Site("http://127.0.0.1:8000", sign_in="…/accounts/link/…/")
    async with Line(site, site.start("arena", seats)) as line:
        async for frame in line:        # dicts (JSON frames) and Snapshots

Not for drawing (desktop.py), nor for what to do (example_bot.py).
"""

from __future__ import annotations

import json
import re
import urllib.error
import urllib.parse
import urllib.request
import uuid
from collections.abc import AsyncIterator, Iterable
from http.cookiejar import CookieJar
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake
from websockets.typing import Origin

from engine.games.arena.protocol import Input, Snapshot, pack_inputs, unpack_snapshot
from engine.refusal import Refusal

TIMEOUT = 30  # seconds for a page


class Site:
    """A person's session on a Coplay site; `sign_in` is a one-time sign-in link of theirs."""

    def __init__(self, address: str, sign_in: str = "") -> None:
        parts = urllib.parse.urlsplit(address)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise Refusal(f"An address looks like http://127.0.0.1:8000, not like {address!r}.")
        self.address = f"{parts.scheme}://{parts.netloc}"
        self.cookies = CookieJar()
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.cookies))
        if sign_in:
            self.open(sign_in)  # the page with the button, which brings the token that forms need
            self.open(sign_in, {})
            if not self.cookie("sessionid"):
                raise Refusal("The sign-in link didn't sign anybody in; it may have been used before.")

    def cookie(self, name: str) -> str:
        """The value of a cookie, "" if there is none."""
        return next((cookie.value or "" for cookie in self.cookies if cookie.name == name), "")

    def open(self, path: str, form: dict[str, Any] | None = None) -> tuple[str, str]:
        """(address, text) of a page after redirects; with `form` it is posted. Raises Refusal."""
        url = urllib.parse.urljoin(self.address, path)
        headers = {"Referer": self.address + "/"}
        data = None
        if form is not None:
            token = {"csrfmiddlewaretoken": self.cookie("csrftoken")}
            data = urllib.parse.urlencode({**form, **token}, doseq=True).encode()
        try:
            request = urllib.request.Request(url, data, headers)
            with self.opener.open(request, timeout=TIMEOUT) as answer:
                return answer.url, answer.read().decode(errors="replace")
        except urllib.error.HTTPError as error:
            why = _sentence(error.read().decode(errors="replace"))
            raise Refusal(f"{url} answers {error.code}: {why}") from None
        except (urllib.error.URLError, OSError) as error:
            raise Refusal(f"{url} can't be reached: {getattr(error, 'reason', error)}.") from None

    def start(self, game: str, seats: Iterable[str], **options: Any) -> str:
        """Start a match from the lobby; seats are "me", "friend" or "agent:<name>". Returns its id."""
        self.open(f"/play/?game={game}")  # brings the token that forms need
        form = {"game": game, "seat": list(seats), "open_to_watch": "yes"}
        form |= {f"option_{name}": str(value) for name, value in options.items()}
        url, text = self.open("/play/new/", form)
        address = re.search(r"/play/([0-9a-f-]{36})/", url)
        if address is None:
            raise Refusal(f"The lobby started no match: {_sentence(text)}")
        return address[1]

    def socket(self, match: str) -> str:
        """The address of a match's socket, with a ticket that is good for a minute."""
        answer = json.loads(self.open(f"/play/{match}/ticket/")[1])
        base = answer["url"]
        if base.startswith("/"):
            base = self.address.replace("http", "ws", 1) + base
        return f"{base}?ticket={urllib.parse.quote(answer['ticket'])}"


def _sentence(page: str) -> str:
    """What a refusing page says, without its markup."""
    try:
        return str(json.loads(page)["error"])
    except (ValueError, KeyError, TypeError):
        alert = re.search(r'class="[^"]*error[^"]*"[^>]*>(.*?)</', page, re.S) or re.search(
            r"<h1[^>]*>(.*?)</h1>", page, re.S
        )
        return " ".join(re.sub(r"<[^>]+>", " ", alert[1]).split()) if alert else "no reason was given."


class Line:
    """A joined socket. Iterating gives JSON frames as dicts and snapshots as `Snapshot`, until it closes.

    `joined` is the first JSON frame: seat, seats, options; `error` frames come as dicts like all others.
    """

    def __init__(self, site: Site, match: str) -> None:
        self.site, self.match = site, match
        self.joined: dict[str, Any] = {}
        self.seq = 0  # of JSON messages
        self.input_seq = 0
        self._recent: list[Input] = []
        self._socket: ClientConnection | None = None

    async def __aenter__(self) -> Line:
        try:
            self._socket = await connect(
                self.site.socket(self.match),
                origin=Origin(self.site.address),
                compression=None,
                max_size=1 << 22,
            )
        except (OSError, InvalidHandshake) as error:
            raise Refusal(f"The match's socket can't be opened: {error}.") from None
        await self._socket.send(json.dumps({"type": "join", "client": str(uuid.uuid4())}))
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._socket is not None:
            await self._socket.close()

    async def __aiter__(self) -> AsyncIterator[dict[str, Any] | Snapshot]:
        assert self._socket is not None, "a line is opened with `async with`"
        try:
            async for message in self._socket:
                if isinstance(message, bytes):
                    yield unpack_snapshot(message)
                    continue
                frame = json.loads(message)
                if frame.get("type") == "joined":
                    self.joined = frame
                yield frame
        except Refusal as error:
            raise Refusal(f"The server sent a frame that this client can't read: {error}") from None
        except ConnectionClosed:
            return

    async def say(self, kind: str, **fields: Any) -> None:
        """Send a JSON message: instruct, say, take_control, … (docs/protocol.md)."""
        assert self._socket is not None
        self.seq += 1
        await self._socket.send(json.dumps({"type": kind, "seq": self.seq, **fields}))

    async def act(
        self,
        *,
        move: int = 0,
        body: int = 1,
        basic: int = 7,
        switch: int = 2,
        yaw: int = 0,
        pitch: int = 0,
        seen: int = 0,
    ) -> int:
        """Send the player's input for the next tick, with the last two again. Returns its number."""
        assert self._socket is not None
        self.input_seq += 1
        entry = Input(self.input_seq, move, body, basic, switch, yaw & 0xFFFF, pitch, seen & 0xFFFF)
        self._recent = [*self._recent[-2:], entry]
        await self._socket.send(pack_inputs(self._recent))
        return self.input_seq
