"""What is marked is drawn at random unless an admin asks for something else. Studies that stand at the default of
before get the new one.
"""

from django.db import migrations, models

WAS, IS = 25, 100


def renew(apps, schema_editor):
    apps.get_model("studies", "Study").objects.filter(random_share=WAS).update(random_share=IS)


class Migration(migrations.Migration):
    dependencies = [("studies", "0007_random_share")]

    operations = [
        migrations.AlterField(
            model_name="study",
            name="random_share",
            field=models.PositiveSmallIntegerField(
                default=IS,
                help_text="Percent of episodes drawn at random; of the others, those that the newest reward model "
                "is least sure about come first (the oldest, while there is none). In experiments with simulated "
                "annotators episodes drawn at random taught as much or more",
            ),
        ),
        migrations.RunPython(renew, migrations.RunPython.noop),
    ]
