import uuid

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Contest",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("after_name", models.CharField(blank=True, max_length=60)),
                ("preset", models.CharField(max_length=40, null=True, unique=True)),
                ("title", models.CharField(blank=True, max_length=60)),
                (
                    "status",
                    models.CharField(
                        choices=[("private", "Private"), ("published", "Published"), ("retired", "Retired")],
                        default="private",
                        max_length=10,
                    ),
                ),
                ("version", models.IntegerField(default=1)),
                ("published", models.IntegerField(null=True)),
                ("fingerprint", models.BinaryField(max_length=32)),
                (
                    "made_at",
                    models.DateTimeField(
                        db_default=models.Func(function="clock_timestamp", output_field=models.DateTimeField())
                    ),
                ),
                (
                    "changed_at",
                    models.DateTimeField(
                        db_default=models.Func(function="clock_timestamp", output_field=models.DateTimeField())
                    ),
                ),
                (
                    "after",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "author",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="contests",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="ContestTrial",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("digest", models.BinaryField(max_length=32)),
                ("seats", models.SmallIntegerField()),
                ("runs", models.SmallIntegerField()),
                (
                    "status",
                    models.CharField(
                        choices=[("running", "Running"), ("finished", "Finished"), ("failed", "Failed")],
                        default="running",
                        max_length=10,
                    ),
                ),
                ("content", models.TextField(blank=True)),
                ("sums", models.BinaryField(null=True)),
                ("done", models.SmallIntegerField(default=0)),
                ("result", models.TextField(blank=True)),
                ("held_until", models.DateTimeField(null=True)),
                ("tries", models.SmallIntegerField(default=0)),
                ("seconds", models.FloatField(default=0)),
                (
                    "begun_at",
                    models.DateTimeField(
                        db_default=models.Func(function="clock_timestamp", output_field=models.DateTimeField())
                    ),
                ),
                (
                    "changed_at",
                    models.DateTimeField(
                        db_default=models.Func(function="clock_timestamp", output_field=models.DateTimeField())
                    ),
                ),
                (
                    "account",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Version",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.IntegerField()),
                ("content", models.TextField()),
                ("digest", models.BinaryField(max_length=32)),
                ("faults", models.IntegerField()),
                (
                    "made_at",
                    models.DateTimeField(
                        db_default=models.Func(function="clock_timestamp", output_field=models.DateTimeField())
                    ),
                ),
                ("published_at", models.DateTimeField(null=True)),
                (
                    "contest",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="versions", to="contests.contest"
                    ),
                ),
            ],
        ),
        migrations.AddIndex(
            model_name="contest",
            index=models.Index(
                condition=models.Q(("status", "published")), fields=["-changed_at", "-id"], name="contest_listed"
            ),
        ),
        migrations.AddIndex(
            model_name="contest",
            index=models.Index(fields=["author", "-changed_at"], name="contest_of_author"),
        ),
        migrations.AddConstraint(
            model_name="contest",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("published", None), ("status", "private")),
                    models.Q(models.Q(("status", "private"), _negated=True), ("published__isnull", False)),
                    _connector="OR",
                ),
                name="contest_published_or_private",
            ),
        ),
        migrations.AddIndex(
            model_name="contesttrial",
            index=models.Index(fields=["digest", "seats", "runs"], name="trial_of_content"),
        ),
        migrations.AddIndex(
            model_name="contesttrial",
            index=models.Index(condition=models.Q(("status", "running")), fields=["changed_at"], name="trial_to_play"),
        ),
        migrations.AddConstraint(
            model_name="contesttrial",
            constraint=models.UniqueConstraint(fields=("account", "digest", "seats", "runs"), name="trial_once"),
        ),
        migrations.AddConstraint(
            model_name="contesttrial",
            constraint=models.UniqueConstraint(
                condition=models.Q(("status", "running")), fields=("account",), name="trial_running_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="version",
            constraint=models.UniqueConstraint(fields=("contest", "number"), name="contest_version_once"),
        ),
    ]
