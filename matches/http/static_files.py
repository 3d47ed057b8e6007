"""Static files for browsers: compressed, and at URLs that change with them, so that they are cached for ever.

A digest of all files together precedes their names. So a reference from one file to another, such as a module's import
or a stylesheet's font, leads to the same release without being rewritten.
"""

import re
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.contrib.staticfiles.storage import StaticFilesStorage
from django.http import HttpRequest, HttpResponse
from whitenoise.compress import Compressor
from whitenoise.middleware import WhiteNoiseMiddleware

_FOR_EVER: Final = "public, max-age=31536000, immutable"
_compressor: Final = Compressor(quiet=True)


class Storage(StaticFilesStorage):
    """The storage that `static` uses for the URL of a file."""

    def url(self, name: str) -> str:
        """Return the URL, with the digest unless in DEBUG, where files change under a running process."""
        address: str = super().url(name if settings.DEBUG else f"{digest()}/{name}")
        return address


class Middleware(WhiteNoiseMiddleware):
    """Serves every file, with the digest and without it.

    The digest of another release, as of a page that was loaded before an update, leads to the current file, which is
    then cached no longer than one without a digest.
    """

    def __call__(self, request: HttpRequest) -> Any:
        """Return the file, or the response of the next middleware."""
        named = re.match(rf"{self.static_prefix}([0-9a-f]{{16}})/", request.path_info)
        address = self.static_prefix + request.path_info[named.end() :] if named else request.path_info
        file = self.find_file(address) if self.autorefresh else self.files.get(address)
        if file is None:
            return self.get_response(request)
        answer = self.serve(file, request)
        path, _ = file.get_path_and_headers({})
        if not self.autorefresh and _compressor.should_compress(path):
            answer = _compressed(answer, path, request)
        if named and named[1] == digest() and answer.status_code in (200, 206, 304):
            answer["Cache-Control"] = _FOR_EVER
        return answer


@cache
def digest() -> str:
    """Return the digest of this release's static files: 16 hexadecimal digits."""
    digests: dict[str, bytes] = {}
    for finder in get_finders():
        for name, storage in finder.list(None):
            digests.setdefault(name, sha256(Path(storage.path(name)).read_bytes()).digest())
    return sha256(b"".join(name.encode() + b"\0" + digests[name] for name in sorted(digests))).hexdigest()[:16]


def _compressed(answer: Any, path: str, request: HttpRequest) -> Any:
    """Return the whole file compressed, if the client accepts gzip and asks for no range."""
    answer["Vary"] = "Accept-Encoding"
    headers = request.headers
    if answer.status_code != 200 or "Range" in headers or "gzip" not in headers.get("Accept-Encoding", ""):
        return answer
    if (packed := _packed(path)) is None:
        return answer
    answer.close()
    length = {"Content-Encoding": "gzip", "Content-Length": str(len(packed))}
    return HttpResponse(b"" if request.method == "HEAD" else packed, headers=dict(answer.items()) | length)


@cache
def _packed(path: str) -> bytes | None:
    """Return the file in gzip's format, compressed at its first request; None if that saves nothing."""
    whole = Path(path).read_bytes()
    packed: bytes = _compressor.compress_gzip(whole)
    return packed if _compressor.is_compressed_effectively("gzip", path, len(whole), packed) else None
