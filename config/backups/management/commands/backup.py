"""manage.py backup FOLDER [--follow]: a verified copy of the running server, and optionally its log from then on."""

import os
from pathlib import Path
from typing import Any

from django.core.exceptions import ImproperlyConfigured
from django.core.management.base import BaseCommand, CommandError, CommandParser
from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

from config.backups import taking
from config.backups.programs import BackupFailed
from config.deployment import database_url
from config.deployment.secret_files import given

ROOT = Path(__file__).resolve().parents[4]


class Command(BaseCommand):
    help = (
        "Copy the running database server into a folder of backups, and check the copy. With --follow its log is "
        "written there too, as it comes, until Ctrl-C: then any instant from the copy on can be restored."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("folder", type=Path, help="on another disk or host than the database's")
        parser.add_argument("--follow", action="store_true", help="go on with the log")

    def handle(self, *args: Any, folder: Path, follow: bool, **options: Any) -> None:
        """Make the backup and show progress, or the reason why it failed."""
        try:
            url = owner_url()
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            following = taking.Following(folder, url) if follow else None
            try:
                if following:
                    following.await_start()
                self._take(folder, url)
                if following:
                    self._follow(following, folder)
            except KeyboardInterrupt:
                self.stdout.write("\nStopped; what has come stays.")
            finally:
                if following:
                    following.stop()
        except (BackupFailed, ImproperlyConfigured) as failed:
            raise CommandError(str(failed)) from None
        except OSError as error:
            raise CommandError(f"Can't write {error.filename or folder}: {error.strerror}.") from None

    def _take(self, folder: Path, url: str) -> None:
        columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TimeRemainingColumn())
        with Progress(*columns, console=Console(file=self.stderr._out)) as bar:
            task = bar.add_task("copying", total=None)
            backup = taking.take(
                folder, url, lambda done, of: bar.update(task, completed=done * 1024, total=max(done, of) * 1024)
            )
        self.stdout.write(
            f"Backup {backup.name} holds everything up to {backup.ended_at}; it is checked, and lies in "
            f"{folder / 'base' / backup.name}. It holds no secrets: keep the data folder's `secrets` elsewhere."
        )

    def _follow(self, following: taking.Following, folder: Path) -> None:
        self.stdout.write(f"The log follows into {folder / 'wal'}. Ctrl-C stops it.")
        self.stdout.flush()
        for line in following.lines():
            if "finished segment" in line:
                self.stdout.write(line.removeprefix("pg_receivewal: "))
                self.stdout.flush()


def owner_url() -> str:
    """Return the URL of the owner's login, from the environment or from a running bin/up on the data folder. Raise
    BackupFailed."""
    for name in ("DATABASE_OWNER_URL", "DATABASE_URL"):
        if url := given(name, os.environ):
            return database_url.read(name, url)
    running = Path(os.environ.get("CROUPIER_DATA") or ROOT / "var") / "run" / "owner_url"
    if not running.exists():
        raise BackupFailed(f"No database: set DATABASE_OWNER_URL, or start bin/up, which leaves {running}.")
    return running.read_text().strip()
