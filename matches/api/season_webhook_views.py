"""The webhook to which a season sends its news, such as a chat channel of its players."""

from uuid import UUID

from django.http import HttpResponse
from rest_framework.request import Request

from events import access
from matches.api import webhook_views
from matches.api.season_access import COMMAND, SeasonView, visible_season
from matches.api.webhook_views import NoticeList, WebhookAsked, WebhookMade, WebhookTold
from matches.http.operations import operation
from matches.http.responses import answer, nothing
from matches.models import Account
from matches.notifications import notices
from matches.seasons import repository, services
from matches.seasons.domain import deciding


class SeasonWebhookView(SeasonView):
    scopes = {"GET": COMMAND, "PUT": COMMAND, "DELETE": COMMAND}

    @operation(
        "readSeasonWebhook", tag="Season", answers={200: WebhookTold},
        problems=("forbidden", "plays_here", "no_webhook"),
    )  # fmt: skip
    def get(self, request: Request, season_id: UUID) -> HttpResponse:
        """Read the season's webhook: for its organisers."""
        _refuse_strangers(request, season_id)
        return answer(webhook_views.webhook_document(webhook_views.webhook_of(season_id=season_id)))

    @operation(
        "setSeasonWebhook", tag="Season", body=WebhookAsked, answers={200: WebhookMade},
        problems=("forbidden", "plays_here", "bad_webhook"),
    )  # fmt: skip
    def put(self, request: Request, season_id: UUID, body: WebhookAsked) -> HttpResponse:
        """Set the URL that receives the season's news and the turns of its matches, with a new secret: for its
        organisers. What spectators see late is sent late."""
        _refuse_strangers(request, season_id)
        made = webhook_views.new_webhook(body, lambda url: notices.set_season_webhook(season_id, url, body.form))
        access.note(season_id, str(request.user.id), "webhook_set")
        return answer(made)

    @operation(
        "removeSeasonWebhook", tag="Season", answers={204: None}, problems=("forbidden", "plays_here", "no_webhook")
    )
    def delete(self, request: Request, season_id: UUID) -> HttpResponse:
        """Remove the webhook; waiting notices are dropped: for the season's organisers."""
        _refuse_strangers(request, season_id)
        webhook_views.webhook_of(season_id=season_id).delete()
        access.note(season_id, str(request.user.id), "webhook_removed")
        return nothing()


class SeasonWebhookTestView(SeasonView):
    scopes = {"POST": COMMAND}

    @operation(
        "testSeasonWebhook", tag="Season", answers={204: None}, problems=("forbidden", "plays_here", "no_webhook")
    )
    def post(self, request: Request, season_id: UUID) -> HttpResponse:
        """Send a test notice; the season's notices show the result. It switches on a webhook that is off: for the
        season's organisers."""
        _refuse_strangers(request, season_id)
        notices.queue_test(webhook_views.webhook_of(season_id=season_id))
        return nothing()


class SeasonNoticesView(SeasonView):
    scopes = {"GET": COMMAND}

    @operation("listSeasonNotices", tag="Season", answers={200: NoticeList}, problems=("forbidden", "plays_here"))
    def get(self, request: Request, season_id: UUID) -> HttpResponse:
        """List the latest notices and their states: for the season's organisers."""
        _refuse_strangers(request, season_id)
        return answer(webhook_views.listed(webhook__season_id=season_id))


def _refuse_strangers(request: Request, season_id: UUID) -> None:
    """Raise Problem or Illegal for everybody but the season's organisers."""
    visible_season(request, season_id)
    account: Account = request.user
    deciding.refuse_unless_organiser(services.caller(season_id, repository.load(season_id), account))
