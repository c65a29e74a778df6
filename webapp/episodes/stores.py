"""Where episode logs live: files on one machine, chunks in the database on many; chosen by
COPLAY_EPISODE_STORE.

Both keep `engine.simulation.log.LogStore`: what `append` was given is durable when it returns. Not for: what
a log means (see `engine.simulation.log`).
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db import IntegrityError, transaction
from django.db.models import Max

from engine.simulation.log import EpisodeLog, FileLogStore, LogStore, encoded, read_lines
from webapp.episodes.models import EpisodeChunk

ATTEMPTS = 50


def log_store() -> LogStore:
    """The store that the settings name."""
    if settings.EPISODE_STORE == "file":
        return FileLogStore(settings.EPISODES_DIR)
    if settings.EPISODE_STORE == "database":
        return DatabaseLogStore()
    raise ImproperlyConfigured(
        f"COPLAY_EPISODE_STORE is {settings.EPISODE_STORE!r}; allowed are file and database."
    )


class DatabaseLogStore:
    """Chunks of lines in the database, numbered from 0 without gaps.

    Two writers at once get different numbers: whoever loses the race for one takes the next.
    """

    def append(self, episode_id: uuid.UUID | str, records: Iterable[dict]) -> None:
        """Add records at the end; they are committed when this returns (or with the caller's transaction)."""
        self.append_all({episode_id: records})

    def append_all(self, logs: Mapping[uuid.UUID | str, Iterable[dict]]) -> None:
        """Add records to many logs, all or none of them."""
        self.append_lines(encoded(logs))

    def append_lines(self, logs: Mapping[uuid.UUID | str, bytes]) -> None:
        """Add lines to many logs, all or none of them."""
        lines = {str(name): data.decode() for name, data in logs.items() if data}
        if not lines:
            return
        for _ in range(ATTEMPTS):
            chunks = EpisodeChunk.objects.filter(episode_id__in=lines).order_by()
            last = chunks.values_list("episode_id").annotate(last=Max("number"))
            numbers = {str(name): number + 1 for name, number in last}
            new = [
                EpisodeChunk(episode_id=name, number=numbers.get(name, 0), lines=text)
                for name, text in lines.items()
            ]
            try:
                with transaction.atomic():
                    EpisodeChunk.objects.bulk_create(new)
                return
            except IntegrityError:
                continue
        raise OSError(f"Episode {', '.join(lines)} could not be appended to: too many writers at once.")

    def lines(self, episode_id: uuid.UUID | str) -> bytes:
        """The whole log as it is written; raises FileNotFoundError if there is none."""
        chunks = EpisodeChunk.objects.filter(episode_id=episode_id).order_by("number")
        text = "".join(chunks.values_list("lines", flat=True))
        if not text:
            raise FileNotFoundError(f"There is no log of episode {episode_id}.")
        return text.encode()

    def read(self, episode_id: uuid.UUID | str) -> EpisodeLog:
        """The whole log; raises FileNotFoundError if there is none and `Refusal` if it is damaged."""
        return read_lines(self.lines(episode_id))

    def exists(self, episode_id: uuid.UUID | str) -> bool:
        return EpisodeChunk.objects.filter(episode_id=episode_id).exists()

    def delete(self, episode_id: uuid.UUID | str) -> None:
        EpisodeChunk.objects.filter(episode_id=episode_id).delete()
