"""The simulated people of a trick game at a table with a camera above it and a button before each seat."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

from cardtable.session import Session
from cardtable.simulated.felt import Felt
from cardtable.simulated.pictured import Heard, PicturedTable
from cardtable.simulated.reach import Piece
from cardtable.simulated.spots import WIDOW, Spots
from engine.cards import BACK, Card
from engine.events import Call, CardLaid
from engine.rules import Setup
from engine.rulings import Ruling
from engine.seats import Seat

Gestures = Mapping[tuple[str, str], str]
"""For a phase and a word, or for any phase (an empty one), the gesture that says it: `tap`, `hold` or `double`."""
_THINKS_MS = (250, 1100)
_DOUBLE_MS = 120
_DECIDING = ("no-trump-right", "purchase")
_SLAPS = 0.8
"""How often somebody taps his button with the card that he lays."""


class AtTable:
    """What people do becomes edges, hands with cards under the camera, and words on the phones."""

    def __init__(self, table: PicturedTable, session: Session, rng: random.Random, gestures: Gestures) -> None:
        self.session, self.table, self.rng, self.gestures = session, table, rng, gestures
        self.setup: Setup = session.plan.setup
        self.laid: list[int] = []
        """The numbers of the cards that were laid one by one, in order."""
        self._on = Middle(table, rng)

    @property
    def state(self) -> Any:
        """What the referee knows."""
        return self.session.referee.state

    @property
    def phase(self) -> str:
        """Where the game stands, as the screen says."""
        return str(self.state.phase.value)

    def lay(self, seat: str | None, card: Card, *, is_seen: bool) -> tuple[Ruling, ...]:
        """A card comes to lie where such cards go now, in the trick mostly with a tap; a foul one is taken back."""
        phase, who = self.phase, Seat(seat or self.state.dealer)
        if phase == "trick" and self.rng.random() < _SLAPS:
            self.table.tap(who)
        heard = self._put(phase, who, card)
        if heard is None:
            self.table.enter(card, frozenset({who} if seat else ()))
        self._think()
        number = heard.lay if heard is not None else max(self._lays())
        rulings = self._lays()[number]
        self.laid.append(number)
        if phase == "trick":
            self._on.tidy(who, rulings)
        return rulings

    def show(self, seat: str, cards: list[Card]) -> tuple[Ruling, ...]:
        """A seat lays cards face up before itself, and takes them back unless the deal is over."""
        before = len(self.session.referee.log.entries)
        if cards:
            self._on.show(Seat(seat), cards)
        else:
            self.table.call(Call(t_ns=self.table.now_ns, word="shown", who=f"page:{seat}", seat=Seat(seat)))
        self._think()
        if self.phase != "audit":
            self._on.pick_up(Seat(seat))
        return self._ruled_since(before)

    def say(
        self, word: str, seat: str, *, card: Card | None = None, cards: tuple[Card, ...] = (), count: int | None = None
    ) -> tuple[Ruling, ...]:
        """By button where there is a gesture for it, else on the page; and what the hands do with the words."""
        before = len(self.session.referee.log.entries)
        if word == "exchange" and card is not None:
            self._on.exchange(Seat(seat), card)
            self._think()
            return self._ruled_since(before)
        if word == "exchanged" and count is None:
            self._on.discard(Seat(seat))
        gesture = self.gestures.get((self.phase, word)) or self.gestures.get(("", word))
        if gesture is not None and count is None and (gesture == "double" or self.rng.random() < _SLAPS):
            getattr(self.table, gesture)(Seat(seat))
        else:
            who, at_ns = f"page:{seat}", self.table.now_ns
            self.table.call(Call(t_ns=at_ns, word=word, who=who, seat=Seat(seat), card=card, cards=cards, count=count))
        if gesture == "double":
            self.table.wait(_DOUBLE_MS)
        else:
            self._think()
        rulings = self._ruled_since(before)
        if word in ("take", "picked") and any(ruling.code in ("took", "picked") for ruling in rulings):
            self._on.take_widow(Seat(seat), card)
        return rulings

    def wait(self) -> tuple[Ruling, ...]:
        """Until nothing can be said any more."""
        before = len(self.session.referee.log.entries)
        self.table.wait(3000)
        return self._ruled_since(before)

    def _put(self, phase: str, seat: Seat, card: Card) -> Heard | None:
        if phase == "deal":
            return self._on.deal(seat, card)
        if phase in _DECIDING:
            return self._on.turn_widow(seat, card)
        return self._on.lay_in_trick(seat, card) if phase == "trick" else self._on.show_one(seat, card)

    def _lays(self) -> dict[int, tuple[Ruling, ...]]:
        """What is ruled on every card, by its number."""
        history = self.session.referee.history()
        return {one.event.lay: one.rulings for one in history if isinstance(one.event, CardLaid)}

    def _ruled_since(self, before: int) -> tuple[Ruling, ...]:
        """What is ruled on everything that has come since the log was so long."""
        news = [told for told in self.session.referee.history() if told.number > before]
        return tuple(ruling for told in news for ruling in told.rulings)

    def _think(self) -> None:
        self.table.wait(self.rng.uniform(*_THINKS_MS))


class Middle:
    """The cards on the table and what hands do with them."""

    def __init__(self, table: PicturedTable, rng: random.Random) -> None:
        self.table, self.rng = table, rng
        self.felt: Felt = table.felt
        self.spots: Spots = table.spots
        self._widow: list[Piece] = []
        self._upcard: Piece | None = None
        self._trick: list[tuple[Seat, Piece]] = []
        self._packets: dict[Seat, Piece] = {}
        self._shown: dict[Seat, list[Piece]] = {}

    # dealing

    def deal(self, dealer: Seat, card: Card) -> Heard | None:
        """The table is cleared; then come the widow where there is one, the trump, and the pack half upon it."""
        self._clear(dealer)
        if self.spots.has_widow:
            self._widow = [self.felt.piece(BACK, self.spots.widow(slot)) for slot in range(WIDOW)]
            self.table.put(dealer, self._widow[:2])
            self.table.put(dealer, self._widow[2:])
        self._upcard = self.felt.piece(card, self.spots.trump())
        heard = self.table.lay(dealer, self._upcard)
        self.table.put(dealer, [self.felt.piece(BACK, self.spots.stock())])
        return heard

    def _clear(self, dealer: Seat) -> None:
        """Everybody throws in what lies before him, the dealer takes up the rest."""
        for seat in [*self._packets, *self._shown]:
            self.pick_up(seat)
            packet = self._packets.pop(seat, None)
            self.table.take(seat, [packet] if packet else [])
        self.table.take(dealer, self.felt.lies(self.table.now_ns))
        self._widow, self._upcard, self._trick = [], None, []
        self._packets.clear()
        self._shown.clear()

    # the widow and the turned-up card

    def turn_widow(self, seat: Seat, card: Card) -> Heard | None:
        """Turns one of the closed cards over."""
        slot = self.rng.choice([slot for slot, piece in enumerate(self._widow) if not piece.is_face_up])
        new = self.felt.piece(card, self._widow[slot].place)
        heard = self.table.turn(seat, self._widow[slot], new)
        self._widow[slot] = new
        return heard

    def take_widow(self, seat: Seat, picked: Card | None) -> None:
        """Takes the widow in hand, and the turned-up card where that was picked."""
        self.table.take(seat, self._widow)
        self._widow = []
        if self._upcard is not None and picked is self._upcard.card:
            self.table.take(seat, [self._upcard])
            self._upcard = None

    def discard(self, seat: Seat) -> None:
        """Lays what is not kept aside."""
        self.table.put(seat, [self.felt.piece(BACK, self.spots.discard())])

    def exchange(self, seat: Seat, seven: Card) -> None:
        """Takes the turned-up card and lays the seven in its place."""
        if self._upcard is not None:
            self.table.take(seat, [self._upcard])
        self._upcard = self.felt.piece(seven, self.spots.trump())
        self.table.lay(seat, self._upcard)

    # showing

    def show(self, seat: Seat, cards: Sequence[Card]) -> None:
        """Lays cards face up before itself, all at once."""
        places = self.spots.shown(seat, len(cards), beside_packet=seat in self._packets)
        pieces = [self.felt.piece(card, place) for card, place in zip(cards, places, strict=True)]
        self._shown.setdefault(seat, []).extend(pieces)
        if len(pieces) == 1:
            self.table.lay(seat, pieces[0])
        else:
            self.table.show(seat, pieces)

    def show_one(self, seat: Seat, card: Card) -> Heard | None:
        """Lays one card face up before itself, beside those that lie there."""
        mine = self._shown.setdefault(seat, [])
        place = self.spots.shown(seat, 9, beside_packet=seat in self._packets)[len(mine)]
        mine.append(self.felt.piece(card, place))
        return self.table.lay(seat, mine[-1])

    def pick_up(self, seat: Seat) -> None:
        """Takes back what was shown."""
        self.table.take(seat, self._shown.pop(seat, []))

    # the trick

    def lay_in_trick(self, seat: Seat, card: Card) -> Heard | None:
        """Lays a card before itself in the trick."""
        for shower in [*self._shown]:
            self.pick_up(shower)
        is_second = any(one == seat for one, _ in self._trick)
        piece = self.felt.piece(card, self.spots.trick(seat, is_second=is_second))
        self._trick.append((seat, piece))
        return self.table.lay(seat, piece)

    def tidy(self, seat: Seat, rulings: Sequence[Ruling]) -> None:
        """Takes back a foul card; whoever takes the trick gathers it."""
        for ruling in rulings:
            if ruling.is_foul and ruling.get("then") == "card-back":
                self.table.take(seat, [self._trick.pop()[1]])
            if ruling.code == "trick" and ruling.seat is not None:
                self._gather(ruling.seat)

    def _gather(self, winner: Seat) -> None:
        self.table.take(winner, [piece for _, piece in self._trick])
        self._trick.clear()
        packet = self.felt.piece(BACK, self.spots.packet(winner))
        if winner not in self._packets:
            self._packets[winner] = packet
            self.table.put(winner, [packet])
