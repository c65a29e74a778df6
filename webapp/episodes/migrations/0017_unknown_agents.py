"""So that episodes are found by agents that this site doesn't know. The triggers fill the table."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("replays", "0016_episodes_by_score")]

    operations = [
        migrations.CreateModel(
            name="UnknownAgent",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("ref", models.CharField(max_length=300)),
                (
                    "episode",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="unknown_agents",
                        to="replays.episode",
                    ),
                ),
            ],
            options={
                "db_table": "replays_unknownagent",
                "constraints": [
                    models.UniqueConstraint(fields=("ref", "episode"), name="one_name_an_episode")
                ],
            },
        ),
    ]
