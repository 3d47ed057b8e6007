"""A season's lists as files for spreadsheets, at any version."""

from collections.abc import Callable, Mapping
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from matches.domain.tables import Table
from matches.html.entry import counted
from matches.http.problems import Problem
from matches.http.table_files import form_named, table_file, zone_of
from matches.seasons.reads import feed, tables
from matches.seasons.reads.documents import EpisodeDocument
from matches.web.seasons.reading import Reading, opened
from matches.web.seasons.schedule import matches_in


def _standings(reading: Reading) -> Table:
    return tables.standings(reading.document.standings)


def _ledger(reading: Reading) -> Table:
    document = reading.document
    return tables.ledger(feed.ledger(document.id, document.version).results, _names(reading))


def _schedule(reading: Reading) -> Table:
    return tables.schedule(matches_in(reading.document), _names(reading))


def _results(reading: Reading, *episodes: EpisodeDocument) -> Table:
    """Return the results of these episodes, by default of all."""
    document = reading.document
    garnets = feed.main_match_garnets(document.id, document.version)
    return tables.results(episodes or document.episodes, garnets, _names(reading))


_TABLES: Mapping[str, Callable[[Reading], Table]] = {
    "standings": _standings, "ledger": _ledger, "schedule": _schedule, "results": _results,
}  # fmt: skip


@require_safe
@counted
def table(request: HttpRequest, season_id: UUID, name: str, form: str) -> HttpResponse:
    """Return a list as CSV or XLSX, at the version `?at=` if given."""
    reading = opened(request, season_id)
    if name not in _TABLES:
        raise Problem("not_found", _("The season has no such table."))
    return _file(request, _TABLES[name](reading), form, f"season-{season_id}")


@require_safe
@counted
def results(request: HttpRequest, season_id: UUID, number: int, form: str) -> HttpResponse:
    """Return the results of an episode as CSV or XLSX, at the version `?at=` if given."""
    reading = opened(request, season_id)
    episode = next((it for it in reading.document.episodes if it.number == number), None)
    if episode is None:
        raise Problem("not_found", _("The season has no such episode, or hadn't at that version."))
    return _file(request, _results(reading, episode), form, f"season-{season_id}-episode-{number}")


def _file(request: HttpRequest, listed: Table, form: str, about: str) -> HttpResponse:
    wanted = form_named(form)
    if wanted is None:
        raise Problem("not_found", _("A table is there as CSV and XLSX."))
    return table_file(listed, wanted, zone_of(request), about)


def _names(reading: Reading) -> tables.Names:
    return {str(it.player.id): it.called for it in reading.document.standings}
