"""The panel's navigation: the entries that an account may open."""

from typing import Any

from django.http import HttpRequest
from django.urls import reverse

from matches.panel.audit.scope import may_audit
from matches.panel.entry import is_of_the_house, is_organiser


def navigation(request: HttpRequest) -> list[dict[str, Any]]:
    """Return the sidebar's groups; those without an entry are left out."""
    house, organiser = is_of_the_house(request), is_organiser(request)
    auditor = request.user.is_authenticated and may_audit(request.user)
    live = [
        _entry("Dashboard" if house else "What is yours", "dashboard", "admin:index", True),
        _entry("Matches I host", "sports_esports", "admin:hosting", True),
        _entry("Matches", "playing_cards", "admin:matches_match_changelist", house),
        _entry("Seats", "event_seat", "admin:matches_seat_changelist", house),
    ]
    seasons = [_entry("Seasons", "trophy", "admin:seasons", True)]
    audit = [
        _entry("Event log", "receipt_long", "admin:log", auditor),
        _entry("Disputes", "balance", "admin:disputes", auditor),
        _entry("Access log", "visibility", "admin:access_log", organiser),
    ]
    system = [
        _entry("Accounts", "group", "admin:matches_account_changelist", organiser),
        _entry("Notices", "notifications", "admin:matches_notice_changelist", organiser),
    ]
    groups = {"Live": live, "Season": seasons, "Audit": audit, "System": system}
    kept = {title: [entry for entry in entries if entry] for title, entries in groups.items()}
    return [{"title": title, "separator": True, "items": entries} for title, entries in kept.items() if entries]


def _entry(title: str, icon: str, address: str, may_open: bool) -> dict[str, Any] | None:
    return {"title": title, "icon": icon, "link": reverse(address)} if may_open else None
