"""The pages of a season's rooms: those that the reader knows, a form that opens one, and each room's remarks."""

from typing import Any, NamedTuple, get_args
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from games.kernel import Illegal
from matches.domain.bidi import apart
from matches.domain.talk import LONGEST
from matches.domain.texts import BadText, clean_line
from matches.html import form_values
from matches.html.entry import counted, posted_from, signed_in
from matches.html.name_lists import joined_by_and, joined_in_short
from matches.html.text_fields import text_of
from matches.http import paging, talk
from matches.http.problems import Problem, wants_document
from matches.models import Account
from matches.seasons import rooms as acts
from matches.seasons.domain.rooms import LONGEST_TITLE, RoomKind
from matches.seasons.models import Member, Room
from matches.seasons.reads import board, room_documents, selectors
from matches.seasons.reads import rooms as reads
from matches.seasons.reads.room_documents import RoomDocument
from matches.seasons.reads.rooms import THREAD, KnownRoom, Visitor
from matches.web.play.talking import carry_out
from matches.web.seasons.board_views import is_script, show_refusal, thread_context


class OpenableRoom(NamedTuple):
    """A kind of room that the reader may open: the text of its button, and who reads it."""

    kind: RoomKind
    press: str
    text: str


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
@counted
def rooms(request: HttpRequest, season_id: UUID) -> HttpResponse:
    """List the reader's rooms, with forms that open others; a POST opens one and leads to it."""
    it = _visitor(request, season_id)
    if request.method == "POST":
        try:
            opened = _open(request, it)
        except (Illegal, Problem) as refusal:
            show_refusal(request, refusal)
            return _list_page(request, it, status=422)
        return redirect("web:season_room", season_id=season_id, room_id=opened)
    return _list_page(request, it)


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
@counted
def room(request: HttpRequest, season_id: UUID, room_id: UUID) -> HttpResponse:
    """Show a room; a POST adds a remark. Scripts get the remarks without the page."""
    it, entry = _known(request, season_id, room_id)
    its_talk = talk.in_room(it, entry)
    if request.method == "POST":
        try:
            talk.say(its_talk, THREAD, text_of(request, LONGEST), form_values.key_or_none_in(request.POST), request)
        except (Illegal, Problem) as refusal:
            if wants_document(request):
                raise
            show_refusal(request, refusal)
        if not wants_document(request):
            return redirect("web:season_room", season_id=season_id, room_id=room_id)
    address = reverse("web:season_room_act", args=[season_id, room_id])
    context: dict[str, Any] = {"season": it.season, "act_address": address, "menu_address": address}
    if entry.reads:
        context |= thread_context(request, its_talk, THREAD)
    elif is_script(request):
        talk.refuse_deaf(its_talk, THREAD)
    if is_script(request):
        return render(request, "web/board_remarks.html", context)
    (document,) = room_documents.documents(it, [entry])
    context |= {
        "room": document,
        "members": joined_by_and([apart(each.username) for each in document.members]) if document.members else "",
        "title": title_of(document, request.user),
        "is_walled": entry.is_walled,
        "is_opener": document.opened_by is not None and document.opened_by.id == request.user.id,
        "is_member": entry.is_member,
        "say_address": reverse("web:season_room", args=[season_id, room_id]),
    }
    return render(request, "web/season_room.html", context)


@posted_from("web:season_room", "season_id", "room_id")
@signed_in
@counted
def act(request: HttpRequest, season_id: UUID, room_id: UUID) -> HttpResponse:
    """Close, leave or look into a room, mark it as read, or do something about a remark."""
    it, entry = _known(request, season_id, room_id)
    wanted = request.POST.get("act", "")
    try:
        match wanted:
            case "close":
                acts.close(entry, it)
            case "leave":
                acts.leave(entry, it)
                return redirect("web:season_rooms", season_id=season_id)
            case "look":
                acts.look(entry, it)
            case "read":
                _mark_read(it, entry, form_values.version_in(request.POST.get("number", "")) or 0)
                if is_script(request):
                    return HttpResponse(status=204)
            case _:
                runs = lambda account: board.moderates(account, season_id)  # noqa: E731
                carry_out(talk.in_room(it, entry), request, lambda thread: THREAD, runs)
    except (Illegal, Problem) as refusal:
        if wants_document(request):
            raise
        show_refusal(request, refusal)
    return redirect("web:season_room", season_id=season_id, room_id=room_id)


def title_of(document: RoomDocument, reader: Account) -> str:
    """Return the title of a room; without one its kind, or its other members."""
    if document.title:
        return document.title
    match document.kind:
        case "private":
            others = [it.username for it in document.members if it.id != reader.id]
            return joined_in_short(others) if others else _("Private room")
        case "confessional":
            return _("Confessional of %(name)s") % {"name": document.members[0].username}
        case "lounge":
            return _("Lounge")
        case _:
            return _("The staff's room")


def _for_whom(it: Visitor, document: RoomDocument) -> str:
    """Return the members of a private room, or who reads another one."""
    if document.kind != "private":
        return room_documents.who_reads_now(document.kind, it.options)
    return _("Members: %(names)s") % {"names": joined_in_short([apart(each.username) for each in document.members])}


def _list_page(request: HttpRequest, it: Visitor, status: int = 200) -> HttpResponse:
    rows, following = paging.page(reads.rooms_of(it), request.GET.get("cursor"))
    documents = room_documents.documents(it, [reads.opened(it, row) for row in rows])
    context = {
        "season": it.season,
        "rooms": [(each, title_of(each, request.user), _for_whom(it, each)) for each in documents],
        "following": following,
        "openable": _openable(it),
        "people": _people(it),
        "players": _without_confessional(it) if it.part.runs else [],
        "chosen": request.POST.getlist("members"),
        "typed": request.POST.get("title", "")[:LONGEST_TITLE],
        "longest_title": LONGEST_TITLE,
        "most": it.options.room_size - 1,
        "key": form_values.fresh_key(),
        "moderates": it.part.moderates,
    }
    return render(request, "web/season_rooms.html", context, status=status)


def _openable(it: Visitor) -> list[OpenableRoom]:
    """Return the kinds of rooms that the reader may open and that aren't there yet. Behind a wall only private rooms
    are opened, with those who sit at the same match."""
    once = {"lounge", "staff"} if it.part.runs else {"lounge", "staff", "confessional"}
    existing = set(reads.rooms_of(it).filter(kind__in=once).values_list("kind", flat=True))
    if it.wall is not None:
        existing |= {"confessional", *once}
    if it.part.runs and not _without_confessional(it):
        existing.add("confessional")
    return [
        OpenableRoom(kind, _press(kind), room_documents.who_reads(kind, it.options))
        for kind in room_documents.kinds_to_open(it)
        if kind not in existing
    ]


def _without_confessional(it: Visitor) -> list[Account]:
    """Return the season's players whose confessional isn't open yet."""
    of_players = Member.objects.filter(season=it.season, role=Member.Role.PLAYER).values("account")
    players = reads.participants(it.season.id).filter(id__in=of_players)
    confessing = Room.objects.filter(season=it.season, kind=Room.Kind.CONFESSIONAL).values("subject")
    return list(players.exclude(id__in=confessing).order_by("username"))


def _people(it: Visitor) -> list[Account]:
    people = reads.participants(it.season.id).exclude(id=it.account.id).order_by("username")
    return list(people if it.wall is None else people.filter(id__in=it.wall.together))


def _press(kind: RoomKind) -> str:
    return {
        "private": _("Open a private room"),
        "confessional": _("Open the confessional"),
        "lounge": _("Open the lounge"),
        "staff": _("Open the staff's room"),
    }[kind]


def _open(request: HttpRequest, it: Visitor) -> UUID:
    """Open the room that the form asks for, and return its id; raise Problem, Illegal."""
    form = request.POST
    kind = form.get("kind", "")
    if kind not in get_args(RoomKind):
        raise Problem("malformed", _("There is no such kind of room."))
    try:
        title = clean_line(form.get("title", ""))
        members = [UUID(member) for member in form.getlist("members")]
    except BadText as fault:
        raise Problem("malformed", str(fault)) from None
    except ValueError:
        raise Problem("no_such_player") from None
    if len(title) > LONGEST_TITLE:
        raise Problem("malformed", _("A title has at most %(most)s characters.") % {"most": LONGEST_TITLE})
    key = form_values.key_or_none_in(form)
    talk.spend(request.user, request)
    return acts.open_room(it, kind, title=title, members=members, key=key).room


def _mark_read(it: Visitor, entry: KnownRoom, number: int) -> None:
    counts = room_documents.counts_of(it, [entry]).get(entry.room.id)
    if counts:
        acts.mark_read(entry, it, min(number, counts.last))


def _visitor(request: HttpRequest, season_id: UUID) -> Visitor:
    season = selectors.season_for(request.user, season_id)
    if season is None:
        raise Problem("not_found", _("There is no season with this id."))
    return reads.visitor(request.user, season)


def _known(request: HttpRequest, season_id: UUID, room_id: UUID) -> tuple[Visitor, KnownRoom]:
    """Return the visitor and the room; raise Problem if the visitor doesn't know one of this id."""
    it = _visitor(request, season_id)
    entry = reads.find(it, room_id)
    if entry is None:
        raise Problem("not_found", _("There is no room with this id."))
    return it, entry
