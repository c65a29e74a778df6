"""The marks that people put on episodes, the queue that hands episodes out, and what is counted of both."""

from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.utils import timezone

from webapp.episodes.models import Episode


class Worth(models.Model):
    """How much an episode is worth being marked, as a reward model sees it (see `worth`). Only values that
    come from one model can be compared.
    """

    episode = models.OneToOneField(Episode, on_delete=models.CASCADE, primary_key=True, related_name="worth")
    # null: no reward model of the game could read it.
    value = models.FloatField(null=True)
    # The number of the round whose reward model says so.
    round = models.PositiveIntegerField(null=True)
    # When the newest reward model of the game was made by then; with a newer one it is ranked again.
    seen = models.DateTimeField()
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        db_table = "replays_worth"


class Mark(models.Model):
    """Progress (+1) or regression (-1) of one seat at one tick, by one annotator.

    `id` is made by the browser; posting a mark twice is posting it once; of two versions the higher
    `revision` wins. The row is the newest version, those before it are `versions`. A mark at tick t is about
    the move that led to the state at tick t. Of marks that aren't removed there is one an annotator, seat and
    tick (see `marks`). A mark is free where nothing was handed out to its maker (see `counting`).
    """

    id = models.UUIDField(primary_key=True)
    episode = models.ForeignKey(Episode, on_delete=models.PROTECT, related_name="marks")
    annotator = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="marks")
    seat = models.PositiveSmallIntegerField()
    tick = models.PositiveIntegerField()
    sign = models.SmallIntegerField(choices=[(1, "progress"), (-1, "regression")])
    revision = models.PositiveIntegerField(default=1)
    deleted = models.BooleanField(default=False)
    note = models.TextField(blank=True)
    # How it was made: {"input": "key|mouse", "playing": bool, "speed": 1, "tool": version}.
    context = models.JSONField(default=dict, blank=True)
    # The revision that its maker last submitted with the episode (see `counting`); null: not part of that.
    submitted = models.PositiveIntegerField(null=True, blank=True)
    made_at = models.DateTimeField(null=True, blank=True, help_text="The browser's clock")
    created_at = models.DateTimeField(default=timezone.now)
    updated_at = models.DateTimeField(default=timezone.now)

    class Meta:
        db_table = "replays_mark"
        indexes = [
            models.Index(fields=["episode", "annotator"]),
            models.Index(
                fields=["annotator", "episode", "created_at"],
                condition=models.Q(submitted__isnull=True, deleted=False),
                name="marks_not_submitted",
            ),
        ]
        constraints = [
            models.CheckConstraint(condition=models.Q(sign__in=[1, -1]), name="sign_is_plus_or_minus"),
            models.UniqueConstraint(
                fields=["episode", "annotator", "seat", "tick"],
                condition=models.Q(deleted=False),
                name="one_mark_a_place",
            ),
        ]


class MarkVersion(models.Model):
    """What a mark was before it was changed."""

    mark = models.ForeignKey(Mark, on_delete=models.CASCADE, related_name="versions")
    revision = models.PositiveIntegerField()
    seat = models.PositiveSmallIntegerField()
    tick = models.PositiveIntegerField()
    sign = models.SmallIntegerField()
    deleted = models.BooleanField()
    context = models.JSONField(default=dict)
    made_at = models.DateTimeField(null=True)

    class Meta:
        db_table = "replays_markversion"
        constraints = [models.UniqueConstraint(fields=["mark", "revision"], name="one_row_a_revision")]


class Assignment(models.Model):
    """An episode handed to an annotator: locked until `expires_at`, then submitted, skipped or expired.

    What was submitted may be changed and submitted again until `final_at`, which is set at the first time and
    stays: whoever has seen others' marks can't be given more time by a change of the study.
    """

    OPEN, SUBMITTED, SKIPPED, EXPIRED = "open", "submitted", "skipped", "expired"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    study = models.ForeignKey("studies.Study", on_delete=models.CASCADE, related_name="assignments")
    episode = models.ForeignKey(Episode, on_delete=models.CASCADE, related_name="assignments")
    annotator = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE)
    status = models.CharField(max_length=20, default=OPEN, db_index=True)
    is_gold = models.BooleanField(default=False)
    # Why this episode was chosen, as it was when it was handed out.
    why = models.CharField(max_length=300, blank=True)
    reason = models.CharField(max_length=300, blank=True, help_text="Why it was skipped")
    handed_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True, blank=True)
    final_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        db_table = "replays_assignment"
        constraints = [
            # Never twice to one person.
            models.UniqueConstraint(fields=["study", "episode", "annotator"], name="one_assignment_a_person")
        ]
        indexes = [
            models.Index(fields=["study", "status", "expires_at"], name="assignments_by_state"),
            models.Index(fields=["annotator", "episode"], name="assignments_of_a_person"),
            models.Index(fields=["annotator", "study", "status"], name="assignments_held"),
            models.Index(fields=["study", "status", "-closed_at", "id"], name="assignments_by_closing"),
        ]


class Tally(models.Model):
    """What one person's marks on an episode come to; the database keeps it (see `kept`)."""

    episode = models.ForeignKey(Episode, on_delete=models.CASCADE, related_name="tallies")
    annotator = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="tallies")
    standing = models.PositiveIntegerField(help_text="Marks that are not removed")
    # Those that count (see `counting`), by sign.
    progress = models.PositiveIntegerField()
    regression = models.PositiveIntegerField()
    handed = models.BooleanField(default=True, help_text="Whether the episode was ever handed to them")

    class Meta:
        db_table = "replays_tally"
        constraints = [
            models.UniqueConstraint(fields=["episode", "annotator"], name="one_tally_a_person_and_episode")
        ]
        indexes = [
            models.Index(
                fields=["annotator", "standing"],
                condition=models.Q(handed=False),
                name="tallies_of_free_marks",
            )
        ]


class ComparedPair(models.Model):
    """Two annotators who have both submitted an episode of a study, and how their marks on it agree. The
    database keeps which pairs there are and forgets the window of those that must be compared anew (see
    `kept`); `agreement` compares them.
    """

    study = models.ForeignKey("studies.Study", on_delete=models.CASCADE, related_name="+")
    episode = models.ForeignKey(Episode, on_delete=models.CASCADE, related_name="+")
    # The one whose account is older comes first.
    a = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    b = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    window = models.PositiveIntegerField(null=True, help_text="The study's, when they were compared")
    asked = models.PositiveIntegerField(default=0, db_default=0, help_text="How often to be compared anew")
    # As in engine.evaluation.agreement.
    marks_a = models.PositiveIntegerField(null=True)
    marks_b = models.PositiveIntegerField(null=True)
    matched = models.PositiveIntegerField(null=True)
    expected = models.FloatField(null=True)
    corrected = models.FloatField(null=True)

    class Meta:
        db_table = "replays_comparedpair"
        constraints = [
            models.UniqueConstraint(fields=["study", "episode", "a", "b"], name="one_comparison_a_pair")
        ]
        indexes = [
            models.Index(
                *("study", "window", "corrected", models.F("marks_a").desc(), models.F("marks_b").desc()),
                name="pairs_by_agreement",
            ),
            # With all that is summed of them: no row is looked up.
            models.Index(
                fields=["study", "window", "a", "b", "episode", "marks_a", "marks_b", "matched", "expected"],
                name="pairs_by_people",
            ),
            models.Index(
                fields=["study", "window", "episode", "marks_a", "marks_b", "matched", "expected"],
                name="pairs_by_chance",
            ),
        ]


class InQueue(models.Model):
    """Where an episode that is over stands in the queue of a study of its game; the database keeps it (see
    `kept`).
    """

    study = models.ForeignKey("studies.Study", on_delete=models.CASCADE, related_name="+")
    episode = models.ForeignKey(Episode, on_delete=models.CASCADE, related_name="in_queues")
    source = models.CharField(max_length=20)
    started_at = models.DateTimeField()
    taken = models.PositiveIntegerField(help_text="Annotators who hold or have submitted it")
    draw = models.FloatField(help_text="By chance, once: the order in which episodes are drawn")
    # Of its worth.
    judge = models.PositiveIntegerField(null=True)
    worth = models.FloatField(null=True)

    class Meta:
        db_table = "replays_inqueue"
        constraints = [models.UniqueConstraint(fields=["study", "episode"], name="one_place_in_a_queue")]
        indexes = [
            models.Index("study", "source", models.F("taken").desc(), "draw", name="queue_by_chance"),
            models.Index(
                *("study", "source", models.F("taken").desc(), "judge", models.F("worth").desc()),
                *("started_at", "episode"),
                name="queue_by_worth",
            ),
            models.Index(
                fields=["study", "judge", "draw", "worth"],
                condition=models.Q(judge__isnull=False),
                name="queue_of_a_judge",
            ),
        ]


class Handed(models.Model):
    """How many episodes of a study a person was handed whose assignments are in this state; the database
    keeps it (see `kept`).
    """

    study = models.ForeignKey("studies.Study", on_delete=models.CASCADE, related_name="handed")
    annotator = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    status = models.CharField(max_length=20)
    number = models.IntegerField()

    class Meta:
        db_table = "replays_handed"
        constraints = [
            models.UniqueConstraint(
                fields=["study", "annotator", "status"], name="one_count_a_person_and_state"
            )
        ]


class Look(models.Model):
    """An admin has looked at others' marks of an episode, and doesn't change the own ones there any more."""

    episode = models.ForeignKey(Episode, on_delete=models.CASCADE, related_name="looks")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        db_table = "replays_look"
        constraints = [models.UniqueConstraint(fields=["episode", "user"], name="one_look_a_person")]


class Gold(models.Model):
    """An episode with known marks that can be slipped into a study's queue."""

    study = models.ForeignKey("studies.Study", on_delete=models.CASCADE, related_name="golds")
    episode = models.ForeignKey(Episode, on_delete=models.CASCADE)
    # [{"seat", "tick", "sign"}]
    marks = models.JSONField(default=list)
    note = models.TextField(blank=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL)

    class Meta:
        db_table = "replays_gold"
        constraints = [models.UniqueConstraint(fields=["study", "episode"], name="one_gold_an_episode")]


class Flag(models.Model):
    """Someone says that something is wrong with an episode."""

    episode = models.ForeignKey(Episode, on_delete=models.CASCADE, related_name="flags")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL)
    tick = models.PositiveIntegerField(default=0)
    note = models.TextField()
    resolved = models.BooleanField(default=False)
    # What an admin says to it; its maker reads it.
    answer = models.TextField(blank=True)
    answered_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        db_table = "replays_flag"
