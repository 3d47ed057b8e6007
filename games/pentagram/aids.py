"""The aids of the game. All information is public, so aids only compute."""

from typing import Final

from games.kernel import Aid

AIDS: Final = {"payouts": Aid("all", "what each placement would pay, step by step, and who would gain what")}
