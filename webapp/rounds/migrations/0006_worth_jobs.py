from django.db import migrations, models

KINDS = ('snapshot', 'reward_model', 'agent', 'evaluation', 'candidate', 'clip', 'utility', 'worth')


class Migration(migrations.Migration):

    dependencies = [
        ('rounds', '0005_utility_jobs'),
    ]

    operations = [
        migrations.AlterField(
            model_name='job',
            name='kind',
            field=models.CharField(choices=[(kind, kind) for kind in KINDS], max_length=20),
        ),
    ]
