"""The tables of marks and queues, which webapp.episodes (label replays) made and which stay as they are."""

import django.db.models.deletion
import django.utils.timezone
import uuid
from django.conf import settings
from django.db import migrations, models


MOVED = ["comparedpair", "flag", "gold", "inqueue", "look", "assignment", "mark", "tally", "worth"]


def forth(apps, schema_editor) -> None:
    rename(apps, schema_editor, "replays", "annotation")


def back(apps, schema_editor) -> None:
    rename(apps, schema_editor, "annotation", "replays")


def rename(apps, schema_editor, before, after) -> None:
    """Permissions point at content types, which go along."""
    types = apps.get_model("contenttypes", "ContentType").objects.using(schema_editor.connection.alias)
    types.filter(app_label=before, model__in=MOVED).update(app_label=after)


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('contenttypes', '0002_remove_content_type_name'),
        ('replays', '0013_pairs_are_compared_once'),
        ('studies', '0011_offers_candidate'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.CreateModel(
                    name='Worth',
                    fields=[
                        ('episode', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='worth', serialize=False, to='replays.episode')),
                        ('value', models.FloatField(null=True)),
                        ('round', models.PositiveIntegerField(null=True)),
                        ('seen', models.DateTimeField()),
                        ('at', models.DateTimeField(default=django.utils.timezone.now)),
                    ],
                    options={
                        'db_table': 'replays_worth',
                    },
                ),
                migrations.CreateModel(
                    name='Flag',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('tick', models.PositiveIntegerField(default=0)),
                        ('note', models.TextField()),
                        ('resolved', models.BooleanField(default=False)),
                        ('answer', models.TextField(blank=True)),
                        ('answered_at', models.DateTimeField(blank=True, null=True)),
                        ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                        ('episode', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='flags', to='replays.episode')),
                        ('user', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, to=settings.AUTH_USER_MODEL)),
                    ],
                    options={
                        'db_table': 'replays_flag',
                    },
                ),
                migrations.CreateModel(
                    name='Assignment',
                    fields=[
                        ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                        ('status', models.CharField(db_index=True, default='open', max_length=20)),
                        ('is_gold', models.BooleanField(default=False)),
                        ('why', models.CharField(blank=True, max_length=300)),
                        ('reason', models.CharField(blank=True, help_text='Why it was skipped', max_length=300)),
                        ('handed_at', models.DateTimeField(default=django.utils.timezone.now)),
                        ('expires_at', models.DateTimeField()),
                        ('closed_at', models.DateTimeField(blank=True, null=True)),
                        ('final_at', models.DateTimeField(blank=True, null=True)),
                        ('annotator', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, to=settings.AUTH_USER_MODEL)),
                        ('episode', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='assignments', to='replays.episode')),
                        ('study', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='assignments', to='studies.study')),
                    ],
                    options={
                        'db_table': 'replays_assignment',
                        'indexes': [models.Index(fields=['study', 'status', 'expires_at'], name='assignments_by_state'), models.Index(fields=['annotator', 'episode'], name='assignments_of_a_person'), models.Index(fields=['study', 'status', '-closed_at', 'id'], name='assignments_by_closing')],
                        'constraints': [models.UniqueConstraint(fields=('study', 'episode', 'annotator'), name='one_assignment_a_person')],
                    },
                ),
                migrations.CreateModel(
                    name='ComparedPair',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('window', models.PositiveIntegerField(help_text="The study's, when they were compared", null=True)),
                        ('asked', models.PositiveIntegerField(db_default=0, default=0, help_text='How often to be compared anew')),
                        ('marks_a', models.PositiveIntegerField(null=True)),
                        ('marks_b', models.PositiveIntegerField(null=True)),
                        ('matched', models.PositiveIntegerField(null=True)),
                        ('expected', models.FloatField(null=True)),
                        ('corrected', models.FloatField(null=True)),
                        ('a', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                        ('b', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                        ('episode', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='replays.episode')),
                        ('study', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='studies.study')),
                    ],
                    options={
                        'db_table': 'replays_comparedpair',
                        'indexes': [models.Index(models.F('study'), models.F('window'), models.F('corrected'), models.OrderBy(models.F('marks_a'), descending=True), models.OrderBy(models.F('marks_b'), descending=True), name='pairs_by_agreement')],
                        'constraints': [models.UniqueConstraint(fields=('study', 'episode', 'a', 'b'), name='one_comparison_a_pair')],
                    },
                ),
                migrations.CreateModel(
                    name='Gold',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('marks', models.JSONField(default=list)),
                        ('note', models.TextField(blank=True)),
                        ('created_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, to=settings.AUTH_USER_MODEL)),
                        ('episode', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, to='replays.episode')),
                        ('study', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='golds', to='studies.study')),
                    ],
                    options={
                        'db_table': 'replays_gold',
                        'constraints': [models.UniqueConstraint(fields=('study', 'episode'), name='one_gold_an_episode')],
                    },
                ),
                migrations.CreateModel(
                    name='InQueue',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('source', models.CharField(max_length=20)),
                        ('started_at', models.DateTimeField()),
                        ('taken', models.PositiveIntegerField(help_text='Annotators who hold or have submitted it')),
                        ('draw', models.FloatField(help_text='By chance, once: the order in which episodes are drawn')),
                        ('judge', models.PositiveIntegerField(null=True)),
                        ('worth', models.FloatField(null=True)),
                        ('episode', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='in_queues', to='replays.episode')),
                        ('study', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='studies.study')),
                    ],
                    options={
                        'db_table': 'replays_inqueue',
                        'indexes': [models.Index(models.F('study'), models.F('source'), models.OrderBy(models.F('taken'), descending=True), models.F('draw'), name='queue_by_chance'), models.Index(models.F('study'), models.F('source'), models.OrderBy(models.F('taken'), descending=True), models.F('judge'), models.OrderBy(models.F('worth'), descending=True), models.F('started_at'), models.F('episode'), name='queue_by_worth')],
                        'constraints': [models.UniqueConstraint(fields=('study', 'episode'), name='one_place_in_a_queue')],
                    },
                ),
                migrations.CreateModel(
                    name='Look',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('at', models.DateTimeField(default=django.utils.timezone.now)),
                        ('episode', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='looks', to='replays.episode')),
                        ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, to=settings.AUTH_USER_MODEL)),
                    ],
                    options={
                        'db_table': 'replays_look',
                        'constraints': [models.UniqueConstraint(fields=('episode', 'user'), name='one_look_a_person')],
                    },
                ),
                migrations.CreateModel(
                    name='Mark',
                    fields=[
                        ('id', models.UUIDField(primary_key=True, serialize=False)),
                        ('seat', models.PositiveSmallIntegerField()),
                        ('tick', models.PositiveIntegerField()),
                        ('sign', models.SmallIntegerField(choices=[(1, 'progress'), (-1, 'regression')])),
                        ('revision', models.PositiveIntegerField(default=1)),
                        ('deleted', models.BooleanField(default=False)),
                        ('note', models.TextField(blank=True)),
                        ('context', models.JSONField(blank=True, default=dict)),
                        ('submitted', models.JSONField(blank=True, null=True)),
                        ('made_at', models.DateTimeField(blank=True, help_text="The browser's clock", null=True)),
                        ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                        ('updated_at', models.DateTimeField(default=django.utils.timezone.now)),
                        ('annotator', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='marks', to=settings.AUTH_USER_MODEL)),
                        ('episode', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='marks', to='replays.episode')),
                    ],
                    options={
                        'db_table': 'replays_mark',
                        'indexes': [models.Index(fields=['episode', 'annotator'], name='replays_mar_episode_4944f9_idx'), models.Index(condition=models.Q(('deleted', False), ('submitted__isnull', True)), fields=['annotator', 'episode', 'created_at'], name='marks_not_submitted')],
                        'constraints': [models.CheckConstraint(condition=models.Q(('sign__in', [1, -1])), name='sign_is_plus_or_minus'), models.UniqueConstraint(condition=models.Q(('deleted', False)), fields=('episode', 'annotator', 'seat', 'tick'), name='one_mark_a_place')],
                    },
                ),
                migrations.CreateModel(
                    name='Tally',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('standing', models.PositiveIntegerField(help_text='Marks that are not removed')),
                        ('progress', models.PositiveIntegerField()),
                        ('regression', models.PositiveIntegerField()),
                        ('handed', models.BooleanField(default=True, help_text='Whether the episode was ever handed to them')),
                        ('annotator', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='tallies', to=settings.AUTH_USER_MODEL)),
                        ('episode', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='tallies', to='replays.episode')),
                    ],
                    options={
                        'db_table': 'replays_tally',
                        'indexes': [models.Index(condition=models.Q(('handed', False)), fields=['annotator', 'episode'], name='tallies_of_free_marks')],
                        'constraints': [models.UniqueConstraint(fields=('episode', 'annotator'), name='one_tally_a_person_and_episode')],
                    },
                ),
            ]
        ),
        migrations.RunPython(forth, back),
    ]
