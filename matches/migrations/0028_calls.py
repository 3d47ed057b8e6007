import uuid

import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("matches", "0027_open_to"),
    ]

    operations = [
        migrations.CreateModel(
            name="CallCursor",
            fields=[
                ("id", models.SmallIntegerField(primary_key=True, serialize=False)),
                ("looked_at", models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name="MailAddress",
            fields=[
                (
                    "account",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="mail_address",
                        serialize=False,
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("sealed", models.BinaryField()),
                ("digest", models.BinaryField(db_index=True, max_length=32)),
                ("set_at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ("token_digest", models.BinaryField(max_length=32, null=True)),
                ("token_until", models.DateTimeField(null=True)),
                ("verified_at", models.DateTimeField(null=True)),
                ("unsubscribed_at", models.DateTimeField(null=True)),
            ],
        ),
        migrations.CreateModel(
            name="Reach",
            fields=[
                (
                    "account",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="reach",
                        serialize=False,
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("details", models.BooleanField(default=False)),
                ("digest", models.CharField(default="at_once", max_length=10)),
                ("quiet_from", models.TimeField(null=True)),
                ("quiet_until", models.TimeField(null=True)),
            ],
        ),
        migrations.CreateModel(
            name="PushSubscription",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("sealed", models.BinaryField()),
                ("digest", models.BinaryField(max_length=32, unique=True)),
                ("label", models.CharField(max_length=80)),
                ("made_at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                (
                    "account",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="pushes", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="CallChoice",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("kind", models.CharField(max_length=20)),
                ("way", models.CharField(max_length=10)),
                ("wanted", models.BooleanField()),
                (
                    "account",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="call_choices",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("account", "kind", "way"), name="call_choice_once")],
            },
        ),
        migrations.CreateModel(
            name="Call",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("way", models.CharField(max_length=10)),
                ("kind", models.CharField(max_length=20)),
                ("season_id", models.UUIDField(null=True)),
                ("match_id", models.UUIDField(null=True)),
                ("cause", models.CharField(max_length=200)),
                ("made_at", models.DateTimeField()),
                ("due_at", models.DateTimeField()),
                ("next_try_at", models.DateTimeField()),
                ("attempts", models.SmallIntegerField(default=0)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("waiting", "Waiting"),
                            ("sent", "Sent"),
                            ("merged", "Merged"),
                            ("lapsed", "Lapsed"),
                            ("given_up", "Given Up"),
                        ],
                        default="waiting",
                        max_length=10,
                    ),
                ),
                ("done_at", models.DateTimeField(null=True)),
                ("last_failure", models.CharField(default="", max_length=200)),
                (
                    "account",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="calls", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "receiver",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="calls",
                        to="matches.pushsubscription",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(("state", "waiting")),
                        fields=["account", "way", "receiver", "due_at", "made_at"],
                        name="call_waiting",
                    ),
                    models.Index(fields=["account", "-made_at"], name="call_of_account"),
                    models.Index(fields=["made_at"], name="call_by_age"),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("account", "way", "receiver", "kind", "match_id", "season_id", "cause"),
                        name="call_once",
                        nulls_distinct=False,
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="SeasonCalls",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("season_id", models.UUIDField()),
                ("choice", models.CharField(max_length=10)),
                (
                    "account",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="season_calls",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("account", "season_id"), name="season_calls_once")],
            },
        ),
    ]
