"""Static files as browsers meet them: packed, and at addresses that change with them, so that they are kept for ever.

A digest of all files together stands in front of their names. So what one file says of another, as a module that
imports one or a stylesheet that names a font, leads to the same release without being rewritten.
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
    """What `static` asks for the address of a file."""

    def url(self, name: str) -> str:
        """With the digest, but for whoever changes files under a running process."""
        address: str = super().url(name if settings.DEBUG else f"{digest()}/{name}")
        return address


class Middleware(WhiteNoiseMiddleware):
    """Answers for every file, with the digest and without it.

    The digest of another release, as of a page that was loaded before an update, leads to the file as it is now, which
    is then kept no longer than one without a digest.
    """

    def __call__(self, request: HttpRequest) -> Any:
        """The file, or what the next middleware answers."""
        named = re.match(rf"{self.static_prefix}([0-9a-f]{{16}})/", request.path_info)
        address = self.static_prefix + request.path_info[named.end() :] if named else request.path_info
        file = self.find_file(address) if self.autorefresh else self.files.get(address)
        if file is None:
            return self.get_response(request)
        answer = self.serve(file, request)
        path, _ = file.get_path_and_headers({})
        if not self.autorefresh and _compressor.should_compress(path):
            answer = _in_short(answer, path, request)
        if named and named[1] == digest() and answer.status_code in (200, 206, 304):
            answer["Cache-Control"] = _FOR_EVER
        return answer


@cache
def digest() -> str:
    """Tells this release's static files from those of any other: 16 hexadecimal digits."""
    known: dict[str, bytes] = {}
    for finder in get_finders():
        for name, storage in finder.list(None):
            known.setdefault(name, sha256(Path(storage.path(name)).read_bytes()).digest())
    return sha256(b"".join(name.encode() + b"\0" + known[name] for name in sorted(known))).hexdigest()[:16]


def _in_short(answer: Any, path: str, request: HttpRequest) -> Any:
    """The whole file packed, for whoever can unpack it and asks for no part of it."""
    answer["Vary"] = "Accept-Encoding"
    asked = request.headers
    if answer.status_code != 200 or "Range" in asked or "gzip" not in asked.get("Accept-Encoding", ""):
        return answer
    if (packed := _packed(path)) is None:
        return answer
    answer.close()
    length = {"Content-Encoding": "gzip", "Content-Length": str(len(packed))}
    return HttpResponse(b"" if request.method == "HEAD" else packed, headers=dict(answer.items()) | length)


@cache
def _packed(path: str) -> bytes | None:
    """The file in gzip's form, made when it is first asked for; None where that saves nothing."""
    whole = Path(path).read_bytes()
    packed: bytes = _compressor.compress_gzip(whole)
    return packed if _compressor.is_compressed_effectively("gzip", path, len(whole), packed) else None
