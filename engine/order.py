"""In which order what happened is judged: by time, and among cards by their place in the pile.

The order never depends on which report came first, on a seat's letter or on how devices are polled: those could only
decide between events of one kind at the very same nanosecond, where no game makes a difference.
"""

from __future__ import annotations

from engine.events import Call, CardGone, CardLaid, Drawn, Event, Hold, Passed, PileGone, Press, Release, Shown
from engine.rulings import Ruling
from engine.seats import Seat

FIRST = "first-"
"""How the lot is called that decides which of two lays is judged first: `first-<lay>-<lay>`."""

# At one moment: a press before its card, a card taken back before the next is laid, a deadline after both, words last.
_KINDS: dict[type[Event], int] = {
    Press: 1,
    Release: 2,
    Hold: 3,
    Shown: 4,
    CardGone: 5,
    CardLaid: 6,
    PileGone: 7,
    Passed: 8,
    Drawn: 9,
    Call: 10,
}

_SEATED = (Press, Release, Hold, Shown, Drawn)

Key = tuple[int, int, int, str, int]
_UNSORTED: Key = (0, 0, 0, "", 0)


class Standing:
    """An event as it counts now, and how it is ruled."""

    __slots__ = ("event", "is_muted", "is_said", "is_slap", "key", "number", "overruled", "rulings")

    def __init__(
        self, number: int, event: Event, overruled: tuple[Ruling, ...] | None = None, is_said: bool = False
    ) -> None:
        self.number = number
        self.event = event
        self.overruled = overruled
        """Rulings that a person decided, in place of the game's."""
        self.is_said = is_said
        """Whether a person said what it was: the camera's or the slaps' evidence no longer changes it."""
        self.is_muted = False
        """A press that became a hold: it counts for nothing by itself."""
        self.is_slap = False
        """Whether it was a slap when lays were last matched to slaps."""
        self.rulings: tuple[Ruling, ...] = ()
        self.key: Key = _UNSORTED


def key_of(event: Event, t_ns: int) -> Key:
    """Sorts events that count as having happened at `t_ns`."""
    # What people say at one moment keeps the order in which they said it.
    kind = type(event)
    seat = event.seat if isinstance(event, _SEATED) else ""
    return (t_ns, _KINDS[kind], getattr(event, "lay", 0) if kind is CardGone else 0, seat, event.number)


def lot_name(one: int, other: int) -> str:
    """The name of the lot between two lays, the same whichever stands first."""
    return f"{FIRST}{min(one, other)}-{max(one, other)}"


def pile_order(items: list[Standing]) -> list[Standing]:
    """The lays among `items`, lowest first; a lot drawn between two neighbours puts its winner's card first."""
    lays = sorted((item for item in items if type(item.event) is CardLaid), key=lay_of)
    winners = {item.event.lot: item.event.seat for item in items if type(item.event) is Drawn}
    for i in range(len(lays) - 1) if any(lot.startswith(FIRST) for lot in winners) else ():
        winner = winners.get(lot_name(lay_of(lays[i]), lay_of(lays[i + 1])))
        if winner is not None and _is_only(lays[i + 1], winner) and not _is_only(lays[i], winner):
            lays[i], lays[i + 1] = lays[i + 1], lays[i]
    return lays


def set_keys(items: list[Standing]) -> list[Standing]:
    """Gives every item its sort key, the lays such that pile order holds; returns the lays in pile order."""
    lays = pile_order(items)
    for item in items:
        if type(item.event) is not CardLaid:
            item.key = key_of(item.event, item.event.t_ns)
    latest = 0
    for place, item in enumerate(lays):
        latest = max(latest, item.event.t_ns) if place else item.event.t_ns
        item.key = (latest, _KINDS[CardLaid], place, "", item.number)
    _put_lots_after_their_lays(items, lays)
    return lays


def _put_lots_after_their_lays(items: list[Standing], lays: list[Standing]) -> None:
    moments = {str(lay_of(item)): item.key[0] for item in lays}
    for item in items:
        if isinstance(item.event, Drawn) and item.event.lot.startswith(FIRST):
            decided = (moments.get(lay, 0) for lay in item.event.lot.removeprefix(FIRST).split("-"))
            item.key = key_of(item.event, max(item.event.t_ns, *decided))


def in_order(items: list[Standing]) -> list[Standing]:
    """The items as they are judged."""
    set_keys(items)
    return sorted(items, key=lambda item: item.key)


def lay_of(item: Standing) -> int:
    """The camera's number of a lay."""
    assert isinstance(item.event, CardLaid)
    return item.event.lay


def _is_only(item: Standing, seat: Seat) -> bool:
    assert isinstance(item.event, CardLaid)
    return item.event.seats == frozenset((seat,))
