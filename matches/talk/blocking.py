"""An account's list of accounts whose remarks are folded away for it. Only the account itself can see the list."""

from uuid import UUID

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from games.kernel import Illegal
from matches.models import Account
from matches.models.talk import Block

MOST = 1000


def block(account: Account, other: UUID) -> None:
    """Put an account on the list, if it isn't there. Raise Illegal: no_such_player, bad_block."""
    if other == account.id:
        raise Illegal("bad_block", _("That is you."))
    if not Account.objects.filter(id=other, is_active=True).exists():
        raise Illegal("no_such_player", _("There is no account with this id."))
    if account.blocks.count() >= MOST and not account.blocks.filter(blocked_id=other).exists():
        raise Illegal("bad_block", _("A list holds at most %(most)s accounts.") % {"most": MOST})
    Block.objects.get_or_create(account=account, blocked_id=other)


def unblock(account: Account, other: UUID) -> None:
    account.blocks.filter(blocked_id=other).delete()


def blocked(account: Account) -> QuerySet[Block]:
    """Return the list, oldest entry first."""
    return account.blocks.select_related("blocked").order_by("id")


def ids_of(account: Account) -> frozenset[UUID]:
    """Return the accounts whose remarks are folded away for this account."""
    return frozenset(account.blocks.values_list("blocked_id", flat=True))
