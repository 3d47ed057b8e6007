"""Rooms of a season, where some of its people talk. A room that the caller may not know of doesn't exist for it."""

from uuid import UUID

from django.http import HttpResponse
from rest_framework.request import Request
from rest_framework.views import APIView

from matches.api import talk_answers
from matches.api.season_access import visible_season
from matches.api.talk_answers import KEY, OF_MODERATING, OF_SAYING, READ, WRITE
from matches.http import paging, talk
from matches.http.command_headers import idempotency_key
from matches.http.operations import Header, Media, operation
from matches.http.problems import Problem
from matches.http.responses import answer, nothing
from matches.http.streaming import MEDIA_TYPES, accepted_form
from matches.http.talk import Talk
from matches.http.talk_bodies import BoardRemarkBody, HideBody, PagesQuery, ReadBody, RemarksQuery, ReportBody, RoomBody
from matches.reads.documents.talk import RemarkDocument, RemarkList
from matches.seasons import rooms
from matches.seasons.reads import room_documents
from matches.seasons.reads import rooms as reads
from matches.seasons.reads.room_documents import RoomDocument, RoomList
from matches.seasons.reads.rooms import THREAD, KnownRoom, Visitor
from matches.talk import reading

_STREAMS = tuple(MEDIA_TYPES)
_OPENING_KEY = Header("Idempotency-Key", "Names this room: whatever is sent again under it is opened once.")


class RoomsView(APIView):
    scopes = {"GET": READ, "POST": WRITE}

    @operation("listRooms", tag="Season", query=PagesQuery, answers={200: RoomList})
    def get(self, request: Request, season_id: UUID, query: PagesQuery) -> HttpResponse:
        """List the rooms of a season that you know, newest first, with who may read each. While you sit at a match of
        the season, they are as they were at its start, except private rooms whose members all sit there too."""
        it = _visitor(request, season_id)
        rows, following = paging.page(reads.rooms_of(it), query.cursor, query.limit)
        documents = room_documents.documents(it, [reads.opened(it, room) for room in rows])
        return answer(RoomList(documents, following, room_documents.kinds_to_open(it)))

    @operation(
        "openRoom", tag="Season", body=RoomBody, headers=(_OPENING_KEY,),
        answers={201: RoomDocument, 200: RoomDocument},
        problems=(
            "forbidden", "not_for_guests", "season_over", "bad_members", "too_many_rooms", "idempotency_key_reused",
        ),
    )  # fmt: skip
    def post(self, request: Request, season_id: UUID, body: RoomBody) -> HttpResponse:
        """Open a private room with other players and staff, as far as the season's options allow it; your confessional,
        or as staff that of a player; as organiser or host the lounge of all who may see the season, or the staff's
        room. These are opened once: 200 returns the one that there is."""
        it = _visitor(request, season_id)
        key = idempotency_key(request) if "HTTP_IDEMPOTENCY_KEY" in request.META else None
        talk.spend(request.user, request)
        opened = rooms.open_room(it, body.kind, title=body.title, members=body.members, key=key)
        headers = {"Idempotent-Replayed": "true"} if opened.replayed else {}
        return _room_response(it, opened.room, status=201 if opened.is_new else 200, headers=headers)


class RoomView(APIView):
    scopes = {"GET": READ}

    @operation("readRoom", tag="Season", answers={200: RoomDocument})
    def get(self, request: Request, season_id: UUID, room: UUID) -> HttpResponse:
        """Return a room: who may read it now and once the season is over, its members, and what you may do there."""
        return _room_response(_visitor(request, season_id), room)


class RoomRemarksView(APIView):
    scopes = {"GET": READ, "POST": WRITE}

    @operation(
        "listRoomRemarks", tag="Season", query=RemarksQuery, answers={200: Media(_STREAMS, RemarkList)},
        problems=("forbidden",),
    )  # fmt: skip
    def get(self, request: Request, season_id: UUID, room: UUID, query: RemarksQuery) -> HttpResponse:
        """List the remarks in a room, oldest first; also as a stream of frames `talk`."""
        it = _talk(request, season_id, room)
        if form := accepted_form(request):
            return talk_answers.streamed(request, it, THREAD, form)
        return talk_answers.listed(it, THREAD, query)

    @operation(
        "sayInRoom", tag="Season", body=BoardRemarkBody, headers=(KEY,), answers={201: RemarkDocument},
        problems=OF_SAYING,
    )  # fmt: skip
    def post(self, request: Request, season_id: UUID, room: UUID, body: BoardRemarkBody) -> HttpResponse:
        """Write a remark to those who may read the room."""
        return talk_answers.remark_response(request, _talk(request, season_id, room), THREAD, body.text)


class RoomRemarkView(APIView):
    scopes = {"GET": READ}

    @operation("readRoomRemark", tag="Season", answers={200: RemarkDocument}, problems=OF_MODERATING)
    def get(self, request: Request, season_id: UUID, room: UUID, number: int) -> HttpResponse:
        """Read the original text of a remark, also of a hidden one: for those who may hide it."""
        it = _talk(request, season_id, room)
        return answer(reading.document(talk.moderated(it, THREAD, number), whole=True))


class HideInRoomView(APIView):
    scopes = {"POST": WRITE}

    @operation("hideInRoom", tag="Season", body=HideBody, answers={200: RemarkDocument}, problems=OF_MODERATING)
    def post(self, request: Request, season_id: UUID, room: UUID, number: int, body: HideBody) -> HttpResponse:
        """Hide a remark from all: for the season's organisers and hosts who read the room. Name and reason are shown
        in its place."""
        it = _talk(request, season_id, room)
        return answer(reading.document(talk.hide(it, THREAD, number, body.reason, hidden=True)))


class RestoreInRoomView(APIView):
    scopes = {"POST": WRITE}

    @operation("restoreInRoom", tag="Season", body=HideBody, answers={200: RemarkDocument}, problems=OF_MODERATING)
    def post(self, request: Request, season_id: UUID, room: UUID, number: int, body: HideBody) -> HttpResponse:
        """Show a hidden remark again; the hiding and its reason stay on record."""
        it = _talk(request, season_id, room)
        return answer(reading.document(talk.hide(it, THREAD, number, body.reason, hidden=False)))


class ReportInRoomView(APIView):
    scopes = {"POST": WRITE}

    @operation(
        "reportInRoom", tag="Season", body=ReportBody, answers={204: None}, problems=("no_such_remark", "bad_report")
    )
    def post(self, request: Request, season_id: UUID, room: UUID, number: int, body: ReportBody) -> HttpResponse:
        """Report a remark to the season's organisers and hosts, who then can read it, and to the organisers of the
        service; its author never sees the report. A second report of a remark changes nothing."""
        talk.report(_talk(request, season_id, room), THREAD, number, body.reason, request)
        return nothing()


class RoomReadView(APIView):
    scopes = {"PUT": WRITE}

    @operation("markRoomRead", tag="Season", body=ReadBody, answers={204: None}, problems=("forbidden",))
    def put(self, request: Request, season_id: UUID, room: UUID, body: ReadBody) -> HttpResponse:
        """Mark a room as read up to a remark, for yourself alone."""
        it = _visitor(request, season_id)
        entry = _known(it, room)
        talk.refuse_deaf(talk.in_room(it, entry), THREAD)
        counts = room_documents.counts_of(it, [entry]).get(room)
        rooms.mark_read(entry, it, min(body.number, counts.last if counts else 0))
        return nothing()


class CloseRoomView(APIView):
    scopes = {"POST": WRITE}

    @operation("closeRoom", tag="Season", answers={200: RoomDocument}, problems=("forbidden",))
    def post(self, request: Request, season_id: UUID, room: UUID) -> HttpResponse:
        """Close a private room that you have opened: its members go on reading it, and nobody writes there any more."""
        it = _visitor(request, season_id)
        rooms.close(_known(it, room), it)
        return _room_response(it, room)


class LeaveRoomView(APIView):
    scopes = {"POST": WRITE}

    @operation("leaveRoom", tag="Season", answers={204: None}, problems=("forbidden",))
    def post(self, request: Request, season_id: UUID, room: UUID) -> HttpResponse:
        """Leave a private room; you can't come back. It closes if you have opened it, or if one member stays."""
        it = _visitor(request, season_id)
        rooms.leave(_known(it, room), it)
        return nothing()


class LookIntoRoomView(APIView):
    scopes = {"POST": WRITE}

    @operation("lookIntoRoom", tag="Season", answers={200: RoomDocument}, problems=("forbidden",))
    def post(self, request: Request, season_id: UUID, room: UUID) -> HttpResponse:
        """Look into a private room, where the season lets its organisers and hosts: the look is on record, the room's
        members see it, and you then read what was said before it."""
        it = _visitor(request, season_id)
        rooms.look(_known(it, room), it)
        return _room_response(it, room)


def _visitor(request: Request, season_id: UUID) -> Visitor:
    return reads.visitor(request.user, visible_season(request, season_id))


def _known(it: Visitor, room: UUID) -> KnownRoom:
    """Return the room; raise Problem if the caller knows none of this id."""
    entry = reads.find(it, room)
    if entry is None:
        raise Problem("not_found", "There is no room with this id.")
    return entry


def _talk(request: Request, season_id: UUID, room: UUID) -> Talk:
    it = _visitor(request, season_id)
    return talk.in_room(it, _known(it, room))


def _room_response(it: Visitor, room: UUID, status: int = 200, headers: dict[str, str] | None = None) -> HttpResponse:
    (document,) = room_documents.documents(it, [_known(it, room)])
    return answer(document, status=status, headers=headers)
