"""The access log of accounts, which refuses every change, as the log of events does."""

import django.db.models.deletion
from django.db import migrations, models

GUARD = """
CREATE TRIGGER matches_accessentry_append_only BEFORE UPDATE OR DELETE ON matches_accessentry
    FOR EACH STATEMENT EXECUTE FUNCTION events_refuse_change();
CREATE TRIGGER matches_accessentry_no_truncate BEFORE TRUNCATE ON matches_accessentry
    FOR EACH STATEMENT EXECUTE FUNCTION events_refuse_change();
ALTER TABLE matches_accessentry ENABLE ALWAYS TRIGGER matches_accessentry_append_only;
ALTER TABLE matches_accessentry ENABLE ALWAYS TRIGGER matches_accessentry_no_truncate;
"""


class Migration(migrations.Migration):
    dependencies = [("matches", "0017_looks"), ("events", "0001_initial")]

    operations = [
        migrations.CreateModel(
            name="AccessEntry",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("account", models.UUIDField()),
                (
                    "at",
                    models.DateTimeField(
                        db_default=models.Func(function="clock_timestamp", output_field=models.DateTimeField())
                    ),
                ),
                ("kind", models.CharField(max_length=40)),
                ("changes", models.JSONField(default=dict)),
                ("by", models.UUIDField(null=True)),
                (
                    "door",
                    models.CharField(
                        choices=[
                            ("page", "Page"),
                            ("panel", "Panel"),
                            ("link", "Link"),
                            ("rest", "Rest"),
                            ("command", "Command"),
                        ],
                        max_length=10,
                    ),
                ),
                ("request_id", models.CharField(blank=True, max_length=64)),
            ],
            options={"indexes": [models.Index(fields=["account", "-id"], name="access_of_account")]},
        ),
        migrations.CreateModel(
            name="SeenEntry",
            fields=[
                (
                    "entry",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        primary_key=True,
                        related_name="seen",
                        serialize=False,
                        to="matches.accessentry",
                    ),
                ),
            ],
        ),
        migrations.RunSQL(GUARD, migrations.RunSQL.noop),
    ]
