"""manage.py archive [--days N] [--dry-run] [--remove [--grace N]]: archive the records of finished streams."""

from argparse import ArgumentTypeError
from contextlib import suppress
from typing import Any

import psycopg
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from rich.console import Console
from rich.filesize import decimal
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from events import archiving, store
from events.archived import ArchiveUnavailable
from events.archiving import NotOver, Removed
from events.checkpoints import tiles, tiling
from games.kernel import quantity
from matches.workers import archiving as due_streams
from matches.workers.archiving import Tally


class Command(BaseCommand):
    help = (
        "Put the records of finished seasons and friendlies into the archive (CROUPIER_ARCHIVE). With --remove, remove "
        "from the database what was archived more than the days of grace ago: this needs the owner's login."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--days", type=_days, default=settings.ARCHIVE_DAYS or None,
                            help="finished at least this many days ago (CROUPIER_ARCHIVE_DAYS)")  # fmt: skip
        parser.add_argument("--dry-run", action="store_true", help="only print what would be done")
        parser.add_argument("--remove", action="store_true", help="remove from the database what is archived")
        parser.add_argument("--grace", type=_days, default=settings.ARCHIVE_GRACE_DAYS,
                            help="archived at least this many days ago (CROUPIER_ARCHIVE_GRACE_DAYS)")  # fmt: skip

    def handle(self, *args: Any, days: float | None, dry_run: bool, remove: bool, grace: float, **options: Any) -> None:
        if days is None and not remove:
            raise CommandError("Give an age in days: --days 90, or set CROUPIER_ARCHIVE_DAYS.")
        if remove and not dry_run and settings.DATABASE_LOGINS.owner is None:
            raise CommandError("Only the owner of the tables may remove events from the log: set DATABASE_OWNER_URL.")
        try:
            if days is not None:
                self._archive(days, dry_run)
            if remove:
                self._remove(grace, dry_run)
                self._remove_leaves(days, grace, dry_run)
        except ArchiveUnavailable as error:
            raise CommandError(str(error)) from None

    def _archive(self, days: float, dry_run: bool) -> None:
        due = list(due_streams.due(days))
        if dry_run:
            self.stdout.write(
                f"Due: {quantity(len(due), 'stream')} with {quantity(sum(it.version for it in due), 'event')}."
            )
            return
        tally = Tally()
        with self._progress() as bar:
            for it in bar.track(due, description="archiving"):
                tally = due_streams.archive_stream(it.stream, tally)
        extent = f"{quantity(tally.streams, 'stream')}, {quantity(tally.events, 'new event')}, {decimal(tally.bytes)}"
        self.stdout.write(f"Archived: {extent}.")
        if tally.failed:
            raise CommandError(
                f"Not archived, as a check failed: {quantity(tally.failed, 'stream')}; the log has the names."
            )

    def _remove(self, grace: float, dry_run: bool) -> None:
        if dry_run:
            removable = archiving.removable(store.raw_connection(), grace)
            counts = [it.last - it.first + 1 for it in removable if due_streams.is_over(it.stream, store.read)]
            self.stdout.write(f"Removable: {quantity(sum(counts), 'event')} of {quantity(len(counts), 'file')}.")
            return
        removed, failed = Removed(0, 0), 0
        with psycopg.connect(settings.DATABASE_LOGINS.owner, autocommit=True) as owner, self._progress() as bar:
            for segment in bar.track(archiving.removable(owner, grace), description="removing"):
                try:
                    part = archiving.remove(owner, segment, due_streams.is_over)
                    removed = Removed(removed.events + part.events, removed.bytes + part.bytes)
                except NotOver as error:
                    self.stderr.write(str(error))
                except ArchiveUnavailable as error:
                    failed += 1
                    self.stderr.write(str(error))
        extent = f"{quantity(removed.events, 'event')}, {decimal(removed.bytes)} of content"
        self.stdout.write(f"Removed from the database: {extent}.")
        if failed:
            raise CommandError(
                f"Different from what was archived: {quantity(failed, 'file')}. The events stay in the database."
            )

    def _remove_leaves(self, days: float | None, grace: float, dry_run: bool) -> None:
        """Archive leaves of checkpoints, and remove those that were archived more than the days of grace ago."""
        with psycopg.connect(settings.DATABASE_LOGINS.owner or settings.DATABASE_LOGINS.app, autocommit=True) as owner:
            due = tiling.due(owner, days) if days is not None else range(0)
            if dry_run:
                removable = tiles.SIZE * len(list(tiling.removable(owner, grace)))
                self.stdout.write(f"Due: {tiles.SIZE * len(due)} leaves of checkpoints. Removable: {removable}.")
                return
            for place in due:
                tiling.put_away(owner, place)
            removed = sum(tiling.remove(owner, place) for place in tiling.removable(owner, grace))
        self.stdout.write(f"Leaves of checkpoints: {tiles.SIZE * len(due)} archived, {removed} removed.")

    def _progress(self) -> Progress:
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        return Progress(*columns, console=Console(file=self.stderr._out))


def _days(text: str) -> float:
    with suppress(ValueError):
        if 0 <= (days := float(text)) < float("inf"):
            return days
    raise ArgumentTypeError(f"give a number of days, 0 or more, and not {text!r}.")
