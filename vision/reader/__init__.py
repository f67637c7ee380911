"""Reads playing cards in pictures: finds corner indices, reads each, joins the corners of one card.

    reader = Reader.load()
    for reading in reader.read(picture):
        print(reading.card, reading.sure, reading.box)

The reader knows neither game nor phase nor what card would be welcome: it reports what it sees and how sure it is.
"""

from vision.reader.errors import BadDeck, BadModel, UnreadablePicture
from vision.reader.prototypes import LearntDeck, read_deck, write_deck
from vision.reader.reader import Reader
from vision.reader.values import Corner, Reading

__all__ = [
    "BadDeck",
    "BadModel",
    "Corner",
    "LearntDeck",
    "Reader",
    "Reading",
    "UnreadablePicture",
    "read_deck",
    "write_deck",
]
