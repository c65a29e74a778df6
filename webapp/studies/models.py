"""Studies: how episodes of one game are handed to annotators, and what is asked of them."""

from __future__ import annotations

from django.db import models
from django.utils import timezone

from engine import games


class Study(models.Model):
    """Settings of an annotation queue that an admin may change at any time."""

    NOTHING, OWN, ANY = "nothing", "own", "any"
    EVERYBODY, ANNOTATORS, NOBODY = "yes", "annotators", "no"  # as the lobby's form says it

    name = models.CharField(max_length=80)
    game = models.CharField(max_length=40)
    active = models.BooleanField(default=True)
    overlap = models.PositiveIntegerField(default=2, help_text="Annotators per episode")
    lock_minutes = models.PositiveIntegerField(default=30, help_text="An episode handed out comes back after")
    agreement_window = models.PositiveIntegerField(
        null=True,
        blank=True,
        help_text="Marks match within this many ticks. Empty: half a second of the game's clock, one tick in "
        "games that go turn by turn",
    )
    gold_every = models.PositiveIntegerField(default=0, help_text="One gold episode in so many; 0 is none")
    random_share = models.PositiveSmallIntegerField(
        default=100,
        help_text="Percent of episodes drawn at random; of the others, those that the newest reward model is "
        "least sure about come first (the oldest, while there is none). In experiments with simulated "
        "annotators episodes drawn at random taught as much or more",
    )
    show_gold_results = models.BooleanField(default=False, help_text="Annotators see their gold results")
    editable_minutes = models.PositiveIntegerField(default=60, help_text="Submitted marks may be edited for")
    watch_delay = models.PositiveIntegerField(default=2, help_text="Ticks that a running replay lags behind")
    ticks_per_second = models.PositiveSmallIntegerField(
        default=6, help_text="Ticks a second of games in real time; for games that begin from now on"
    )
    opens = models.CharField(
        "New games are open to",
        max_length=10,
        default=ANNOTATORS,
        choices=[
            (EVERYBODY, "everybody, during the game and after it"),
            (ANNOTATORS, "annotators only, after the game"),
            (NOBODY, "nobody"),
        ],
        help_text="What is chosen beforehand in the lobby; whoever starts a game may choose otherwise",
    )
    blind = models.BooleanField(
        "Marking is blind",
        default=True,
        help_text="Who marks an episode isn't told which agents played it, its score and where it comes from "
        "until their marks on it are final. Otherwise its source can give a gold episode away",
    )
    free_marks = models.CharField(
        "Marked freely",
        max_length=10,
        default=OWN,
        choices=[
            (NOTHING, "nothing"),
            (OWN, "games that one played"),
            (ANY, "those, and what the queue won't hand out to one any more"),
        ],
        help_text="Beside what the queue hands out. Such marks are counted apart, and agreement leaves them "
        "out. Admins may mark every game",
    )
    offers_candidate = models.BooleanField(
        default=False, help_text="Players are offered the candidate that nobody has decided on yet"
    )
    guidelines = models.TextField(blank=True, help_text="Added above the game's own guidelines")
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["-active", "name"]
        verbose_name_plural = "studies"

    def __str__(self) -> str:
        return self.name

    @property
    def window(self) -> int:
        """Marks match within this many ticks."""
        if self.agreement_window is not None:
            return self.agreement_window
        spec = games.spec(self.game)
        per_second = self.ticks_per_second if self.has_clock else spec.ticks_per_second
        return 1 if spec.turn_based or not per_second else max(1, round(per_second / 2))

    @property
    def has_clock(self) -> bool:
        """Whether a study may choose the game's clock: it is played in real time, and not at one pace."""
        spec = games.spec(self.game)
        return spec.ticks_per_second is not None and not spec.heads
