"""The parts of the hall as HTML, built from a snapshot."""

from __future__ import annotations

from cardtable.drills import FairnessView
from cardtable.page.drawing import card_svg, pip_svg
from cardtable.page.remarks import drill_lines, drill_text, remark_text
from cardtable.page.snapshot import Line, Slap, Snapshot
from cardtable.page.text import safe
from cardtable.page.words import say
from engine.rules import SeatView
from hardware.signals import Signal

MOST_SLAPS = 4


def hall_html(shot: Snapshot) -> dict[str, str]:
    """The hall's parts by name; each goes into an element of its own, so that only what changed is sent."""
    return {
        "bar": bar_html(shot),
        "needed": needed_html(shot),
        "top": top_html(shot),
        "seats": seats_html(shot),
        "ask": ask_html(shot),
        "ruling": ruling_html(shot),
        "race": race_html(shot),
        "drill": drill_html(shot),
    }


def bar_html(shot: Snapshot) -> str:
    """Game, what lies in the middle, and what is lost."""
    middle = "".join(f"<span>{part}</span>" for part in middle_parts(shot))
    lost = "".join(f'<span class="lost">⚠ {safe(sentence)}</span>' for sentence in shot.lost)
    return f"<b>{safe(shot.game)}</b>{middle}{lost}"


def middle_parts(shot: Snapshot) -> list[str]:
    """Trump and pot in the games that have them, else how many cards the pile has."""
    board, parts = shot.board, []
    if board.trump is not None:
        parts.append(f'<span class="trump">{say(shot.language, "trump")} {pip_svg(board.trump)}</span>')
    if board.pot is not None:
        parts.append(say(shot.language, "pot", count=board.pot))
    if parts or any(view.score is not None for view in board.seats):
        return parts
    count = len(board.pile)
    return [say(shot.language, "pile", count=count) if count else say(shot.language, "empty-pile")]


def needed_html(shot: Snapshot) -> str:
    """The needed rank as large as it goes, else the headline alone."""
    headline = f'<div class="headline">{safe(shot.board.headline)}</div>'
    if not shot.board.needed:
        return f'<div class="needed words">{headline}</div>'
    return f'<div class="needed"><div class="rank">{safe(shot.board.needed)}</div>{headline}</div>'


def top_html(shot: Snapshot) -> str:
    """The pile's top card and who laid it; a trick with every card before its player."""
    if shot.board.by:
        return trick_html(shot)
    last = next((view for view in shot.board.seats if view.is_last), None)
    by = _by_html(shot, last) if last else "&nbsp;"
    return f'<div class="top">{card_svg(shot.board.top)}<div class="by">{by}</div></div>'


def trick_html(shot: Snapshot) -> str:
    """The cards of a trick in order, each with its player."""
    views = {view.seat: view for view in shot.board.seats}
    cards = "".join(
        f'<div class="play">{card_svg(card)}<div class="by">{badge_html(shot, views[seat])}'
        f'<div class="name">{safe(views[seat].player)}</div></div></div>'
        for card, seat in zip(shot.board.pile, shot.board.by, strict=True)
    )
    return f'<div class="trick plays-{len(shot.board.by)}">{cards}</div>'


def _by_html(shot: Snapshot, last: SeatView) -> str:
    label = f"<small>{say(shot.language, 'laid-last')}</small>"
    return f'{badge_html(shot, last)}<div class="name">{safe(last.player)}{label}</div>'


def seats_html(shot: Snapshot) -> str:
    """A row a seat: name, what its button means now, cards in hand or finishing place."""
    rows = "".join(_seat_html(shot, view) for view in shot.board.seats)
    return f'<div class="seats{_crowd(shot)}">{rows}</div>'


def _crowd(shot: Snapshot) -> str:
    count = len(shot.board.seats)
    return " many" if count > 5 else " few" if count < 5 else ""


def badge_html(shot: Snapshot, view: SeatView) -> str:
    """The seat's letter on its colour, which shines as the seat's lamp does."""
    lamp = shot.buttons.signals.get(view.seat, Signal.NOTHING)
    shine = "" if lamp is Signal.NOTHING else f" lamp-{lamp.value}"
    return f'<span class="badge seat-{shot.seat_index(view.seat) % 6}{shine}">{safe(view.seat)}</span>'


def _seat_html(shot: Snapshot, view: SeatView) -> str:
    classes = " ".join(
        word
        for word, holds in (("last", view.is_last), ("gone", not view.is_active), ("loser", view.is_loser))
        if holds
    )
    who = f'<div class="who"><div class="name">{safe(view.player)}</div>{_can_html(shot, view)}</div>'
    right = _owed_html(shot, view) + hand_html(shot, view)
    return f'<div class="seat {classes}">{badge_html(shot, view)}{who}{right}</div>'


def _can_html(shot: Snapshot, view: SeatView) -> str:
    note = f"<b>{safe(view.note)}</b>" if view.note else ""
    said = remark_html(shot, view) or note
    # Where seats have a note or a turn all the time, these must not hide what the button means.
    words = [said, safe(view.can)] if view.score is not None else [said or safe(view.can)]
    parts = [part for part in words if part]
    parts += ["●" * view.marks] if view.marks else []
    return f'<div class="can">{" · ".join(parts)}</div>' if parts else ""


def remark_html(shot: Snapshot, view: SeatView) -> str:
    """What is the matter with the seat's button or last slap, or that it is its turn; empty when nothing."""
    remark = shot.buttons.remarks.get(view.seat)
    if remark is not None:
        return f'<b class="remark">{safe(remark_text(remark, shot.language))}</b>'
    return f"<b>{say(shot.language, 'your-turn')}</b>" if view.is_turn and not view.note else ""


def _owed_html(shot: Snapshot, view: SeatView) -> str:
    if not view.owed:
        return ""
    cards = safe(" ".join(card.pretty() for card in view.owed))
    return f'<div class="owed">{say(shot.language, "owes")}<br>{cards}</div>'


def hand_html(shot: Snapshot, view: SeatView) -> str:
    """Cards in hand, or the score where there is one, or how the seat ended."""
    if view.is_loser:
        return f'<div class="place">{say(shot.language, "loser")}</div>'
    if view.place is not None:
        return f'<div class="place">{say(shot.language, "place", place=view.place)}</div>'
    if view.score is None:
        return f'<div class="hand num">{"?" if view.hand is None else view.hand}</div>'
    held = "" if view.hand is None else f"<small>{say(shot.language, 'in-hand', count=view.hand)}</small>"
    return f'<div class="hand num">{view.score}{held}</div>'


def ask_html(shot: Snapshot) -> str:
    """The first open question, if any."""
    if not shot.questions:
        return ""
    asked, hint = shot.questions[0], say(shot.language, "question-hint")
    likely = f"<b>{safe(' / '.join(asked.likely))}</b>" if asked.likely else ""
    return f'<div class="ask"><i>?</i><span>{safe(asked.text)}</span>{likely}<small>{hint}</small></div>'


def ruling_html(shot: Snapshot) -> str:
    """The last ruling in a sentence."""
    line = shot.latest or Line(0, say(shot.language, "no-ruling"))
    size = " vast" if len(line.text) > 120 else " long" if len(line.text) > 72 else ""
    classes = tone(line) + (" provisional" if line.is_provisional else "") + size
    under = "".join(f"<span>{safe(word)}</span>" for word in marks_of(shot.language, line))
    return (
        f'<div class="ruling {classes}"><div class="text">{safe(line.text)}</div>'
        + (f'<div class="under">{under}</div>' if under else "")
        + "</div>"
    )


def tone(line: Line) -> str:
    """The colour in which a ruling is told: `foul`, `fine` for a card, `note` for anything else, `none` for none."""
    if not line.number:
        return "none"
    if line.is_foul:
        return "foul"
    return "fine" if line.card else "note"


def marks_of(language: str, line: Line) -> list[str]:
    """Paragraph, and whether the ruling is provisional or has changed."""
    marks = [line.paragraph] if line.paragraph else []
    marks += [say(language, "provisional")] if line.is_provisional else []
    return marks + ([say(language, "changed")] if line.is_changed else [])


def race_html(shot: Snapshot) -> str:
    """The last slaps in order, with margins to the first."""
    if not shot.slaps:
        return _join_html(shot)
    longest = max((slap.margin_ns for slap in shot.slaps[:MOST_SLAPS]), default=0) or 1
    rows = "".join(_slap_html(shot, slap, slap.margin_ns / longest) for slap in shot.slaps[:MOST_SLAPS])
    note = f'<span class="doubt">{safe(shot.slaps_note)}</span>' if shot.slaps_note else ""
    return f'<div class="race"><div class="title">{say(shot.language, "slaps")} {note}</div>{rows}</div>'


def drill_html(shot: Snapshot) -> str:
    """What everybody is to do with the buttons in place of playing; covers the rest."""
    drill = shot.buttons.drill
    if drill is None:
        return ""
    is_cue = isinstance(drill, FairnessView) and drill.is_cue
    small = "".join(f"<li>{safe(text)}</li>" for text in drill_lines(shot))
    return f'<div class="drill{" cue" if is_cue else ""}"><b>{safe(drill_text(shot))}</b><ul>{small}</ul></div>'


def _join_html(shot: Snapshot) -> str:
    """Before the first slap: the addresses for phones."""
    pages = ((f"{shot.address}/host", "join-host"), (f"{shot.address}/seat/A", "join-seat"))
    rows = "".join(
        f"<div class='address'>{safe(url)} <small>{say(shot.language, word)}</small></div>" for url, word in pages
    )
    title = f'<div class="title">{say(shot.language, "no-slaps")}</div>'
    return f'<div class="race">{title}{rows}</div>' if shot.address else ""


def _slap_html(shot: Snapshot, slap: Slap, part: float) -> str:
    index = shot.seat_index(slap.seat) % 6
    return (
        f'<div class="slap seat-{index}{" tie" if slap.is_tie else ""}"><span class="badge">{safe(slap.seat)}</span>'
        f'<span class="name">{safe(shot.player(slap.seat))}</span>'
        f'<span class="rail" style="--at:{max(2, round(100 * part))}%"></span>'
        f'<span class="margin num">{margin_text(shot.language, slap)}</span></div>'
    )


def margin_text(language: str, slap: Slap) -> str:
    """`first`, `+25 ms`, or `tie` with its margin; fractions where the clocks are that good."""
    if slap.margin_ns == 0:
        return say(language, "tie" if slap.is_tie else "first")
    digits = 0 if slap.within_ns >= 100_000 else 2 if slap.margin_ns < 10_000_000 else 1
    margin = f"+{slap.margin_ns / 1e6:.{digits}f} {say(language, 'ms')}"
    return f"{say(language, 'tie')} {margin}" if slap.is_tie else margin
