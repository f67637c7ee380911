"""Bong (Перекур): players race to build one pile 2, 3 … K, A, 2 …; nobody lays two running.

`state` holds what is known, `judge` and `laying` decide, `proofs` says what can be proven, `apply` carries out.
"""

from engine.games.bong.game import Bong
from engine.games.bong.state import Phase, State

__all__ = ["Bong", "Phase", "State"]
