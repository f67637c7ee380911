"""Reads playing cards in pictures: finds corner indices, reads each, joins the corners of one card.

    reader = Reader.load()
    for reading in reader.read(picture):
        print(reading.card, reading.sure, reading.box)

The reader knows neither game nor phase nor what card would be welcome: it reports what it sees and how sure it is.
"""

from vision.reader.errors import BadModel, UnreadablePicture
from vision.reader.reader import Reader
from vision.reader.values import Corner, Reading

__all__ = ["BadModel", "Corner", "Reader", "Reading", "UnreadablePicture"]
