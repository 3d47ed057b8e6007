"""A season's board: the talk of its people, in threads by episode."""

from uuid import UUID

from django.http import HttpResponse
from rest_framework.request import Request
from rest_framework.views import APIView

from matches.api import talk_answers
from matches.api.season_access import visible_season
from matches.api.talk_answers import KEY, OF_HOSTS, OF_MODERATING, OF_SAYING, READ, WRITE
from matches.http import talk
from matches.http.bodies import HostBody
from matches.http.operations import Media, operation
from matches.http.responses import answer, nothing
from matches.http.strangers import is_stranger
from matches.http.streaming import MEDIA_TYPES, accepted_form
from matches.http.talk import Talk
from matches.http.talk_bodies import BoardRemarkBody, HideBody, MuteBody, RemarksQuery, ReportBody, TalkBody
from matches.reads.documents.talk import BoardDocument, MuteDocument, MuteList, RemarkDocument, RemarkList, TalkDocument
from matches.seasons.reads import board
from matches.talk import reading

_STREAMS = tuple(MEDIA_TYPES)


class BoardView(APIView):
    scopes = {"GET": READ, "PUT": WRITE}

    @operation("readBoard", tag="Season", answers={200: BoardDocument}, problems=("forbidden",))
    def get(self, request: Request, season_id: UUID) -> HttpResponse:
        """List the threads of a season's board, and what you may do there: for the season's players and staff. Who sits
        at a running match of the season reads what was said before its start."""
        it = _board(request, season_id)
        talk.refuse_deaf(it, board.KIND)
        talk_document, threads = talk_answers.talk_document(it), board.threads(season_id, it.ears)
        return answer(
            BoardDocument(
                talk_document.open_to,
                talk_document.reads,
                talk_document.writes,
                talk_document.moderates,
                talk_document.muted,
                threads,
            )
        )

    @operation("setBoard", tag="Season", body=TalkBody, answers={200: TalkDocument}, problems=OF_HOSTS)
    def put(self, request: Request, season_id: UUID, body: TalkBody) -> HttpResponse:
        """Set for whom the talk at the season's matches is open, and with `off` close its board too: for its organisers
        and hosts."""
        talk.set_open_to(_board(request, season_id), body.open_to)
        return answer(talk_answers.talk_document(_board(request, season_id)))


class BoardRemarksView(APIView):
    scopes = {"GET": READ, "POST": WRITE}

    @operation(
        "listBoardRemarks", tag="Season", query=RemarksQuery, answers={200: Media(_STREAMS, RemarkList)},
        problems=("forbidden", "no_such_episode"),
    )  # fmt: skip
    def get(self, request: Request, season_id: UUID, episode: int, query: RemarksQuery) -> HttpResponse:
        """List the remarks about an episode, or (0) the season at large, oldest first; also as a stream of frames
        `talk`."""
        it, thread = _thread(request, season_id, episode)
        if form := accepted_form(request):
            return talk_answers.streamed(request, it, thread, form)
        return talk_answers.listed(it, thread, query)

    @operation(
        "sayOnBoard", tag="Season", body=BoardRemarkBody, headers=(KEY,), answers={201: RemarkDocument},
        problems=(*OF_SAYING, "no_such_episode"),
    )  # fmt: skip
    def post(self, request: Request, season_id: UUID, episode: int, body: BoardRemarkBody) -> HttpResponse:
        """Write a remark to the season's people. Who sits at a running match of the season must wait for its end."""
        it, thread = _thread(request, season_id, episode)
        return talk_answers.remark_response(request, it, thread, body.text)


class BoardRemarkView(APIView):
    scopes = {"GET": READ}

    @operation(
        "readBoardRemark", tag="Season", answers={200: RemarkDocument}, problems=(*OF_MODERATING, "no_such_episode")
    )
    def get(self, request: Request, season_id: UUID, episode: int, number: int) -> HttpResponse:
        """Read the original text of a remark, also of a hidden one: for those who may hide it."""
        it, thread = _thread(request, season_id, episode)
        return answer(reading.document(talk.moderated(it, thread, number), whole=True))


class HideOnBoardView(APIView):
    scopes = {"POST": WRITE}

    @operation(
        "hideOnBoard", tag="Season", body=HideBody, answers={200: RemarkDocument},
        problems=(*OF_MODERATING, "no_such_episode"),
    )  # fmt: skip
    def post(self, request: Request, season_id: UUID, episode: int, number: int, body: HideBody) -> HttpResponse:
        """Hide a remark from all: for the season's organisers and hosts. Name and reason are shown in its place."""
        it, thread = _thread(request, season_id, episode)
        return answer(reading.document(talk.hide(it, thread, number, body.reason, hidden=True)))


class RestoreOnBoardView(APIView):
    scopes = {"POST": WRITE}

    @operation(
        "restoreOnBoard", tag="Season", body=HideBody, answers={200: RemarkDocument},
        problems=(*OF_MODERATING, "no_such_episode"),
    )  # fmt: skip
    def post(self, request: Request, season_id: UUID, episode: int, number: int, body: HideBody) -> HttpResponse:
        """Show a hidden remark again; the hiding and its reason stay on record."""
        it, thread = _thread(request, season_id, episode)
        return answer(reading.document(talk.hide(it, thread, number, body.reason, hidden=False)))


class ReportOnBoardView(APIView):
    scopes = {"POST": WRITE}

    @operation(
        "reportOnBoard", tag="Season", body=ReportBody, answers={204: None},
        problems=("forbidden", "no_such_remark", "no_such_episode", "bad_report"),
    )  # fmt: skip
    def post(self, request: Request, season_id: UUID, episode: int, number: int, body: ReportBody) -> HttpResponse:
        """Report a remark to the season's organisers and hosts, and the organisers of the service; its author never
        sees the report. A second report of a remark changes nothing."""
        it, thread = _thread(request, season_id, episode)
        talk.report(it, thread, number, body.reason, request)
        return nothing()


class SeasonMutesView(APIView):
    scopes = {"GET": READ, "POST": WRITE}

    @operation("listSeasonMutes", tag="Season", answers={200: MuteList}, problems=OF_HOSTS)
    def get(self, request: Request, season_id: UUID) -> HttpResponse:
        """List the mutes of the whole season, newest first: for its organisers and hosts."""
        return talk_answers.mutes(_board(request, season_id))

    @operation("muteInSeason", tag="Season", body=MuteBody, answers={201: MuteDocument},
               problems=(*OF_HOSTS, "no_such_player"))  # fmt: skip
    def post(self, request: Request, season_id: UUID, body: MuteBody) -> HttpResponse:
        """Mute somebody on the board and at the season's matches, for ten minutes or the whole season: for its
        organisers and hosts."""
        runs = lambda account: board.moderates(account, season_id)  # noqa: E731
        made = talk.mute(_board(request, season_id), body.account, body.span, body.reason, runs=runs)
        return answer(talk_answers.mute_document(made), status=201)


class LiftSeasonMuteView(APIView):
    scopes = {"POST": WRITE}

    @operation(
        "liftSeasonMute",
        tag="Season",
        body=HostBody,
        answers={200: MuteDocument},
        problems=(*OF_HOSTS, "no_such_mute"),
    )
    def post(self, request: Request, season_id: UUID, number: int, body: HostBody) -> HttpResponse:
        """End a mute of the season early."""
        return answer(talk_answers.mute_document(talk.lift(_board(request, season_id), number, body.reason)))


def _board(request: Request, season_id: UUID) -> Talk:
    return talk.on_board(None if is_stranger(request) else request.user, visible_season(request, season_id))


def _thread(request: Request, season_id: UUID, episode: int) -> tuple[Talk, str]:
    """Return the board and the name of an episode's thread; raise Problem, a missing episode only for the board's
    readers."""
    it = _board(request, season_id)
    talk.refuse_deaf(it, board.KIND)
    return it, board.thread_of(season_id, episode)
