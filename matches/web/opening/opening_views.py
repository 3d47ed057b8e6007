"""Opening a match with the form."""

from contextlib import suppress
from uuid import UUID, uuid5

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from events.records import StreamConflict
from games import catalogue
from games.kernel import Game, Illegal, to_json
from matches.contests.domain.drafts import read_draft
from matches.contests.domain.toml_files import write_toml
from matches.contests.reads import visible
from matches.domain.clocks import SETUP_CLOSES_BEFORE
from matches.html import options_form
from matches.html.entry import counted, signed_in
from matches.html.form_values import fresh_key, press_of, version_in
from matches.http.bodies import OpenBody
from matches.http.new_matches import open_requested
from matches.http.problems import Problem
from matches.models import Match
from matches.reads.documents.catalogue import PresetCard
from matches.reads.presets import card_of, offered_contests
from matches.seasons import contents
from matches.services import opening
from matches.web.lobby.shelf import shelf_entry
from matches.web.opening import invitations, opening_form
from matches.web.opening.opening_form import SubmittedForm

_REASON = "Every seat was taken when the table was set."
_SEATS_SHOWN = 6
"""The form shows so many seats; more of them are shown on request."""
_LONGEST_SEARCH = 60
_MOST_LISTED = 20
"""Contests of the library in the form; others are found by a search."""
BEGUN = ("already_started", "match_over")
"""The codes with which a start is refused because the match has begun."""


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
@counted
def open_match(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the form, or open the match."""
    game = _game(slug)
    if request.method != "POST" or request.POST.get("do") == "find":
        return _form(request, game, {})
    sent = _read(request, slug)
    if sent.body is None:
        return _form(request, game, sent.faults)
    try:
        return open_pressed(request, sent.body)
    except (Illegal, Problem) as refused:
        text = refused.message if isinstance(refused, Illegal) else refused.detail
        return _form(request, game, {"": text})


@require_POST
@signed_in
@counted
def check(request: HttpRequest, slug: str) -> HttpResponse:
    """Check the unfinished form; return parts of the page with the result."""
    game = _game(slug)
    sent = _read(request, slug)
    return render(request, "web/verdict.html", _context(request, game, sent.faults))


def _read(request: HttpRequest, slug: str) -> SubmittedForm:
    """Return the form, with the text of an uploaded contest in the field in which it could be written."""
    name = "option-content"
    if (file := request.FILES.get(f"{name}-file")) is None:
        return _read_choice(request, slug, name)
    sent = request.POST.copy()
    sent[f"{name}-choice"] = options_form.OWN
    try:
        sent[name] = file.read().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        request.POST = sent  # type: ignore[assignment]
        return SubmittedForm(None, {name: f"The file isn't UTF-8: byte {error.start} is wrong."})
    request.POST = sent  # type: ignore[assignment]
    return opening_form.read(slug, sent.dict(), request.user)


def _read_choice(request: HttpRequest, slug: str, name: str) -> SubmittedForm:
    """Return the form, with the text of a contest of the library if one is chosen in the field."""
    try:
        sent = _with_text(request, request.POST.dict())
    except Illegal as refused:
        return SubmittedForm(None, {name: refused.message})
    return opening_form.read(slug, sent, request.user)


def _with_text(request: HttpRequest, form: dict[str, str]) -> dict[str, str]:
    """Return a form's fields with the text of the contest of the library that is chosen, if one is. Raise Illegal."""
    choice = form.get("option-content-choice", "")
    if "@" not in choice:
        return form
    content, _ = contents.look_up(choice, request.user)
    return form | {"option-content-choice": options_form.OWN, "option-content": write_toml(to_json(content))}


def open_pressed(request: HttpRequest, body: OpenBody) -> HttpResponse:
    """Open the match for this press of a button, once, and redirect to it. Raise Problem, Illegal."""
    match_id = uuid5(request.user.id, press_of(request))
    # If the match exists by now, the form was sent before.
    with suppress(StreamConflict):
        opened = open_requested(request.user.id, body, match_id)
        if opened.invitations:
            invitations.keep(request, opened.code, opened.invitations)
    match = Match.objects.get(id=match_id)
    if match.opens_at or not all(seat.is_bot or seat.account_id == request.user.id for seat in match.seats.all()):
        return redirect(f"/m/{match.code}/seats")
    try:
        opening.start(match_id=match_id, by=request.user.id, reason=_REASON)
    except Illegal as refused:
        if refused.code not in BEGUN:
            raise
    return redirect(f"/m/{match.code}/")


def _form(request: HttpRequest, game: Game, faults: dict[str, str]) -> HttpResponse:
    context = _context(request, game, faults)
    if game.passages:
        chosen = request.POST.dict() or _chosen_contest(request)
        context["library"] = _library(request, chosen.get("option-content-choice", ""))
        context["find"] = request.POST.get("find", "")
    return render(request, "web/open.html", context, status=422 if faults else 200)


def _chosen_contest(request: HttpRequest) -> dict[str, str]:
    """Return the fields of the contest in the library that `?contest=` names, as `ID` or `ID@VERSION`; one with faults
    as text. Raise NoSuchContest, Illegal."""
    named, _, number = request.GET.get("contest", "").partition("@")
    try:
        contest_id = UUID(named)
    except ValueError:
        return {}
    version = visible.version_for(request.user, visible.contest_for(request.user, contest_id), version_in(number))
    if version.faults:
        return {"option-content-choice": options_form.OWN, "option-content": write_toml(version.data)}
    return {"option-content-choice": f"{contest_id}@{version.number}"}


def _library(request: HttpRequest, chosen: str) -> list[PresetCard]:
    """Return the contests of the library that the form lists: the chosen one, and those that a search finds."""
    if request.user.is_guest:
        return []
    text = request.POST.get("find", "").replace("\0", "").strip()[:_LONGEST_SEARCH]
    listed = list(contents.of_library(request.user, text, _MOST_LISTED))
    if "@" in chosen and chosen not in [it.name for it in listed]:
        with suppress(Illegal):
            listed.insert(0, card_of(chosen, contents.look_up(chosen, request.user)[0]))
    return listed


def _context(request: HttpRequest, game: Game, faults: dict[str, str]) -> dict[str, object]:
    data = request.POST.dict()
    chosen = data or _chosen_contest(request)
    of_options = {place.removeprefix("option-"): text for place, text in faults.items() if place.startswith("option-")}
    shown_at_fields = {f"seat-{number}" for number in range(game.seats.max)} | {f"option-{name}" for name in of_options}
    seats = opening_form.seats_of(game.slug, data, faults)
    return {
        "game": shelf_entry(game),
        "options": options_form.filled(game.slug, chosen, of_options) if chosen else options_form.fields_of(game.slug),
        "seats": seats,
        "more_seats": seats[_SEATS_SHOWN:],
        "more_open": any(seat.kind != "none" for seat in seats[_SEATS_SHOWN:]),
        "contests": offered_contests() if game.passages else [],
        "clocks": opening_form.clocks_of(game.slug, data),
        "clock_choice": data.get("clocks", "game"),
        "priority": data.get("priority", "0"),
        "aids": opening_form.AIDS,
        "aids_choice": data.get("aids", ""),
        "spectator_delay": data.get("spectator_delay", "0"),
        "approval": "approval" in data,
        "unscheduled": game.unscheduled,
        "opens_at": data.get("opens_at", ""),
        "setup_closes": data.get("setup_closes", str(SETUP_CLOSES_BEFORE // 60)),
        "has_setup": opening_form.has_setup(game.slug),
        "zone": request.user.time_zone,
        "key": data.get("key") or fresh_key(),
        "faults": [_sentence(place, text) for place, text in faults.items() if place not in shown_at_fields],
        "is_good": bool(data) and not faults,
        "warning": _secrets_warning(request, game, chosen) if game.passages else "",
    }


def _secrets_warning(request: HttpRequest, game: Game, form: dict[str, str]) -> str:
    """Return a warning if every account can read what is secret in the form's contest; empty otherwise."""
    content = None
    if form:
        with suppress(Illegal):
            content = options_form.typed(game.slug, _with_text(request, form)).options.get("content")
    if content is None:
        return ""
    draft = read_draft(content)
    is_open = draft.content is not None and draft.content.has_secrets and visible.is_published(draft)
    return visible.secrets_warning(draft.title) if is_open else ""


def _sentence(place: str, text: str) -> str:
    return f"{place.replace('-', ' ').replace('_', ' ').capitalize()}: {text}" if place not in ("", "options") else text


def _game(slug: str) -> Game:
    if slug not in catalogue:
        raise Http404
    return catalogue[slug]
