"""Private notes at a match."""

from django.http import HttpResponse
from rest_framework.request import Request
from rest_framework.views import APIView

from matches.http import notes
from matches.http.bodies import NoteBody
from matches.http.match_access import lifecycle_of, match_named
from matches.http.operations import operation
from matches.http.responses import answer
from matches.models import Match
from matches.reads.documents.writing import NoteDocument


class NoteView(APIView):
    scopes = {"GET": "match:read", "PUT": "match:play"}

    @operation("readNote", tag="Play", answers={200: NoteDocument}, problems=("aids_off",))
    def get(self, request: Request, name: str) -> HttpResponse:
        """Return the caller's private notes at this match; the match's page shows the same."""
        match = match_named(name)
        notes.refuse_without_aids(match.id, _seat_of(request, match))
        return _note_document(notes.note_of(match.id, request.user))

    @operation("keepNote", tag="Play", body=NoteBody, answers={200: NoteDocument}, problems=("aids_off",))
    def put(self, request: Request, name: str, body: NoteBody) -> HttpResponse:
        """Store notes at this match. `known` are the marks of texts that the writer has seen: if the stored text is
        another one, written elsewhere meanwhile, its lines are appended; the response is the stored text."""
        match = match_named(name)
        notes.refuse_without_aids(match.id, _seat_of(request, match))
        return _note_document(notes.keep(match.id, request.user, body.text, body.marks))


def _seat_of(request: Request, match: Match) -> int | None:
    return lifecycle_of(request, match).seat_of(str(request.user.id))


def _note_document(text: str) -> HttpResponse:
    return answer(NoteDocument(text, notes.mark(text)))
