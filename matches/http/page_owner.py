"""The owner of a page: an opaque tag by which a page notices that another account, or nobody, is signed in by now."""

from uuid import UUID

from django.utils.crypto import salted_hmac

HEADER = "Croupier-Owner"
"""Names the owner in each answer to a page's script."""
_SALT = "croupier.page_owner"
_DIGITS = 16


def owner_tag(account_id: UUID | None) -> str:
    """Return the tag of an account's pages, which tells nothing about the account; empty where nobody is signed in."""
    return salted_hmac(_SALT, str(account_id)).hexdigest()[:_DIGITS] if account_id else ""
