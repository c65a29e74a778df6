from django.db import migrations, models

KINDS = ('snapshot', 'reward_model', 'agent', 'evaluation', 'candidate', 'clip', 'utility')


class Migration(migrations.Migration):

    dependencies = [
        ('rounds', '0004_programs_and_queues'),
    ]

    operations = [
        migrations.AlterField(
            model_name='job',
            name='kind',
            field=models.CharField(choices=[(kind, kind) for kind in KINDS], max_length=20),
        ),
    ]
