"""Audit, proofs, export and archive of a season."""

from uuid import UUID

from django.http import HttpResponse, HttpResponseBase
from rest_framework.request import Request

from matches.api.audit_views import ProofQuery, stream_file
from matches.api.season_access import READ, SeasonView, visible_season
from matches.http.limits import spend_download
from matches.http.operations import Media, operation
from matches.http.problems import Problem
from matches.http.responses import answer
from matches.http.strangers import is_stranger, note_taken
from matches.reads.documents.record import ProofDocument
from matches.seasons import archive
from matches.seasons.reads import proofs
from matches.seasons.reads.documents import SeasonAudit


class SeasonAuditView(SeasonView):
    open_to_strangers = True
    scopes = {"GET": READ}

    @operation("auditSeason", tag="Season", answers={200: SeasonAudit})
    def get(self, request: Request, season_id: UUID) -> HttpResponse:
        """Read the head of the season's chain, the signed checkpoints that cover it, and its access log."""
        return answer(proofs.standing(visible_season(request, season_id).id))


class SeasonProofView(SeasonView):
    open_to_strangers = True
    scopes = {"GET": READ}

    @operation("proveSeason", tag="Season", query=ProofQuery, answers={200: ProofDocument}, problems=("no_checkpoint",))
    def get(self, request: Request, season_id: UUID, query: ProofQuery) -> HttpResponse:
        """Prove that a signed checkpoint contains the season's hash, at the newest version that a checkpoint
        contains."""
        proof = proofs.proof(visible_season(request, season_id).id, query.upto, query.size)
        if proof is None:
            raise Problem("no_checkpoint")
        return answer(proof)


class SeasonExportView(SeasonView):
    open_to_strangers = True
    scopes = {"GET": READ}

    @operation("exportSeason", tag="Season", answers={200: Media(("application/x-ndjson",))})
    def get(self, request: Request, season_id: UUID) -> HttpResponseBase:
        """Export the season's record as lines of JSON, self-contained; `croupier_verify.py` checks it offline. The
        export is noted in the season's audit."""
        season = visible_season(request, season_id)
        spend_download(request)
        note_taken(request, season.id)
        return stream_file(request, archive.export(season.id), f"season-{season.id}.ndjson", "application/x-ndjson")


class SeasonArchiveView(SeasonView):
    open_to_strangers = True
    scopes = {"GET": READ}
    counted_as = "archives"

    @operation("archiveSeason", tag="Season", answers={200: Media(("application/zip",))}, problems=("forbidden",))
    def get(self, request: Request, season_id: UUID) -> HttpResponseBase:
        """Download a zip with the records of the season and its matches, also as sentences, and the verifier: for the
        season's staff, and once there is a champion for all who may see the season. The download is noted in the
        audits of the season and its matches."""
        season = visible_season(request, season_id)
        witness = archive.witness_for(request.user, season.id)
        if witness is None:
            raise Problem("forbidden", "Until there is a champion, only the season's staff can download its archive.")
        by = None if is_stranger(request) else str(request.user.id)
        pieces = archive.pieces(season, by, witness)
        return stream_file(request, pieces, f"season-{season.id}.zip", "application/zip", at_once=1)
