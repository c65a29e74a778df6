"""Paths of jobs' rows become relative to the var folder (webapp.common.places): writing a row does it."""

from django.db import migrations

import webapp.common.places


def write_again(apps, schema_editor) -> None:
    Job = apps.get_model("rounds", "Job")
    rows = Job.objects.using(schema_editor.connection.alias).only("settings", "result")
    for job in rows.iterator(chunk_size=500):
        if webapp.common.places.kept([job.settings, job.result]) != [job.settings, job.result]:
            job.save(update_fields=["settings", "result"])


class Migration(migrations.Migration):
    dependencies = [("rounds", "0007_told_jobs")]

    operations = [
        migrations.AlterField(
            model_name="job", name="result", field=webapp.common.places.PlacedJSON(default=dict)
        ),
        migrations.AlterField(
            model_name="job", name="settings", field=webapp.common.places.PlacedJSON(default=dict)
        ),
        migrations.RunPython(write_again, migrations.RunPython.noop),
    ]
