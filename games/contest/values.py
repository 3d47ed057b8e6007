"""The types of the values of a content: names, texts and numbers with their bounds."""

from typing import Annotated, Final

from msgspec import Meta

from games.contest.words import words

LONGEST: Final = 40_000
"""Characters of a contest's rules."""

MOST_SEATS: Final = 30

PASSAGES: Final = frozenset({"rules", "text"})
"""Texts that may have several lines."""

Name = Annotated[str, Meta(pattern=r"^[a-z][a-z0-9_]{0,23}$(?!\n)")]
NameOrNone = Annotated[str, Meta(pattern=r"^([a-z][a-z0-9_]{0,23})?$(?!\n)")]
ShortName = Annotated[
    Name, words("Short name", "Other parts refer to it by this. Small letters, digits and _, with a letter first.")
]
Title = Annotated[str, Meta(max_length=60)]
Heading = Annotated[Title, words("Title", "What players read. Empty: the short name.")]
Label = Annotated[str, Meta(min_length=1, max_length=60)]
Passage = Annotated[str, Meta(max_length=4_000)]
Amount = Annotated[int, Meta(ge=0, le=1_000_000)]
Holding = Annotated[int, Meta(ge=0, le=10**12)]
"""An amount of the season's garnets, of which a player can have more than of other balances."""
Change = Annotated[int, Meta(ge=-1_000_000, le=1_000_000)]
Seconds = Annotated[int, Meta(ge=10, le=30 * 86_400)]
Key = str | Change
"""An answer, or an item that a value names."""
BalanceOrNone = Annotated[NameOrNone, Meta(extra={"names": (":balances",)})]
"""`extra` says for pages which names there are: values, and names in a list of parts, some with a prefix."""
RoleOrNone = Annotated[NameOrNone, Meta(extra={"names": (":roles",)})]
DeckName = Annotated[Name, Meta(extra={"names": (":decks",)})]
FieldName = Annotated[
    Name, Meta(extra={"names": (":fields",)}), words("Field that counts", "The field of this round that is evaluated.")
]
FieldOrNone = Annotated[NameOrNone, Meta(extra={"names": (":fields",)})]
Who = Annotated[
    str,
    Meta(
        pattern=r"^(all|in_turn|(role|team):[a-z][a-z0-9_]{0,23})$(?!\n)",
        extra={"names": ("all", "in_turn", "role:roles", "team:teams")},
    ),
]
"""Those who are asked in a round: `all`, `in_turn`, those of a role (`role:NAME`) or of a team (`team:NAME`)."""
