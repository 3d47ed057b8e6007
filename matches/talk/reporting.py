"""Reports of remarks by their readers, and the officials' answers. An official never sees a report of an own remark."""

from uuid import UUID, uuid4

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from games.kernel import Illegal
from matches.models import Account
from matches.models.talk import DATABASE_CLOCK, Remark, Report
from matches.talk import hiding


def report(*, season: UUID, remark: Remark, by: Account, reason: str) -> Report:
    """Store a report, unless the account has reported the remark before; then return that. Raise
    Illegal("bad_report") for an own remark."""
    if remark.account_id == by.id:
        raise Illegal("bad_report", _("That remark is yours."))
    defaults = {"id": uuid4(), "season": season, "reason": reason}
    stored, _made = Report.objects.get_or_create(remark=remark, by=by, defaults=defaults)
    return stored


def reports_for(official: Account, season: UUID) -> QuerySet[Report]:
    """Return a season's reports, except those of the official's own remarks."""
    shown = Report.objects.filter(season=season).exclude(remark__account=official)
    return shown.select_related("by", "answered_by", "remark__account", "remark__thread", "remark__hiding__by")


@transaction.atomic
def answer(shown: Report, *, by: Account, reason: str, hide: bool) -> None:
    """Answer a report, unless it is answered already, and hide the remark if requested."""
    if hide and shown.remark.thread is not None:
        thread = shown.remark.thread
        hiding.hide(about=thread.about, thread=thread.name, number=shown.remark.number or 0, by=by, reason=reason)
    open_reports = Report.objects.filter(id=shown.id, answered_at=None)
    open_reports.update(answered_by=by, answer=reason, answered_at=DATABASE_CLOCK)
