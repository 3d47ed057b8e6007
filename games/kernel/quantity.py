"""Numbers with their nouns."""


def quantity(number: int, thing: str, things: str = "") -> str:
    """Return a number with its noun in the singular or the plural: `1 coin`, `2,000 coins`."""
    return f"{number:,} {thing if abs(number) == 1 else things or f'{thing}s'}"
