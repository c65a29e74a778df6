"""What was submitted of a mark is one of its versions, of which the newest is the mark's own row."""

import django.db.models.deletion
from django.db import migrations, models
from django.db.models import F, IntegerField
from django.db.models.fields.json import KT
from django.db.models.functions import Cast
from django.utils.dateparse import parse_datetime


def split(apps, schema_editor):
    """Of what was submitted its revision stays with the mark; what has been changed since is an older version."""
    Mark, Version = (apps.get_model("annotation", name) for name in ("Mark", "MarkVersion"))
    submitted = Mark.objects.filter(copy__isnull=False)
    submitted.update(submitted=Cast(KT("copy__revision"), IntegerField()))
    older = submitted.exclude(submitted=F("revision")).values_list("pk", "copy")
    Version.objects.bulk_create(
        (
            Version(
                mark_id=pk,
                **{name: copy[name] for name in ("revision", "seat", "tick", "sign")},
                deleted=False,
                context=copy.get("context", {}),
                made_at=parse_datetime(copy.get("made_at") or ""),
            )
            for pk, copy in older.iterator()
        ),
        batch_size=1000,
    )
    if schema_editor.connection.vendor == "postgresql":  # before the table of marks is changed again
        schema_editor.execute("SET CONSTRAINTS ALL IMMEDIATE")


class Migration(migrations.Migration):
    dependencies = [("annotation", "0002_indexes_for_people")]

    operations = [
        migrations.CreateModel(
            name="MarkVersion",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("revision", models.PositiveIntegerField()),
                ("seat", models.PositiveSmallIntegerField()),
                ("tick", models.PositiveIntegerField()),
                ("sign", models.SmallIntegerField()),
                ("deleted", models.BooleanField()),
                ("context", models.JSONField(default=dict)),
                ("made_at", models.DateTimeField(null=True)),
                (
                    "mark",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="versions",
                        to="annotation.mark",
                    ),
                ),
            ],
            options={
                "db_table": "replays_markversion",
                "constraints": [
                    models.UniqueConstraint(fields=("mark", "revision"), name="one_row_a_revision")
                ],
            },
        ),
        migrations.RemoveIndex(model_name="mark", name="marks_not_submitted"),
        migrations.RenameField(model_name="mark", old_name="submitted", new_name="copy"),
        migrations.AddField(
            model_name="mark",
            name="submitted",
            field=models.PositiveIntegerField(null=True, blank=True),
        ),
        migrations.RunPython(split, migrations.RunPython.noop),
        migrations.RemoveField(model_name="mark", name="copy"),
        migrations.AddIndex(
            model_name="mark",
            index=models.Index(
                fields=["annotator", "episode", "created_at"],
                condition=models.Q(submitted__isnull=True, deleted=False),
                name="marks_not_submitted",
            ),
        ),
    ]
