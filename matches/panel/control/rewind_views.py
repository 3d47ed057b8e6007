"""Rewinding with a preview: the board at that version, and what would no longer count."""

from django.contrib import admin, messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from games.kernel import SPECTATOR
from matches.domain import impartiality
from matches.html import record
from matches.html.context import pictured
from matches.html.fields import MOST_VERSION
from matches.html.form_values import version_in
from matches.html.seats import names_of
from matches.panel.control import host_table
from matches.panel.control.control_views import add_refusal
from matches.panel.control.forms import RewindForm
from matches.panel.entry import ControlRoom, for_hosts
from matches.reads import feed
from matches.services import hosting, playing
from matches.storage import repository

_UNSEEN = "Nothing was done: its preview hadn't been shown yet. Look at it and press again."
_MOVED = "Somebody acted meanwhile. Look at the preview and press again; while the match is paused nobody moves."


@require_http_methods(["GET", "HEAD", "POST"])
@for_hosts
def rewind(request: HttpRequest, room: ControlRoom) -> HttpResponse:
    """Show what a rewind to the version `to` means; a POST does it, with a reason."""
    impartiality.refuse_player(room.lifecycle, str(room.host.id), "rewind")
    if request.method != "POST":
        return _page(request, room, None, request.GET.get("to") or _before_a_round(request, room))
    form = RewindForm(request.POST)
    status = 422
    if form.has_error("expected"):
        form.add_error(None, _UNSEEN)
    if form.is_valid():
        try:
            given = form.cleaned_data
            hosting.rewind(
                match_id=room.match.id,
                by=room.host.id,
                to_version=given["to_version"],
                reason=given["reason"],
                expected=given["expected"],
            )
            messages.success(request, f"Rewound to version {given['to_version']}; the record keeps it all.")
            return redirect("admin:control", code=room.match.code)
        except Exception as refusal:
            status = add_refusal(form, refusal)
            if isinstance(refusal, playing.VersionMoved):
                form.add_error(None, _MOVED)
    return _page(request, room, form, str(form.cleaned_data.get("to_version", "")), status)


def _before_a_round(request: HttpRequest, room: ControlRoom) -> str | None:
    """Return the version before the round of a contest that the address names was opened, or was judged."""
    number, what = version_in(request.GET.get("round", "")), request.GET.get("before", host_table.OPENED)
    version = host_table.version_before(room, number, what) if number else None
    return None if version is None else str(version)


def _version(given: str | None, room: ControlRoom, newest: int) -> int:
    """Return an existing version: by default the last to which the match can be rewound."""
    if not given or not given.isascii() or not given.isdigit() or len(given) > len(str(MOST_VERSION)):
        versions = hosting.rewindable(room.match.id) if room.lifecycle.started else []
        return versions[-1] if versions else 1
    return min(max(1, int(given)), newest)


def _page(
    request: HttpRequest, room: ControlRoom, form: RewindForm | None, requested: str | None, status: int = 200
) -> HttpResponse:
    """Show the current preview, whatever the form was made for; of what spectators haven't seen, only the amount."""
    match, names = room.match, names_of(room.match)
    newest = repository.version_of(match.id)
    visible_until = min(feed.visible_version(match.id, SPECTATOR), newest)
    version = _version(requested, room, newest)
    match_state = feed.visible_state(match.id, SPECTATOR, version)
    dropped = record.witnessed_events(match.id, SPECTATOR, version, min(visible_until, version + feed.MOST_EVENTS))
    context = {
        **admin.site.each_context(request),
        "title": f"{match.code} · rewind",
        "match": match,
        "form": form or RewindForm(initial={"to_version": version}),
        "version": version,
        "shown": match_state.version,
        "newest": newest,
        "untold": newest - max(visible_until, version),
        "dropped": [line for line in record.lines(match_state, match.id, dropped, names) if line.kind == "move"],
        **pictured(match_state, SPECTATOR, names),
    }
    return render(request, "panel/rewind.html", context, status=status)
