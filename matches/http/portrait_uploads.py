"""Pictures that accounts upload as their portraits, by API or page."""

from django.db import DEFAULT_DB_ALIAS, connections
from django.http import HttpRequest
from rest_framework.request import Request

from matches.accounts import portraits
from matches.http import limits
from matches.http.addresses import network
from matches.http.problems import Problem


def keep(request: Request | HttpRequest, data: bytes) -> None:
    """Show this picture as the caller's portrait; raise Problem, and then nothing has changed."""
    limits.spend("pictures", request.user.pk, network(request.META.get("REMOTE_ADDR", "")), request)
    account = request.user.pk
    # The conversion may wait, and needs no database meanwhile.
    connections[DEFAULT_DB_ALIAS].close()
    try:
        portraits.upload(account, data)
    except portraits.BadPicture as bad:
        raise Problem("bad_picture", str(bad)) from None
    except portraits.Busy:
        raise Problem("pictures_busy") from None
