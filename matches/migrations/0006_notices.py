import uuid

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("matches", "0005_scheduled")]

    operations = [
        migrations.CreateModel(
            name="Webhook",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("season_id", models.UUIDField(null=True, unique=True)),
                ("url", models.CharField(max_length=500)),
                ("secret", models.BinaryField()),
                ("made_at", models.DateTimeField()),
                ("looked_at", models.DateTimeField()),
                ("off_at", models.DateTimeField(null=True)),
                (
                    "account",
                    models.OneToOneField(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="webhook",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Notice",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("match_id", models.UUIDField(null=True)),
                ("account_id", models.UUIDField(null=True)),
                ("kind", models.CharField(max_length=20)),
                ("about", models.CharField(max_length=200)),
                ("text", models.CharField(max_length=500)),
                ("version", models.IntegerField()),
                ("made_at", models.DateTimeField()),
                ("next_try_at", models.DateTimeField()),
                ("attempts", models.SmallIntegerField(default=0)),
                ("sent_at", models.DateTimeField(null=True)),
                ("given_up_at", models.DateTimeField(null=True)),
                ("last_failure", models.CharField(default="", max_length=200)),
                (
                    "webhook",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="notices", to="matches.webhook"
                    ),
                ),
            ],
        ),
        migrations.AddConstraint(
            "notice",
            models.UniqueConstraint(
                fields=["webhook", "match_id", "account_id", "kind", "about"], name="notice_once", nulls_distinct=False
            ),
        ),
        migrations.AddIndex(
            "notice",
            models.Index(
                fields=["webhook", "match_id", "made_at"],
                name="notice_pending",
                condition=models.Q(sent_at=None, given_up_at=None),
            ),
        ),
    ]
