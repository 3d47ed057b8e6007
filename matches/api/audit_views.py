"""What can be proved: the audit of a match, proofs, exports, and the house's key."""

from collections.abc import AsyncIterator, Iterator
from itertools import islice
from typing import Annotated

from asgiref.sync import sync_to_async
from django.db import DEFAULT_DB_ALIAS, connections
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.views.decorators.http import require_safe
from msgspec import Meta, Struct, field
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.views import APIView

from events.checkpoints import signing
from matches.audit import export, rendering
from matches.http.limits import spend_download
from matches.http.match_access import match_named, own_witness
from matches.http.operations import Media, operation
from matches.http.problems import Problem
from matches.http.responses import answer
from matches.http.strangers import note_taken
from matches.reads.documents import AuditDocument, ConsistencyDocument, ProofDocument

_LINES_AT_ONCE = 200


class ProofQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """`upto` a version of the match, `size` a checkpoint by its number of leaves; the newest without them."""

    upto: Annotated[int, Meta(ge=1, le=2**31 - 1)] | None = None
    size: Annotated[int, Meta(ge=1, le=2**53 - 1)] | None = None


class AuditView(APIView):
    """What can be proved."""

    open_to_strangers = True
    scopes = {"GET": "match:read"}

    @operation("auditMatch", tag="History", answers={200: AuditDocument})
    def get(self, request: Request, name: str) -> HttpResponse:
        """What proves the match's record: the head of its chain, what was promised before the first deal, the signed
        checkpoints that cover it, and who looked at the truth, took the record away or changed something."""
        match = match_named(name)
        return answer(export.standing(match.id, own_witness(request, match)))


class ProofView(APIView):
    """Proofs of inclusion."""

    open_to_strangers = True
    scopes = {"GET": "match:read"}

    @operation("proveMatch", tag="History", query=ProofQuery, answers={200: ProofDocument}, problems=("no_checkpoint",))
    def get(self, request: Request, name: str, query: ProofQuery) -> HttpResponse:
        """That a signed checkpoint holds the match's hash, at the newest version that one holds."""
        match = match_named(name)
        found = export.proof(match.id, own_witness(request, match), query.upto, query.size)
        if found is None:
            raise Problem("no_checkpoint")
        return answer(found)


class SizesQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """`from` the size of a checkpoint that you have kept, `to` that of a later one; the newest without it."""

    earlier: Annotated[int, Meta(ge=1, le=2**53 - 1)] = field(name="from")
    later: Annotated[int, Meta(ge=1, le=2**53 - 1)] | None = field(name="to", default=None)


class ConsistencyView(APIView):
    """Proofs that the house's log only grows; for whoever has kept a checkpoint."""

    authentication_classes: list[type] = []
    permission_classes = [AllowAny]

    @operation(
        "proveConsistency", tag="History", query=SizesQuery, answers={200: ConsistencyDocument},
        problems=("no_checkpoint",),
    )  # fmt: skip
    def get(self, request: Request, query: SizesQuery) -> HttpResponse:
        """That the log of a later signed checkpoint begins with the whole log of an earlier one."""
        found = signing.prove_consistency(query.earlier, query.later)
        if found is None:
            raise Problem("no_checkpoint", "There are no two signed checkpoints of these sizes, the earlier one first.")
        path = [hash.hex() for hash in found.path]
        return answer(ConsistencyDocument(found.earlier, found.size, path, found.earlier_note, found.note))


class ExportView(APIView):
    """The record in a file."""

    open_to_strangers = True
    scopes = {"GET": "match:read"}

    @operation("exportMatch", tag="History", answers={200: Media(("application/x-ndjson",))})
    def get(self, request: Request, name: str) -> HttpResponseBase:
        """The match's record as lines of JSON, self-contained; `croupier_verify.py` checks it offline. What was said
        beside the match isn't in it. That an account took it stands in the match's audit."""
        match = match_named(name)
        witness = own_witness(request, match)
        spend_download(request)
        note_taken(request, match.id)
        return stream_file(
            request, export.export(match.id, witness, aside=True), f"{match.code}.ndjson", "application/x-ndjson"
        )


def stream_file(
    request: Request, lines: Iterator[bytes], name: str, media_type: str, at_once: int = _LINES_AT_ONCE
) -> StreamingHttpResponse:
    """Lines, or other pieces, as a file that is sent while they are read, so many `at_once`."""
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    # The server's loop takes an asynchronous iterator as it comes; a synchronous one it would gather whole first.
    body = _in_threads(lines, at_once) if hasattr(request._request, "scope") else lines
    return StreamingHttpResponse(body, content_type=media_type, headers=headers)


async def _in_threads(lines: Iterator[bytes], at_once: int) -> AsyncIterator[bytes]:
    """The lines, some at a time, each time in the request's thread, whose connection is given back in between."""

    def some() -> bytes:
        try:
            return b"".join(islice(lines, at_once))
        finally:
            connections[DEFAULT_DB_ALIAS].close()

    while part := await sync_to_async(some)():
        yield part


@require_safe
def verifier(request: HttpRequest) -> HttpResponse:
    """The standalone verifier, for whoever doesn't trust the house."""
    headers = {"Content-Disposition": f'attachment; filename="{rendering.PATH.name}"'}
    return HttpResponse(rendering.source(), content_type="text/x-python", headers=headers)


@require_safe
def verifier_key(request: HttpRequest) -> HttpResponse:
    """The key that checks the signatures of checkpoints, as signed notes write it."""
    return HttpResponse(f"{signing.signer().verifier_key}\n", content_type="text/plain; charset=utf-8")


@require_safe
def newest_checkpoint(request: HttpRequest) -> HttpResponse:
    """The newest signed checkpoint."""
    note = signing.newest()
    if note is None:
        raise Http404
    headers = {"Cache-Control": "no-store"}
    return HttpResponse(note, content_type="text/plain; charset=utf-8", headers=headers)
