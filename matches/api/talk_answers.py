"""Responses about talk, at a match and on a season's board alike."""

from django.http import HttpResponse
from rest_framework.request import Request

from matches.http import talk
from matches.http.command_headers import idempotency_key
from matches.http.operations import Header
from matches.http.problems import Problem
from matches.http.responses import answer
from matches.http.streaming import Form, begin
from matches.http.talk import Talk
from matches.http.talk_bodies import RemarksQuery
from matches.models.talk import Mute
from matches.reads import selectors
from matches.reads.documents.talk import MuteDocument, MuteList, RemarkList, TalkDocument, TalkFrame
from matches.talk import muting, reading

READ = "chat:read"
WRITE = "chat:write"
KEY = Header("Idempotency-Key", "Names this remark: whatever is sent again under it is said once.")
OF_SAYING = ("forbidden", "muted", "not_for_guests", "idempotency_key_reused")
OF_HOSTS = ("forbidden", "plays_here")
OF_MODERATING = (*OF_HOSTS, "no_such_remark")


def listed(it: Talk, thread: str, query: RemarksQuery) -> HttpResponse:
    """Return a page of a thread; raise Problem if the caller may not read it."""
    talk.refuse_deaf(it, thread)
    if query.before is not None and query.after is not None:
        raise Problem("malformed", "Ask for what is `before` a number or `after` one, not for both.")
    remarks, following = reading.page(
        it.about, thread, it.ears, before=query.before, after=query.after, limit=query.limit
    )
    return answer(RemarkList(reading.documents(remarks), following))


def streamed(request: Request, it: Talk, thread: str, form: Form) -> HttpResponse:
    """Return the beginning of a stream of a thread: its latest remarks."""
    talk.refuse_deaf(it, thread)
    remarks, _ = reading.page(it.about, thread, it.ears)
    begun = [TalkFrame(thread, True, reading.documents(remarks))]
    return begin(request, form, begun, talk=it.about, thread=thread)


def remark_response(request: Request, it: Talk, thread: str, text: str) -> HttpResponse:
    """Return 201 with the remark, made now or earlier under the same key."""
    key = idempotency_key(request) if "HTTP_IDEMPOTENCY_KEY" in request.META else None
    remark, replayed = talk.say(it, thread, text, key, request)
    headers = {"Idempotent-Replayed": "true"} if replayed else {}
    # The original remark, even if it was hidden since: a retry gets the first response.
    remark.hiding = None
    return answer(reading.document(remark), status=201, headers=headers)


def talk_document(it: Talk) -> TalkDocument:
    """Return what the caller may do in the talk."""
    mute, rights = it.mute, it.rights
    return TalkDocument(
        it.open_to,
        list(rights.reads),
        list(rights.writes),
        list(rights.moderates),
        mute_document(mute) if mute else None,
    )


def mutes(it: Talk) -> HttpResponse:
    """Return the mutes of a match or season, for those who moderate it; raise Problem."""
    talk.refuse_unless_moderator(it)
    return answer(MuteList([mute_document(mute) for mute in muting.mutes_of(it.about)], None))


def mute_document(mute: Mute) -> MuteDocument:
    return MuteDocument(
        number=mute.id,
        account=selectors.person(mute.account),
        by=selectors.person(mute.by),
        reason=mute.reason,
        at=mute.at,
        until=mute.until,
        lifted_by=selectors.person(mute.lifted_by) if mute.lifted_by else None,
        lifted_reason=mute.lifted_reason,
        lifted_at=mute.lifted_at,
    )
