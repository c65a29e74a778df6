"""Counts that the database itself keeps up to date, by triggers, so that no page counts all marks of a site:
`Tally`, what each person's marks on an episode come to, `InQueue`, where an episode stands in a study's
queue, which pairs of annotators there are to compare (`ComparedPair`), `Handed`, how far everybody is in a
study, `Collected`, how many of people's games there are from where, and `UnknownAgent`, what episodes call
agents that have no row.

Whatever writes marks, assignments, episodes, worth or studies changes them in the same transaction. Triggers
go before a migration and come back after it, because SQLite makes a table anew to change it. Their names say
what they do; where they aren't those of this version, they are made anew and everything is counted again
(`refill`). Not for: what counts as a mark (in Python that is `counting`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields
from typing import Any
from uuid import UUID

from django.db import connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper

from engine.games.people import Source

# What is told of people's games from elsewhere, of which those that have it in common are counted together.
TOLD = ("format", "kind", *(one.name for one in fields(Source)))
EXTRACTED = ", ".join(["e.game", *(f"json_extract(e.origin, '$.{name}')" for name in TOLD)])
POINTED_AT = ", ".join(["e.game", *(f"e.origin->'{name}'" for name in TOLD)])
WORDS = {
    "sqlite": {
        "told": f"json_array({EXTRACTED})",
        "key": "c.told",
        "seats": "json_each(e.seats)",
        "ref": "json_extract(s.value, '$.agent')",
        "name": "json_extract(s.value, '$.name')",
        "is_agent": "json_extract(s.value, '$.kind') = 'agent'",
        "random": "abs(random() / 9223372036854775808.0)",
        "look": "SELECT",
        "alone": "",
        "differs": "IS NOT",
    },
    "postgresql": {
        "told": f"jsonb_build_array({POINTED_AT})",
        "key": "md5(c.told::text)",  # an index takes no longer ones
        "seats": "jsonb_array_elements(e.seats)",
        "ref": "s.value->>'agent'",
        "name": "s.value->>'name'",
        "is_agent": "s.value->>'kind' = 'agent'",
        "random": "random()",
        "look": "PERFORM",
        "alone": "ORDER BY id FOR UPDATE",
        "differs": "IS DISTINCT FROM",
    },
}

# {rows} are the rows that changed, as the database gives them to the trigger.
FORGET = """DELETE FROM replays_tally WHERE (episode_id, annotator_id) IN
  (SELECT r.episode_id, r.annotator_id FROM {rows} AS r)"""
COUNTS = """sum(CASE WHEN m.submitted IS NULL AND (m.deleted OR r.handed) THEN 0
      WHEN coalesce(v.sign, m.sign) = {sign} THEN 1 ELSE 0 END)"""
COUNT = f"""INSERT INTO replays_tally (episode_id, annotator_id, standing, progress, regression, handed)
  SELECT m.episode_id, m.annotator_id, sum(CASE WHEN m.deleted THEN 0 ELSE 1 END),
    {COUNTS.format(sign=1)}, {COUNTS.format(sign=-1)}, r.handed
  FROM (SELECT d.episode_id, d.annotator_id, EXISTS (SELECT 1 FROM replays_assignment AS a
      WHERE a.episode_id = d.episode_id AND a.annotator_id = d.annotator_id) AS handed
    FROM (SELECT DISTINCT c.episode_id, c.annotator_id FROM {{rows}} AS c) AS d) AS r
  JOIN replays_mark AS m ON m.episode_id = r.episode_id AND m.annotator_id = r.annotator_id
  LEFT JOIN replays_markversion AS v ON v.mark_id = m.id AND v.revision = m.submitted
  GROUP BY m.episode_id, m.annotator_id, r.handed"""
TAKEN = """(SELECT count(*) FROM replays_assignment AS a
    WHERE a.study_id = {study} AND a.episode_id = {episode}
    AND a.status IN ('open', 'submitted') AND NOT a.is_gold)"""
# Some may be counted that didn't change; an index finds them all by both.
PLACES = """WHERE study_id IN (SELECT r.study_id FROM {rows} AS r)
    AND episode_id IN (SELECT r.episode_id FROM {rows} AS r)"""
# Who counts has waited for the others who do: the next statement sees what they committed.
ALONE = f"{{look}} 1 FROM replays_inqueue {PLACES} {{alone}}"
TAKE = (
    "UPDATE replays_inqueue SET taken = "
    + TAKEN.format(study="replays_inqueue.study_id", episode="replays_inqueue.episode_id")
    + f" {PLACES}"
)
# Whoever has submitted an episode is compared with everybody else who has. SQLite keeps to the order of a
# cross join, from what changed to the few others of its episode, and finds those by all that is said with an
# equals sign: not by their status, which all submissions have.
PAIR = """INSERT INTO replays_comparedpair (study_id, episode_id, a_id, b_id)
  SELECT DISTINCT r.study_id, r.episode_id,
    CASE WHEN r.annotator_id < o.annotator_id THEN r.annotator_id ELSE o.annotator_id END,
    CASE WHEN r.annotator_id < o.annotator_id THEN o.annotator_id ELSE r.annotator_id END
  FROM {rows} AS r CROSS JOIN replays_assignment AS o
  WHERE o.study_id = r.study_id AND o.episode_id = r.episode_id AND o.annotator_id <> r.annotator_id
    AND r.status = 'submitted' AND NOT o.status <> 'submitted'
  ON CONFLICT (study_id, episode_id, a_id, b_id) DO UPDATE
  SET "window" = NULL, asked = replays_comparedpair.asked + 1"""
UNPAIR = f"""DELETE FROM replays_comparedpair {PLACES}
    AND (SELECT count(*) FROM replays_assignment AS a WHERE a.study_id = replays_comparedpair.study_id
      AND a.episode_id = replays_comparedpair.episode_id AND a.status = 'submitted'
      AND a.annotator_id IN (replays_comparedpair.a_id, replays_comparedpair.b_id)) < 2"""
# What somebody submits again is compared again. Who compares it just now finds by the count that it is old.
ANEW = """UPDATE replays_comparedpair SET "window" = NULL, asked = asked + 1
  WHERE episode_id IN (SELECT r.episode_id FROM {rows} AS r WHERE r.submitted IS NOT NULL)"""
ANEW_EITHER = ANEW.replace(" WHERE r.submitted IS NOT NULL", "")  # what isn't part of it any more, too
# As `worth.finished` has it.
FINISHED = "e.status = 'finished' AND e.for_annotators AND e.ticks > 0"
QUEUE = (
    """INSERT INTO replays_inqueue (study_id, episode_id, source, started_at, taken, draw, judge, worth)
  SELECT s.id, e.id, e.source, e.started_at, """
    + TAKEN.format(study="s.id", episode="e.id")
    + """, {random}, w.round, w.value
  FROM {episodes} AS e JOIN {studies} AS s ON s.game = e.game
  LEFT JOIN replays_worth AS w ON w.episode_id = e.id
  WHERE """
    + FINISHED
    + """ ON CONFLICT (study_id, episode_id) DO UPDATE
  SET source = excluded.source, started_at = excluded.started_at"""
)
UNQUEUE = f"""DELETE FROM replays_inqueue WHERE episode_id IN
  (SELECT e.id FROM {{rows}} AS e WHERE NOT ({FINISHED}))"""
ELSEWHERE = """DELETE FROM replays_inqueue WHERE study_id IN (SELECT r.id FROM {rows} AS r)"""
RANK = """UPDATE replays_inqueue SET
  judge = (SELECT w.round FROM replays_worth AS w WHERE w.episode_id = replays_inqueue.episode_id),
  worth = (SELECT w.value FROM replays_worth AS w WHERE w.episode_id = replays_inqueue.episode_id)
  WHERE episode_id IN (SELECT r.episode_id FROM {rows} AS r)"""
# Of many rows, sums: these alone say what changed, not how it is now.
HAND = """INSERT INTO replays_handed (study_id, annotator_id, status, number)
  SELECT r.study_id, r.annotator_id, r.status, count(*) FROM {rows} AS r WHERE true
  GROUP BY r.study_id, r.annotator_id, r.status ORDER BY 1, 2, 3
  ON CONFLICT (study_id, annotator_id, status) DO UPDATE
  SET number = replays_handed.number + excluded.number"""
UNHAND = """UPDATE replays_handed SET number = number - (SELECT count(*) FROM {rows} AS r
    WHERE r.study_id = replays_handed.study_id AND r.annotator_id = replays_handed.annotator_id
    AND r.status = replays_handed.status)
  WHERE (study_id, annotator_id) IN (SELECT r.study_id, r.annotator_id FROM {rows} AS r)"""
COLLECTED = """(SELECT {told} AS told FROM {rows} AS e WHERE e.source = 'people') AS c"""
COLLECT = f"""INSERT INTO replays_collected ("key", told, number)
  SELECT {{key}}, c.told, count(*) FROM {COLLECTED} WHERE true GROUP BY c.told ORDER BY 1
  ON CONFLICT ("key") DO UPDATE SET number = replays_collected.number + excluded.number"""
UNCOLLECT = f"""UPDATE replays_collected SET number = number - (SELECT count(*) FROM {COLLECTED}
    WHERE {{key}} = replays_collected."key")
  WHERE "key" IN (SELECT {{key}} FROM {COLLECTED})"""
# Episodes of elsewhere, and of agents that lie in a folder.
NAME = """INSERT INTO replays_unknownagent (episode_id, ref) SELECT DISTINCT c.id, c.ref
  FROM (SELECT e.id, substr(coalesce(nullif({ref}, ''), {name}), 1, 300) AS ref
    FROM {rows} AS e, {seats} AS s WHERE {is_agent}) AS c
  WHERE c.ref <> '' AND NOT EXISTS (SELECT 1 FROM agents_agent AS a WHERE a.ref = c.ref)
  ON CONFLICT (ref, episode_id) DO NOTHING"""
# All anew: to an agent that came later no episode from before is linked.
NAME_AGAIN = NAME.replace(
    "agents_agent AS a WHERE",
    "agents_agent AS a JOIN replays_episode_agents AS t ON t.agent_id = a.id AND t.episode_id = c.id WHERE",
)
UNDONE_BY = {HAND: UNHAND, COLLECT: UNCOLLECT}
OF_EPISODES = QUEUE.replace("{episodes}", "{rows}").replace("{studies}", "studies_study")
OF_STUDIES = QUEUE.replace("{episodes}", "replays_episode").replace("{studies}", "{rows}")


@dataclass(frozen=True)
class Trigger:
    """What the database does after rows of a table were changed; `of`: only where one of these was, and then
    {before} are the rows as they were.
    """

    table: str
    event: str
    does: tuple[str, ...]
    of: str = ""

    @property
    def stem(self) -> str:
        return f"keep_{self.table}_{self.event.lower()}"


def _before(text: str) -> str:
    return text.replace("{rows}", "{before}")


TABLES = (
    *("replays_tally", "replays_inqueue", "replays_comparedpair"),
    *("replays_handed", "replays_collected", "replays_unknownagent"),
)
TRIGGERS = (
    *(Trigger("replays_mark", event, (FORGET, COUNT, ANEW)) for event in ("INSERT", "DELETE")),
    Trigger("replays_mark", "UPDATE", (FORGET, COUNT)),
    Trigger("replays_mark", "UPDATE", (ANEW_EITHER,), of="submitted"),
    Trigger("replays_assignment", "INSERT", (ALONE, TAKE, FORGET, COUNT, PAIR, HAND)),
    Trigger("replays_assignment", "UPDATE", (ALONE, TAKE, UNPAIR, PAIR), of="status, is_gold"),
    Trigger("replays_assignment", "UPDATE", (_before(UNHAND), HAND), of="status"),
    Trigger("replays_assignment", "DELETE", (ALONE, TAKE, FORGET, COUNT, UNPAIR, UNHAND)),
    Trigger("replays_episode", "INSERT", (OF_EPISODES, COLLECT, NAME)),
    Trigger("replays_episode", "UPDATE", (_before(UNCOLLECT), COLLECT), of="source, origin"),
    Trigger("replays_episode", "DELETE", (UNCOLLECT,)),
    Trigger("replays_episode", "UPDATE", (UNQUEUE, OF_EPISODES)),
    Trigger("studies_study", "INSERT", (OF_STUDIES,)),
    Trigger("studies_study", "UPDATE", (ELSEWHERE, OF_STUDIES), of="game"),
    *(Trigger("replays_worth", event, (RANK,)) for event in ("INSERT", "UPDATE", "DELETE")),
)
COLUMNS = {
    "replays_mark": ("episode_id", "annotator_id", "submitted"),
    "replays_assignment": ("study_id", "episode_id", "annotator_id", "status"),
    "replays_episode": (
        *("id", "game", "status", "for_annotators", "ticks", "source", "started_at", "origin", "seats"),
    ),
    "studies_study": ("id", "game"),
    "replays_worth": ("episode_id",),
}


def install(using: str = "default", **kwargs: Any) -> None:
    """After migrations: where the triggers aren't this version's, make them and count all again."""
    connection = connections[using]
    if is_current(using):
        return
    if not set(TABLES) <= set(connection.introspection.table_names()):
        return
    with transaction.atomic(using=using), connection.cursor() as cursor:
        remove(using)
        for one in TRIGGERS:
            for statement in _made(one, connection.vendor)[1]:
                cursor.execute(statement)
        refill(using)


def is_current(using: str = "default") -> bool:
    """Whether the triggers are this version's."""
    connection = connections[using]
    return _present(connection) == {_made(one, connection.vendor)[0] for one in TRIGGERS}


def remove(using: str = "default", plan: list | None = None, **kwargs: Any) -> None:
    """Before migrations, unless none is to be done. PostgreSQL's go with their functions."""
    if plan == []:
        return
    connection = connections[using]
    functions = (
        "SELECT oid::regprocedure::text FROM pg_proc WHERE starts_with(proname, 'keep_') "
        "AND pronamespace = current_schema()::regnamespace"
    )
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            for name in _present(connection):
                cursor.execute(f"DROP TRIGGER {name}")
            return
        cursor.execute(functions)
        for (name,) in cursor.fetchall():
            cursor.execute(f"DROP FUNCTION {name} CASCADE")


@contextmanager
def once(table: str, episodes: Sequence[Any]) -> Iterator[None]:
    """Inside, in a transaction, rows of this table come in for these episodes, and are counted together
    afterwards: SQLite's triggers would count what there is of an episode at each of its rows.
    """
    connection = connections["default"]
    if connection.vendor != "sqlite":
        yield
        return
    triggers = [_made(one, "sqlite") for one in TRIGGERS if (one.table, one.event) == (table, "INSERT")]
    does = [text for one in TRIGGERS if (one.table, one.event) == (table, "INSERT") for text in one.does]
    ids = [UUID(str(one)).hex for one in episodes]
    rows = f"(SELECT * FROM {table} WHERE episode_id IN ({', '.join(['%s'] * len(ids))}))"

    def count(texts: Iterable[str]) -> None:
        for text in texts:
            cursor.execute(text.format(rows=rows, **WORDS["sqlite"]), ids * text.count("{rows}"))

    with connection.cursor() as cursor:
        for name, _ in triggers:
            cursor.execute(f"DROP TRIGGER {name}")
        count(UNDONE_BY[text] for text in does if text in UNDONE_BY)
        yield
        count(does)
        for _, statements in triggers:
            for statement in statements:
                cursor.execute(statement)


def refill(using: str = "default") -> None:
    """Count everything anew."""
    connection = connections[using]
    words = WORDS[connection.vendor]
    every = {"episodes": "replays_episode", "studies": "studies_study"}
    with transaction.atomic(using=using), connection.cursor() as cursor:
        for table in TABLES:
            cursor.execute(f"DELETE FROM {table}")
        cursor.execute(COUNT.format(**words, rows="replays_mark"))
        cursor.execute(QUEUE.format(**words, **every))
        cursor.execute(PAIR.format(**words, rows="replays_assignment"))
        cursor.execute(HAND.format(**words, rows="replays_assignment"))
        for text in (COLLECT, NAME_AGAIN):
            cursor.execute(text.format(**words, rows="replays_episode"))


def _present(connection: BaseDatabaseWrapper) -> set[str]:
    """Our triggers' names, of whichever version."""
    ours = {
        "sqlite": "SELECT name FROM sqlite_master WHERE type = 'trigger'",
        "postgresql": "SELECT t.tgname FROM pg_trigger AS t JOIN pg_class AS c ON c.oid = t.tgrelid "
        "WHERE NOT t.tgisinternal AND c.relnamespace = current_schema()::regnamespace",
    }
    with connection.cursor() as cursor:
        cursor.execute(ours[connection.vendor])
        return {name for (name,) in cursor.fetchall() if name.startswith("keep_")}


def _made(one: Trigger, vendor: str) -> tuple[str, list[str]]:
    """A trigger's name, which ends with a hash of what it says, and the statements that make it: once a row
    in SQLite, once a statement in PostgreSQL.
    """
    row = "OLD" if one.event == "DELETE" else "NEW"
    before, given = (
        f"(SELECT {', '.join(f'{side}.{column} AS {column}' for column in COLUMNS[one.table])})"
        for side in ("OLD", row)
    )
    event = f"UPDATE OF {one.of}" if one.of else one.event
    old, new = (", ".join(f"{side}.{column}" for column in one.of.split(", ")) for side in ("OLD", "NEW"))
    when = f" WHEN (({old}) {WORDS[vendor]['differs']} ({new}))" if one.of else ""
    by_row = vendor == "sqlite" or bool(one.of)
    rows = given if by_row else "changed"
    seen = f"FOR EACH ROW{when}" if by_row else f"REFERENCING {row} TABLE AS changed FOR EACH STATEMENT"
    body = ";\n".join(text.format(rows=rows, before=before, **WORDS[vendor]) for text in one.does)
    after = f"AFTER {event} ON {one.table} {seen}"
    name = f"{one.stem}_{hashlib.sha256((after + body).encode()).hexdigest()[:8]}"
    if vendor == "sqlite":
        return name, [f"CREATE TRIGGER {name} {after} BEGIN\n{body};\nEND"]
    return name, [
        f"CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN\n{body};\n"
        "RETURN NULL;\nEND $$",
        f"CREATE TRIGGER {name} {after} EXECUTE FUNCTION {name}()",
    ]
