"""Warm the caches on which a seat's command is decided."""

from uuid import UUID

from matches.storage import repository, seeds


def prepare(match_id: UUID) -> None:
    """Fold the match and unseal its seed if this process hasn't cached them; otherwise the first command after the
    start would wait for both. Raises NoSuchMatch, BrokenRecord."""
    match_state = repository.cached_state(match_id) or repository.load(match_id)
    if match_state.lifecycle.started and not match_state.lifecycle.over:
        seeds.chance_of(match_id, match_state.lifecycle, match_state.game_version)
