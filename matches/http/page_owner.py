"""The owner of a page: an opaque tag by which a page notices that another account, or nobody, is signed in now."""

from uuid import UUID

from django.utils.crypto import salted_hmac

HEADER = "Croupier-Owner"
"""The header with the owner in each response to a page's script."""
_SALT = "croupier.page_owner"
_DIGITS = 16


def owner_tag(account_id: UUID | None) -> str:
    """Return the tag of an account's pages, which reveals nothing about the account; empty for an anonymous caller."""
    return salted_hmac(_SALT, str(account_id)).hexdigest()[:_DIGITS] if account_id else ""
