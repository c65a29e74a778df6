"""Marks are models of webapp.annotation from here on; the tables stay as they are."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("annotation", "0001_initial"), ("datasets", "0004_marks_by_rater")]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.AlterField(
                    model_name="snapshotmark",
                    name="mark",
                    field=models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="in_snapshots",
                        to="annotation.mark",
                    ),
                ),
            ]
        )
    ]
