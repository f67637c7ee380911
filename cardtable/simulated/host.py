"""The simulated host: answers the table's questions truthfully, a few seconds later."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from cardtable.session import Session
from cardtable.simulated.truth import true_lay
from cardtable.simulated.witness import Witness
from cardtable.simulated.world import MS, TrueLay
from engine.rules import Question

_ANSWERS_AFTER_MS = (2000, 6000)
WHO = "host"


class Host:
    """Somebody who looks at the table and has time for questions."""

    def __init__(self, witness: Witness, lays: Sequence[TrueLay], rng: random.Random) -> None:
        self._witness, self._lays, self._rng = witness, lays, rng
        self._pending: list[tuple[int, Question]] = []

    @property
    def is_asked(self) -> bool:
        """Whether an answer is still owed."""
        return bool(self._pending)

    def look(self, session: Session, now_ns: int) -> None:
        """Reads what the table asks."""
        for question in session.referee.questions():
            if self._witness.hear(question):
                wait = round(self._rng.uniform(*_ANSWERS_AFTER_MS) * MS)
                self._pending.append((now_ns + wait, question))

    def answers(self, now_ns: int) -> list[Callable[[Session], None]]:
        """What he does by now."""
        due = [question for at_ns, question in self._pending if at_ns <= now_ns]
        self._pending = [(at_ns, question) for at_ns, question in self._pending if at_ns > now_ns]
        return [lambda session, q=question: self._answer(session, q) for question in due]  # type: ignore[misc]

    def _answer(self, session: Session, question: Question) -> None:
        asked_now = {(open_.about, open_.kind) for open_ in session.referee.questions()}
        heard = self._witness.lay_of(question.about)
        lay = true_lay(heard, self._lays) if heard else None
        if lay is None or (question.about, question.kind) not in asked_now:
            return
        if question.kind == "who":
            session.answer(question, seat=lay.seat, who=WHO)
        elif question.kind == "what":
            session.answer(question, card=lay.card, who=WHO)
