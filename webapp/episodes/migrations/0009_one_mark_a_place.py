"""One mark an annotator, seat and tick. Of several that stand at one place the newest revision stays and the
others are removed, as if their maker had done so: their rows stay. Of several that were submitted at one place
the newest one counts; as what the others counted stays in their context.
"""

from django.db import migrations, models
from django.db.models import Count
from django.db.models.fields.json import KT

PLACE = ("episode_id", "annotator_id")
NEWEST = ("-revision", "-updated_at", "-pk")


def settle(apps, schema_editor):
    marks = apps.get_model("replays", "Mark").objects
    for place in crowded(marks.filter(deleted=False), "seat", "tick"):
        first, *others = marks.filter(deleted=False, **place).order_by(*NEWEST).values_list("pk", flat=True)
        marks.filter(pk__in=others).update(deleted=True)
    submitted = marks.filter(submitted__isnull=False)
    for place in crowded(submitted.annotate(s=KT("submitted__seat"), t=KT("submitted__tick")), "s", "t"):
        seat, tick = int(place.pop("s")), int(place.pop("t"))
        here = submitted.filter(submitted__seat=seat, submitted__tick=tick, **place)
        for mark in here.order_by("deleted", *NEWEST)[1:]:
            mark.context = {**mark.context, "counted_before": mark.submitted}
            mark.submitted = None
            mark.save(update_fields=["context", "submitted"])
    if schema_editor.connection.vendor == "postgresql":
        # What is checked at the end of a transaction is checked now: the table changes next.
        schema_editor.execute("SET CONSTRAINTS ALL IMMEDIATE")


def crowded(marks, *where):
    """The places of which several of these marks are."""
    return list(marks.order_by().values(*PLACE, *where).annotate(n=Count("pk")).filter(n__gt=1).values(*PLACE, *where))


class Migration(migrations.Migration):
    dependencies = [("replays", "0008_kept_counts")]

    operations = [
        migrations.RunPython(settle, migrations.RunPython.noop),
        migrations.AddConstraint(
            "mark",
            models.UniqueConstraint(
                fields=["episode", "annotator", "seat", "tick"],
                condition=models.Q(deleted=False),
                name="one_mark_a_place",
            ),
        ),
        migrations.AddIndex(
            "mark",
            models.Index(
                fields=["annotator", "episode", "created_at"],
                condition=models.Q(submitted__isnull=True, deleted=False),
                name="marks_not_submitted",
            ),
        ),
    ]
