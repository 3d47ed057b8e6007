"""Where old records are put: a folder, or a bucket that is spoken to by the S3 protocol."""

from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from django.core.exceptions import ImproperlyConfigured

_SERVER_OPTIONS = {"endpoint": "endpoint_url", "region": "region_name"}
_FORM = (
    "CROUPIER_ARCHIVE is a folder, or an address such as s3://bucket/prefix?endpoint=https://s3.example.org&region=eu."
    " The login is given by AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or as the server's role."
)


def storage(told: str | None, folder: Path) -> dict[str, Any]:
    """The entry of Django's STORAGES for an address; without one, for a folder. Raises ImproperlyConfigured."""
    if told and told.startswith("s3:"):
        return _bucket(told)
    if told and "://" in told:
        raise ImproperlyConfigured(_FORM)
    location = Path(told).absolute() if told else folder
    options = {"location": location, "file_permissions_mode": 0o600, "directory_permissions_mode": 0o700}
    return {"BACKEND": "django.core.files.storage.FileSystemStorage", "OPTIONS": options}


def _bucket(told: str) -> dict[str, Any]:
    parts = urlsplit(told)
    query = dict(parse_qsl(parts.query, keep_blank_values=True))
    endpoint = query.get("endpoint", "https://")
    if not parts.netloc or parts.fragment or not query.keys() <= _SERVER_OPTIONS.keys() or "://" not in endpoint:
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
        # Servers other than Amazon's mostly have no host name for each bucket.
        options["addressing_style"] = "path"
    return {"BACKEND": "storages.backends.s3.S3Storage", "OPTIONS": options}
