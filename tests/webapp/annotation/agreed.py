"""How far the annotators of a study agree, now; and what a browser does to a mark that it changes."""

from __future__ import annotations

from engine.evaluation.agreement import Agreement
from webapp.annotation import agreement
from webapp.annotation.marks import VERSION
from webapp.annotation.models import Mark, MarkVersion
from webapp.studies.models import Study


def agreed(study: Study) -> tuple[list[agreement.PairAgreement], Agreement]:
    """Every pair, and all of them pooled."""
    while agreement.compare(study, 100):
        pass
    rows = agreement.compared(study)
    return agreement.of_pairs(rows, 0, 1000), agreement.pooled(study, rows)[0]


def changed(mark: Mark, **fields) -> None:
    """As a browser's next version of it."""
    said = {field.name: getattr(mark, field.name) for field in VERSION}
    MarkVersion.objects.create(mark=mark, **said)
    Mark.objects.filter(pk=mark.pk).update(revision=mark.revision + 1, **fields)
