"""The rooms of seasons, and hosts' looks into them, which refuse every change, as the log of events does."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

GUARD = """
CREATE TRIGGER seasons_roomlook_append_only BEFORE UPDATE OR DELETE ON seasons_roomlook
    FOR EACH STATEMENT EXECUTE FUNCTION events_refuse_change();
CREATE TRIGGER seasons_roomlook_no_truncate BEFORE TRUNCATE ON seasons_roomlook
    FOR EACH STATEMENT EXECUTE FUNCTION events_refuse_change();
ALTER TABLE seasons_roomlook ENABLE ALWAYS TRIGGER seasons_roomlook_append_only;
ALTER TABLE seasons_roomlook ENABLE ALWAYS TRIGGER seasons_roomlook_no_truncate;
"""


class Migration(migrations.Migration):
    dependencies = [
        ("seasons", "0006_display_names"),
        ("events", "0001_initial"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Room",
            fields=[
                ("id", models.UUIDField(editable=False, primary_key=True, serialize=False)),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("private", "Private"),
                            ("confessional", "Confessional"),
                            ("lounge", "Lounge"),
                            ("staff", "Staff"),
                        ],
                        max_length=12,
                    ),
                ),
                ("title", models.CharField(blank=True, max_length=80)),
                (
                    "opened_at",
                    models.DateTimeField(
                        db_default=models.Func(function="clock_timestamp", output_field=models.DateTimeField())
                    ),
                ),
                ("closed_at", models.DateTimeField(null=True)),
                ("key", models.CharField(max_length=200, null=True)),
                (
                    "opened_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="opened_rooms",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "season",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="rooms", to="seasons.season"
                    ),
                ),
                (
                    "subject",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="confessionals",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="RoomLook",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("room_id", models.UUIDField()),
                ("by", models.UUIDField()),
                (
                    "at",
                    models.DateTimeField(
                        db_default=models.Func(function="clock_timestamp", output_field=models.DateTimeField())
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["room_id", "-id"], name="look_into_room")],
            },
        ),
        migrations.CreateModel(
            name="RoomMember",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("left_at", models.DateTimeField(null=True)),
                (
                    "account",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="rooms", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "room",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="members", to="seasons.room"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="RoomRead",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.IntegerField()),
                (
                    "account",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="room_reads",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "room",
                    models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="+", to="seasons.room"),
                ),
            ],
        ),
        migrations.AddIndex(
            model_name="room",
            index=models.Index(fields=["season", "-opened_at", "-id"], name="room_newest"),
        ),
        migrations.AddIndex(
            model_name="room",
            index=models.Index(
                fields=["opened_by", "season"], condition=models.Q(("closed_at", None)), name="room_open_of_opener"
            ),
        ),
        migrations.AddConstraint(
            model_name="room",
            constraint=models.UniqueConstraint(
                condition=models.Q(("kind", "private"), _negated=True),
                fields=("season", "kind", "subject"),
                name="room_of_its_kind_once",
                nulls_distinct=False,
            ),
        ),
        migrations.AddConstraint(
            model_name="room",
            constraint=models.UniqueConstraint(fields=("opened_by", "key"), name="room_key_once"),
        ),
        migrations.AddConstraint(
            model_name="roommember",
            constraint=models.UniqueConstraint(fields=("account", "room"), name="room_member_once"),
        ),
        migrations.AddConstraint(
            model_name="roomread",
            constraint=models.UniqueConstraint(fields=("account", "room"), name="room_read_once"),
        ),
        migrations.RunSQL(GUARD, migrations.RunSQL.noop),
    ]
