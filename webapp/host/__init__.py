"""The match host: all sockets of a match in one process.

`manager` claims matches and keeps their leases; `match` is what every live match has, `turns` one in which
one seat moves at a time, `realtime` one in which all act at once (with `attendance`, `keys`, `thinking`),
`streams` one of those that takes and sends binary frames every tick (with `inputs`, `deciding`);
`connection` is one browser. Only `storage` and `batches` touch the database, always in a thread; `writer`
says when. Nothing in here imports torch: agents think in a child process (webapp.host.inference).
"""
