"""A bot in thirty lines to start from: it walks, turns to whoever it sees, and shoots.

python -m engine.client.example_bot http://127.0.0.1:8000 <sign-in link>
"""

from __future__ import annotations

import asyncio
import sys

from engine import command_line
from engine.client.line import Line, Site
from engine.games.arena import state as s
from engine.games.arena.angles import bearing
from engine.games.arena.protocol import Snapshot
from engine.refusal import Refusal

MATE = 2  # flag of a player in a snapshot


async def play(address: str, sign_in: str, ticks: int = 100_000) -> int:
    """Play a match against weak agents; returns how many snapshots came."""
    site = Site(address, sign_in)
    match = site.start("arena", ["me", "agent:weak"], teams=2, team_size=1, pace="short")
    seen = 0
    async with Line(site, match) as line:
        async for frame in line:
            if isinstance(frame, dict) and frame["type"] == "end" or seen >= ticks:
                break
            if not isinstance(frame, Snapshot):
                continue
            seen += 1
            me, enemies = frame.own, [player for player in frame.players if not player["flags"] & MATE]
            yaw = int(me[s.YAW])
            if enemies:
                yaw = bearing(int(enemies[0]["x"]) - int(me[s.X]), int(enemies[0]["y"]) - int(me[s.Y]))
            shoot, walk = s.FIRE if enemies else 7, s.B_STOP if enemies else s.B_NONE
            await line.act(body=walk, basic=shoot, yaw=yaw + (0 if enemies else 300), seen=frame.tick)
    return seen


if __name__ == "__main__":
    parser = command_line.Parser(prog="python -m engine.client.example_bot", description=__doc__)
    parser.add_argument("address", type=command_line.web_url, help="of the site")
    parser.add_argument("sign_in", type=command_line.web_url, help="a one-time sign-in link")
    given = parser.parse_args()
    try:
        print(f"{asyncio.run(play(given.address, given.sign_in))} snapshots seen.")
    except Refusal as problem:
        sys.exit(str(problem))
