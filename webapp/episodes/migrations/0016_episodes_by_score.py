"""So that episodes are found by a score that few have."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("replays", "0015_games_of_people_are_counted")]

    operations = [
        migrations.AddIndex(
            model_name="episode", index=models.Index(fields=["score", "game"], name="episodes_by_score")
        )
    ]
