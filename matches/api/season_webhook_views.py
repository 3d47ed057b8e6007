"""The webhook of a season: where its organisers want its news to be told, a channel of its people perhaps."""

from uuid import UUID

from django.http import HttpResponse
from rest_framework.request import Request

from events import access
from matches.api import webhook_views
from matches.api.season_access import COMMAND, SeasonView, season_seen
from matches.api.webhook_views import NoticeList, WebhookAsked, WebhookMade, WebhookTold
from matches.http.operations import operation
from matches.http.responses import answer, nothing
from matches.models import Account
from matches.notifications import notices
from matches.seasons import repository, services
from matches.seasons.domain import deciding


class SeasonWebhookView(SeasonView):
    """The season's webhook."""

    scopes = {"GET": COMMAND, "PUT": COMMAND, "DELETE": COMMAND}

    @operation(
        "readSeasonWebhook", tag="Season", answers={200: WebhookTold},
        problems=("forbidden", "plays_here", "no_webhook"),
    )  # fmt: skip
    def get(self, request: Request, season_id: UUID) -> HttpResponse:
        """Read where the season's news are told: for its organisers."""
        _refuse_strangers(request, season_id)
        return answer(webhook_views.webhook_document(webhook_views.webhook_of(season_id=season_id)))

    @operation(
        "setSeasonWebhook", tag="Season", body=WebhookAsked, answers={200: WebhookMade},
        problems=("forbidden", "plays_here", "bad_webhook"),
    )  # fmt: skip
    def put(self, request: Request, season_id: UUID, body: WebhookAsked) -> HttpResponse:
        """Have the season's news, and whose turn it is in its matches, told at a URL, with a new secret: for its
        organisers. What spectators learn late is told late here."""
        _refuse_strangers(request, season_id)
        made = webhook_views.new_webhook(body, lambda url: notices.set_season_webhook(season_id, url, body.form))
        access.note(season_id, str(request.user.id), "webhook_set")
        return answer(made)

    @operation(
        "removeSeasonWebhook", tag="Season", answers={204: None}, problems=("forbidden", "plays_here", "no_webhook")
    )
    def delete(self, request: Request, season_id: UUID) -> HttpResponse:
        """Tell nothing any more, and drop what waits to be sent: for the season's organisers."""
        _refuse_strangers(request, season_id)
        webhook_views.webhook_of(season_id=season_id).delete()
        access.note(season_id, str(request.user.id), "webhook_removed")
        return nothing()


class SeasonWebhookTestView(SeasonView):
    """A message to try the season's webhook with."""

    scopes = {"POST": COMMAND}

    @operation(
        "testSeasonWebhook", tag="Season", answers={204: None}, problems=("forbidden", "plays_here", "no_webhook")
    )
    def post(self, request: Request, season_id: UUID) -> HttpResponse:
        """Have a harmless notice sent; the season's notices tell how that went: for its organisers."""
        _refuse_strangers(request, season_id)
        notices.queue_test(webhook_views.webhook_of(season_id=season_id))
        return nothing()


class SeasonNoticesView(SeasonView):
    """What the season's webhook was told."""

    scopes = {"GET": COMMAND}

    @operation("listSeasonNotices", tag="Season", answers={200: NoticeList}, problems=("forbidden", "plays_here"))
    def get(self, request: Request, season_id: UUID) -> HttpResponse:
        """List the last notices and how their sending went: for the season's organisers."""
        _refuse_strangers(request, season_id)
        return answer(webhook_views.listed(webhook__season_id=season_id))


def _refuse_strangers(request: Request, season_id: UUID) -> None:
    """Raise Problem, Illegal for everyone but the season's organisers."""
    season_seen(request, season_id)
    account: Account = request.user
    deciding.refuse_unless_organiser(services.caller(season_id, repository.load(season_id), account))
