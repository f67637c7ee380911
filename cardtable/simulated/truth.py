"""Compares what the referee ruled with what truly happened at the simulated table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from cardtable.simulated.book import Due
from cardtable.simulated.sight import ENOUGH_FRAMES
from cardtable.simulated.witness import Heard, Witness
from cardtable.simulated.world import MS, TrueLay
from engine.cards import Card
from engine.rules import Question
from engine.seats import Seat

CODES = frozenset(
    (
        "claim",
        "no-card",
        "stall",
        "stall-refused",
        "false-stall",
        "flong",
        "two-left",
        "went-out",
        "loser",
        "bare-slap",
        "unclaimed-two",
        "false-nocard-proven",
    )
)
"""Rulings that are compared besides the verdicts on cards."""
_SAME_NS = 4_000 * MS
"""The referee may see a card this much later than it was laid: a hand may have lain on it."""
_ENTANGLED_NS = 1_900 * MS
"""Slaps and lays this near can be taken for one another."""


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing ruled otherwise than it was."""

    kind: str
    """`missed`, `wrong` or `asked`."""
    truth: str
    ruled: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """The whole party, ruled and true."""

    pairs: tuple[tuple[TrueLay, Heard], ...]
    differences: tuple[Difference, ...]
    questions: int

    def count(self, *kinds: str) -> int:
        """How many differences there are of these kinds."""
        return sum(difference.kind in kinds for difference in self.differences)


def compare(lays: Sequence[TrueLay], due: Iterable[Due], slaps: Iterable[Seat], witness: Witness) -> Comparison:
    """Everything that was ruled against everything that was so; `slaps`: the seats that slapped without a card."""
    pairs = paired(lays, list(witness.lays.values()))
    found = [*_unpaired(lays, witness, pairs), *(d for lay, heard in pairs for d in verdicts(lay, heard))]
    found += _others(due, slaps, witness)
    found += _questions(lays, pairs, witness)
    return Comparison(tuple(pairs), tuple(found), len(witness.asked))


def hides_seat(lay: TrueLay, lays: Sequence[TrueLay]) -> bool:
    """Whether nobody could say whose lay it was: it, or one it can be confused with, has no slap and no clear hand."""
    near = [other for other in lays if abs(other.touch_ns - lay.touch_ns) < _ENTANGLED_NS]
    return any(other.slap_ns is None and not other.is_alone for other in near)


def hides_card(lay: TrueLay) -> bool:
    """Whether the card was covered before it could be read."""
    return lay.seen_frames < ENOUGH_FRAMES


def true_lay(heard: Heard, lays: Sequence[TrueLay]) -> TrueLay | None:
    """The lay that the referee's `heard` is about, as somebody who was there would say."""
    near = [lay for lay in lays if abs(lay.touch_ns - heard.laid.t_ns) < _SAME_NS]
    same = [lay for lay in near if lay.card is heard.laid.card]
    return min(same or near, key=lambda lay: abs(lay.touch_ns - heard.laid.t_ns), default=None)


def paired(lays: Sequence[TrueLay], heard: list[Heard]) -> list[tuple[TrueLay, Heard]]:
    """Lays and what was told of them: the same card at about the same time; what is left, by time alone."""
    free = list(heard)
    pairs: list[tuple[TrueLay, Heard]] = []
    for exact, most_ns in ((True, _SAME_NS), (False, 600 * MS)):
        done = {lay.key for lay, _ in pairs}
        for lay in lays:
            if lay.key in done:
                continue
            fits = [h for h in free if _gap(lay, h) < most_ns and (h.laid.card is lay.card or not exact)]
            if fits:
                best = min(fits, key=lambda h, lay=lay: _gap(lay, h))  # type: ignore[misc]
                free.remove(best)
                pairs.append((lay, best))
    return sorted(pairs, key=lambda pair: pair[0].touch_ns)


def _gap(lay: TrueLay, heard: Heard) -> int:
    return abs(lay.touch_ns - heard.laid.t_ns)


def _unpaired(
    lays: Sequence[TrueLay], witness: Witness, pairs: Sequence[tuple[TrueLay, Heard]]
) -> Iterable[Difference]:
    known = {lay.key for lay, _ in pairs}
    yield from (Difference("missed", tell(lay), "nothing") for lay in lays if lay.key not in known)
    used = {heard.laid.lay for _, heard in pairs}
    for number, heard in witness.lays.items():
        if number not in used and heard.rulings:
            yield Difference("wrong", "no such lay", tell_heard(heard))


def verdicts(lay: TrueLay, heard: Heard) -> Iterable[Difference]:
    """How the ruling on a lay differs from the truth, if it does."""
    code = heard.rulings[0].code if heard.rulings else None
    if heard.laid.card is not lay.card or heard.seats != {lay.seat} or code != lay.code:
        yield Difference("wrong", tell(lay), tell_heard(heard))


def _others(due: Iterable[Due], slaps: Iterable[Seat], witness: Witness) -> Iterable[Difference]:
    wanted = Counter((d.code, d.seat) for d in due)
    wanted.update(("bare-slap", seat) for seat in slaps)
    rulings = [r for told in witness.others.values() for r in told]
    rulings += [r for heard in witness.lays.values() for r in heard.rulings]
    ruled = Counter((r.code, r.seat) for r in rulings if r.code in CODES)
    for (code, seat), count in (wanted - ruled).items():
        yield from [Difference("missed", f"{code} {seat or ''}".strip(), "nothing")] * count
    for (code, seat), count in (ruled - wanted).items():
        yield from [Difference("wrong", "nothing of the kind", f"{code} {seat or ''}".strip())] * count


def _questions(
    lays: Sequence[TrueLay], pairs: Sequence[tuple[TrueLay, Heard]], witness: Witness
) -> Iterable[Difference]:
    for question, _ in witness.asked:
        heard = witness.lay_of(question.about)
        lay = next((lay for lay, other in pairs if other is heard), None)
        if not (lay and (hides_seat(lay, lays) if question.kind == "who" else hides_card(lay))):
            yield Difference("asked", tell(lay) if lay else "no such lay", _tell_question(question))


def tell(lay: TrueLay) -> str:
    """A true lay in a few words."""
    about = f"{lay.card} {lay.seat} {lay.code} at {lay.touch_ns / 1e6:.0f} ms"
    return about if lay.planned == "lay" else f"{about} ({lay.planned})"


def tell_heard(heard: Heard) -> str:
    """A ruled lay in the same words."""
    seats = "/".join(sorted(heard.seats)) or "?"
    code = heard.rulings[0].code if heard.rulings else "void"
    return f"{heard.laid.card} {seats} {code} at {heard.laid.t_ns / 1e6:.0f} ms"


def _tell_question(question: Question) -> str:
    choices: tuple[Seat | Card, ...] = question.seats or question.cards
    return f"{question.kind}: {'/'.join(str(choice) for choice in choices)}"
