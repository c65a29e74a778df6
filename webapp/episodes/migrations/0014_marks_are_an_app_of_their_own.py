"""Marks, queues and what is counted are models of webapp.annotation from here on; their tables stay."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("datasets", "0005_marks_are_an_app_of_their_own"), ("replays", "0013_pairs_are_compared_once")]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.DeleteModel(name="ComparedPair"),
                migrations.DeleteModel(name="Flag"),
                migrations.DeleteModel(name="Gold"),
                migrations.DeleteModel(name="InQueue"),
                migrations.DeleteModel(name="Look"),
                migrations.DeleteModel(name="Assignment"),
                migrations.DeleteModel(name="Mark"),
                migrations.DeleteModel(name="Tally"),
                migrations.DeleteModel(name="Worth"),
            ]
        )
    ]
