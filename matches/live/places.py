"""How many connections one account and one address may hold open at this process."""

from collections import Counter

from django.conf import settings


class Places:
    """Counts connections by account and by address."""

    def __init__(self) -> None:
        self._taken: Counter[str] = Counter()

    def take(self, kind: str, whose: str) -> bool:
        """One more for `account` or `address`; False where there are enough."""
        name = f"{kind}:{whose}"
        if settings.LIMITS and self._taken[name] >= settings.LIVE_PLACES[kind]:
            return False
        self._taken[name] += 1
        return True

    def give_back(self, kind: str, whose: str) -> None:
        """One has closed."""
        name = f"{kind}:{whose}"
        self._taken[name] -= 1
        if self._taken[name] <= 0:
            del self._taken[name]
