"""A match's version as an ETag: `"v12-HASH"`, with the hash of its event, so that two histories never look alike."""

import re

from django.http import HttpResponse
from rest_framework.request import Request

from events.records import Point
from matches.http.problems import Problem

_TAG = re.compile(r'"v(0|[1-9][0-9]{0,9})(?:-([0-9a-f]{64}))?"')


def etag(version: int, hash: str = "") -> str:
    """The ETag of a version; `hash` is that of its event, in hex. A season's has none."""
    return f'"v{version}-{hash}"' if hash else f'"v{version}"'


def etag_of(point: Point) -> str:
    """The ETag of a point of a match's history."""
    return etag(point.version, point.hash.hex())


def unchanged(request: Request, version: int) -> bool:
    """Whether If-None-Match names this version of a season."""
    return names_tag(request, etag(version))


def names_tag(request: Request, tag: str) -> bool:
    """Whether If-None-Match names this ETag."""
    known = request.META.get("HTTP_IF_NONE_MATCH", "")
    return tag in (given.strip().removeprefix("W/") for given in known.split(","))


def not_modified(tag: str) -> HttpResponse:
    """304, with the ETag of what the caller already has."""
    return HttpResponse(status=304, headers={"ETag": tag})


def expected_version(request: Request) -> int | None:
    """The version in If-Match; None without one. Raises Problem for anything else."""
    expected = expected_point(request)
    return expected.version if expected else None


def expected_point(request: Request) -> Point | None:
    """The version in If-Match with its event's hash, an empty one where only the version is named; None without
    If-Match. Raises Problem for anything else."""
    return point_in(request.META.get("HTTP_IF_MATCH", ""))


def point_in(given: str) -> Point | None:
    """The same of what the header holds; an empty text where there is none."""
    found = _TAG.fullmatch(given.strip())
    if given.strip() in ("", "*"):
        return None
    if found is None:
        raise Problem("malformed", 'If-Match is a version as the ETag gives it, or without its hash: "v12".')
    return Point(int(found[1]), bytes.fromhex(found[2] or ""))


def version_in(tag: str) -> int:
    """The version that an ETag of the house's names."""
    return int(tag.strip('"v').split("-")[0])
