"""Sequences declared, compared and shown (§4), and bella (§4)."""

from __future__ import annotations

from collections.abc import Sequence

from engine import deals, taps
from engine.cards import Card, Rank, Suit
from engine.events import Call, CardLaid, Event, Shown
from engine.games.debertz.state import BEFORE_LEAD, BELLA_RANKS, HAND, POLTINNIK, TERZ, Meld, Phase, State
from engine.melds import Pool, Run, cards_of, fits, is_possible, proven
from engine.race import BEFORE_NS
from engine.revokes import by_cards
from engine.rulings import Detail, Ruling
from engine.seats import Seat

NOTHING: tuple[Ruling, ...] = ()
AT_ONCE_NS = 1_000_000_000
"""Bella is called while laying the second card: a double tap may end this long after the touch."""
TERZ_LENGTH, POLTINNIK_LENGTH = 3, 4


# Declaring


def declares(state: State, event: Call) -> tuple[Ruling, ...]:
    """A terz, a poltinnik, or the jackpot: by its cards, by its top card, or by the top's rank alone."""
    seat = event.seat or _whose_word(state)
    if seat is None or state.phase not in (Phase.DECLARE, Phase.SHOW, Phase.TRICK):
        return NOTHING
    if not may_declare(state, seat):
        code = "wrong-seat" if seat in state.declaring else "too-late"
        return (Ruling(code, seat, 0, (event.number,), (("then", "not-counted"),), "§4", is_foul=code == "wrong-seat"),)
    run = read_run(state, event)
    if run is None:
        return (Ruling("no-such-sequence", seat, 0, (event.number,), (), "§4"),)
    return (Ruling("declares", seat, 0, (event.number,), _described(run, event.word), "§4"),)


def may_declare(state: State, seat: Seat) -> bool:
    """E declares first, then X, before the lead; with `before_own_card` each until his own first card."""
    if state.house.declares_late:
        return state.phase is Phase.TRICK and state.left(seat) == HAND and not state.is_compared
    return state.declaring[:1] == (seat,)


def ends(state: State, event: Event, seat: Seat) -> tuple[Ruling, ...]:
    """That seat has nothing (more) to declare."""
    if state.phase is not Phase.DECLARE or seat not in state.declaring:
        return NOTHING
    if seat != state.declaring[0]:
        return (Ruling("wrong-seat", seat, 0, (event.number,), (("then", "not-counted"),), "§4", is_foul=True),)
    count = sum(meld.seat == seat for meld in state.melds)
    code = "declared" if count else "declares-nothing"
    return (Ruling(code, seat, 0, (event.number,), (("count", count),), "§4"),)


def names_suit(state: State, event: Event, seat: Seat, suit: Suit) -> tuple[Ruling, ...]:
    """The suit of an equal best sequence, asked for to compare it."""
    if seat not in state.naming:
        return NOTHING
    return (Ruling("suit-named", seat, 0, (event.number,), (("suit", suit.name.lower()),), "§4"),)


def suits_to_name(state: State) -> tuple[Suit, ...]:
    """Whichever suits that seat has not yet said of another of its equal sequences."""
    mine = best(state, state.melds).get(state.naming[0], []) if state.naming else []
    return tuple(suit for suit in Suit if all(meld.run.suit is not suit for meld in mine))


def read_run(state: State, event: Call) -> Run | None:
    """The run that a call declares; None where there is no such run in this game."""
    house = state.house
    if event.word == "jackpot":
        is_open = house.jackpot != "off" and state.trump is not None
        return Run(house.order[0], int(house.jackpot[-1]), state.trump) if is_open else None
    top, suit = _top_of(event)
    length = len(event.cards) or (TERZ_LENGTH if event.word == "terz" else POLTINNIK_LENGTH)
    is_long = length > POLTINNIK_LENGTH
    if top is None or (length == TERZ_LENGTH) != (event.word == "terz") or (is_long and house.long_run == "split"):
        return None
    run = Run(top, length, suit)
    return run if length >= TERZ_LENGTH and is_possible(run, house.order) and _is_said(state, event, run) else None


def _top_of(event: Call) -> tuple[Rank | None, Suit | None]:
    card = event.cards[0] if event.cards else event.card
    if card is not None:
        return (card.rank, card.suit) if card.is_known else (None, None)
    is_rank = event.count in set(Rank)
    return (Rank(event.count) if event.count is not None and is_rank else None), None


def _is_said(state: State, event: Call, run: Run) -> bool:
    """Cards that are named are the run, from the top."""
    return not event.cards or (run.suit is not None and cards_of(run, run.suit, state.house.order) == event.cards)


def _described(run: Run, word: str) -> tuple[tuple[str, Detail], ...]:
    """The declaration as it is told and carried out: `card` is the top card, or its rank where no suit was said."""
    top = str(run.top) if run.suit is None else str(Card.of(run.top, run.suit))
    return ("kind", word), ("card", top), ("length", run.length)


def run_of(ruling: Ruling) -> Run:
    """The run that a ruling describes."""
    top, length = str(ruling.get("card")), int(ruling.get("length") or 0)
    rank = next((rank for rank in Rank if str(rank) == top), None)
    return Run(rank, length) if rank is not None else Run(Card(top).rank, length, Card(top).suit)


def _whose_word(state: State) -> Seat | None:
    """Who is to declare now, where the call does not say."""
    if state.house.declares_late:
        return state.turn
    return state.declaring[0] if state.declaring else None


# Comparing


def value(state: State, meld: Meld) -> int:
    """§2, §9 row 4: what the sequence counts."""
    if meld.is_jackpot:
        return 0
    if meld.run.length == TERZ_LENGTH:
        return TERZ
    is_hundred = meld.run.length > POLTINNIK_LENGTH and state.house.long_run == "hundred"
    return 2 * POLTINNIK if is_hundred else POLTINNIK


def rank(state: State, meld: Meld) -> tuple[int, ...]:
    """§4, §9 row 3: the higher wins; equal ones are decided by trump, then by `meld_tie`."""
    top = -state.house.order.index(meld.run.top)
    kind = 2 if meld.is_jackpot else int(meld.run.length > TERZ_LENGTH)
    return (kind // 2, meld.run.length, top) if state.house.meld_rank == "length_top" else (kind, top)


def best(state: State, melds: Sequence[Meld]) -> dict[Seat, list[Meld]]:
    """The best sequences, by whose they are; two owners where they are equal."""
    highest = max((rank(state, meld) for meld in melds), default=None)
    found: dict[Seat, list[Meld]] = {}
    for meld in melds:
        if rank(state, meld) == highest:
            found.setdefault(meld.seat, []).append(meld)
    return found


def owner(state: State, equal: dict[Seat, list[Meld]]) -> Seat | None:
    """Whose is the best of equal sequences; None: nobody's, as `meld_tie` says (§4, §9 row 5)."""
    if len(equal) < 2:
        return next(iter(equal), None)
    in_trump = [seat for seat, melds in equal.items() if any(meld.run.suit is state.trump for meld in melds)]
    if in_trump:
        return in_trump[0]
    return state.elder if state.house.meld_tie == "elder" else None


def unnamed(equal: dict[Seat, list[Meld]]) -> tuple[Seat, ...]:
    """Whose equal sequences need their suit to be compared."""
    if len(equal) < 2:
        return ()
    return tuple(seat for seat, melds in equal.items() if any(meld.run.suit is None for meld in melds))


def true_melds(state: State, melds: Sequence[Meld], cards: Sequence[Card], old: Sequence[Card]) -> list[bool]:
    """For each of one seat's melds whether `cards` bear it out; `old`: the hand before the seven was exchanged."""
    hands = [old if meld.is_before_exchange else cards for meld in melds]
    runs: list[Pool] = [(meld.run, hand) for meld, hand in zip(melds, hands, strict=True) if not meld.is_jackpot]
    found = iter(proven(runs, state.house.order))
    return [
        _is_jackpot(state, meld.run, hand) if meld.is_jackpot else next(found)
        for meld, hand in zip(melds, hands, strict=True)
    ]


def _is_jackpot(state: State, run: Run, cards: Sequence[Card]) -> bool:
    """§9 row 21: a run of that length anywhere in trumps."""
    runs = (run._replace(top=top) for top in state.house.order)
    return any(is_possible(one, state.house.order) and fits([(one, cards)], state.house.order) for one in runs)


# Showing


def shown(state: State, event: Shown) -> tuple[Ruling, ...]:
    """Cards shown all at once: the best sequences, or four sevens."""
    if _are_sevens(state, event):
        return four_sevens(state, event, event.seat)
    if state.phase is not Phase.SHOW or event.seat != state.shower:
        return NOTHING
    seat, cards = event.seat, event.cards
    detail = (("cards", " ".join(map(str, cards))),)
    if any(not card.is_known or state.cannot_be(card, seat) for card in cards):
        return (Ruling("show-again", seat, 0, (event.number,), detail, "§4"),)
    told = Ruling("shows", seat, 0, (event.number,), detail, "§4")
    return (told, *by_cards(state, seat, cards, event.number), *strike(state, event, (*state.shown, *cards)))


def shows_card(state: State, event: CardLaid) -> tuple[Ruling, ...]:
    """One more card shown by the owner of the best sequence."""
    return deals.judge_shown(state, event, state.shower, paragraph="§4")


def strike(state: State, event: Event, cards: Sequence[Card]) -> tuple[Ruling, ...]:
    """The shower's sequences that the cards do not bear out are struck."""
    melds = [meld for meld in state.melds if meld.seat == state.shower]
    true = true_melds(state, melds, _seen(state, cards), _seen(state, cards))
    return tuple(struck(meld, event.number) for meld, holds in zip(melds, true, strict=True) if not holds)


def is_all_shown(state: State) -> bool:
    """Whether the cards shown bear out all that the shower has declared."""
    melds = [meld for meld in state.melds if meld.seat == state.shower]
    return all(true_melds(state, melds, _seen(state, state.shown), _seen(state, state.shown)))


def _seen(state: State, cards: Sequence[Card]) -> tuple[Card, ...]:
    """What has been seen of the shower's: shown, already laid in the trick, or exchanged for the card turned up."""
    assert state.shower is not None
    is_owners = state.exchanged is not None and state.exchanged == state.shower
    swapped = (state.upcard,) if is_owners and state.upcard is not None else ()
    return (*cards, *state.cards(state.shower), *swapped)


def struck(meld: Meld, number: int, *, code: str = "struck") -> Ruling:
    """The ruling that a declared sequence does not count: not shown, or, in the audit, `not-held`."""
    word = "jackpot" if meld.is_jackpot else "terz" if meld.run.length == TERZ_LENGTH else "poltinnik"
    detail = (*_described(meld.run, word), ("meld", meld.number))
    return Ruling(code, meld.seat, 0, tuple(sorted({meld.number, number})), detail, "§8", is_foul=True)


def _are_sevens(state: State, event: Shown) -> bool:
    return len(set(event.cards)) == len(Suit) and all(c.is_known and c.rank is Rank.SEVEN for c in event.cards)


def four_sevens(state: State, event: Event, seat: Seat) -> tuple[Ruling, ...]:
    """§9 row 20: claimed by showing them before the first lead."""
    is_time = state.phase in BEFORE_LEAD or (state.phase is Phase.TRICK and not state.played)
    if state.house.four_sevens == "off" or not is_time:
        return NOTHING
    bonus = 100 if state.house.four_sevens == "bonus" else 0
    detail = (("points", bonus), ("dealer", state.dealer))
    return (Ruling("four-sevens", seat, bonus, (event.number,), detail, "§9"),)


# Bella


def bella(state: State, event: Event, seat: Seat) -> tuple[Ruling, ...]:
    """Called at the latest while laying the second of king and queen of trump (§4, §9 row 7)."""
    if not bella_is_open(state, seat):
        return NOTHING
    if _is_too_late(state, event, seat):
        return (Ruling("too-late", seat, 0, (event.number,), (("then", "not-counted"),), "§4"),)
    return (Ruling("bella", seat, 0, (event.number,), (), "§4"),)


def bella_is_open(state: State, seat: Seat) -> bool:
    """Whether that seat may call bella in this phase, and has not yet."""
    is_called = any(one.seat == seat for one in state.called)
    is_time = state.phase in (Phase.DECLARE, Phase.SHOW, Phase.TRICK, Phase.AUDIT)
    return is_time and not is_called and state.house.bella in ("call", "trick")


def tapped_bella(state: State, event: CardLaid, verdict: Ruling) -> tuple[Ruling, ...]:
    """A king or queen of trump laid after a double tap."""
    seat = verdict.seat
    if seat is None or verdict.code != "ok" or not is_one(state, event.card):
        return NOTHING
    is_doubled = taps.has_doubled(state.taps, seat, since_ns=event.t_ns - BEFORE_NS)
    return bella(state, event, seat) if is_doubled and deals.is_certain(state, event, seat) else NOTHING


def has_just_laid_one(state: State, event: Event, seat: Seat) -> bool:
    """Whether that seat's king or queen of trump is the newest card, and no older than a second."""
    if not state.played or state.played[-1].seat != seat or not is_one(state, state.played[-1].card):
        return False
    return event.t_ns - state.laid_ns <= AT_ONCE_NS


def has_pair(state: State, seat: Seat) -> bool:
    """Whether that seat has laid both king and queen of trump."""
    return len(_pair(state, seat)) == 2


def _pair(state: State, seat: Seat) -> list[Card]:
    return [card for card in state.cards(seat) if is_one(state, card)]


def is_one(state: State, card: Card) -> bool:
    """Whether the card is king or queen of trump."""
    return card.is_known and card.suit is state.trump and card.rank in BELLA_RANKS


def _is_too_late(state: State, event: Event, seat: Seat) -> bool:
    return has_pair(state, seat) and not has_just_laid_one(state, event, seat)
