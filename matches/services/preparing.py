"""What a seat's command is decided on, had at hand before it comes."""

from uuid import UUID

from matches.storage import repository, seeds


def prepare(match_id: UUID) -> None:
    """Fold the match as the house sees it, and unseal its seed, where this process hasn't yet: the first command after
    a start would wait for both. Raises NoSuchMatch, BrokenRecord."""
    match_state = repository.last_seen(match_id) or repository.load(match_id)
    if match_state.lifecycle.started and not match_state.lifecycle.over:
        seeds.chance_of(match_id, match_state.lifecycle, match_state.game_version)
