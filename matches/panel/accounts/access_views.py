"""The access logs of matches, seasons and accounts."""

from typing import Any, NamedTuple
from uuid import UUID

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from events import access
from events.models import LoggedEvent
from matches.accounts import access_log as account_log
from matches.models import Account, Match
from matches.panel.entry import is_organiser
from matches.seasons.models import Season

_SHOWN = 200


class AccessLogRow(NamedTuple):
    """A look at the truth of a match under way, or a record that was taken.

    `code` is that of the match; of a season it is the title.
    """

    at: Any
    who: str
    what: str
    code: str


@require_safe
def access_log(request: HttpRequest) -> HttpResponse:
    """Show the newest looks at the truth, exports, webhooks of seasons and changes of accounts; for organisers."""
    if not is_organiser(request):
        raise PermissionDenied
    looks = LoggedEvent.objects.filter(type="truth_viewed").order_by("-at")[:_SHOWN]
    entries = [(it.at, it.actor, "looked at the truth", it.stream) for it in looks]
    entries += [(it.at, it.actor, it.kind.replace("_", " "), it.stream) for it in access.newest(_SHOWN)]
    entries.sort(key=lambda it: it[0], reverse=True)
    names = _names({actor for _, actor, _, _ in entries})
    streams = {it[3] for it in entries}
    codes = dict(Match.objects.filter(id__in=streams).values_list("id", "code"))
    codes |= dict(Season.objects.filter(id__in=streams).values_list("id", "title"))
    context = {
        **admin.site.each_context(request),
        "title": "Access log",
        "looks": [
            AccessLogRow(at, names.get(actor, actor), kind, codes.get(stream, ""))
            for at, actor, kind, stream in entries
        ],
        "changes": _with_names(account_log.newest(_SHOWN)),
    }
    return render(request, "panel/access_log.html", context)


@require_safe
def of_account(request: HttpRequest, account_id: UUID) -> HttpResponse:
    """Show the access log of one account; for organisers."""
    if not is_organiser(request):
        raise PermissionDenied
    account = get_object_or_404(Account, id=account_id)
    context = {
        **admin.site.each_context(request),
        "title": "Access log",
        "of": account.username,
        "changes": _with_names(account_log.about(account.id, _SHOWN)),
    }
    return render(request, "panel/account_log.html", context)


def _with_names(entries: list[account_log.ReadableEntry]) -> list[dict[str, Any]]:
    ids = {it.account for it in entries}
    names = dict(Account.objects.filter(id__in=ids).values_list("id", "username"))
    return [it._asdict() | {"where": it.where, "whose": names.get(it.account, str(it.account))} for it in entries]


def _names(actors: set[str]) -> dict[str, str]:
    ids = [actor for actor in actors if _is_id(actor)]
    return {str(pk): name for pk, name in Account.objects.filter(id__in=ids).values_list("id", "username")}


def _is_id(actor: str) -> bool:
    try:
        UUID(actor)
    except ValueError:
        return False
    return True
