"""How far the annotators of a study agree, now."""

from __future__ import annotations

from engine.evaluation.agreement import Agreement
from webapp.annotation import agreement
from webapp.studies.models import Study


def agreed(study: Study) -> tuple[list[agreement.PairAgreement], Agreement]:
    """Every pair, and all of them pooled."""
    while agreement.compare(study, 100):
        pass
    rows = agreement.compared(study)
    return agreement.of_pairs(rows, 0, 1000), agreement.pooled(rows)
