"""What people write at a match: their own notes, and what spectators say."""

from django.http import HttpResponse
from rest_framework.request import Request
from rest_framework.views import APIView

from matches.http import notes, remarks
from matches.http.bodies import NoteBody, RemarkBody
from matches.http.match_access import match_named, story_of
from matches.http.operations import operation
from matches.http.responses import answer
from matches.models import Match
from matches.models.writing import Remark
from matches.reads import selectors
from matches.reads.documents import NoteDocument, RemarkDocument, RemarkList


class NoteView(APIView):
    """The caller's notes."""

    scopes = {"GET": "match:read", "PUT": "match:play"}

    @operation("readNote", tag="Play", answers={200: NoteDocument}, problems=("aids_off",))
    def get(self, request: Request, name: str) -> HttpResponse:
        """What the caller has written down at this match, for their own eyes; the match's page shows the same."""
        match = match_named(name)
        notes.refuse_without_aids(match.id, _seat_of(request, match))
        return _told(notes.note_of(match.id, request.user))

    @operation("keepNote", tag="Play", body=NoteBody, answers={200: NoteDocument}, problems=("aids_off",))
    def put(self, request: Request, name: str, body: NoteBody) -> HttpResponse:
        """Keep notes at this match. `known` are the marks of texts that the writer has seen: where another one stands,
        written elsewhere meanwhile, its lines stay below; the answer is what is kept."""
        match = match_named(name)
        notes.refuse_without_aids(match.id, _seat_of(request, match))
        return _told(notes.keep(match.id, request.user, body.text, body.known))


class RemarksView(APIView):
    """The spectators' talk."""

    scopes = {"GET": "match:read", "POST": "chat:write"}

    @operation("listRemarks", tag="Play", answers={200: RemarkList}, problems=("forbidden",))
    def get(self, request: Request, name: str) -> HttpResponse:
        """What spectators have said lately; to a seat it is closed until the match is over."""
        match = match_named(name)
        story = story_of(request, match)
        remarks.refuse_listening(story.seat_of(str(request.user.id)), story.over)
        said = remarks.latest(match.id)
        first = remarks.number_of(said[0]) if said else 1
        return answer(RemarkList([_remark(it, number) for number, it in enumerate(said, first)], None))

    @operation("sayRemark", tag="Play", body=RemarkBody, answers={201: RemarkDocument},
               problems=("forbidden", "not_for_guests"))  # fmt: skip
    def post(self, request: Request, name: str, body: RemarkBody) -> HttpResponse:
        """Say something to those who watch, as one of them; the players read it once the match is over."""
        match = match_named(name)
        said = remarks.say(match.id, request.user, _seat_of(request, match), body.text)
        return answer(_remark(said, remarks.number_of(said)), status=201)


def _seat_of(request: Request, match: Match) -> int | None:
    return story_of(request, match).seat_of(str(request.user.id))


def _told(text: str) -> HttpResponse:
    return answer(NoteDocument(text, notes.mark(text)))


def _remark(said: Remark, number: int) -> RemarkDocument:
    return RemarkDocument(number, selectors.person(said.account), said.at_version, said.text, said.said_at)
