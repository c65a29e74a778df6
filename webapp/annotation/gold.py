"""Gold episodes: episodes with known marks, and how people did on them. Not for: slipping them in (see
`queue`).
"""

from __future__ import annotations

from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone

from engine.evaluation.agreement import Agreement, agree
from webapp.accounts.models import User
from webapp.annotation.access import look, told_of
from webapp.annotation.counting import submitted_places
from webapp.annotation.models import Assignment, Gold, Mark
from webapp.episodes.models import Episode
from webapp.studies.models import Study


@dataclass(frozen=True)
class GoldResult:
    """How one person's marks on gold episodes agree with the known ones."""

    person: str
    agreement: Agreement

    @property
    def figures(self) -> tuple[int, ...]:
        """As a table's row shows them."""
        agreed = self.agreement
        return agreed.episodes, agreed.marks_a, agreed.marks_b, agreed.matched


@transaction.atomic
def make_gold(study: Study, episode: Episode, user: User, note: str = "") -> Gold:
    """Make (or replace) the gold of an episode from this person's marks, which are final from now on: whoever
    knows how others did may not change the known answer. ValueError if there are none; raises Refusal.
    """
    marks = Mark.objects.filter(episode=episode, annotator=user, deleted=False).order_by("tick", "seat")
    rows = [{"seat": mark.seat, "tick": mark.tick, "sign": mark.sign} for mark in marks]
    if not rows:
        raise ValueError("Mark the episode first: your marks become the known answer.")
    look(user, [episode])
    values = {"marks": rows, "note": note, "created_by": user}
    return Gold.objects.update_or_create(study=study, episode=episode, defaults=values)[0]


def results(study: Study, viewer: User | None = None, of: User | None = None) -> list[GoldResult]:
    """Per person, over the gold episodes that the person has submitted, as they were submitted.

    For a viewer, without the episodes of whose marks they may not know yet; `of` one person alone, those
    whose marks are final.
    """
    golds = {gold.episode_id: gold for gold in Gold.objects.filter(study=study)}
    done = Assignment.objects.filter(
        study=study, is_gold=True, status=Assignment.SUBMITTED, episode__in=golds
    )
    if viewer is not None:
        done = done.filter(told_of(viewer))
    if of is not None:
        done = done.filter(annotator=of).exclude(final_at__gt=timezone.now())
    rows = list(done.values_list("annotator", "annotator__pseudonym", "episode", "episode__ticks"))
    theirs = Mark.objects.filter(episode__in={episode for _, _, episode, _ in rows})
    marks = submitted_places(theirs if of is None else theirs.filter(annotator=of))
    episodes: dict[str, list] = {}
    for who, name, episode, ticks in rows:
        known = [(mark["seat"], mark["tick"], mark["sign"]) for mark in golds[episode].marks]
        episodes.setdefault(name, []).append((ticks, known, marks.get((episode, who), [])))
    return [GoldResult(who, agree(rows, study.window)) for who, rows in sorted(episodes.items())]


def results_of(study: Study, user: User) -> GoldResult | None:
    """The person's own result, or None before the first gold episode whose marks are final."""
    gold_results = results(study, of=user)
    return gold_results[0] if gold_results else None
