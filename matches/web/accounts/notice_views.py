"""An account's webhook, and its latest notices."""

from django.contrib import messages
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from matches.html.entry import counted, posted_from, signed_in
from matches.models import Account, Notice, Webhook
from matches.notifications import notices, webhooks
from matches.web.accounts.forms import WebhookForm

MOST_LISTED = 20


@require_safe
@signed_in
@counted
def page(request: HttpRequest) -> HttpResponse:
    return _page(request)


@posted_from("web:notices")
@signed_in
@counted
def set_webhook(request: HttpRequest) -> HttpResponse:
    """Set the webhook; its secret is shown this once."""
    form = WebhookForm(request.POST)
    if form.is_valid():
        try:
            url, kind = form.cleaned_data["url"], form.cleaned_data["form"] or "standard"
            return _page(request, secret=notices.set_webhook(request.user, url, kind))
        except webhooks.AddressRefused as refused:
            form.add_error("url", str(refused))
    return _page(request, form=form, status=422)


@posted_from("web:notices")
@signed_in
@counted
def remove_webhook(request: HttpRequest) -> HttpResponse:
    """Remove the webhook; waiting notices are dropped."""
    Webhook.objects.filter(account=request.user).delete()
    messages.success(request, "You are told nothing any more.")
    return redirect("web:notices")


@posted_from("web:notices")
@signed_in
@counted
def try_webhook(request: HttpRequest) -> HttpResponse:
    """Send a test notice; the list shows the result."""
    webhook = Webhook.objects.filter(account=request.user).first()
    if webhook is None:
        messages.error(request, "Say first where you want to be told.")
    else:
        notices.queue_test(webhook)
        messages.success(request, "A test is on its way; look again in a moment to see how it went.")
    return redirect("web:notices")


def _page(request: HttpRequest, *, form: Form | None = None, secret: str = "", status: int = 200) -> HttpResponse:
    webhook = Webhook.objects.filter(account=request.user).first()
    url = _url_of(webhook)
    context = {
        "form": form or WebhookForm(initial={"url": url, "form": webhook.form if webhook else "standard"}),
        "webhook": webhook,
        "unreadable": webhook is not None and not url,
        "notices": _newest(request.user),
        "secret": secret,
    }
    return render(request, "web/notices.html", context, status=status)


def _newest(me: Account) -> list[Notice]:
    return list(Notice.objects.filter(webhook__account=me).order_by("-made_at")[:MOST_LISTED])


def _url_of(webhook: Webhook | None) -> str:
    """Return a webhook's URL; empty without one, or if the secret key has changed since."""
    try:
        return webhooks.unsealed(webhook.sealed_url) if webhook else ""
    except webhooks.Unreadable:
        return ""
