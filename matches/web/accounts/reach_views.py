"""An account's notifications: which are sent by which way, when they may come, and the latest ones."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from matches.domain.calls import KINDS, TABLE, WAYS, Way
from matches.html.entry import counted, posted_from, signed_in
from matches.http.problems import Problem
from matches.models import Account, Call, MailAddress
from matches.notifications import call_delivery, calls, mail_addresses, pushes, reach
from matches.seasons.reads import selectors
from matches.web.accounts.forms import MailForm, ReachForm

_MOST_LISTED = 20
_CHOICES = (
    ("", gettext_lazy("As the table says")),
    ("muted", gettext_lazy("Nothing")),
    ("all", gettext_lazy("All, by every way")),
)

_STANDINGS = {
    "sent": ("running", gettext_lazy("Told")),
    "waiting": ("waiting", gettext_lazy("To come")),
    "merged": ("void", gettext_lazy("Told with a later one")),
    "lapsed": ("void", gettext_lazy("No longer so")),
    "given_up": ("void", gettext_lazy("Given up")),
}


@require_safe
@signed_in
@counted
def page(request: HttpRequest) -> HttpResponse:
    return shown(request)


@posted_from("web:calls")
@signed_in
@counted
def choose(request: HttpRequest) -> HttpResponse:
    """Save the ticked boxes of the table; choices that it doesn't offer stay."""
    ticked = set(request.POST.getlist("wanted"))
    reach.choose(request.user, {(kind, way): f"{kind} {way}" in ticked for kind in KINDS for way in _ways_offered()})
    return _done(request, _("Your table is saved."))


@posted_from("web:calls")
@signed_in
@counted
def arrange(request: HttpRequest) -> HttpResponse:
    """Change when calls may come and how much they reveal."""
    form = ReachForm(request.POST, mails=mail_addresses.is_on())
    if not form.is_valid():
        return shown(request, arranging=form, status=422)
    reach.arrange(request.user, **{"digest": reach.wish_of(request.user).digest, **form.cleaned_data})
    return _done(request, _("Saved. What waits to be sent follows."))


@posted_from("web:calls")
@signed_in
@counted
def choose_season(request: HttpRequest) -> HttpResponse:
    """Mute a season, want all its calls, or go by the table again."""
    choice = request.POST.get("choice", "")
    season = _season_named(request, request.POST.get("season", ""))
    if choice not in dict(_CHOICES):
        raise Problem("malformed", _("Choose one of the three."))
    reach.choose_for_season(request.user, season, choice or None)
    return _done(request, _("Saved for that season."))


@posted_from("web:calls")
@signed_in
@counted
def remove_browser(request: HttpRequest, push_id: UUID) -> HttpResponse:
    """Remove a browser."""
    pushes.unsubscribe(request.user, push_id)
    return _done(request, _("That browser is told nothing any more."))


@posted_from("web:calls")
@signed_in
@counted
def try_all(request: HttpRequest) -> HttpResponse:
    """Send a test call by every way."""
    reach.wish_of(request.user)
    calls.test(request.user)
    return _done(request, _("A test is on its way; look again in a moment to see how it went."))


def shown(
    request: HttpRequest, *, arranging: Form | None = None, mail: Form | None = None, status: int = 200
) -> HttpResponse:
    """Show the page, with forms that were refused; raise not_for_guests."""
    me: Account = request.user
    wish, mails, ways = reach.wish_of(me), mail_addresses.is_on(), _ways_offered()
    context: dict[str, Any] = {
        "table": [
            (kind, TABLE[kind], [(way, f"{kind} {way}", wish.wants(kind, way)) for way in ways]) for kind in KINDS
        ],
        "arranging": arranging or ReachForm(initial=_arranged(wish), mails=mails),
        "key": pushes.application_key(),
        "browsers": list(me.pushes.order_by("made_at")),
        "mails": mails,
        "mail": mail or MailForm(initial={"address": mail_addresses.address_of(me)}),
        "address": MailAddress.objects.filter(account=me).first(),
        "seasons": [(it, wish.seasons.get(it.id, "")) for it in selectors.under_way_for(me)[:50]],
        "choices": _CHOICES,
        "told": [(it, call_delivery.message(it, details=True), *_standing(it)) for it in _newest(me)],
    }
    return render(request, "web/calls.html", context, status=status)


def _ways_offered() -> list[Way]:
    """Return the ways; e-mail only if the service sends letters."""
    return [way for way in WAYS if way != "email" or mail_addresses.is_on()]


def _standing(call: Call) -> tuple[str, str]:
    """Return a call's state: its CSS class, and in words."""
    if call.state == Call.State.WAITING and call.attempts:
        return "waiting", _("To be tried again")
    return _STANDINGS[call.state]


def _arranged(wish: reach.Wish) -> dict[str, Any]:
    quiet = wish.quiet
    return {
        "details": wish.details,
        "digest": wish.digest,
        "quiet_from": quiet.begins if quiet else None,
        "quiet_until": quiet.ends if quiet else None,
    }


def _newest(me: Account) -> list[Call]:
    return list(me.calls.filter(way__in=WAYS).order_by("-made_at")[:_MOST_LISTED])


def _season_named(request: HttpRequest, id_text: str) -> UUID:
    try:
        season = selectors.season_for(request.user, UUID(id_text))
    except ValueError:
        season = None
    if season is None:
        raise Problem("not_found", _("There is no such season."))
    return season.id


def _done(request: HttpRequest, text: str) -> HttpResponse:
    messages.success(request, text)
    return redirect("web:calls")
