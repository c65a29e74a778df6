"""Players say whether what was done is what they meant."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("play", "0012_for_annotators")]

    operations = [
        migrations.AddField(
            "instruction",
            "judged",
            models.SmallIntegerField(
                default=0, help_text="What its player says of what was done: 1 yes, that; -1 no; 0 nothing"
            ),
        )
    ]
