"""Marking is blind, and the agreement window is the game's own where nobody has chosen one: in studies that were
used before this, it stays what it was.
"""

from django.db import migrations, models


def unchosen(apps, schema_editor):
    used = apps.get_model("replays", "Assignment").objects.values("study")
    studies = apps.get_model("studies", "Study").objects.filter(agreement_window=1)
    studies.exclude(pk__in=used).update(agreement_window=None)


class Migration(migrations.Migration):
    dependencies = [("studies", "0009_marked_freely"), ("replays", "0009_one_mark_a_place")]

    operations = [
        migrations.AddField(
            "study",
            "opens",
            models.CharField(
                "New games are open to",
                max_length=10,
                default="annotators",
                choices=[
                    ("yes", "everybody, during the game and after it"),
                    ("annotators", "annotators only, after the game"),
                    ("no", "nobody"),
                ],
                help_text="What is chosen beforehand in the lobby; whoever starts a game may choose otherwise",
            ),
        ),
        migrations.AddField(
            "study",
            "blind",
            models.BooleanField(
                "Marking is blind",
                default=True,
                help_text="Who marks an episode isn't told which agents played it, its score and where it comes from "
                "until their marks on it are final. Otherwise its source can give a gold episode away",
            ),
        ),
        migrations.AlterField(
            "study",
            "agreement_window",
            models.PositiveIntegerField(
                null=True,
                blank=True,
                help_text="Marks match within this many ticks. Empty: half a second of the game's clock, one tick in "
                "games that go turn by turn",
            ),
        ),
        migrations.RunPython(unchosen, migrations.RunPython.noop),
    ]
