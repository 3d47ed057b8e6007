"""Who saw what, and new passwords for those who lost theirs."""

from typing import Any, NamedTuple
from uuid import UUID

from django.contrib import admin
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.auth.tokens import default_token_generator
from django.contrib.auth.views import PasswordResetConfirmView
from django.contrib.contenttypes.models import ContentType
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode
from django.views.decorators.http import require_http_methods, require_safe

from events import access
from events.models import LoggedEvent
from matches.api import devices
from matches.api.problems import Problem
from matches.models import Account, Match
from matches.panel.entry import is_organiser
from matches.seasons import selectors
from matches.seasons.models import Season

_SHOWN = 200


class Look(NamedTuple):
    """Somebody's look: at the truth of a match under way, or at a record that was taken away.

    `code` is that of the match; of a season it is the title.
    """

    at: Any
    who: str
    what: str
    code: str


@require_safe
def access_log(request: HttpRequest) -> HttpResponse:
    """The newest looks at the truth, the newest exports and the newest webhooks of seasons; for organisers."""
    if not is_organiser(request):
        raise PermissionDenied
    looks = LoggedEvent.objects.filter(type="truth_viewed").order_by("-at")[:_SHOWN]
    found = [(it.at, it.actor, "looked at the truth", it.stream) for it in looks]
    found += [(it.at, it.actor, it.kind.replace("_", " "), it.stream) for it in access.newest(_SHOWN)]
    found.sort(key=lambda it: it[0], reverse=True)
    names = _names({actor for _, actor, _, _ in found})
    streams = {it[3] for it in found}
    codes = dict(Match.objects.filter(id__in=streams).values_list("id", "code"))
    codes |= dict(Season.objects.filter(id__in=streams).values_list("id", "title"))
    context = {
        **admin.site.each_context(request),
        "title": "Access log",
        "looks": [Look(at, names.get(actor, actor), kind, codes.get(stream, "")) for at, actor, kind, stream in found],
    }
    return render(request, "panel/access_log.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def reset_link(request: HttpRequest, account_id: UUID) -> HttpResponse:
    """A link with which a person chooses a new password: made by POST, shown once, noted in the admin's own log. Raises
    Problem where maker and person meet in a season."""
    account = get_object_or_404(Account, id=account_id)
    if selectors.competes_with(request.user, account):
        raise Problem(
            "plays_here",
            "You play in a season in which this account has a part. Ask an organiser who doesn't play in it.",
        )
    if not admin.site.get_model_admin(Account).has_change_permission(request, account):
        raise PermissionDenied
    link = ""
    if request.method == "POST":
        uid, token = urlsafe_base64_encode(force_bytes(account.pk)), default_token_generator.make_token(account)
        link = request.build_absolute_uri(reverse("admin:new_password", args=[uid, token]))
        LogEntry.objects.create(
            user_id=request.user.pk,
            content_type_id=ContentType.objects.get_for_model(Account).pk,
            object_id=str(account.pk),
            object_repr=account.username,
            action_flag=CHANGE,
            change_message="Made a link for a new password.",
        )
    context = {
        **admin.site.each_context(request),
        "title": "New password",
        "account": account,
        "link": link,
    }
    return render(request, "panel/reset_link.html", context)


class _NewPassword(PasswordResetConfirmView):
    def form_valid(self, form: Any) -> HttpResponse:
        """Keep the password; whoever had the link gets in with it, however many guess meanwhile."""
        devices.remember(self.request, self.user)
        return super().form_valid(form)


new_password = _NewPassword.as_view(
    template_name="panel/new_password.html", success_url="/sign-in", title="A new password"
)
"""Where the link leads: the person chooses a password, and signs in with it."""


def _names(actors: set[str]) -> dict[str, str]:
    ids = [actor for actor in actors if _is_id(actor)]
    return {str(pk): name for pk, name in Account.objects.filter(id__in=ids).values_list("id", "username")}


def _is_id(actor: str) -> bool:
    try:
        UUID(actor)
    except ValueError:
        return False
    return True
