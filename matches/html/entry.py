"""Who may come in: pages that need an account send others to the sign-in and back."""

from collections.abc import Callable
from functools import wraps
from typing import Any
from urllib.parse import urlencode, urlsplit

from django.contrib import messages
from django.contrib.auth import login, logout
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST

from matches.accounts import access_log, credentials
from matches.domain import secret_urls
from matches.http import guests
from matches.http.limits import ByMethod
from matches.http.problems import Problem, wants_document
from matches.models import Account

View = Callable[..., HttpResponse]
_BACKEND = "django.contrib.auth.backends.ModelBackend"


def signed_in(view: View) -> View:
    """For accounts alone; others sign in first and come back. A script gets the problem `not_authenticated`."""

    @wraps(view)
    def let_in(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if request.user.is_authenticated:
            return view(request, *args, **kwargs)
        if wants_document(request):
            raise Problem("not_authenticated", "You are signed out; load the page and sign in.")
        return redirect_to_login(_page_of(request), "/sign-in")

    return let_in


def _page_of(request: HttpRequest) -> str:
    """The page asked for; from a form, the page that it stands on. Where the path holds a secret no referrer names that
    page, but a GET of the path leads there."""
    if request.method in ("GET", "HEAD") or secret_urls.has_secret(request.path):
        return request.get_full_path()
    stood_on = request.headers.get("Referer", "")
    if not url_has_allowed_host_and_scheme(stood_on, {request.get_host()}):
        return "/"
    return urlsplit(stood_on)._replace(scheme="", netloc="").geturl() or "/"


def posted_from(page: str, *named: str) -> Callable[[View], View]:
    """For what a form on `page` posts. To load a refusal again is a GET, which does nothing and leads to that page.

    `named` are the parts of the address that the page's address has too.
    """

    def post_alone(view: View) -> View:
        @wraps(view)
        def answer(request: HttpRequest, **parts: Any) -> HttpResponse:
            if request.method in ("GET", "HEAD"):
                return redirect(page, **{name: parts[name] for name in named})
            return require_POST(view)(request, **parts)

        return answer

    return post_alone


def led_to(address: str, request: HttpRequest) -> HttpResponse:
    """A redirect of the whole page, also where htmx asks for a part of it."""
    return HttpResponse(headers={"HX-Redirect": address}) if "HX-Request" in request.headers else redirect(address)


def counted(view: View) -> View:
    """Counted with the account's requests to the API: forms may ask for no more than programs. A guest stays on."""

    @wraps(view)
    def count_first(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        ByMethod().allow_request(request, None)
        guests.renew(request)
        return view(request, *args, **kwargs)

    return count_first


def way_back(request: HttpRequest) -> str:
    """The page of this house that `next` names, else the lobby."""
    wanted = request.POST.get("next") or request.GET.get("next") or "/"
    here = {request.get_host()}
    return wanted if url_has_allowed_host_and_scheme(wanted, here, require_https=request.is_secure()) else "/"


def past_the_access_log(request: HttpRequest, address: str) -> str:
    """Where whoever has just signed in goes: where others have changed the account meanwhile, past the page that says
    so, which leads on to the address."""
    if not access_log.count_unseen(request.user.pk):
        return address
    return f"{reverse('web:access_log')}?{urlencode({'next': address})}"


def open_session(request: HttpRequest, account: Account) -> None:
    """Sign an account in; what another account holds open in this browser ends."""
    before = request.user.pk
    login(request, account, backend=_BACKEND)
    if before and before != account.pk:
        credentials.end_soon(before)


@require_POST
def sign_out(request: HttpRequest) -> HttpResponse:
    """End this browser's session."""
    account = request.user.pk
    logout(request)
    if account:
        credentials.end_soon(account)
    messages.success(request, "You are signed out.")
    return redirect("/")
