"""manage.py prune [--dry-run]: remove what nobody needs any more, by the same rules as the hourly task."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from rich.filesize import decimal

from matches.workers import pruning


class Command(BaseCommand):
    """Prunes what is beside the records."""

    help = "Remove keys, snapshots, notices, sessions and tokens that nobody needs any more. No record is touched."

    def add_arguments(self, parser: CommandParser) -> None:
        """Whether to tell only."""
        parser.add_argument("--dry-run", action="store_true", help="tell what would go, and by which rule")

    def handle(self, *args: Any, dry_run: bool, **options: Any) -> None:
        """Tell what there is to prune, and prune it."""
        for found in pruning.find():
            size = decimal(found.bytes)
            self.stdout.write(f"{found.rule.name:<10}{found.rows:>10} rows {size:>10}  {found.rule.why}")
        if not dry_run:
            self.stdout.write(f"Pruned: {sum(pruning.prune().values())} rows.")
