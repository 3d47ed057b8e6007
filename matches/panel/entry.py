"""Access: the panel is for staff and organisers, a control room for the hosts of its match."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any

from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.cache import never_cache

from games.kernel import SPECTATOR
from matches.domain import impartiality
from matches.domain.lifecycle import Lifecycle
from matches.html.entry import counted, led_to
from matches.http.match_access import hosts, is_barred
from matches.models import Account, Match
from matches.reads import selectors
from matches.services import season_players
from matches.storage import repository


@dataclass(frozen=True)
class ControlRoom:
    """A match and its host; `lifecycle` is the newest one, without the spectators' delay."""

    match: Match
    lifecycle: Lifecycle
    host: Account

    @property
    def seat(self) -> int | None:
        """The seat that the host holds; they may see no more than it does."""
        return self.lifecycle.seat_of(str(self.host.id))

    @property
    def plays(self) -> bool:
        """True if the host plays or has played at the match against a person, so that another host must run it."""
        return impartiality.plays(self.lifecycle, str(self.host.id))

    def may(self, act: str, seat: int | None = None) -> bool:
        """True if an act, named as in `matches.domain.declared_host_acts`, is open to the host, who may play at the
        match; for a seat, or for any."""
        return impartiality.is_open_to(self.lifecycle, str(self.host.id), act, seat)


def is_of_the_house(request: HttpRequest) -> bool:
    """True if the account may use the panel's lists: staff, and organisers of the house."""
    user = request.user
    return bool(user.is_active and user.is_authenticated and (user.is_staff or user.is_organiser))


def is_organiser(request: HttpRequest) -> bool:
    """True if the account is an organiser of the house, or a superuser."""
    return is_of_the_house(request) and bool(request.user.is_organiser or request.user.is_superuser)


def for_hosts(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Pass the match's control room to the view; an account that doesn't host it gets 404. Raise Illegal for one that
    would host it but plays in its season."""

    @wraps(view)
    def enter(request: HttpRequest, code: str, **more: Any) -> HttpResponse:
        if not request.user.is_authenticated:
            return _to_the_sign_in(request, code)
        match = selectors.match_by(code)
        if match is None or not hosts(request, match):
            if match is not None and is_barred(request, match):
                season_players.refuse_season_player(match.id, request.user.id)
            raise Http404(f"There is no control room {code}.")
        lifecycle = repository.load(match.id, SPECTATOR).lifecycle
        return view(request, ControlRoom(match, lifecycle, request.user), **more)

    return never_cache(counted(enter))


def _to_the_sign_in(request: HttpRequest, code: str) -> HttpResponse:
    """Redirect to the sign-in, which leads back to the requested page; from an act or a part of the
    room, to the room."""
    is_page = request.method in ("GET", "HEAD") and "HX-Request" not in request.headers
    back = request.get_full_path() if is_page else reverse("admin:control", args=[code])
    return led_to(redirect_to_login(back, "/sign-in").url, request)
