"""What can be proven in Ton although hands are hidden (§8): revokes, and cards that cannot be where they are read.

A seat's hand at a trick is what it lays from then on, what it shows in the audit, and what had been seen to be in it:
the widow's open cards, a card that went back, the five cards of a claim that failed.
"""

from __future__ import annotations

from collections.abc import Iterable

from engine.cards import DECK_36, Card
from engine.events import CardLaid, Event
from engine.games.ton.state import SURE, State
from engine.rulings import Ruling
from engine.seats import Seat
from engine.tricks import WORSE, Demand, Play, Reply, Revoke, demand, find_revokes

DECK = frozenset(DECK_36)


def is_certain(state: State, event: CardLaid, seat: Seat | None) -> bool:
    """Whether card and turn are certain and the card can be there: only then does it prove anything."""
    if not event.card.is_known or event.sure < SURE or cannot_be(state, event.card, seat):
        return False
    # Even a hand that was seen proves nothing then: what it answered may not be the trick as it stands here.
    return not is_turn_doubtful(state)


def is_turn_doubtful(state: State) -> bool:
    """Whether a reading not yet confirmed may have given an earlier trick, and so the lead, to the wrong seat."""
    if not state.doubtful:
        return False
    here = {play.number for play in state.trick}
    earlier = {one.number for one in state.played} - here
    return bool(state.doubtful & earlier) or state.trump_number in state.doubtful


def cannot_be(state: State, card: Card, seat: Seat | None) -> bool:
    """Whether that card is known to be elsewhere, or not in this deck at all; an unread card can be anywhere."""
    if not card.is_known:
        return False
    if card not in DECK or card in state.proof or any(one.card is card for one in state.played):
        return True
    if card is state.upcard and not _may_have_upcard(state, seat):
        return True
    is_takers = state.taker is not None and seat == state.taker
    if not is_takers and any(one is not None and one.card is card for one in state.widow):
        return True
    return any(one.card is card and one.seat != seat for one in state.known)


def _may_have_upcard(state: State, seat: Seat | None) -> bool:
    """§9 row 5: whoever had the right may have taken the turned-up card."""
    had_right = bool(state.proof) and seat == state.taker
    return had_right and state.house.upcard_pickable and state.picked in (None, state.upcard)


def what_it_answers(state: State) -> Demand | None:
    """What the next card in the trick has to answer, where trump and every card before it are certain."""
    assert state.upcard is not None
    doubtful = state.doubtful
    if doubtful and (state.trump_number in doubtful or any(play.number in doubtful for play in state.trick)):
        return None
    return demand(state.trick, state.upcard.suit, state.house.duties)


def by_reply(state: State, play: Play) -> list[Ruling]:
    """What a certain card laid in the trick proves: earlier replies by it, and it by cards known to be held."""
    duties = state.house.duties
    earlier = [reply for reply in state.replies if reply.play.seat == play.seat]
    found = find_revokes(earlier, play.card, play.number, duties)
    asked = what_it_answers(state)
    if asked is not None:
        now = (Reply(play, state.number, asked),)
        held = (one for one in state.known if one.seat == play.seat and one.card is not play.card)
        for one in held:
            found += find_revokes(now, one.card, one.number, duties)
    return rule(state, found, play.number)


def by_cards(state: State, seat: Seat, cards: Iterable[Card], number: int) -> list[Ruling]:
    """What cards prove that were seen, unplayed, in that seat's hand."""
    replies = [reply for reply in state.replies if reply.play.seat == seat]
    found: list[Revoke] = []
    for card in cards:
        found += find_revokes(replies, card, number, state.house.duties)
    return rule(state, found, number)


def rule(state: State, found: list[Revoke], number: int) -> list[Ruling]:
    """A ruling for every reply newly proven a revoke, or proven one of a worse kind than known."""
    worst: dict[int, Revoke] = {}
    for revoke in sorted(found, key=lambda one: WORSE[one.kind], reverse=True):
        worst.setdefault(revoke.reply.play.number, revoke)
    known = {revoke.reply.play.number: revoke.kind for revoke in state.revokes}
    rulings = []
    for place in sorted(worst):
        before = known.get(place)
        if before is None or WORSE[worst[place].kind] > WORSE[before]:
            rulings.append(_revoke(worst[place], number, is_new=before is None))
    return rulings


def _revoke(revoke: Revoke, number: int, *, is_new: bool) -> Ruling:
    play = revoke.reply.play
    because = tuple(sorted({play.number, revoke.held_number, number}))
    detail = (
        ("trick", revoke.reply.trick),
        ("kind", revoke.kind),
        ("card", str(play.card)),
        ("held", str(revoke.held)),
    )
    return Ruling("revoke" if is_new else "revoke-kind", play.seat, 0, because, detail, "§5", is_foul=is_new)


def doubts(state: State, event: Event, card: Card, seat: Seat | None) -> list[Ruling]:
    """A reading that nobody may be accused on before a person has confirmed it."""
    rulings = []
    detail = (("card", str(card)),)
    if cannot_be(state, card, seat):
        rulings.append(Ruling("deck-fault", None, 0, (event.number,), detail, "§8"))
    if isinstance(event, CardLaid) and card.is_known and event.sure < SURE:
        rulings.append(Ruling("unsure", None, 0, (event.number,), detail, "§7"))
    return rulings
