"""manage.py rebuild [PROJECTION]: fill a projection again from the first event, while the service runs."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from events import projections, verifying


class Command(BaseCommand):
    help = "Rebuild a projection (or all) from the log; readers use the new generation once it is complete."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("projection", nargs="?", choices=projections.names())

    def handle(self, *args: Any, projection: str | None, **options: Any) -> None:
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        with Progress(*columns, console=Console(file=self.stderr._out)) as progress:
            for name in [projection] if projection else projections.names():
                task = progress.add_task(name, total=verifying.count())
                try:
                    number = projections.rebuild(name, lambda done, task=task: progress.update(task, completed=done))
                except projections.Superseded as superseded:
                    raise CommandError(f"{superseded} The newer rebuild continues.") from None
                self.stdout.write(f"{name}: generation {number} is current.")
