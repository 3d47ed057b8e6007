"""The admin's lists: matches, seats and notices read-only; accounts to deactivate or make organisers."""

from typing import Any

from django.contrib import admin
from django.contrib.admin.utils import unquote
from django.contrib.auth.models import Group
from django.db import DEFAULT_DB_ALIAS
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.html import format_html
from unfold.admin import ModelAdmin

from events import replica
from matches.accounts import credentials
from matches.accounts.access_log import Actor, Door
from matches.models import Account, Match, Notice, Seat
from matches.panel.entry import is_of_the_house, is_organiser
from matches.reads import permissions
from matches.seasons.reads import selectors

admin.site.unregister(Group)

_MOST_FOUND = 1000
"""If a replica returns more results than this, the primary searches instead."""


def _hidden_matches(request: HttpRequest) -> QuerySet[Any]:
    """Return the ids of matches that are hidden from the account, because it plays in their season."""
    return selectors.kept_from(request.user).values("id")


class ReadOnlyAdmin(ModelAdmin):
    """Read-only for organisers: rows are projections of events, or are changed only by the service."""

    list_per_page = 50
    show_full_result_count = False

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        """Search in a replica, if there is one, and load the rows from the primary with current visibility."""
        matching, has_duplicates = super().get_search_results(request, queryset, search_term)
        if not search_term:
            return matching, has_duplicates
        keys = matching.order_by().values_list("pk", flat=True).distinct()[: _MOST_FOUND + 1]
        database, keys_found = replica.search(lambda it: (it, [] if it == DEFAULT_DB_ALIAS else list(keys.using(it))))
        if database == DEFAULT_DB_ALIAS or len(keys_found) > _MOST_FOUND:
            return matching, has_duplicates
        return queryset.filter(pk__in=keys_found), False

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        """Return all fields."""
        return tuple(self.fields or ())

    def has_module_permission(self, request: HttpRequest) -> bool:
        """Return the same as for viewing."""
        return self.has_view_permission(request)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """True for organisers, and accounts with the permission."""
        return is_organiser(request) or super().has_view_permission(request, obj)

    def log_change(self, *_: Any) -> None:
        """Do nothing: the access log has what matters, and the service could empty Django's own log."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(Match)
class MatchAdmin(ReadOnlyAdmin):
    """The matches that the account may see, except those of a season in which it plays."""

    list_display = ("code", "game", "status", "version", "season", "opened_by", "opened_at", "changed_at", "room")
    list_filter = ("status", "game")
    search_fields = ("=code", "opened_by__username", "=id")
    search_help_text = "A match's code or id, or the name of who opened it"
    list_select_related = ("season", "opened_by")
    fields = (
        "code", "id", "game", "status", "version", "season", "opened_by", "opened_at", "opens_at", "starts_at",
        "changed_at", "finished_at", "room",
    )  # fmt: skip

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """True for staff and organisers."""
        return is_of_the_house(request)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Match]:
        """Return the matches that the account may see, without those of a season in which it plays."""
        visible = super().get_queryset(request).filter(permissions.visibility_filter(request.user.id))
        return visible.exclude(id__in=_hidden_matches(request))

    def get_list_display(self, request: HttpRequest) -> tuple[str, ...]:
        """Return all columns, the links to control rooms only for organisers."""
        return self.list_display if request.user.is_organiser else self.list_display[:-1]

    def get_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        """Return all fields, the link to the control room only for organisers."""
        return self.fields if request.user.is_organiser else self.fields[:-1]

    @admin.display(description="Control room")
    def room(self, match: Match) -> str:
        """Return a link to the control room."""
        return format_html('<a class="way" href="{}">Open</a>', reverse("admin:control", args=[match.code]))


@admin.register(Seat)
class SeatAdmin(ReadOnlyAdmin):
    """The seats of matches."""

    list_display = ("match", "number", "account", "is_bot", "role")
    search_fields = ("=match__code", "account__username")
    search_help_text = "A match's code, or a player's name"
    list_select_related = ("match", "account")
    ordering = ("-match__opened_at", "number")
    fields = ("match", "number", "account", "is_bot", "role")

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """True for staff and organisers."""
        return is_of_the_house(request)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Seat]:
        """Return the seats of the matches that `MatchAdmin` lists."""
        visible = Match.objects.filter(permissions.visibility_filter(request.user.id))
        visible = visible.exclude(id__in=_hidden_matches(request))
        return super().get_queryset(request).filter(match__in=visible)


@admin.register(Notice)
class NoticeAdmin(ReadOnlyAdmin):
    """Notices to webhooks, sent or waiting; the URLs are their owners' secret."""

    list_display = ("made_at", "kind", "text", "attempts", "next_try_at", "sent_at", "given_up_at", "last_failure")
    list_filter = ("kind",)
    ordering = ("-made_at",)
    fields = (
        "kind", "text", "match_id", "version", "made_at", "attempts", "next_try_at", "sent_at", "given_up_at",
        "last_failure",
    )  # fmt: skip

    def get_queryset(self, request: HttpRequest) -> QuerySet[Notice]:
        """Exclude matches of a season in which the account plays."""
        return super().get_queryset(request).exclude(match_id__in=_hidden_matches(request))


@admin.register(Account)
class AccountAdmin(ReadOnlyAdmin):
    """Accounts: organisers activate and deactivate others, and make them organisers. Nobody changes
    their own rights."""

    list_display = ("username", "is_active", "is_organiser", "is_staff", "joined_at", "last_login", "guest_until")
    list_filter = ("is_active", "is_organiser", "is_staff", ("guest_until", admin.EmptyFieldListFilter))
    search_fields = ("username", "=id")
    ordering = ("username",)
    fields = (
        "username", "id", "joined_at", "last_login", "guest_until", "time_zone", "is_active", "is_organiser",
        "is_staff", "portrait", "reset", "history",
    )  # fmt: skip
    change_form_show_cancel_button = True

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        """Return the fields that an organiser can't change; only superusers appoint staff."""
        decided = {"is_active", "is_organiser"} | ({"is_staff"} if request.user.is_superuser else set())
        return tuple(name for name in self.fields if name not in decided)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """True for organisers, except for themselves and for players and staff of a season in which they play; only
        superusers change a superuser."""
        if not is_organiser(request):
            return False
        if obj is None:
            return True
        if selectors.competes_with(request.user, obj):
            return False
        return obj.pk != request.user.pk and (request.user.is_superuser or not obj.is_superuser)

    def save_model(self, request: HttpRequest, obj: Account, form: Any, change: bool) -> None:
        """Change only the rights, and log it; raise OfficialInvolved."""
        rights = {name: form.cleaned_data[name] for name in form.changed_data}
        credentials.change_rights(obj, rights, Actor(request.user.id, Door.PANEL))

    def history_view(self, request: HttpRequest, object_id: str, extra_context: Any = None) -> HttpResponse:
        """Redirect to the access log of the account."""
        return redirect("admin:account_log", unquote(object_id))

    @admin.display(description="Portrait")
    def portrait(self, account: Account) -> str:
        """Return a link to the account's portrait, where it can be removed."""
        address = reverse("admin:portrait", args=[account.pk])
        return format_html('<a class="way" href="{}">Look at it</a>', address)

    @admin.display(description="Access log")
    def history(self, account: Account) -> str:
        """Return a link to the account's access log."""
        address = reverse("admin:account_log", args=[account.pk])
        return format_html('<a class="way" href="{}">What was done to it</a>', address)

    @admin.display(description="Password")
    def reset(self, account: Account) -> str:
        """Return a link to the page that makes a reset link."""
        address = reverse("admin:reset_link", args=[account.pk])
        return format_html('<a class="way" href="{}">Make a reset link</a>', address)
