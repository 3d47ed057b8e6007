"""A match's version as an ETag: `"v12-HASH"`, with the hash of its event, so that two histories differ."""

import re

from django.http import HttpResponse
from rest_framework.request import Request

from events.records import Point
from matches.http.problems import Problem

_TAG = re.compile(r'"v(0|[1-9][0-9]{0,9})(?:-([0-9a-f]{64}))?"')


def etag(version: int, hash: str = "") -> str:
    """Return the ETag of a version; `hash` is that of its event, in hex. A season's has none."""
    return f'"v{version}-{hash}"' if hash else f'"v{version}"'


def etag_of(point: Point) -> str:
    return etag(point.version, point.hash.hex())


def unchanged(request: Request, version: int) -> bool:
    """True if If-None-Match names this version of a season."""
    return names_tag(request, etag(version))


def names_tag(request: Request, tag: str) -> bool:
    """True if If-None-Match names this ETag."""
    header = request.META.get("HTTP_IF_NONE_MATCH", "")
    return tag in (given.strip().removeprefix("W/") for given in header.split(","))


def not_modified(tag: str) -> HttpResponse:
    """Return 304 with the ETag."""
    return HttpResponse(status=304, headers={"ETag": tag})


def expected_version(request: Request) -> int | None:
    """Return the version in If-Match; None without one. Raise Problem for anything else."""
    expected = expected_point(request)
    return expected.version if expected else None


def expected_point(request: Request) -> Point | None:
    """Return the version in If-Match with its event's hash, which may be empty; None without If-Match. Raise Problem
    for anything else."""
    return point_in(request.META.get("HTTP_IF_MATCH", ""))


def point_in(given: str) -> Point | None:
    """Return the point in a header's value; None if it is empty or `*`. Raise Problem for anything else."""
    tag = _TAG.fullmatch(given.strip())
    if given.strip() in ("", "*"):
        return None
    if tag is None:
        raise Problem("malformed", 'If-Match is a version as the ETag gives it, or without its hash: "v12".')
    return Point(int(tag[1]), bytes.fromhex(tag[2] or ""))


def version_in(tag: str) -> int:
    """Return the version in an ETag of this service."""
    return int(tag.strip('"v').split("-")[0])
