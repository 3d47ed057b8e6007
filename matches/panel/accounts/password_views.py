"""New passwords for people who lost theirs: an official makes a link, and its owner chooses."""

from typing import Any
from uuid import UUID

from django.contrib import admin
from django.contrib.auth.tokens import PasswordResetTokenGenerator
from django.contrib.auth.views import INTERNAL_RESET_SESSION_TOKEN, PasswordResetConfirmView
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Q
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode
from django.views.decorators.http import require_http_methods

from matches.accounts import access_log, credentials, officials
from matches.accounts.access_log import Actor, Door
from matches.domain.guests import not_for_guests
from matches.http import devices
from matches.http.problems import Problem
from matches.models import AccessEntry, Account
from matches.seasons.reads import selectors


class _Links(PasswordResetTokenGenerator):
    """Tokens of which only the newest is valid, so that the access log shows who made the used one; and only while its
    maker is in office."""

    def _make_hash_value(self, user: Account, timestamp: int) -> str:
        made = _newest_link(user)
        in_office = Account.objects.filter(Q(is_organiser=True) | Q(is_superuser=True), is_active=True)
        maker = in_office.filter(id=made.by).first() if made else None
        return f"{super()._make_hash_value(user, timestamp)}{made.id if made and maker else 0}"


_links = _Links()


@require_http_methods(["GET", "HEAD", "POST"])
def reset_link(request: HttpRequest, account_id: UUID) -> HttpResponse:
    """Make a link with which a person chooses a new password: by POST, shown once, and logged.

    An official who is at a match with the account can't make one. Raise Problem if they meet in a season.
    """
    account = get_object_or_404(Account, id=account_id)
    _refuse_competitor(request.user, account)
    if not admin.site.get_model_admin(Account).has_change_permission(request, account):
        raise PermissionDenied
    if account.is_guest:
        raise not_for_guests("A guest has no password.")
    link = ""
    if request.method == "POST":
        with transaction.atomic():
            officials.refuse_involved_official(request.user.id, account.id)
            access_log.note(account.id, "reset_link_made", Actor(request.user.id, Door.PANEL))
            uid, token = urlsafe_base64_encode(force_bytes(account.pk)), _links.make_token(account)
        link = request.build_absolute_uri(reverse("admin:new_password", args=[uid, token]))
    context = {
        **admin.site.each_context(request),
        "title": "New password",
        "account": account,
        "link": link,
    }
    return render(request, "panel/reset_link.html", context)


class NewPassword(PasswordResetConfirmView):
    """Choosing a password by the link; all sessions and tokens end.

    The maker of the link may have kept it, and sit at a match with the account by now: then it is refused.
    """

    template_name = "panel/new_password.html"
    title = "A new password"
    token_generator = _links

    def form_valid(self, form: Form) -> HttpResponse:
        """Set the password; raise OfficialInvolved, and Problem if maker and account meet in a season by now."""
        with transaction.atomic():
            # Check again under the lock: of two simultaneous uses the second must fail.
            account = Account.objects.select_for_update().get(pk=self.user.pk)
            made = _newest_link(account)
            if made is None or not _links.check_token(account, self.request.session[INTERNAL_RESET_SESSION_TOKEN]):
                return redirect(self.request.path)
            officials.refuse_involved_official(made.by, account.id)
            _refuse_competitor(Account.objects.get(id=made.by), account)
            credentials.change_password(
                account, form.cleaned_data["new_password1"], Actor(made.by, Door.LINK), "password_reset"
            )
        # Others' wrong passwords must not lock the owner out of the new one.
        devices.remember(self.request, account)
        del self.request.session[INTERNAL_RESET_SESSION_TOKEN]
        return redirect("/sign-in")


new_password: Any = NewPassword.as_view()


def _refuse_competitor(official: Account, account: Account) -> None:
    if selectors.competes_with(official, account):
        raise Problem(
            "plays_here",
            "The official plays in a season in which this account has a part. Ask an organiser who doesn't play in it.",
        )


def _newest_link(account: Account) -> AccessEntry | None:
    return AccessEntry.objects.filter(account=account.id, kind="reset_link_made").order_by("-id").first()
