"""The socket of a match: who is there, is the frame sound, and on to the match's task.

Not for: what a message does (messages/), what the match does (host/).
"""

from __future__ import annotations

import contextlib
import json
import logging
import time
import uuid
from typing import Any
from urllib.parse import parse_qs

from channels.db import database_sync_to_async
from channels.exceptions import StopConsumer
from channels.generic.websocket import AsyncWebsocketConsumer
from django.http import Http404

from engine import checked_json
from engine.refusal import Refusal
from engine.shapes import checked
from webapp.accounts.models import User
from webapp.common.inputs import DEEPEST
from webapp.host.connection import COPILOT, PLAYER, SPECTATOR, Connection, Refused, code_of
from webapp.host.doors import Counted, Doors, address_of
from webapp.host.manager import Host, current_host
from webapp.host.match import CLIENTS, LiveMatch
from webapp.host.messages import HANDLERS, SHAPES, inputs
from webapp.host.messages.fields import Numbered
from webapp.host.meter import meter
from webapp.host.storage import Elsewhere, Fenced, NotPlaying
from webapp.host.tickets import LIFETIME, check, fingerprint
from webapp.matches.access import copilot_of, get_match_for, has_left, seat_of

logger = logging.getLogger(__name__)
LONGEST_FRAME = 8192  # characters
UNNUMBERED = {kind for kind, shape in SHAPES.items() if not issubclass(shape, Numbered)}
SPOKEN = {"instruct", "rewrite", "say"}
# Close codes: 4001 not signed in, 4003 no role, 4004 no such match for you, 4008 flood, 4009 ask for a host
# again, 4029 too many sockets.


class UsedTicket(Exception):
    """A ticket that has opened a socket before."""


class MatchConsumer(AsyncWebsocketConsumer):
    """One browser at one match."""

    match: LiveMatch | None = None
    doors: Doors | None = None
    place: Counted = ()  # as the doors count it
    connection: Connection | None = None
    flooded = False

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """As Channels does it without a layer, but a frame costs neither a task nor a look into a thread."""
        self.scope, self.base_send, self.channel_layer = scope, send, None
        try:
            with contextlib.suppress(StopConsumer):
                while True:
                    message = await receive()
                    if message["type"] == "websocket.receive":
                        begun = meter.begin()
                        await self.websocket_receive(message)
                        meter.end("receiving", begun)
                    else:
                        await self.dispatch(message)
        finally:  # also of a socket that failed while it opened
            if self.doors:
                self.doors.leave(self.place)

    async def connect(self) -> None:
        await self.accept()
        match_id = self.scope["url_route"]["kwargs"]["match_id"]
        host = current_host()
        try:
            user_id, session = self._who(match_id, host)
        except UsedTicket:
            await self._turn_away(4009, "used", "This ticket has been used; ask for another one.")
            return
        if user_id is None:
            await self._turn_away(4001, "not_signed_in", "Sign in to open this game.")
            return
        code, text, match = await database_sync_to_async(admit)(user_id, match_id)
        if match is None:
            await self._turn_away(4003 if code == "no_role" else 4004, code, text)
            return
        name, pseudonym, role, seat = match
        game = None if role == PLAYER else match_id  # spectators keep no player out
        try:
            self.place = host.doors.enter(user_id, game, address_of(self.scope))
        except Refused as problem:
            await self._turn_away(4029, problem.code, str(problem))
            return
        self.doors = host.doors
        try:
            self.match = await host.open(match_id)
        except NotPlaying:
            await self._turn_away(4004, "not_playing", "This game isn't being played now.")
            return
        except Elsewhere:
            await self._turn_away(
                4009, "elsewhere", "This game is on another host; ask for its address again."
            )
            return
        except (Refusal, FileNotFoundError) as problem:
            logger.exception("match %s can't be opened", match_id)
            await self._turn_away(4004, "unreadable", f"This game can't go on: {problem}")
            return
        self.connection = Connection(
            user_id, name, seat, session, self._write, self._close_with, role, pseudonym
        )

    def _who(self, match_id: uuid.UUID, host: Host) -> tuple[int | None, str]:
        """(user id, fingerprint of the session) by the ticket, else by the site's own cookie. Raises
        UsedTicket.
        """
        query = parse_qs(self.scope.get("query_string", b"").decode("latin-1"))
        if "ticket" in query:
            ticket = check(query["ticket"][0])
            if ticket is None or ticket.match_id != match_id:
                return None, ""
            if not host.doors.use(ticket.once, time.time() + LIFETIME):
                raise UsedTicket
            return ticket.user_id, ticket.session
        user = self.scope.get("user")
        if user is None or not user.is_authenticated:
            return None, ""
        key = self.scope["session"].session_key
        return user.pk, fingerprint(key) if key else ""

    async def _turn_away(self, close_code: int, code: str, text: str) -> None:
        await self._write(json.dumps({"type": "error", "code": code, "text": text}))
        await self.close(close_code)

    async def _write(self, data: str | bytes) -> None:
        kind = "text" if isinstance(data, str) else "bytes"
        await self.base_send({"type": "websocket.send", kind: data})

    async def _close_with(self, code: int) -> None:
        await self.close(code)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        if self.connection is None or self.match is None:
            return
        within = bytes_data is not None and self.connection.inputs.take()
        if not within and not self.connection.bucket.take():
            # Once a socket floods, it is told so once and closed: answering each frame would double the
            # flood.
            if not self.flooded:
                self.flooded = True
                await self.connection.refuse(
                    "flood", "Too many messages; the connection is closed for a moment."
                )
                await self.connection.drop(4008)
            return
        if bytes_data is not None:
            await self._take_binary(bytes_data)
            return
        try:
            kind, message = parse(text_data)
        except Refusal as refusal:
            await self.connection.refuse(code_of(refusal), str(refusal))
            return
        match, connection = self.match, self.connection

        async def work() -> None:
            await self._handle(match, connection, kind, message)

        if not await match.submit(work):
            await connection.refuse("busy", "The game is busy; try again.", message.get("seq"))

    async def _take_binary(self, data: bytes) -> None:
        """A frame that comes many times a second: what is wrong with it is told once, not at every frame."""
        match, connection = self.match, self.connection
        try:
            inputs.handle(match, connection, data)
        except Refusal as refusal:
            code = code_of(refusal)
            connection.refused[code] += 1
            if connection.refused[code] == 1:
                logger.warning(
                    "match %s: frame of user %s refused: %s", match.id, connection.user_id, refusal
                )
                await connection.refuse(code, str(refusal))

    async def _handle(
        self, match: LiveMatch, connection: Connection, kind: str, message: dict[str, Any]
    ) -> None:
        """Numbering and fields, then the handler."""
        seq = message.get("seq")
        try:
            if kind not in UNNUMBERED:
                if not connection.joined:
                    raise Refused("not_joined", "Send join first.")
                check_seq(match, connection, seq)
            if kind in SPOKEN or message.get("text"):
                current_host().doors.speak(connection.user_id, match.id, address_of(self.scope))
            await HANDLERS[kind](match, connection, checked(SHAPES[kind], message))
        except Refusal as refusal:
            await connection.refuse(code_of(refusal), str(refusal), seq)
        except Fenced:
            raise
        except Exception:  # one message that fails ends neither the socket nor the match
            number = uuid.uuid4().hex[:8]
            about = (match.id, number, kind, connection.user_id)
            logger.exception("match %s: problem %s with %s of user %s", *about)
            await connection.refuse("failed", f"This could not be done (problem {number}).", seq)

    async def disconnect(self, code: int) -> None:
        match, connection = self.match, self.connection
        if match is None or connection is None or not connection.joined:
            return

        async def work() -> None:
            await match.leave(connection)

        await match.submit(work)


Place = tuple[str, str, str, int | None]  # shown name, pseudonym, role, seat


def admit(user_id: int, match_id: uuid.UUID) -> tuple[str, str, Place | None]:
    """May this person open a socket to this match, and as whom? (code, sentence, None) or ("", "", place)."""
    user = User.objects.filter(pk=user_id, is_active=True).first()
    if user is None or not user.roles:
        return "no_role", "Your account may not play here.", None
    try:
        match = get_match_for(user, match_id)
    except Http404:
        return "not_found", "There is no such game, or it isn't open to you.", None
    seat, role = seat_of(match, user), PLAYER
    if has_left(match, seat):
        return "left", "You have left this game.", None
    if seat is None:
        seat = copilot_of(match, user)
        role = SPECTATOR if seat is None else COPILOT
    return "", "", (user.shown_name, user.pseudonym, role, seat)


def parse(text: str) -> tuple[str, dict[str, Any]]:
    """The type and the message of a frame. Raises Refused for anything that isn't a known message."""
    if len(text) > LONGEST_FRAME:
        raise Refused(
            "oversize", f"A message has at most {LONGEST_FRAME} characters; this one has {len(text)}."
        )
    message = checked_json.parse(text, "This message", DEEPEST)
    if not isinstance(message, dict) or not isinstance(message.get("type"), str):
        raise Refused("malformed", 'A message is an object with a "type".')
    if (kind := message["type"]) not in HANDLERS:
        raise Refused("unknown", f"There is no message {kind[:40]!r}; known are {', '.join(HANDLERS)}.")
    if kind not in UNNUMBERED:
        checked(Numbered, message)
    return kind, message


def check_seq(match: LiveMatch, connection: Connection, seq: int) -> None:
    """Every message of a page has a higher number than the one before. Raises Refused for one sent twice.

    The number counts as used even if the message is then refused: a new try is a new message.
    """
    key = (connection.user_id, connection.client)
    if seq <= match.sequences.get(key, 0):
        raise Refused("duplicate", f"Message {seq} has arrived before; it was not taken twice.")
    match.sequences.pop(key, None)
    match.sequences[key] = seq
    if len(match.sequences) > CLIENTS:
        match.sequences.pop(next(iter(match.sequences)))
