"""The event log in the admin: to look at, not to touch, and without secrets."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from unfold.admin import ModelAdmin

from events.models import LoggedEvent


@admin.register(LoggedEvent)
class LoggedEventAdmin(ModelAdmin):
    """Read-only: what happened, where and when. Secrets stay in the match's own record."""

    list_display = ("at", "type", "stream", "version", "actor", "has_secret")
    list_filter = ("type", "has_secret", "at")
    search_fields = ("=stream", "actor")
    search_help_text = "A stream's id, or an actor"
    date_hierarchy = None
    show_full_result_count = False
    list_per_page = 50
    list_fullwidth = True
    fields = ("stream", "version", "type", "schema", "actor", "at", "public", "has_secret", "hash")
    readonly_fields = fields

    def has_module_permission(self, request: HttpRequest) -> bool:
        """As `has_view_permission`."""
        return self.has_view_permission(request)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Organisers, and whoever was given the right."""
        return getattr(request.user, "is_organiser", False) or super().has_view_permission(request, obj)

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Events are appended by commands only."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Events never change."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Events are never deleted."""
        return False
