"""Removing a picture that an account has uploaded."""

from uuid import UUID

from django import forms
from django.contrib import admin, messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods

from matches.accounts import portraits
from matches.accounts.access_log import Actor, Door
from matches.html.text_fields import LinesField
from matches.models import Account


class Reason(forms.Form):
    """The reason for the removal."""

    reason = LinesField(
        max_length=500,
        help_text="Its owner reads it, and it stands in the access log for good.",
        error_messages={"required": "Say why."},
        widget=forms.Textarea(attrs={"rows": 3}),
    )


@require_http_methods(["GET", "HEAD", "POST"])
def take_down(request: HttpRequest, account_id: UUID) -> HttpResponse:
    """Remove the picture, with a reason, and log it; a drawn face shows again. For staff and organisers."""
    account = get_object_or_404(Account, id=account_id)
    form = Reason(request.POST or None)
    if request.method == "POST" and form.is_valid():
        if portraits.take_down(account.id, form.cleaned_data["reason"], Actor(request.user.id, Door.PANEL)):
            messages.success(request, "The picture is taken down.")
        else:
            messages.info(request, "There was no uploaded picture any more.")
        return redirect("admin:portrait", account.id)
    context = {
        **admin.site.each_context(request),
        "title": "Portrait",
        "account": account,
        "form": form,
    }
    return render(request, "panel/portrait.html", context, status=422 if form.errors else 200)
