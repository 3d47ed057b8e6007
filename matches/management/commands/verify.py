"""manage.py verify FILE: check an export as the standalone verifier does, and replay it by the rules."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from matches import audit, croupier_verify


class Command(BaseCommand):
    """Verifies an export."""

    help = "Check the chain, the secrets and the seed of an export, then replay it by the rules."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        """Which file."""
        parser.add_argument("file", type=Path)

    def handle(self, *args: Any, file: Path, **options: Any) -> None:
        """Say that it holds, or where it breaks first."""
        try:
            with file.open(encoding="utf-8") as opened:
                # Not splitlines(): a text in the record may hold what only that takes for the end of a line.
                lines = opened.readlines()
        except (OSError, UnicodeDecodeError) as error:
            raise CommandError(f"Can't read {file}: {error}", returncode=2) from None
        try:
            summary = croupier_verify.verify(lines)
            audit.replay(lines)
        except croupier_verify.Bad as bad:
            raise CommandError(f"BROKEN at {bad}") from None
        self.stdout.write(f"{summary['match']} ({summary['game']}) holds: {summary['events']} events, "
                          f"{summary['opened']} secrets open.")  # fmt: skip
        self.stdout.write("The seed is the one promised." if summary["seed"] else "The seed is still sealed.")
        self.stdout.write("Replayed by the rules: the outcome is the recorded one.")
