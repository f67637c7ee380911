"""Debertz (Деберц): two players, 32 cards, bidding for trump, sequences and bella, nine tricks, to 501.

`house` holds the options, `state` what is known; `judge` decides with `bidding`, `melding` and `laying`; `scoring`
counts a deal; `apply` carries out; `rounds` says what follows by itself.
"""

from engine.games.debertz.game import Debertz
from engine.games.debertz.state import Phase, State

__all__ = ["Debertz", "Phase", "State"]
