"""The admin site: Unfold's, with the dashboard and the control rooms. It uses the site's own sign-in."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib import messages
from django.contrib.admin.utils import unquote
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import BadRequest
from django.core.paginator import InvalidPage
from django.http import Http404, HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.views.generic import RedirectView
from unfold.sites import UnfoldAdminSite

from matches.domain import secret_urls
from matches.html.entry import led_to, sign_out, signed_in
from matches.panel import dashboard, stylesheet, yours
from matches.panel.accounts import access_views, password_views, portrait_views
from matches.panel.audit import dispute_views, log_views
from matches.panel.control import contest_views, control_views, rewind_views
from matches.panel.entry import is_of_the_house
from matches.panel.seasons import act_views, opening, views


class PanelSite(UnfoldAdminSite):
    """The panel. An account that is neither staff nor organiser sees its own desks, matches and control rooms."""

    site_title = site_header = "Croupier"
    index_title = "Dashboard"
    index_template = "panel/dashboard.html"
    enable_nav_sidebar = True

    def has_permission(self, request: HttpRequest) -> bool:
        """True for staff and organisers."""
        return is_of_the_house(request)

    def admin_view(self, view: Callable[..., HttpResponse], cacheable: bool = False) -> Callable[..., HttpResponse]:
        """Refuse NUL characters before a list searches for them, and redirect accounts without access.

        An anonymous visitor is redirected to the sign-in and back; a signed-in account that is no official to its own
        page.
        """
        inner = super().admin_view(view, cacheable)

        @wraps(inner)
        def answer(request: HttpRequest, *args: Any, **more: Any) -> HttpResponse:
            parameters = [value for _, values in request.GET.lists() for value in values]
            if any("\0" in unquote(str(value)) for value in (*parameters, *args, *more.values())):
                raise BadRequest("No value holds a NUL character.")
            return inner(request, *args, **more) if self.has_permission(request) else _redirect(request)

        return answer

    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Redirect to the site's sign-in, which leads back."""
        return redirect_to_login(request.GET.get("next") or reverse("admin:index"), "/sign-in")

    def index(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> TemplateResponse:
        """Show the dashboard."""
        return super().index(request, {**dashboard.of_the_house(request), **(extra_context or {})})

    def search(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Search the lists; raise Http404 for a page that doesn't exist."""
        try:
            return super().search(request, extra_context)
        except (ValueError, InvalidPage):
            raise Http404("There is no such page of results.") from None

    def each_context(self, request: HttpRequest) -> dict[str, Any]:
        """Return the context; hosts' pages have header and sidebar too, with their own entries. Access is checked
        elsewhere."""
        context = super().each_context(request)
        # The panel's stylesheet has them.
        context["colors"] = {}
        if request.user.is_authenticated:
            context["has_permission"] = True
            context["sidebar_navigation"] = self.get_sidebar_list(request)
        return context

    def extra_urls(self) -> list[URLPattern]:
        """Return the panel's own pages."""
        room, season = "matches/<slug:code>/control/", "seasons/<uuid:season_id>/"
        return [
            path("colours-<slug:digest>.css", stylesheet.colours, name="colours"),
            # Hosts who are neither staff nor organisers sign out here too.
            path("logout/", sign_out),
            path("password_change/", RedirectView.as_view(url="/account")),
            path("hosting/", signed_in(dashboard.hosting), name="hosting"),
            path("log/", log_views.log, name="log"),
            path("log/<uuid:stream>/<int:version>/", log_views.event, name="log_event"),
            path("disputes/", dispute_views.listed, name="disputes"),
            path("disputes/<slug:code>/<int:number>/", dispute_views.dispute, name="dispute"),
            path("disputes/<slug:code>/<int:number>/look/", dispute_views.look, name="dispute_look"),
            path("access-log/", self.admin_view(access_views.access_log), name="access_log"),
            path(
                "matches/account/<uuid:account_id>/log/",
                self.admin_view(access_views.of_account),
                name="account_log",
            ),
            path(
                "matches/account/<uuid:account_id>/reset/",
                self.admin_view(password_views.reset_link),
                name="reset_link",
            ),
            path(
                "matches/account/<uuid:account_id>/portrait/",
                self.admin_view(portrait_views.take_down),
                name="portrait",
            ),
            path(secret_urls.PANEL_NEW_PASSWORD, password_views.new_password, name="new_password"),
            path(room, control_views.room, name="control"),
            path(f"{room}live/", control_views.live_part, name="control_live"),
            path(f"{room}presence/", control_views.presence_part, name="control_presence"),
            path(f"{room}look/", control_views.look, name="control_look"),
            path(f"{room}rewind/", rewind_views.rewind, name="control_rewind"),
            path(f"{room}note/", contest_views.note, name="control_note"),
            path(f"{room}remind/", contest_views.remind, name="control_remind"),
            path(f"{room}round-time/", contest_views.give_time, name="control_round_time"),
            path(f"{room}close-round/", contest_views.close, name="control_close"),
            path(f"{room}judge/", contest_views.judge, name="control_judge"),
            path(f"{room}amend/", contest_views.amend, name="control_amend"),
            path(f"{room}<slug:name>/", control_views.act, name="control_act"),
            path("seasons/", signed_in(views.seasons), name="seasons"),
            path("seasons/open/", opening.open_season, name="season_open"),
            path("seasons/open/check/", opening.check, name="season_check"),
            path(season, views.season, name="season"),
            path(f"{season}news/", views.news, name="season_news"),
            path(f"{season}contests/", act_views.contest_choices, name="season_contests"),
            path(f"{season}<slug:name>/", act_views.act, name="season_act"),
            path(f"{season}<slug:name>/foresee/", act_views.foresee, name="season_foresee"),
        ]


def _redirect(request: HttpRequest) -> HttpResponse:
    """Redirect to the sign-in and back, or to the account's own page; always as a whole page."""
    home = reverse("admin:index")
    if not request.user.is_authenticated:
        is_page = request.method in ("GET", "HEAD") and "HX-Request" not in request.headers
        return led_to(redirect_to_login(request.get_full_path() if is_page else home, "/sign-in").url, request)
    if request.path == home:
        return yours.page(request)
    messages.info(request, "That is for the staff and organisers of the house. This is yours:")
    return led_to(home, request)
