"""What the house shows a player beyond what lies open: everything does, so only what it computes."""

from typing import Final

from games.kernel import Aid

AIDS: Final = {"payouts": Aid("all", "what each placement would pay, step by step, and who would gain what")}
