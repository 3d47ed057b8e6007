"""manage.py restore FOLDER --into DATA [--to INSTANT]: a new data folder from a backup and its log."""

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

from config.backups import folder as backup_folder
from config.backups import recovery, taking
from config.backups.programs import BackupFailed
from config.backups.recovery import Restored


class Command(BaseCommand):
    help = (
        "Lay a backup out in a new data folder, play its log up to an instant (or all of it), and verify what stands "
        "there. Nothing that exists is written over, and no running service is touched."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("folder", type=Path, help="a folder of backups")
        parser.add_argument("--into", type=Path, required=True, help="a data folder without a database")
        parser.add_argument("--to", help="an instant such as 2026-11-24T12:30:00Z; without it all there is")
        parser.add_argument("--backup", help="begin with this one, and not with the newest that will do")
        parser.add_argument("--secrets", type=Path, help="the `secrets` of the data folder that was backed up")

    def handle(self, *args: Any, folder: Path, into: Path, to: str | None, backup: str | None,
               secrets: Path | None, **options: Any) -> None:  # fmt: skip
        """Restore and show progress; then print the result and the next steps, or the reason why it failed."""
        try:
            instant = taking.instant_of(to) if to else None
            chosen = backup_folder.chosen(folder, instant, backup)
            columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TimeRemainingColumn())
            with Progress(*columns, console=Console(file=self.stderr._out)) as bar:
                task = bar.add_task("copying", total=None)
                restored = recovery.restore(
                    folder.absolute(), into.absolute(), chosen, to=instant, secrets=secrets,
                    say=lambda step: bar.update(task, description=step),
                    progress=lambda done, of: bar.update(task, completed=done * 1024, total=of * 1024),
                )  # fmt: skip
        except BackupFailed as failed:
            raise CommandError(str(failed)) from None
        except OSError as error:
            raise CommandError(f"{error.filename or into}: {error.strerror}.") from None
        for line in _report(restored, instant, into):
            self.stdout.write(line)


def _report(restored: Restored, to: datetime | None, into: Path) -> Iterator[str]:
    backup = restored.backup
    requested = f" (asked for: {to})" if to else ""
    yield f"Restored backup {backup.name} and the log after it, up to {restored.upto or backup.ended_at}{requested}."
    yield (
        f"{restored.streams} streams with {restored.events} events, the newest of {restored.newest}; "
        f"timeline {restored.timeline}."
    )
    yield restored.verified
    yield ""
    yield "What comes next:"
    if backup.owner == recovery.BUNDLED and backup.database == recovery.BUNDLED:
        yield f"- Start it: bin/up --data {into} --no-demo"
    else:
        yield (
            f"- Start a Postgres {backup.major} of your own on {into / 'postgres' / 'data'} (or where its `elsewhere` "
            "leads), with your own settings, then `python -m config.database`."
        )
    yield (
        "- Whoever was told more than stands here is told so: sockets and streams by `resync`, commands by "
        "`never_happened`. Running clocks get the time since then back, as an outage."
    )
    yield (
        "- Copies of checkpoints from after this instant are another history's: set their folder aside, or nothing is "
        "signed any more. Keep it: `verify --all --checkpoints` shows by it what was set back."
    )
    yield f"- Take a new backup: what is played from now on is on timeline {restored.timeline}, the old ones aren't."
    yield "- Erase again which accounts were erased since, and tell hosts of notices that were sent since."
    if restored.awaited_standbys:
        yield (
            f"- Commits waited for standbys ({restored.awaited_standbys}) and wait for none now: set "
            "synchronous_standby_names again once they follow."
        )
