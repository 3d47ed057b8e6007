"""manage.py export_archive FILE.zip [--match CODE ...] [--season ID] [--player NAME]: export many matches as one
file."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db.models import Q
from rich.console import Console
from rich.progress import Progress

from events import access
from events.archived import ArchiveUnavailable
from games.kernel import quantity
from matches.audit import archive as audit_archive
from matches.audit.archive import Chapter
from matches.domain.names import name_key
from matches.models import Account, Match, Seat
from matches.seasons import archive
from matches.seasons.models import Season


class Command(BaseCommand):
    help = "Write the records of many matches into one zip that can be read and checked without the service."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--match", action="append", default=[], help="an id or a code; can be repeated")
        parser.add_argument("--season", type=UUID, help="a season's id: export its own record and its matches")
        parser.add_argument("--player", help="an account's name: export its matches")

    def handle(self, *args: Any, file: Path, match: list[str], season: UUID | None, player: str | None,
               **options: Any) -> None:  # fmt: skip
        matches = Match.objects.filter(_chosen(match, season, player)).order_by("opened_at", "id")
        if match and Match.objects.filter(_named(match)).count() < len(set(match)):
            raise CommandError("Some of these matches don't exist.")
        if match and matches.count() < len(set(match)):
            raise CommandError("Some of these matches are not among those of the season or the player.")
        if not matches.exists() and season is None:
            raise CommandError("There are no such matches, so there is nothing to export.")
        if matches.count() > audit_archive.MOST_MATCHES:
            raise CommandError(
                f"An archive holds at most {audit_archive.MOST_MATCHES} matches. Export several archives."
            )
        if not file.parent.is_dir():
            raise CommandError(f"There is no folder {file.parent}.")
        if file.is_dir():
            raise CommandError(f"{file} is a folder; name a file in it.")
        with Progress(console=Console(file=self.stderr._out)) as bar:
            task = bar.add_task("matches", total=matches.count())
            chapters = _chapters(season)
            try:
                count = audit_archive.write(file, matches.iterator(), "operator", lambda: bar.advance(task), chapters)
            except OSError as error:
                raise CommandError(f"Can't write {file}: {error.strerror}.") from None
            except ArchiveUnavailable as error:
                raise CommandError(str(error)) from None
        self.stdout.write(
            f"Wrote {quantity(count, 'match', 'matches')}{' and their season' if chapters else ''} to {file}."
        )


def _chapters(season: UUID | None) -> list[Chapter]:
    """Return the season's own record; raise CommandError if there is no such season."""
    if season is None:
        return []
    row = Season.objects.filter(id=season).first()
    if row is None:
        raise CommandError(f"There is no season {season}.")
    chapter = archive.chapter(row)

    def noted_lines() -> Iterator[bytes]:
        access.note(row.id, "operator", "archived")
        yield from chapter.lines()

    return [chapter._replace(lines=noted_lines)]


def _chosen(names: list[str], season: UUID | None, player: str | None) -> Q:
    wanted = Q()
    if names:
        wanted &= _named(names)
    if season:
        wanted &= Q(season_id=season)
    if player:
        account = Account.objects.filter(name_key=name_key(player)).first()
        if account is None:
            raise CommandError(f"There is no account {player}.")
        wanted &= Q(id__in=Seat.objects.filter(account=account).values("match_id"))
    return wanted


def _named(names: list[str]) -> Q:
    return Q(code__in=[name.upper() for name in names]) | Q(id__in=list(filter(None, map(_id, names))))


def _id(name: str) -> UUID | None:
    try:
        return UUID(name)
    except ValueError:
        return None
