"""manage.py rebuild [PROJECTION]: fill a read model from zero beside the old one, while the service runs."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from events import projections, verifying


class Command(BaseCommand):
    """Rebuilds projections."""

    help = "Rebuild a projection (or all) from the log; readers change over when it is complete."

    def add_arguments(self, parser: CommandParser) -> None:
        """Which projection."""
        parser.add_argument("projection", nargs="?", choices=projections.names())

    def handle(self, *args: Any, projection: str | None, **options: Any) -> None:
        """Rebuild, with progress."""
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        with Progress(*columns, console=Console(file=self.stderr._out)) as progress:
            for name in [projection] if projection else projections.names():
                task = progress.add_task(name, total=verifying.count())
                try:
                    number = projections.rebuild(name, lambda done, task=task: progress.update(task, completed=done))
                except projections.Superseded as superseded:
                    raise CommandError(f"{superseded} That one goes on.") from None
                self.stdout.write(f"{name}: generation {number} is current.")
