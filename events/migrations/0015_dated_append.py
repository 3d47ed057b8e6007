"""An append is dated within its own transaction, or ten seconds before it at most."""

import re
from pathlib import Path

from django.db import migrations

SCHEMA = Path(__file__).with_name("0015_dated_append.sql")
BEFORE = Path(__file__).with_name("0005_guarded_log.sql")


def _before() -> str:
    """The function as the earlier migration made it."""
    appending = re.search(
        r"CREATE OR REPLACE FUNCTION events_append\(.*?END \$\$;", BEFORE.read_text("utf-8"), re.DOTALL
    )
    if appending is None:
        raise RuntimeError("The earlier migration doesn't hold the function that appends.")
    return appending[0]


class Migration(migrations.Migration):
    dependencies = [("events", "0014_checked_checkpoints")]
    operations = [migrations.RunSQL(SCHEMA.read_text(encoding="utf-8"), reverse_sql=_before())]
