"""Talk beside a match, and the caller's own list of blocks."""

from uuid import UUID

from django.http import HttpResponse
from rest_framework.request import Request
from rest_framework.views import APIView

from matches.api import talk_answers
from matches.api.talk_answers import KEY, OF_HOSTS, OF_MODERATING, OF_SAYING, READ, WRITE
from matches.http import talk
from matches.http.bodies import HostBody
from matches.http.match_access import caller_of, is_host, match_named
from matches.http.operations import Media, operation
from matches.http.problems import Problem
from matches.http.responses import answer, nothing
from matches.http.strangers import is_stranger
from matches.http.streaming import MEDIA_TYPES, accepted_form
from matches.http.talk import Talk
from matches.http.talk_bodies import HideBody, MuteBody, RemarkBody, TalkBody, ThreadQuery
from matches.reads import entitlements, selectors
from matches.reads.documents.talk import BlockList, MuteDocument, MuteList, RemarkDocument, RemarkList, TalkDocument
from matches.talk import blocking, reading

_STREAMS = tuple(MEDIA_TYPES)


class TalkView(APIView):
    scopes = {"GET": READ, "PUT": WRITE}

    @operation("readTalk", tag="Play", answers={200: TalkDocument})
    def get(self, request: Request, name: str) -> HttpResponse:
        """Return which threads the caller may read, write in and moderate, and whether they are muted."""
        return answer(talk_answers.talk_document(_talk(request, name)))

    @operation("setTalk", tag="Play", body=TalkBody, answers={200: TalkDocument}, problems=OF_HOSTS)
    def put(self, request: Request, name: str, body: TalkBody) -> HttpResponse:
        """Set for whom the talk is open: for the match's hosts who don't play. In a season's match the narrower of this
        and the season's own setting applies."""
        talk.set_open_to(_talk(request, name), body.open_to)
        return answer(talk_answers.talk_document(_talk(request, name)))


class RemarksView(APIView):
    scopes = {"GET": READ, "POST": WRITE}

    @operation(
        "listRemarks",
        tag="Play",
        query=ThreadQuery,
        answers={200: Media(_STREAMS, RemarkList)},
        problems=("forbidden",),
    )
    def get(self, request: Request, name: str, query: ThreadQuery) -> HttpResponse:
        """List the remarks of a thread, oldest first. Players and former players of the table read the spectators'
        remarks once the match is over. With a spectators' delay they read the table's thread that much late.

        `Accept: application/x-ndjson` or `text/event-stream` makes it a stream of frames `talk`: first the latest
        remarks, then each that is made, hidden or shown again.
        """
        it = _talk(request, name)
        if form := accepted_form(request):
            return talk_answers.streamed(request, it, query.thread, form)
        return talk_answers.listed(it, query.thread, query)

    @operation(
        "sayRemark", tag="Play", body=RemarkBody, headers=(KEY,), answers={201: RemarkDocument}, problems=OF_SAYING
    )
    def post(self, request: Request, name: str, body: RemarkBody) -> HttpResponse:
        """Write a remark among spectators, or at the table: only for the players and hosts of the match."""
        return talk_answers.remark_response(request, _talk(request, name), body.thread, body.text)


class RemarkView(APIView):
    scopes = {"GET": READ}

    @operation("readRemark", tag="Play", answers={200: RemarkDocument}, problems=OF_MODERATING)
    def get(self, request: Request, name: str, thread: str, number: int) -> HttpResponse:
        """Read the original text of a remark, also of a hidden one: for those who may hide it."""
        return answer(reading.document(talk.moderated(_talk(request, name), _thread_named(thread), number), whole=True))


class HideView(APIView):
    scopes = {"POST": WRITE}

    @operation("hideRemark", tag="Play", body=HideBody, answers={200: RemarkDocument}, problems=OF_MODERATING)
    def post(self, request: Request, name: str, thread: str, number: int, body: HideBody) -> HttpResponse:
        """Hide a remark from all readers: for the match's hosts who don't play. Name and reason are
        shown in its place."""
        return answer(
            reading.document(talk.hide(_talk(request, name), _thread_named(thread), number, body.reason, hidden=True))
        )


class RestoreView(APIView):
    scopes = {"POST": WRITE}

    @operation("restoreRemark", tag="Play", body=HideBody, answers={200: RemarkDocument}, problems=OF_MODERATING)
    def post(self, request: Request, name: str, thread: str, number: int, body: HideBody) -> HttpResponse:
        """Show a hidden remark again; the hiding and its reason stay on record."""
        return answer(
            reading.document(talk.hide(_talk(request, name), _thread_named(thread), number, body.reason, hidden=False))
        )


class MutesView(APIView):
    scopes = {"GET": READ, "POST": WRITE}

    @operation("listMutes", tag="Play", answers={200: MuteList}, problems=OF_HOSTS)
    def get(self, request: Request, name: str) -> HttpResponse:
        """List the mutes of the match itself, newest first: for those who moderate it."""
        return talk_answers.mutes(_talk(request, name))

    @operation("muteAccount", tag="Play", body=MuteBody, answers={201: MuteDocument},
               problems=(*OF_HOSTS, "no_such_player"))  # fmt: skip
    def post(self, request: Request, name: str, body: MuteBody) -> HttpResponse:
        """Mute somebody at the match for ten minutes or until its end, or in its whole season: for the match's hosts
        who don't play. The muted account sees by whom, why, and until when."""
        match = match_named(name)
        runs = lambda account: is_host(account, match)  # noqa: E731
        made = talk.mute(_talk(request, name), body.account, body.span, body.reason, runs=runs)
        return answer(talk_answers.mute_document(made), status=201)


class LiftMuteView(APIView):
    scopes = {"POST": WRITE}

    @operation("liftMute", tag="Play", body=HostBody, answers={200: MuteDocument}, problems=(*OF_HOSTS, "no_such_mute"))
    def post(self, request: Request, name: str, number: int, body: HostBody) -> HttpResponse:
        """End a mute of this match early."""
        return answer(talk_answers.mute_document(talk.lift(_talk(request, name), number, body.reason)))


class BlocksView(APIView):
    scopes = {"GET": READ}

    @operation("listBlocks", tag="Account", answers={200: BlockList})
    def get(self, request: Request) -> HttpResponse:
        """List the accounts whose remarks are folded away for the caller. Clients receive these remarks
        all the same."""
        return answer(BlockList([selectors.person(it.blocked) for it in blocking.blocked(request.user)], None))


class BlockView(APIView):
    scopes = {"PUT": WRITE, "DELETE": WRITE}

    @operation("blockAccount", tag="Account", answers={204: None}, problems=("bad_block", "no_such_player"))
    def put(self, request: Request, account: UUID) -> HttpResponse:
        """Block an account: its remarks are folded away for the caller; nobody else sees that."""
        blocking.block(request.user, account)
        return nothing()

    @operation("unblockAccount", tag="Account", answers={204: None})
    def delete(self, request: Request, account: UUID) -> HttpResponse:
        """Unblock an account."""
        blocking.unblock(request.user, account)
        return nothing()


def _talk(request: Request, name: str) -> Talk:
    match = match_named(name)
    account = None if is_stranger(request) else request.user
    return talk.at_match(account, match, entitlements.lifecycle_for(match.id, caller_of(request)))


def _thread_named(thread: str) -> str:
    """Return the name of a match's thread; raise Problem."""
    if thread not in talk.MATCH_THREADS:
        raise Problem("not_found", "A match has the threads `table` and `spectators`.")
    return thread
