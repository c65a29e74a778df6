"""The match host: all sockets of a match in one process, one asyncio task a match.

`manager` claims matches and keeps their leases, `match` plays one, `storage` is the only file that touches
the database (always in a thread), `connection` is one browser. Nothing in here imports torch: agents think in
a child process (webapp.play.inference).
"""
