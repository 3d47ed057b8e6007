"""The library of contests: drafts and their versions, publication, copies, files."""

from hashlib import sha256
from typing import Any
from uuid import UUID

from django.conf import settings
from django.http import HttpResponse
from rest_framework.request import Request
from rest_framework.views import APIView

from matches.api.contest_bodies import ContestBody, ContestsQuery, ExportQuery
from matches.contests.domain.drafts import read_draft
from matches.contests.reads import documents, visible
from matches.contests.reads.documents import (
    CheckDocument,
    ContestCard,
    ContestDocument,
    ContestMade,
    ContestPage,
    ContestSaved,
    VersionList,
)
from matches.contests.services import saving
from matches.contests.services.saving import Made
from matches.http import contest_files
from matches.http.command_headers import idempotency_key
from matches.http.etags import etag, expected_version, names_tag, not_modified
from matches.http.operations import Header, Media, operation
from matches.http.paging import page
from matches.http.problems import Problem
from matches.http.responses import Answer, answer, encode, nothing

READ = "match:read"
WRITE = "match:play"
MOST_BYTES = settings.CONTEST_BODY_LIMIT
_MOST_LISTED = 500
_FILES = tuple(contest_files.TYPES.values())
_BYTES = "application/octet-stream"
"""The content type with which generated clients send a file."""
_KEY = Header("Idempotency-Key", "Names this request: sent again under it, it makes no second contest.")
_BASE = Header("If-Match", "The version that you have changed, as the ETag gives it.", required=True)
_SEEN = Header("If-Match", "The version that you have read, as the ETag gives it.")
_OF_MAKING = ("not_for_guests", "too_many_contests", "idempotency_key_missing", "idempotency_key_reused")


class ContestsView(APIView):
    scopes = {"GET": READ, "POST": WRITE}

    @operation(
        "listContests", tag="Games", query=ContestsQuery, answers={200: ContestPage}, problems=("not_for_guests",)
    )
    def get(self, request: Request, query: ContestsQuery) -> HttpResponse:
        """List your own contests, those that others have published, and the installation's own, the last changed
        first."""
        rows = visible.contests_for(request.user, query.text, only_own=query.mine)
        contests, following = page(rows, query.cursor, query.limit, order=("-changed_at", "-id"))
        return answer(ContestPage([documents.card(it, request.user) for it in contests], following))

    @operation(
        "createContest", tag="Games", body=ContestBody, headers=(_KEY,), answers={201: ContestMade},
        problems=_OF_MAKING, most_bytes=MOST_BYTES,
    )  # fmt: skip
    def post(self, request: Request, body: ContestBody) -> HttpResponse:
        """Store a private contest; it may have faults, which the response lists. The header `Location` contains its
        URL."""
        key = idempotency_key(request)
        return _made(saving.create(author=request.user, draft=read_draft(body.content), key=key))


class ContestView(APIView):
    scopes = {"GET": READ, "PUT": WRITE, "DELETE": WRITE}

    @operation("readContest", tag="Games", answers={200: ContestDocument, 304: None}, problems=("not_for_guests",))
    def get(self, request: Request, contest: UUID) -> HttpResponse:
        """Read a contest: of your own the newest version, of another one the published version."""
        row = visible.contest_for(request.user, contest)
        return _versioned(request, documents.document(row, request.user))

    @operation(
        "saveContest", tag="Games", body=ContestBody, headers=(_BASE,), answers={200: ContestSaved},
        problems=("not_for_guests", "version_missing", "version_behind"), most_bytes=MOST_BYTES,
    )  # fmt: skip
    def put(self, request: Request, contest: UUID, body: ContestBody) -> HttpResponse:
        """Save your contest as its next version, unless the content is the same. A save of an earlier version than the
        newest is refused with 412. It may have faults, which the response lists."""
        base = expected_version(request)
        if base is None:
            raise Problem("version_missing")
        draft = read_draft(body.content)
        row = saving.save(account=request.user, contest_id=contest, draft=draft, base=base)
        document = ContestSaved(documents.card(row, request.user), row.version, list(draft.faults))
        return answer(document, headers={"ETag": etag(row.version)})

    @operation("deleteContest", tag="Games", answers={204: None}, problems=("not_for_guests", "is_published"))
    def delete(self, request: Request, contest: UUID) -> HttpResponse:
        """Delete your contest, with all versions, if it was never published."""
        saving.delete(account=request.user, contest_id=contest)
        return nothing()


class VersionsView(APIView):
    scopes = {"GET": READ}

    @operation("listContestVersions", tag="Games", answers={200: VersionList}, problems=("not_for_guests",))
    def get(self, request: Request, contest: UUID) -> HttpResponse:
        """List the last 500 versions of a contest, newest first: of your own all that are kept, of another one those
        that were published."""
        rows = visible.versions_for(request.user, visible.contest_for(request.user, contest))
        return answer(VersionList([documents.version_card(it) for it in rows[:_MOST_LISTED]]))


class VersionView(APIView):
    scopes = {"GET": READ}

    @operation(
        "readContestVersion", tag="Games", answers={200: ContestDocument, 304: None}, problems=("not_for_guests",)
    )
    def get(self, request: Request, contest: UUID, number: int) -> HttpResponse:
        """Read a version of a contest."""
        row = visible.contest_for(request.user, contest)
        return _versioned(request, documents.document(row, request.user, number))


class PublishView(APIView):
    scopes = {"POST": WRITE}

    @operation(
        "publishContest", tag="Games", headers=(_SEEN,), answers={200: ContestCard},
        problems=("not_for_guests", "version_behind", "content_faulty"),
    )  # fmt: skip
    def post(self, request: Request, contest: UUID) -> HttpResponse:
        """Publish the newest version of your contest: every account can read and copy it, with its answers and secret
        rounds. It must have no faults; the refusal lists them."""
        base = expected_version(request)
        return _card(request, saving.publish(account=request.user, contest_id=contest, base=base))


class RetireView(APIView):
    scopes = {"POST": WRITE}

    @operation("retireContest", tag="Games", answers={200: ContestCard}, problems=("not_for_guests", "not_published"))
    def post(self, request: Request, contest: UUID) -> HttpResponse:
        """Take a published contest off the list: for its author, and organisers of the house. Whoever has its URL can
        still read it."""
        return _card(request, saving.retire(account=request.user, contest_id=contest))


class CopyView(APIView):
    scopes = {"POST": WRITE}

    @operation("copyContest", tag="Games", headers=(_KEY,), answers={201: ContestMade}, problems=_OF_MAKING)
    def post(self, request: Request, contest: UUID) -> HttpResponse:
        """Copy a contest that you may read into a private one of your own. It names the original author."""
        return _made(saving.copy(account=request.user, contest_id=contest, key=idempotency_key(request)))


class CheckView(APIView):
    scopes = {"POST": READ}
    counted_as = "contests"

    @operation("checkContest", tag="Games", body=ContestBody, answers={200: CheckDocument}, most_bytes=MOST_BYTES)
    def post(self, request: Request, body: ContestBody) -> HttpResponse:
        """Check a content without storing it: the response lists all faults at once, each with its place, or sums up a
        faultless content."""
        return answer(documents.check(read_draft(body.content)))


class ExportView(APIView):
    scopes = {"GET": READ}

    @operation(
        "exportContest",
        tag="Games",
        query=ExportQuery,
        answers={200: Media(_FILES[:1], dict[str, Any])},
        problems=("not_for_guests",),
    )
    def get(self, request: Request, contest: UUID, query: ExportQuery) -> HttpResponse:
        """Download a content as a file, TOML or JSON, from which the import makes the same content."""
        row = visible.contest_for(request.user, contest)
        data = visible.version_for(request.user, row, query.version).data
        headers = {"Content-Disposition": f'attachment; filename="contest-{row.id}.{query.form}"'}
        file = contest_files.file_of(data, query.form)
        return Answer(200, file, headers, contest_files.TYPES[query.form]).for_django()


class ImportView(APIView):
    scopes = {"POST": WRITE}
    counted_as = "contests"

    @operation(
        "importContest", tag="Games", body=Media((*_FILES, _BYTES)), headers=(_KEY,), answers={201: ContestMade},
        problems=(*_OF_MAKING, "content_faulty"),
    )  # fmt: skip
    def post(self, request: Request, body: bytes) -> HttpResponse:
        """Store the content of a file, TOML or JSON, as a private contest. The response lists its faults; only a file
        that can't be read, or has values that no contest has, such as dates, is refused."""
        if len(body) > MOST_BYTES:
            raise Problem("too_large")
        key = idempotency_key(request)
        return _made(saving.create(author=request.user, draft=contest_files.read_file_draft(body), key=key))


def _made(made: Made) -> HttpResponse:
    """Return 201 with the id of a new contest; the same bytes for the same request."""
    headers = {"Location": f"/api/v1/contests/{made.contest.id}", "ETag": etag(1)}
    if made.replayed:
        headers["Idempotent-Replayed"] = "true"
    return answer(ContestMade(made.contest.id, 1, list(made.faults)), status=201, headers=headers)


def _card(request: Request, contest: saving.Contest) -> HttpResponse:
    return answer(documents.card(contest, request.user), headers={"ETag": etag(contest.version)})


def _versioned(request: Request, document: ContestDocument) -> HttpResponse:
    """Return the document with an ETag of its version and its bytes, or 304."""
    body = encode(document)
    tag = etag(document.number, sha256(body).hexdigest())
    return not_modified(tag) if names_tag(request, tag) else Answer(200, body, {"ETag": tag}).for_django()
