"""The audit of a match, proofs, exports, and the house's key."""

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
from matches.reads.documents.record import AuditDocument, ConsistencyDocument, ProofDocument

_LINES_AT_ONCE = 200


class ProofQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """`upto` is a version of the match, `size` a checkpoint's number of leaves; by default the newest."""

    upto: Annotated[int, Meta(ge=1, le=2**31 - 1)] | None = None
    size: Annotated[int, Meta(ge=1, le=2**53 - 1)] | None = None


class AuditView(APIView):
    open_to_strangers = True
    scopes = {"GET": "match:read"}

    @operation("auditMatch", tag="History", answers={200: AuditDocument})
    def get(self, request: Request, name: str) -> HttpResponse:
        """Return what proves the match's record: the head of its chain, its commitments from before the first deal, the
        signed checkpoints that cover it, and who looked at the truth, took the record or changed something."""
        match = match_named(name)
        return answer(export.standing(match.id, own_witness(request, match)))


class ProofView(APIView):
    open_to_strangers = True
    scopes = {"GET": "match:read"}

    @operation("proveMatch", tag="History", query=ProofQuery, answers={200: ProofDocument}, problems=("no_checkpoint",))
    def get(self, request: Request, name: str, query: ProofQuery) -> HttpResponse:
        """Prove that a signed checkpoint holds the match's hash, at the newest covered version."""
        match = match_named(name)
        proof = export.proof(match.id, own_witness(request, match), query.upto, query.size)
        if proof is None:
            raise Problem("no_checkpoint")
        return answer(proof)


class SizesQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """`from` is the size of a checkpoint that you have kept, `to` that of a later one; by default the newest."""

    earlier: Annotated[int, Meta(ge=1, le=2**53 - 1)] = field(name="from")
    later: Annotated[int, Meta(ge=1, le=2**53 - 1)] | None = field(name="to", default=None)


class ConsistencyView(APIView):
    """Proofs that the house's log only grows, for anyone who has kept a checkpoint."""

    authentication_classes: list[type] = []
    permission_classes = [AllowAny]

    @operation(
        "proveConsistency", tag="History", query=SizesQuery, answers={200: ConsistencyDocument},
        problems=("no_checkpoint",),
    )  # fmt: skip
    def get(self, request: Request, query: SizesQuery) -> HttpResponse:
        """Prove that the log of a later signed checkpoint begins with the whole log of an earlier one."""
        proof = signing.prove_consistency(query.earlier, query.later)
        if proof is None:
            raise Problem("no_checkpoint", "There are no two signed checkpoints of these sizes, the earlier one first.")
        path = [hash.hex() for hash in proof.path]
        return answer(ConsistencyDocument(proof.earlier, proof.size, path, proof.earlier_note, proof.note))


class ExportView(APIView):
    open_to_strangers = True
    scopes = {"GET": "match:read"}

    @operation("exportMatch", tag="History", answers={200: Media(("application/x-ndjson",))})
    def get(self, request: Request, name: str) -> HttpResponseBase:
        """Export the match's record as lines of JSON, self-contained; `croupier_verify.py` checks it offline. Talk
        isn't in it. The match's audit lists which accounts took it."""
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
    """Return lines, or other pieces, as a file that is sent while they are read, so many `at_once`."""
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    # An ASGI server would gather all of a synchronous iterator before sending it.
    body = _in_threads(lines, at_once) if hasattr(request._request, "scope") else lines
    return StreamingHttpResponse(body, content_type=media_type, headers=headers)


async def _in_threads(lines: Iterator[bytes], at_once: int) -> AsyncIterator[bytes]:
    """Yield the lines, some at a time, each time in the request's thread, which closes its connection in between."""

    def some() -> bytes:
        try:
            return b"".join(islice(lines, at_once))
        finally:
            connections[DEFAULT_DB_ALIAS].close()

    while part := await sync_to_async(some)():
        yield part


@require_safe
def verifier(request: HttpRequest) -> HttpResponse:
    """Return the standalone verifier."""
    headers = {"Content-Disposition": f'attachment; filename="{rendering.PATH.name}"'}
    return HttpResponse(rendering.source(), content_type="text/x-python", headers=headers)


@require_safe
def verifier_key(request: HttpRequest) -> HttpResponse:
    """Return the key that checks the signatures of checkpoints, as signed notes write it."""
    return HttpResponse(f"{signing.signer().verifier_key}\n", content_type="text/plain; charset=utf-8")


@require_safe
def newest_checkpoint(request: HttpRequest) -> HttpResponse:
    """Return the newest signed checkpoint."""
    note = signing.newest()
    if note is None:
        raise Http404
    headers = {"Cache-Control": "no-store"}
    return HttpResponse(note, content_type="text/plain; charset=utf-8", headers=headers)
