"""Access to pages: pages that need an account redirect to the sign-in and back."""

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
    """Require an account; redirect others to the sign-in. A script gets the problem `not_authenticated`."""

    @wraps(view)
    def let_in(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if request.user.is_authenticated:
            return view(request, *args, **kwargs)
        if wants_document(request):
            raise Problem("not_authenticated", "You are signed out; load the page and sign in.")
        return redirect_to_login(_page_of(request), "/sign-in")

    return let_in


def _page_of(request: HttpRequest) -> str:
    """Return the requested page; for a form, the page that contains it.

    No referrer names a page whose path holds a secret, but a GET of the form's path leads to it.
    """
    if request.method in ("GET", "HEAD") or secret_urls.has_secret(request.path):
        return request.get_full_path()
    referrer = request.headers.get("Referer", "")
    if not url_has_allowed_host_and_scheme(referrer, {request.get_host()}):
        return "/"
    return urlsplit(referrer)._replace(scheme="", netloc="").geturl() or "/"


def posted_from(page: str, *named: str) -> Callable[[View], View]:
    """For what a form on `page` posts. A GET, as by reloading a refusal, redirects to that page.

    `named` are the arguments of the URL that the page's URL has too.
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
    """Return a redirect of the whole page, also for htmx requests."""
    return HttpResponse(headers={"HX-Redirect": address}) if "HX-Request" in request.headers else redirect(address)


def counted(view: View) -> View:
    """Count the request against the account's API limit, so that forms can't exceed it; extend a guest's account."""

    @wraps(view)
    def count_first(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        ByMethod().allow_request(request, None)
        guests.renew(request)
        return view(request, *args, **kwargs)

    return count_first


def way_back(request: HttpRequest) -> str:
    """Return the page of this site that `next` names, else the lobby."""
    wanted = request.POST.get("next") or request.GET.get("next") or "/"
    here = {request.get_host()}
    return wanted if url_has_allowed_host_and_scheme(wanted, here, require_https=request.is_secure()) else "/"


def past_the_access_log(request: HttpRequest, address: str) -> str:
    """Return the next page after a sign-in: if others have changed the account, the access log, which links to
    `address`."""
    if not access_log.count_unseen(request.user.pk):
        return address
    return f"{reverse('web:access_log')}?{urlencode({'next': address})}"


def open_session(request: HttpRequest, account: Account) -> None:
    """Sign an account in; close the connections of another account that this browser held."""
    before = request.user.pk
    login(request, account, backend=_BACKEND)
    if before and before != account.pk:
        credentials.end_soon(before)


@require_POST
def sign_out(request: HttpRequest) -> HttpResponse:
    account = request.user.pk
    logout(request)
    if account:
        credentials.end_soon(account)
    messages.success(request, "You are signed out.")
    return redirect("/")
