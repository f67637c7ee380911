"""A deal of a trick game: how a card laid in a trick is judged, and what it and its proofs change (§5, §8).

The same for every trick game with hidden hands; a game's state says which card can be where and who lays next.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Protocol, Self, TypeVar

from engine.cards import UNKNOWN, Card
from engine.events import CardLaid, Event
from engine.readings import doubts, is_sure, question
from engine.revokes import Deal, Known, by_cards, by_reply, is_turn_doubtful, what_it_answers
from engine.rules import Question
from engine.rulings import Ruling
from engine.seats import Seat, added, only
from engine.stepping import Seated
from engine.tricks import Play, Reply, Revoke

FOULS = frozenset(("wrong-seat", "one-card-only"))
"""Verdicts on a card by which it goes back into its hand."""


class TrickHouse(Seated, Protocol):
    """House rules that every trick game has."""

    @property
    def revoke(self) -> str:
        """What a proven revoke brings; `mark`: it is noted only."""
        ...


class TrickDeal(Deal, Protocol):
    """What a trick game's state says of the deal under way."""

    @property
    def house(self) -> TrickHouse:
        """Who sits where, and the house rules."""
        ...

    @property
    def asks(self) -> tuple[Question, ...]:
        """What the table should ask a person now."""
        ...

    @property
    def is_playing(self) -> bool:
        """Whether cards are laid in tricks now."""
        ...

    @property
    def to_lay(self) -> Seat | None:
        """Whose card is due."""
        ...

    @property
    def guilty(self) -> frozenset[Seat]:
        """Who has revoked in this deal."""
        ...

    @property
    def marks(self) -> tuple[int, ...]:
        """Revokes that were only noted, by place."""
        ...

    def after(self, seat: Seat) -> Seat:
        """Who lays after that seat."""
        ...

    def cannot_be(self, card: Card, seat: Seat | None) -> bool:
        """Whether that card is known to be elsewhere, or not in this deck; an unread card can be anywhere."""
        ...

    def _replace(self, *args: Any, **changes: Any) -> Self: ...


D = TypeVar("D", bound=TrickDeal)


def is_certain(deal: TrickDeal, event: CardLaid, seat: Seat | None) -> bool:
    """Whether card and turn are certain and the card can be there: only then does it prove anything."""
    if not event.card.is_known or not is_sure(event) or deal.cannot_be(event.card, seat):
        return False
    # Even a hand that was seen proves nothing then: what it answered may not be the trick as it stands here.
    return not is_turn_doubtful(deal)


# Judging


def judge_lay(deal: TrickDeal, event: CardLaid) -> tuple[Ruling, ...]:
    """The verdict on a card laid in the trick, then what it proves."""
    seat = whose(deal, event)
    code = _verdict(deal, event, seat)
    verdict = _ruled(code, deal.to_lay, event, seat, is_foul=code in FOULS and not is_turn_doubtful(deal))
    if not is_certain(deal, event, seat):
        return (verdict, *doubts(event, event.card, is_amiss=deal.cannot_be(event.card, seat)))
    if seat is None:
        return (verdict,)
    if code == "ok":
        return (verdict, *by_reply(deal, Play(seat, event.card, event.number)))
    return (verdict, *by_cards(deal, seat, (event.card,), event.number))


def options(deal: TrickDeal, event: CardLaid) -> tuple[Ruling, ...]:
    """The verdicts that a person may give a card in the trick; each in place of everything that was judged."""
    seat, turn = whose(deal, event), deal.to_lay
    return tuple(
        _ruled(code, turn, event, seat, is_foul=code in FOULS) for code in ("ok", "wrong-seat", "one-card-only")
    )


def whose(deal: TrickDeal, event: CardLaid) -> Seat | None:
    """Whose card it is: §7, by turn, unless hand or button say surely that it was another seat."""
    turn = deal.to_lay
    return turn if not event.seats or turn in event.seats else only(event.seats)


def _verdict(deal: TrickDeal, event: CardLaid, seat: Seat | None) -> str:
    if seat != deal.to_lay:
        return "one-card-only" if any(play.seat == seat for play in deal.trick) else "wrong-seat"
    return "ok" if event.card.is_known else "unread"


def _ruled(code: str, turn: Seat | None, event: CardLaid, seat: Seat | None, *, is_foul: bool) -> Ruling:
    detail = (("card", str(event.card)), ("turn", turn), ("then", "card-back"))
    return Ruling(code, seat, 0, (event.number,), detail, "§5", is_foul=is_foul and seat is not None)


def judge_turned_up(deal: TrickDeal, event: Event, card: Card, *, code: str, seat: Seat | None) -> tuple[Ruling, ...]:
    """§3: the card that is turned up after the deal; `code` is ruled where it can be read."""
    detail = (("card", str(card)),)
    if not card.is_known:
        return (Ruling("unread", None, 0, (event.number,), detail, "§3"),)
    told = Ruling(code, seat, 0, (event.number,), (*detail, ("suit", card.suit.name.lower())), "§3")
    return (told, *doubts(event, card, is_amiss=deal.cannot_be(card, None)))


def judge_shown(deal: TrickDeal, event: CardLaid, seat: Seat | None, *, paragraph: str) -> tuple[Ruling, ...]:
    """One card that is shown, not played: the verdict, then what it proves."""
    told = Ruling("shows-card", seat, 0, (event.number,), (("card", str(event.card)),), paragraph)
    if seat is None or not is_certain(deal, event, seat):
        return (told, *doubts(event, event.card, is_amiss=deal.cannot_be(event.card, seat)))
    return (told, *by_cards(deal, seat, (event.card,), event.number))


# What rulings do


def lies(deal: D, event: Event, ruling: Ruling, **more: object) -> D:
    """The card lies in the trick; the next seat has the turn; `more` is what else the game remembers of it."""
    if not isinstance(event, CardLaid):
        return deal
    if ruling.seat is None or not deal.is_playing:
        return ask_what(deal, event, event.card, None)
    seat = ruling.seat
    asked = None
    if is_certain(deal, event, seat):
        asked = what_it_answers(deal)
    else:
        deal = ask_what(deal, event, event.card, seat)
    play = Play(seat, event.card, event.number)
    return deal._replace(
        trick=(*deal.trick, play),
        turn=deal.after(seat),
        replies=deal.replies if asked is None else (*deal.replies, Reply(play, deal.number, asked)),
        played=(*deal.played, Known(seat, event.card, event.number)),
        known=tuple(one for one in deal.known if one.card is not event.card) if deal.known else (),
        **more,
    )


def goes_back(deal: D, event: Event, ruling: Ruling) -> D:
    """A card that goes back has been seen: it is in that hand until it is played."""
    if not deal.is_playing or not isinstance(event, CardLaid) or ruling.seat is None:
        return deal
    return seen_in_hand(deal, event, ruling.seat)


def seen_in_hand(deal: D, event: CardLaid, seat: Seat) -> D:
    """The card was seen to be in that hand, if it was read for certain."""
    if is_certain(deal, event, seat):
        return with_known(deal, seat, (event.card,), event.number)
    return ask_what(deal, event, event.card, seat)


def with_known(deal: D, seat: Seat, cards: Iterable[Card], number: int) -> D:
    """Those cards are known to be in that hand."""
    have = {one.card for one in deal.known} | {one.card for one in deal.played}
    more = tuple(Known(seat, card, number) for card in cards if card.is_known and card not in have)
    return deal._replace(known=(*deal.known, *more)) if more else deal


def ask_what(deal: D, event: Event, card: Card, seat: Seat | None) -> D:
    """A reading that is not certain is put to the table, and proves nothing until it is answered."""
    asked = question(event, card, is_amiss=deal.cannot_be(card, seat))
    if asked is None:
        return deal
    return deal._replace(asks=(*deal.asks, asked), doubtful=deal.doubtful | {event.number})


def revoked(deal: D, event: Event, ruling: Ruling) -> D:
    """§5: proven once and for all; only its kind may change."""
    assert ruling.seat is not None
    reply = next((one for one in deal.replies if _is_about(one, ruling)), None)
    if reply is not None:
        held = ruling.get("held")
        revoke = Revoke(reply, str(ruling.get("kind")), None if held is None else Card(str(held)), event.number)
        others = tuple(one for one in deal.revokes if one.reply.play.number != reply.play.number)
        deal = deal._replace(revokes=(*others, revoke))
    return convicted(deal, ruling.seat, is_new=ruling.is_foul)


def convicted(deal: D, seat: Seat, *, is_new: bool) -> D:
    """That seat has revoked, or is treated so."""
    is_marked = is_new and deal.house.revoke == "mark"
    marks = added(deal.marks, deal.house.places[seat], 1) if is_marked else deal.marks
    return deal._replace(guilty=deal.guilty | {seat}, marks=marks)


def _is_about(reply: Reply, ruling: Ruling) -> bool:
    return reply.play.seat == ruling.seat and reply.trick == ruling.get("trick")


def card_of(ruling: Ruling) -> Card:
    """The card that a ruling names; unknown where it names none."""
    text = ruling.get("card")
    return Card(str(text)) if text else UNKNOWN


def trick_effects() -> Mapping[str, Callable[[D, Event, Ruling], D]]:
    """What the rulings on cards laid in tricks do, by their codes."""
    return {
        "ok": lies,
        "unread": lies,
        "wrong-seat": goes_back,
        "one-card-only": goes_back,
        "revoke": revoked,
        "revoke-kind": revoked,
        "revoke-counted": revoked,
    }
