"""manage.py prune [--dry-run]: delete rows that are no longer needed, by the rules of the hourly task."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from rich.filesize import decimal

from matches.workers import pruning


class Command(BaseCommand):
    help = "Delete keys, snapshots, notices, sessions and tokens that are no longer needed. Records don't change."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--dry-run", action="store_true", help="only print what would be deleted, and by which rule"
        )

    def handle(self, *args: Any, dry_run: bool, **options: Any) -> None:
        """Print the rows by rule, then delete them."""
        for due in pruning.prunable():
            size = decimal(due.bytes)
            self.stdout.write(f"{due.rule.name:<10}{due.rows:>10} rows {size:>10}  {due.rule.why}")
        if not dry_run:
            self.stdout.write(f"Pruned: {sum(pruning.prune().values())} rows.")
