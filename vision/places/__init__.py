"""Cards that lie apart, each in a place with a meaning: in the trick, on the widow, beside the stock, before a seat."""

from vision.places.areas import Manner
from vision.places.follow import Places

__all__ = ("Manner", "Places")
