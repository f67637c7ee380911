"""Going on with a session that was broken off."""

from __future__ import annotations

from typing import Any

from cardtable.plan import Plan
from cardtable.session import Keeper, Offer
from cardtable.store import Store, StoredSession
from engine.games import find_game
from engine.referee import Referee


def restore(store: Store, stored: StoredSession) -> tuple[Plan, Referee[Any], Keeper]:
    """The session's plan, its referee after the last event, and what keeps the rest of it.

    Raises `BadStore` when its log makes no sense.
    """
    referee = Referee.restore(find_game(stored.plan.game), stored.plan.setup, store.log(stored))
    return stored.plan, referee, store.go_on(stored)


def offers(store: Store) -> tuple[Offer, ...]:
    """The broken-off sessions, the latest first, each ready to be taken up."""
    return tuple(_offer(store, stored) for stored in store.unfinished())


def _offer(store: Store, stored: StoredSession) -> Offer:
    return Offer(
        number=stored.id,
        plan=stored.plan,
        started=stored.started,
        entries=stored.entries,
        restore=lambda: restore(store, stored),
        decline=lambda: store.finish(stored.id),
    )
