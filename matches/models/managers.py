"""How accounts are made and found."""

from typing import TYPE_CHECKING, Any

from django.contrib.auth.models import BaseUserManager
from django.db import IntegrityError, models, transaction

from matches.domain.names import name_key
from matches.domain.skeletons import skeleton

if TYPE_CHECKING:
    from matches.models import Account


class NameTaken(IntegrityError):
    """Another account's name looks the same."""


class AccountManager(BaseUserManager["Account"]):
    """Makes accounts and finds them by any spelling of their name."""

    def create_user(self, username: str, password: str | None = None, **fields: Any) -> "Account":
        """A new account; an unusable password where none is given. Raises IntegrityError for a name that is taken.

        Its name is shown in normal form (NFKC): by that one its look is compared.
        """
        account = self.model(**fields)
        self.rename(account, username)
        account.set_password(password)
        account.save(using=self._db)
        return account

    def rename(self, account: "Account", username: str) -> None:
        """Call an account so, once it is saved: that raises IntegrityError for a name that is taken, as this does."""
        account.username = self.model.normalize_username(username)
        account.name_key, account.name_skeleton = name_key(account.username), skeleton(account.username)
        self._refuse_look_of_older(account.name_skeleton)

    def create_superuser(self, username: str, password: str | None = None, **fields: Any) -> "Account":
        """An account that may do everything in the admin. Only the operator's command makes one, and it is noted so."""
        # The models import this module first.
        from matches.models import AccessEntry

        rights = {"is_staff": True, "is_superuser": True, "is_organiser": True}
        with transaction.atomic():
            account = self.create_user(username, password, **rights, **fields)
            AccessEntry.objects.create(
                account=account.id, kind="account_made", changes=rights, door=AccessEntry.Door.COMMAND
            )
        return account

    def _refuse_look_of_older(self, look: str) -> None:
        """Raise NameTaken where the database can't refuse it: an account from before looks were compared has it too.

        Names that an older release took beside this one have no skeleton yet.
        """
        unknown, shared = models.Q(name_skeleton=None), models.Q(name_skeleton=look, name_shared=True)
        for name, known in self.filter(unknown | shared).values_list("username", "name_skeleton"):
            if look in (known, skeleton(name)):
                raise NameTaken(f"The name looks like {name}.")

    def get_by_natural_key(self, username: str | None) -> "Account":
        """The account with this name, however it is typed."""
        return self.get(name_key=name_key(username or ""))
