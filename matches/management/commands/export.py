"""manage.py export MATCH [--output FILE]: the record of a match, self-contained."""

import sys
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from events import access
from matches.audit import export
from matches.reads import selectors


class Command(BaseCommand):
    """Exports a match."""

    help = "Write a match's record as lines of JSON; verify it with `manage.py verify FILE`."

    def add_arguments(self, parser: CommandParser) -> None:
        """Which match, and where to."""
        parser.add_argument("match", help="the match's id or code")
        parser.add_argument("--output", type=Path, help="a file; standard output without one")

    def handle(self, *args: Any, match: str, output: Path | None, **options: Any) -> None:
        """Write the lines."""
        found = selectors.match_by(match)
        if found is None:
            raise CommandError(f"There is no match {match}.")
        if output is None:
            access.note(found.id, "operator", "exported")
            sys.stdout.buffer.writelines(export.export(found.id, aside=True))
            return
        try:
            with output.open("wb") as file:
                access.note(found.id, "operator", "exported")
                file.writelines(export.export(found.id, aside=True))
        except OSError as error:
            raise CommandError(f"Can't write {output}: {error.strerror}.") from None
        self.stderr.write(f"Wrote {output}.")
