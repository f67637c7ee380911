"""What every phone shows at its top."""

from __future__ import annotations

from cardtable.page.drawing import card_svg
from cardtable.page.snapshot import Snapshot
from cardtable.page.text import safe
from cardtable.page.words import say


def head_html(shot: Snapshot) -> str:
    """The state in small: needed rank, headline, who laid last, top card; what is lost."""
    last = next((view for view in shot.board.seats if view.is_last), None)
    by = f'<div class="by">{safe(last.player)} · {say(shot.language, "laid-last")}</div>' if last else ""
    words = f'<div><div class="headline">{safe(shot.board.headline)}</div>{by}</div>'
    lost = "".join(f'<span class="lost">⚠ {safe(sentence)}</span>' for sentence in shot.lost)
    rank = f'<div class="rank">{safe(shot.board.needed)}</div>'
    return f'<div class="now">{rank}{words}{card_svg(shot.board.top)}</div>{lost}'
