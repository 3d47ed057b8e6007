"""An account's own page: settings for pages, its password, its tokens."""

from uuid import UUID

from django.contrib import messages
from django.contrib.auth import authenticate, update_session_auth_hash
from django.forms import Form
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_safe

from matches.accounts import access_log, credentials
from matches.accounts.access_log import Actor, Door
from matches.html.entry import counted, posted_from, signed_in, way_back
from matches.html.form_values import press_of
from matches.http import devices, limits, signing_up, tokens
from matches.http.problems import Problem
from matches.models import Account
from matches.web.accounts.forms import PasswordForm, SettingsForm, TokenForm
from matches.web.seasons.running import run_by


@require_safe
@signed_in
@counted
def account(request: HttpRequest) -> HttpResponse:
    return _page(request)


@posted_from("web:account")
@signed_in
@counted
def settings(request: HttpRequest) -> HttpResponse:
    """Change time zone and theme."""
    form = SettingsForm(request.POST)
    if not form.is_valid():
        return _page(request, settings=form, status=422)
    me: Account = request.user
    me.time_zone, me.theme = form.cleaned_data["time_zone"], form.cleaned_data["theme"]
    me.save(update_fields=["time_zone", "theme"])
    return _done(request, "Your settings are saved.")


@sensitive_post_parameters()
@posted_from("web:account")
@signed_in
@counted
def password(request: HttpRequest) -> HttpResponse:
    """Change the password; this browser stays signed in, all others are signed out, and programs too unless their
    tokens are kept."""
    form = PasswordForm(request.POST)
    if not form.is_valid():
        return _page(request, password=form, status=422)
    me: Account = request.user
    try:
        with limits.guessing(request, me.username):
            if authenticate(request, username=me.username, password=form.cleaned_data["current"]) is None:
                raise Problem("bad_credentials", "That isn't your current password.")
        signing_up.refuse_weak(form.cleaned_data["new"], me)
    except Problem as problem:
        place = {"weak_password": "new", "bad_credentials": "current"}.get(problem.code)
        form.add_error(place, problem.detail)
    if form.errors:
        return _page(request, password=form, status=422)
    keep = not form.cleaned_data["revoke_tokens"]
    credentials.change_password(
        me, form.cleaned_data["new"], Actor(me.id, Door.PAGE), "password_changed", keep_tokens=keep
    )
    update_session_auth_hash(request, me)
    devices.remember(request, me)
    return _done(request, f"Your password is changed{'' if keep else ', and all tokens are revoked'}.")


@posted_from("web:account")
@signed_in
@counted
def make_token(request: HttpRequest) -> HttpResponse:
    """Make a token, and show it this once."""
    form = TokenForm(request.POST)
    if not form.is_valid():
        return _page(request, token=form, status=422)
    fields = form.cleaned_data
    press = press_of(request)
    _, secret = tokens.make(request.user, name=fields["name"], scopes=fields["scopes"], door=Door.PAGE, press=press)
    return _page(request, made=secret)


@posted_from("web:account")
@signed_in
@counted
def revoke_token(request: HttpRequest, token_id: UUID) -> HttpResponse:
    """Revoke a token."""
    if not tokens.revoke(request.user, token_id, Door.PAGE):
        raise Http404
    return _done(request, "The token is revoked.")


@require_safe
@signed_in
@counted
def changes(request: HttpRequest) -> HttpResponse:
    """Show the account's access log; others' changes are new until they are marked as seen."""
    context = {"entries": access_log.about(request.user.id), "next": way_back(request)}
    return render(request, "web/access_log.html", context)


@posted_from("web:access_log")
@signed_in
@counted
def changes_seen(request: HttpRequest) -> HttpResponse:
    """Mark the page's entries as seen, and redirect to the next page."""
    shown = [int(it) for it in request.POST.getlist("entry") if it.isascii() and it.isdigit() and len(it) < 19]
    access_log.mark_seen(request.user.id, shown)
    return redirect(way_back(request))


def _done(request: HttpRequest, text: str) -> HttpResponse:
    messages.success(request, text)
    return redirect("/account")


def _page(
    request: HttpRequest,
    *,
    settings: Form | None = None,
    password: Form | None = None,
    token: Form | None = None,
    made: str = "",
    status: int = 200,
) -> HttpResponse:
    me: Account = request.user
    context = {
        "settings": settings or SettingsForm(initial={"time_zone": me.time_zone, "theme": me.theme}),
        "password": password or PasswordForm(),
        "token": token or TokenForm(),
        "tokens": tokens.good_ones(me),
        "lifetime_days": tokens.LIFETIME.days,
        "made": made,
        "run": run_by(me),
    }
    return render(request, "web/account.html", context, status=status)
