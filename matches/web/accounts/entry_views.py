"""Sign-up, sign-in, sign-out."""

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import authenticate
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_safe

from matches.domain.names import is_time_zone
from matches.html.entry import counted, open_session, past_the_access_log, way_back
from matches.http import authentication, guests, limits, signing_up
from matches.http.addresses import network
from matches.http.page_owner import HEADER, owner_tag
from matches.http.problems import Problem
from matches.http.streaming import begin_for_page
from matches.models import Account
from matches.notifications import mail_addresses
from matches.web.accounts.forms import SignInForm, SignUpForm

_AT_NAME = ("bad_name", "name_taken")
_AT_PASSWORD = ("weak_password",)


@sensitive_post_parameters()
@require_http_methods(["GET", "HEAD", "POST"])
def sign_up(request: HttpRequest) -> HttpResponse:
    """Create an account and sign it in; a guest's becomes one, with all that it has played."""
    if _has_account(request) and request.method != "POST":
        return HttpResponseRedirect(way_back(request))
    signing_up.refuse_closed()
    form = SignUpForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        name, password = form.cleaned_data["username"], form.cleaned_data["password"]
        try:
            limits.spend_signup(request, name)
            _set_time_zone(_signed_up(request, name, password), request.POST.get("time_zone", ""))
            return HttpResponseRedirect(way_back(request))
        except Problem as problem:
            return _show_again(request, "sign_up", form, problem)
    return _page(request, "sign_up", form, 422 if form.errors else 200)


@sensitive_post_parameters()
@require_http_methods(["GET", "HEAD", "POST"])
def sign_in(request: HttpRequest) -> HttpResponse:
    """Sign an account in; a guest of this browser is abandoned."""
    if _has_account(request) and request.method != "POST":
        return HttpResponseRedirect(way_back(request))
    form = SignInForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        name, password = form.cleaned_data["username"], form.cleaned_data["password"]
        try:
            with limits.guessing(request, name):
                # An unknown name takes as long as a wrong password: both are hashed.
                account = authenticate(request, username=name, password=password)
                if account is None:
                    raise Problem("bad_credentials")
            left = request.user.username if guests.is_guest(request) else ""
            open_session(request, account)
            if left:
                sentence = _("You no longer play as %(name)s; what it has played stays in the record.")
                messages.info(request, sentence % {"name": left})
            return HttpResponseRedirect(past_the_access_log(request, way_back(request)))
        except Problem as problem:
            return _show_again(request, "sign_in", form, problem)
    return _page(request, "sign_in", form, 422 if form.errors else 200)


@require_safe
def session(request: HttpRequest) -> HttpResponse:
    """Respond with the header that names the owner of this browser's pages; as events, with a stream that ends with the
    login.

    The session is read without Django's middleware, which deletes the cookie of an ended session: a password change in
    another tab may be about to replace that cookie.
    """
    if "text/event-stream" in request.headers.get("Accept", ""):
        return _login_stream(request)
    account = authentication.account_of_session(request.COOKIES.get(settings.SESSION_COOKIE_NAME, ""))
    account_id = account.pk if account else None
    limits.spend("reads", account_id, network(request.META.get("REMOTE_ADDR", "")), request)
    return HttpResponse(status=204, headers={HEADER: owner_tag(account_id)})


@counted
def _login_stream(request: HttpRequest) -> HttpResponse:
    if not request.user.is_authenticated:
        raise Problem("not_authenticated")
    return begin_for_page(request, request.user, login=True)


def _has_account(request: HttpRequest) -> bool:
    """True if the reader is signed in, and not as a guest."""
    return request.user.is_authenticated and not guests.is_guest(request)


def _signed_up(request: HttpRequest, name: str, password: str) -> Account:
    if guests.is_guest(request):
        return guests.sign_up(request, name, password)
    account = signing_up.sign_up(name, password)
    open_session(request, account)
    return account


def _set_time_zone(account: Account, zone: str) -> None:
    """Set the browser's time zone, if it sends a known one."""
    if is_time_zone(zone):
        account.time_zone = zone
        account.save(update_fields=["time_zone"])


def _show_again(request: HttpRequest, page: str, form: SignInForm, problem: Problem) -> HttpResponse:
    """Show the form again, with the error at its field."""
    place = "username" if problem.code in _AT_NAME else "password" if problem.code in _AT_PASSWORD else None
    text = problem.detail if place else f"{problem.title}. {problem.detail}"
    form.add_error(place, text)
    response = _page(request, page, form, problem.status)
    for name, value in problem.headers.items():
        response.headers[name] = value
    return response


def _page(request: HttpRequest, page: str, form: SignInForm, status: int) -> HttpResponse:
    back = way_back(request)
    context = {"form": form, "next": "" if back == "/" else back, "mails": mail_addresses.is_on()}
    return render(request, f"web/{page}.html", context, status=status)
