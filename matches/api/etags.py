"""A match's version as an ETag: `"v12"`."""

import re

from django.http import HttpResponse
from rest_framework.request import Request

from matches.api.problems import Problem

_TAG = re.compile(r'"v(0|[1-9][0-9]{0,9})"')


def etag(version: int) -> str:
    """The ETag of a version."""
    return f'"v{version}"'


def unchanged(request: Request, version: int) -> bool:
    """Whether If-None-Match names this version."""
    return names_tag(request, etag(version))


def names_tag(request: Request, tag: str) -> bool:
    """Whether If-None-Match names this ETag."""
    known = request.META.get("HTTP_IF_NONE_MATCH", "")
    return tag in (given.strip().removeprefix("W/") for given in known.split(","))


def not_modified(version: int) -> HttpResponse:
    """304, with the version that the caller already has."""
    return HttpResponse(status=304, headers={"ETag": etag(version)})


def expected_version(request: Request) -> int | None:
    """The version in If-Match; None without one. Raises Problem for anything else."""
    given = request.META.get("HTTP_IF_MATCH", "").strip()
    if given in ("", "*"):
        return None
    found = _TAG.fullmatch(given)
    if found is None:
        raise Problem("malformed", 'If-Match is a version as the ETag gives it: "v12".')
    return int(found[1])
