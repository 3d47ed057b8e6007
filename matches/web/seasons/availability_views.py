"""The page on which a player of a season says when they can play."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from itertools import zip_longest
from typing import Any, NamedTuple, get_args
from zoneinfo import ZoneInfo

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from matches.html.moments import MomentField
from matches.http.problems import Problem, problem_of
from matches.seasons import availability
from matches.seasons.domain.availability import MOST_HOURS, MOST_WINDOWS, Availability, Day, WeeklyHours, Window
from matches.seasons.reads.availability import said_by
from matches.web.seasons.desk_views import Desk, for_players

DAY_NAMES: Mapping[Day, str] = dict(
    zip(
        get_args(Day),
        ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"),
        strict=True,
    )
)
_ANSWERS = {"cannot": gettext_lazy("I can’t play"), "can": gettext_lazy("I can play")}
_BLANK_ROWS = 2
_WINDOW = ("window", "window-since", "window-until")
_HOURS = ("day", "hours-since", "hours-until")
_INPUT_FORMAT = "%Y-%m-%dT%H:%M"


class Row(NamedTuple):
    """A row of the form as it was typed: `choice` is `can` or `cannot`, or a day."""

    choice: str = ""
    since: str = ""
    until: str = ""

    @property
    def is_blank(self) -> bool:
        return not self.since and not self.until


class Rows(NamedTuple):
    windows: list[Row]
    weekly: list[Row]


@require_http_methods(["GET", "HEAD", "POST"])
@for_players
def page(request: HttpRequest, desk: Desk) -> HttpResponse:
    """Show the player's availability in a form; a POST replaces it. If it is refused, the form is shown again as it was
    typed."""
    if request.method != "POST":
        return _page(request, desk, _rows_of(desk))
    typed = Rows(_rows_typed(request.POST, _WINDOW), _rows_typed(request.POST, _HOURS))
    try:
        availability_typed = _to_availability(typed, desk.account.time_zone)
        availability.say(season_id=desk.row.id, season=desk.state, by=desk.by, said=availability_typed)
    except Exception as error:
        problem = problem_of(error)
        if problem is None or problem.status >= 500:
            raise
        messages.error(request, f"{problem.detail} {_('Nothing was changed.')}")
        return _page(request, desk, typed, problem.status)
    messages.success(request, _("Saved. The season's officials see it when they set or propose a time."))
    return redirect("web:season_availability", season_id=desk.row.id)


def _page(request: HttpRequest, desk: Desk, rows: Rows, status: int = 200) -> HttpResponse:
    stored = said_by(desk.row.id, desk.account.id)
    context: dict[str, Any] = {
        "season": desk.row,
        "may_say": desk.state.players[desk.player].living and not desk.state.champion,
        "days": DAY_NAMES.items(),
        "answers": _ANSWERS.items(),
        "windows": _with_blank_rows(rows.windows, MOST_WINDOWS),
        "weekly": _with_blank_rows(rows.weekly, MOST_HOURS),
        "other_zone": stored.zone if stored.weekly and stored.zone != desk.account.time_zone else "",
    }
    return render(request, "web/season_availability.html", context, status=status)


def _rows_of(desk: Desk) -> Rows:
    stored, zone = said_by(desk.row.id, desk.account.id), ZoneInfo(desk.account.time_zone)

    def input_text(instant: str) -> str:
        return f"{datetime.fromisoformat(instant).astimezone(zone):{_INPUT_FORMAT}}"

    return Rows(
        [Row("can" if it.can else "cannot", input_text(it.since), input_text(it.until)) for it in stored.windows],
        [Row(it.day, it.since, it.until) for it in stored.weekly],
    )


def _rows_typed(data: QueryDict, names: Iterable[str]) -> list[Row]:
    columns = [data.getlist(name) for name in names]
    rows = [Row(*(text.strip() for text in row)) for row in zip_longest(*columns, fillvalue="")]
    return [row for row in rows if not row.is_blank]


def _to_availability(typed: Rows, zone: str) -> Availability:
    """Return the form's availability in this zone; raise Problem, Illegal."""
    if any(not (row.since and row.until) for row in (*typed.windows, *typed.weekly)):
        raise Problem("bad_availability", _("Each row needs a beginning and an end. To delete a row, empty both."))
    if any(row.choice not in DAY_NAMES for row in typed.weekly):
        raise Problem("bad_availability", _("Choose a day of the week for each row."))
    field = MomentField(required=False)
    field.in_zone(zone)
    try:
        windows = [
            Window(field.clean(row.since), field.clean(row.until), row.choice != "cannot") for row in typed.windows
        ]
    except ValidationError as error:
        raise Problem("bad_availability", error.messages[0]) from None
    weekly = [WeeklyHours(row.choice, row.since, row.until) for row in typed.weekly]  # type: ignore[arg-type]
    return Availability(zone, tuple(windows), tuple(weekly))


def _with_blank_rows(rows: Sequence[Row], most: int) -> list[Row]:
    """Return the rows, followed by blank ones as long as more are allowed."""
    return [*rows, *[Row()] * min(_BLANK_ROWS, max(0, most - len(rows)))]
