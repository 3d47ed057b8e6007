"""E-mail on the pages: setting and verifying an address, unsubscribing by one click, a new password by a letter."""

from django.contrib import messages
from django.contrib.auth import logout
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from matches.accounts.access_log import Door
from matches.html.entry import counted, posted_from, signed_in
from matches.http import mailing
from matches.http.problems import Problem
from matches.notifications import mail_addresses
from matches.web.accounts.forms import ForgottenForm, MailForm, NewPasswordForm
from matches.web.accounts.reach_views import shown

_PLACES = {"bad_email": "address", "bad_credentials": "password", "weak_password": "password"}


@sensitive_post_parameters()
@posted_from("web:calls")
@signed_in
@counted
def set_address(request: HttpRequest) -> HttpResponse:
    """Send a letter that verifies an address."""
    form = MailForm(request.POST)
    if form.is_valid():
        try:
            mailing.set_address(request, form.cleaned_data["address"], form.cleaned_data["password"], Door.PAGE)
        except Problem as problem:
            form.add_error(_PLACES.get(problem.code), problem.detail)
    if form.errors:
        return shown(request, mail=form, status=422)
    messages.success(
        request,
        _("A letter is on its way; a mailbox gets a few an hour at most. Open the link in it within a day."),
    )
    return redirect("web:calls")


@posted_from("web:calls")
@signed_in
@counted
def remove(request: HttpRequest) -> HttpResponse:
    """Delete the address."""
    mailing.remove(request.user, Door.PAGE)
    messages.success(request, _("Your address is forgotten."))
    return redirect("web:calls")


@posted_from("web:calls")
@signed_in
@counted
def subscribe(request: HttpRequest) -> HttpResponse:
    """Turn calls by mail on again."""
    mail_addresses.subscribe(request.user, True)
    messages.success(request, _("Calls come by mail again."))
    return redirect("web:calls")


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
@counted
def verify(request: HttpRequest, token: str) -> HttpResponse:
    """Verify an address by the letter's link: with a button, since mail programs open links by themselves."""
    if request.method == "POST":
        mailing.verify(request.user, token, Door.PAGE)
        messages.success(request, _("Your address is verified. Calls come there from now on."))
        return redirect("web:calls")
    return render(request, "web/verify.html")


@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
def unsubscribe(request: HttpRequest, token: str) -> HttpResponse:
    """Turn off all letters with calls: by one click in the mail program or on this page (RFC 8058)."""
    try:
        account = mail_addresses.account_of_unsubscribe_token(token)
    except mail_addresses.TokenRefused:
        raise Problem("bad_link") from None
    if request.method == "POST":
        mail_addresses.subscribe(account, False)
    return render(request, "web/unsubscribe.html", {"done": request.method == "POST"})


@require_http_methods(["GET", "HEAD", "POST"])
def forgotten(request: HttpRequest) -> HttpResponse:
    """Send a link for a new password; the page is the same whether the account exists or not."""
    form = ForgottenForm(request.POST or None)
    is_sent = request.method == "POST" and form.is_valid()
    if is_sent:
        mailing.request_reset(request, form.cleaned_data["name"])
    return render(request, "web/forgotten.html", {"form": form, "asked": is_sent}, status=422 if form.errors else 200)


@sensitive_post_parameters()
@require_http_methods(["GET", "HEAD", "POST"])
def new_password(request: HttpRequest, token: str) -> HttpResponse:
    """Set a new password by the letter's link."""
    try:
        mail_addresses.account_of_reset_token(token)
    except mail_addresses.TokenRefused:
        raise Problem("bad_link") from None
    form = NewPasswordForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            mailing.reset(request, token, form.cleaned_data["password"])
            logout(request)
            messages.success(request, _("Your new password is set. Sign in with it."))
            return redirect("/sign-in")
        except Problem as problem:
            form.add_error(_PLACES.get(problem.code), problem.detail)
    return render(request, "web/new_password.html", {"form": form}, status=422 if form.errors else 200)
