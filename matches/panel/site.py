"""The admin site: Unfold's, with the dashboard, the control rooms and a sign-in of its own."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib.admin.utils import unquote
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import BadRequest, ValidationError
from django.core.paginator import InvalidPage
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.views.generic import RedirectView
from unfold.forms import AuthenticationForm
from unfold.sites import UnfoldAdminSite

from matches.html.entry import led_to, past_the_access_log, sign_out, signed_in
from matches.http import limits
from matches.panel import dashboard, stylesheet
from matches.panel.accounts import access_views, password_views, portrait_views
from matches.panel.control import control_views, rewind_views
from matches.panel.entry import is_of_the_house
from matches.panel.seasons import act_views, opening, views


class SignIn(AuthenticationForm):
    """For staff and organisers; others sign in on the house's own page."""

    def clean(self) -> Any:
        """Tries are counted together with those on the house's own page; raises Problem."""
        with limits.guessing(self.request, self.cleaned_data.get("username") or ""):
            return super().clean()

    def confirm_login_allowed(self, user: Any) -> None:
        """Refuse who has nothing to do here in the words for a wrong password."""
        if not (user.is_active and (user.is_staff or user.is_organiser)):
            raise ValidationError(
                self.error_messages["invalid_login"],
                code="invalid_login",
                params={"username": self.username_field.verbose_name},
            )


class PanelSite(UnfoldAdminSite):
    """The panel. Hosts who are neither staff nor organisers have their list of matches and the control rooms."""

    site_title = site_header = "Croupier"
    index_title = "Dashboard"
    index_template = "panel/dashboard.html"
    login_form = SignIn
    enable_nav_sidebar = True

    def has_permission(self, request: HttpRequest) -> bool:
        """Staff and organisers."""
        return is_of_the_house(request)

    def admin_view(self, view: Callable[..., HttpResponse], cacheable: bool = False) -> Callable[..., HttpResponse]:
        """As ever, and what no column can hold is refused before a list looks for it.

        Whose session is over signs in on a page of its own, also where only a part of a page was asked for.
        """
        inner = super().admin_view(view, cacheable)

        @wraps(inner)
        def answer(request: HttpRequest, *args: Any, **more: Any) -> HttpResponse:
            asked = [value for _, values in request.GET.lists() for value in values]
            if any("\0" in unquote(str(value)) for value in (*asked, *args, *more.values())):
                raise BadRequest("No value holds a NUL character.")
            if "HX-Request" in request.headers and not self.has_permission(request):
                return led_to(redirect_to_login(reverse("admin:index"), reverse("admin:login")).url, request)
            return inner(request, *args, **more)

        return answer

    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """As ever; who has just signed in is led past what others have done to the account."""
        response = super().login(request, extra_context)
        if request.method == "POST" and response.status_code == 302 and request.user.is_authenticated:
            return redirect(past_the_access_log(request, response.headers["Location"]))
        return response

    def index(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> TemplateResponse:
        """The dashboard."""
        return super().index(request, {**dashboard.of_the_house(request), **(extra_context or {})})

    def search(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """The lists by name; raises Http404 for a page that isn't there."""
        try:
            return super().search(request, extra_context)
        except (ValueError, InvalidPage):
            raise Http404("There is no such page of results.") from None

    def each_context(self, request: HttpRequest) -> dict[str, Any]:
        """A host's pages have header and sidebar too, with what is theirs; who may open what is asked elsewhere."""
        context = super().each_context(request)
        if request.user.is_authenticated:
            context["has_permission"] = True
            context["sidebar_navigation"] = self.get_sidebar_list(request)
        return context

    def extra_urls(self) -> list[URLPattern]:
        """The panel's own pages."""
        room, season = "matches/<slug:code>/control/", "seasons/<uuid:season_id>/"
        return [
            path("colours-<slug:digest>.css", stylesheet.colours, name="colours"),
            # A host who is neither staff nor an organiser leaves by the same doors.
            path("logout/", sign_out),
            path("password_change/", RedirectView.as_view(url="/account")),
            path("hosting/", signed_in(dashboard.hosting), name="hosting"),
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
            path("password/<uidb64>/<token>/", password_views.new_password, name="new_password"),
            path(room, control_views.room, name="control"),
            path(f"{room}live/", control_views.live_part, name="control_live"),
            path(f"{room}presence/", control_views.presence_part, name="control_presence"),
            path(f"{room}look/", control_views.look, name="control_look"),
            path(f"{room}rewind/", rewind_views.rewind, name="control_rewind"),
            path(f"{room}<slug:name>/", control_views.act, name="control_act"),
            path("seasons/", signed_in(views.seasons), name="seasons"),
            path("seasons/open/", opening.open_season, name="season_open"),
            path("seasons/open/check/", opening.check, name="season_check"),
            path(season, views.season, name="season"),
            path(f"{season}news/", views.news, name="season_news"),
            path(f"{season}<slug:name>/", act_views.act, name="season_act"),
            path(f"{season}<slug:name>/foresee/", act_views.foresee, name="season_foresee"),
        ]
