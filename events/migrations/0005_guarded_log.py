"""The log and its heads are moved by `events_append` alone, which checks the chain; the service's role only reads them."""

import re
from pathlib import Path

from django.db import migrations

SCHEMA = Path(__file__).with_name("0005_guarded_log.sql")
ENTERING_BEFORE = Path(__file__).with_name("0001_schema.sql")
APPENDING_BEFORE = Path(__file__).with_name("0003_carried_clock.sql")


def _before() -> str:
    """The functions as the earlier migrations made them; they run as their caller again."""
    entering = re.search(r"CREATE FUNCTION events_enter\(.*?END \$\$;", ENTERING_BEFORE.read_text("utf-8"), re.DOTALL)
    appending = re.search(r"CREATE FUNCTION events_append\(.*END \$\$;", APPENDING_BEFORE.read_text("utf-8"), re.DOTALL)
    if entering is None or appending is None:
        raise RuntimeError("The earlier migrations don't hold the functions of the log.")
    made = f"{entering[0]}\n{appending[0]}".replace("CREATE FUNCTION", "CREATE OR REPLACE FUNCTION")
    return (
        f"{made}\nALTER FUNCTION events_enter SECURITY INVOKER RESET ALL;\n"
        "ALTER FUNCTION events_append SECURITY INVOKER RESET ALL;"
    )


class Migration(migrations.Migration):
    dependencies = [("events", "0004_dirty_turns")]
    operations = [migrations.RunSQL(SCHEMA.read_text(encoding="utf-8"), reverse_sql=_before())]
