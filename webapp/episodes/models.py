"""Episodes and, where the database keeps them, their logs."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.utils import timezone

from engine.games.stories import Ending, result


class Episode(models.Model):
    """One game from deal to end. The log (see `engine.simulation.log`) is the truth; the row is its index."""

    RUNNING, FINISHED, ABANDONED = "running", "finished", "abandoned"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    game = models.CharField(max_length=40, db_index=True)
    rules_version = models.CharField(max_length=40)
    options = models.JSONField(default=dict)
    # [{"kind", "name", "agent", "pseudonym"}] by seat, as in the log's header.
    seats = models.JSONField(default=list)
    players = models.ManyToManyField(settings.AUTH_USER_MODEL, related_name="episodes", blank=True)
    agents = models.ManyToManyField("agents.Agent", related_name="episodes", blank=True)
    status = models.CharField(max_length=20, default=RUNNING, db_index=True)
    ticks = models.PositiveIntegerField(default=0)
    score = models.FloatField(null=True, blank=True)
    # Where seats play against each other: the place of each (engine.games.stories).
    outcomes = models.JSONField(default=list, blank=True)
    digest = models.CharField(max_length=64, blank=True)
    # The first confirmed instruction, for lists.
    instruction = models.TextField(blank=True)
    # "play", "simulated" (made by agents alone for tests and experiments), "import" (played on another
    # Coplay), "people" (published games of people, played elsewhere), "first" (a guided first game, which is
    # its player's alone and in no data).
    source = models.CharField(max_length=20, default="play", db_index=True)
    # Of the last kind: where it comes from, its licence and attribution (engine.games.people).
    origin = models.JSONField(default=dict, blank=True)
    public = models.BooleanField(default=True, help_text="Any signed-in person may watch it")
    for_annotators = models.BooleanField(default=True, help_text="Queues may hand it out")
    started_at = models.DateTimeField(default=timezone.now, db_index=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-started_at"]
        indexes = [
            models.Index(fields=["-started_at", "id"], name="episodes_newest_first"),
            models.Index(fields=["game", "rules_version", "id"], name="episodes_by_rules"),
            models.Index(fields=["game", "id"], name="episodes_by_chance"),
            models.Index(fields=["score", "game"], name="episodes_by_score"),
        ]

    @property
    def ending(self) -> Ending:
        """How it ended, for what is said of it."""
        finished = self.status == self.FINISHED
        return Ending(self.game, self.options, self.score or 0.0, finished, self.outcomes)

    @property
    def result(self) -> str:
        """ "21 points", for lists; "–" while it runs and where nothing is known."""
        known = self.status != self.RUNNING and self.score is not None
        return " ".join(result(self.ending, None)).strip() if known else "–"


class Collected(models.Model):
    """How many published games of people there are of which the same is told: [game, format, kind, and what
    engine.games.people.Source has]. The database keeps it (see webapp.annotation.kept).
    """

    key = models.TextField(unique=True)
    told = models.JSONField()
    number = models.IntegerField()

    class Meta:
        db_table = "replays_collected"


class UnknownAgent(models.Model):
    """What an episode calls an agent that no row is of: by its reference, else by its name. The database
    keeps it (see webapp.annotation.kept).
    """

    episode = models.ForeignKey(Episode, on_delete=models.CASCADE, related_name="unknown_agents")
    ref = models.CharField(max_length=300)

    class Meta:
        db_table = "replays_unknownagent"
        constraints = [models.UniqueConstraint(fields=["ref", "episode"], name="one_name_an_episode")]


class EpisodeChunk(models.Model):
    """A piece of an episode's log in the database (COPLAY_EPISODE_STORE=database)."""

    episode_id = models.UUIDField(db_index=True)
    number = models.PositiveIntegerField()
    lines = models.TextField()

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["episode_id", "number"], name="one_chunk_a_number")]
