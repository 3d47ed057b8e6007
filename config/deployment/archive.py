"""The storage for archived records: a folder, or an S3 bucket."""

import re
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from django.core.exceptions import ImproperlyConfigured

_SERVER_OPTIONS = {"endpoint": "endpoint_url", "region": "region_name"}
# Neither contains a login, which would be printed and logged with the name or the endpoint.
_BUCKET = re.compile(r"[\w.-]+", re.ASCII)
_ENDPOINT = re.compile(r"[^@]+://[^@]+")
_FORM = (
    "CROUPIER_ARCHIVE is a folder, or an address such as s3://bucket/prefix?endpoint=https://s3.example.org&region=eu."
    " The login is in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or belongs to the server's role."
)


def storage(address: str | None, folder: Path) -> dict[str, Any]:
    """Return the STORAGES entry for an address, by default for `folder`. Raise ImproperlyConfigured."""
    if address and address.startswith("s3:"):
        return _bucket(address)
    if address and "://" in address:
        raise ImproperlyConfigured(_FORM)
    location = Path(address).absolute() if address else folder
    options = {"location": location, "file_permissions_mode": 0o600, "directory_permissions_mode": 0o700}
    return {"BACKEND": "django.core.files.storage.FileSystemStorage", "OPTIONS": options}


def _bucket(address: str) -> dict[str, Any]:
    parts = urlsplit(address)
    query = dict(parse_qsl(parts.query, keep_blank_values=True))
    has_bad_endpoint = "endpoint" in query and not _ENDPOINT.fullmatch(query["endpoint"])
    has_bad_options = not query.keys() <= _SERVER_OPTIONS.keys() or has_bad_endpoint
    if not _BUCKET.fullmatch(parts.netloc) or parts.fragment or has_bad_options:
        raise ImproperlyConfigured(_FORM)
    options: dict[str, Any] = {
        "bucket_name": parts.netloc,
        "location": parts.path.strip("/"),
        "default_acl": None,
        "file_overwrite": False,
        "querystring_auth": True,
        **{_SERVER_OPTIONS[name]: value for name, value in query.items()},
    }
    if "endpoint" in query:
        # Most S3 servers other than Amazon's have no host name per bucket.
        options["addressing_style"] = "path"
    return {"BACKEND": "storages.backends.s3.S3Storage", "OPTIONS": options}
