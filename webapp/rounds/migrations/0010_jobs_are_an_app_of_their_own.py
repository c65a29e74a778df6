"""Jobs are models of webapp.jobs from here on; their tables stay as they are."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("rounds", "0009_exports_and_imports_as_jobs")]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.DeleteModel(name="JobMetric"),
                migrations.DeleteModel(name="JobLine"),
                migrations.DeleteModel(name="WorkerHeartbeat"),
                migrations.DeleteModel(name="Job"),
            ]
        )
    ]
