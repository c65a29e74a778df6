"""Matches: who sits where, which host runs them, what was said in them.

A match is the live side of an episode (`webapp.episodes.models.Episode`), which keeps what happened.
"""

from __future__ import annotations

import uuid

from django.conf import settings
from django.core.signing import Signer
from django.db import models
from django.utils import timezone

# What links of a game hold: the number of the match or the seat, signed. Nothing in the database opens one.
JOINING, COPILOTING = (Signer(sep=".", salt=f"coplay.{what}") for what in ("join", "copilot"))


class Match(models.Model):
    """A game that is waiting, being played, or over.

    `host`, `lease_until` and `epoch` say which process runs it: a host claims a match by a conditional update
    that raises `epoch`; an append with an old epoch is refused (fencing).
    """

    WAITING, PLAYING, FINISHED, ABANDONED = "waiting", "playing", "finished", "abandoned"
    CLOSED = "closed"  # nobody came in a day, so it was never played

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    game = models.CharField(max_length=40)
    options = models.JSONField(default=dict)
    seed = models.BigIntegerField()
    # Real time: 4 to 10, fixed at the start. 0: all move at once, turn by turn. NULL: one moves at a time.
    ticks_per_second = models.FloatField(null=True, blank=True)
    status = models.CharField(max_length=20, default=WAITING, db_index=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="matches_created"
    )
    created_at = models.DateTimeField(default=timezone.now)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    open_to_join = models.BooleanField(default=True)
    open_to_watch = models.BooleanField(default=True)
    for_annotators = models.BooleanField(default=True, help_text="Queues may hand it out when it is over")
    is_first = models.BooleanField(
        default=False, help_text="A guided first game (engine.games.first), which counts for nothing"
    )
    again_of = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.SET_NULL, related_name="rematches"
    )
    host = models.CharField(max_length=120, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)
    epoch = models.PositiveIntegerField(default=0)
    episode = models.OneToOneField(
        "replays.Episode", null=True, blank=True, on_delete=models.SET_NULL, related_name="match"
    )

    class Meta:
        ordering = ["-created_at"]
        verbose_name_plural = "matches"

    @property
    def join_token(self) -> str:
        """The token of the link that opens its free seats."""
        return JOINING.sign(self.pk.hex)


class Seat(models.Model):
    """Who sits at one seat of a match: a person, an agent, or nobody yet (a friend by link)."""

    PERSON, AGENT, OPEN = "person", "agent", "open"

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="seats")
    index = models.PositiveSmallIntegerField()
    kind = models.CharField(max_length=10, choices=[(k, k) for k in (PERSON, AGENT, OPEN)])
    user = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL)
    agent = models.ForeignKey("agents.Agent", null=True, blank=True, on_delete=models.PROTECT)
    # What was asked for ("champion", "surprise"); the agent that it was resolved to at the start is `agent`.
    alias = models.CharField(max_length=40, blank=True)
    hidden = models.BooleanField(default=False, help_text="The name is hidden until the end")
    # A second person, come by a link, who watches through this agent's eyes and may take its place.
    copilot = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="copilot_seats",
    )
    left_at = models.DateTimeField(
        null=True, blank=True, help_text="When its person left for good; an agent plays on for them"
    )
    revealed_at = models.DateTimeField(
        null=True, blank=True, help_text="When its person saw how it went and with whom; ratings close"
    )

    class Meta:
        ordering = ["index"]
        constraints = [models.UniqueConstraint(fields=["match", "index"], name="one_row_a_seat")]
        # Few: lists ask of each episode whether it has one.
        indexes = [models.Index(fields=["match"], condition=models.Q(hidden=True), name="hidden_seats")]

    @property
    def copilot_token(self) -> str:
        """The token of the link that makes a person its co-pilot, where it may have one
        (access.copilot_seats).
        """
        return COPILOTING.sign(self.pk)


class Instruction(models.Model):
    """An instruction that a player typed, its reading, and the player's answer to the reading. Rows are never
    deleted or overwritten.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="instructions")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL)
    seat = models.PositiveSmallIntegerField(help_text="The seat that said it")
    target_seat = models.PositiveSmallIntegerField(null=True, blank=True)
    tick = models.PositiveIntegerField()
    text = models.TextField()
    reading = models.JSONField(null=True, blank=True)
    status = models.CharField(max_length=20)  # a State that its player brought about
    # The instruction whose reading wasn't right, and which this one says again.
    replaces = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.SET_NULL, related_name="replaced_by"
    )
    judged = models.SmallIntegerField(
        default=0, help_text="What its player says of what was done: 1 yes, that; -1 no; 0 nothing"
    )
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["created_at"]
        indexes = [models.Index(fields=["-created_at", "id"], name="instructions_newest_first")]


class Rating(models.Model):
    """A player's rating of a partner after a game, on 7-point scales."""

    episode = models.ForeignKey("replays.Episode", on_delete=models.CASCADE, related_name="ratings")
    seat = models.PositiveSmallIntegerField(help_text="Where the rater sat")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE)
    partner_seat = models.PositiveSmallIntegerField()
    partner = models.PositiveSmallIntegerField(null=True, blank=True, help_text="1 to 7: a good partner?")
    followed = models.PositiveSmallIntegerField(null=True, blank=True, help_text="1 to 7: followed me?")
    instructions = models.JSONField(
        default=list, blank=True, help_text="Ids of what this partner was told by the rater and was in force"
    )
    comment = models.TextField(blank=True)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["episode", "user", "partner_seat"], name="one_rating_a_partner")
        ]


class MatchHost(models.Model):
    """A match-host process that is up: where browsers reach it and when it was last heard of."""

    name = models.CharField(max_length=120, unique=True)
    url = models.CharField(max_length=300)
    heartbeat_at = models.DateTimeField()

    def __str__(self) -> str:
        return self.name


class EndedSession(models.Model):
    """A sign-out that match hosts still have to act on: they close the sockets of this session.

    `fingerprint` is a keyed hash of the session key (see `tickets.fingerprint`), which tells nobody the key.
    """

    fingerprint = models.CharField(max_length=64, db_index=True)
    at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return self.fingerprint
