"""An append may bring along the instant of its arrival, which the database checks; what a key brought is its own row."""

from pathlib import Path

from django.db import migrations

SCHEMA = Path(__file__).with_name("0003_carried_clock.sql")
BEFORE = Path(__file__).with_name("0001_schema.sql")


def _appending_before() -> str:
    """The function as the first migration made it."""
    return next(it for it in BEFORE.read_text(encoding="utf-8").split("\n\n") if "CREATE FUNCTION events_append" in it)


class Migration(migrations.Migration):
    dependencies = [("events", "0002_checkpoints")]
    operations = [
        migrations.RunSQL(
            SCHEMA.read_text(encoding="utf-8"), reverse_sql=f"DROP FUNCTION events_append;\n{_appending_before()}"
        )
    ]
