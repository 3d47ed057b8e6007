"""What can be proved of a season, and taken away: its audit, proofs, its record, the archive with all its matches."""

from uuid import UUID

from django.http import HttpResponse, HttpResponseBase
from rest_framework.request import Request

from matches.api.audit_views import ProofQuery, stream_file
from matches.api.season_access import READ, SeasonView, season_seen
from matches.http.limits import spend_download
from matches.http.operations import Media, operation
from matches.http.problems import Problem
from matches.http.responses import answer
from matches.http.strangers import is_stranger, note_taken
from matches.reads.documents import ProofDocument
from matches.seasons import archive
from matches.seasons.reads import proofs
from matches.seasons.reads.documents import SeasonAudit


class SeasonAuditView(SeasonView):
    """What can be proved."""

    open_to_strangers = True
    scopes = {"GET": READ}

    @operation("auditSeason", tag="Season", answers={200: SeasonAudit})
    def get(self, request: Request, season_id: UUID) -> HttpResponse:
        """The head of the season's chain, the signed checkpoints that cover it, and who took its record away."""
        return answer(proofs.standing(season_seen(request, season_id).id))


class SeasonProofView(SeasonView):
    """Proofs of inclusion."""

    open_to_strangers = True
    scopes = {"GET": READ}

    @operation("proveSeason", tag="Season", query=ProofQuery, answers={200: ProofDocument}, problems=("no_checkpoint",))
    def get(self, request: Request, season_id: UUID, query: ProofQuery) -> HttpResponse:
        """That a signed checkpoint holds the season's hash, at the newest version that one holds."""
        found = proofs.proof(season_seen(request, season_id).id, query.upto, query.size)
        if found is None:
            raise Problem("no_checkpoint")
        return answer(found)


class SeasonExportView(SeasonView):
    """The season's own record in a file."""

    open_to_strangers = True
    scopes = {"GET": READ}

    @operation("exportSeason", tag="Season", answers={200: Media(("application/x-ndjson",))})
    def get(self, request: Request, season_id: UUID) -> HttpResponseBase:
        """The season's record as lines of JSON, self-contained; `croupier_verify.py` checks it offline. That an account
        took it stands in the season's audit."""
        season = season_seen(request, season_id)
        spend_download(request)
        note_taken(request, season.id)
        return stream_file(request, archive.export(season.id), f"season-{season.id}.ndjson", "application/x-ndjson")


class SeasonArchiveView(SeasonView):
    """The season and all its matches in a file."""

    open_to_strangers = True
    scopes = {"GET": READ}
    counted_as = "archives"

    @operation("archiveSeason", tag="Season", answers={200: Media(("application/zip",))}, problems=("forbidden",))
    def get(self, request: Request, season_id: UUID) -> HttpResponseBase:
        """A zip with the season's record, those of its matches, all in sentences too, and the verifier: for who runs or
        audits the season; once it has its champion, for whoever may see it. That an account took it stands in the
        audits."""
        season = season_seen(request, season_id)
        witness = archive.witness_for(request.user, season.id)
        if witness is None:
            raise Problem("forbidden", "Until the season has its champion its archive is for who runs or audits it.")
        by = None if is_stranger(request) else str(request.user.id)
        pieces = archive.pieces(season, by, witness)
        return stream_file(request, pieces, f"season-{season.id}.zip", "application/zip", at_once=1)
