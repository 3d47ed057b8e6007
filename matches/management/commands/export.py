"""manage.py export MATCH [--output FILE]: export the self-contained record of a match."""

import sys
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from events.archived import ArchiveUnavailable
from matches.audit import export
from matches.reads import selectors


class Command(BaseCommand):
    help = "Write a match's record as lines of JSON; verify it with `manage.py verify FILE`."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("match", help="the match's id or code")
        parser.add_argument("--output", type=Path, help="a file; by default standard output")

    def handle(self, *args: Any, match: str, output: Path | None, **options: Any) -> None:
        """Write the record, and an entry of the access log. If that fails, an existing file stays as it was."""
        row = selectors.match_by(match)
        if row is None:
            raise CommandError(f"There is no match {match}.")
        try:
            if output is None:
                sys.stdout.buffer.writelines(export.export_and_note(row.id, "operator"))
                return
            with export.replacing(output) as file:
                file.writelines(export.export_and_note(row.id, "operator"))
        except ArchiveUnavailable as error:
            raise CommandError(str(error)) from None
        except OSError as error:
            raise CommandError(f"Can't write {output or 'standard output'}: {error.strerror}.") from None
        self.stderr.write(f"Wrote {output}.")
