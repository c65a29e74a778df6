"""Agreement between the annotators of a study, pair by pair, from what stood when they submitted it."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from itertools import combinations

from engine.evaluation.agreement import Agreement, agree
from webapp.accounts.models import User
from webapp.replays.access import blind_spots
from webapp.replays.counting import place
from webapp.replays.models import Assignment, Mark
from webapp.studies.models import Study


@dataclass(frozen=True)
class PairAgreement:
    """Two annotators by pseudonym and how their marks on common episodes agree."""

    a: str
    b: str
    agreement: Agreement


def study_agreement(study: Study, viewer: User | None = None) -> tuple[list[PairAgreement], Agreement]:
    """Every pair with a common episode, and all pairs pooled. Gold episodes count as others do. For a viewer,
    without the episodes of whose marks they may not know yet.
    """
    submitted = Assignment.objects.filter(study=study, status=Assignment.SUBMITTED)
    if viewer is not None:
        submitted = submitted.exclude(episode__in=blind_spots(viewer))
    submitted = submitted.select_related("annotator", "episode").order_by("annotator__pseudonym")
    by_episode: dict = defaultdict(list)
    for row in submitted:
        by_episode[row.episode_id].append(row)
    shared = {key: rows for key, rows in by_episode.items() if len(rows) > 1}
    marks: dict = defaultdict(list)
    for mark in Mark.objects.filter(episode__in=shared, submitted__isnull=False):
        marks[mark.episode_id, mark.annotator_id].append(place(mark))
    pairs: dict = defaultdict(list)
    for episode_id, rows in shared.items():
        for a, b in combinations(rows, 2):
            both = (marks[episode_id, a.annotator_id], marks[episode_id, b.annotator_id])
            pairs[a.annotator.pseudonym, b.annotator.pseudonym].append((a.episode.ticks, *both))
    window = study.agreement_window
    found = [PairAgreement(a, b, agree(episodes, window)) for (a, b), episodes in sorted(pairs.items())]
    pooled = agree([episode for episodes in pairs.values() for episode in episodes], window)
    return found, pooled
