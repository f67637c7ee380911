"""Runs a session at the simulated table, on simulated time.

A frame is due 30 times a second. Whatever the session does with it takes the time that its thread computes, and so
much passes at the table too: frames that fell due meanwhile are dropped, edges wait. On an idle computer that is the
wall time to half a percent; on a busy one other programs' share of the processor stays out of it. The session gets
pictures, edges, words and the time, and nothing else.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from cardtable.plan import Plan
from cardtable.session import Session, Update
from cardtable.simulated.camera import HEIGHT_PX, WIDTH_PX
from cardtable.simulated.cards import PLAIN, Style
from cardtable.simulated.hard import Hardships
from cardtable.simulated.party import Party
from cardtable.simulated.placing import PILE_MM
from cardtable.simulated.scene import Scene
from cardtable.simulated.sight import Sight
from cardtable.simulated.timed import TimedTable
from cardtable.simulated.tops import HARD_TOPS
from cardtable.simulated.world import MS, Screen, World
from engine.events import CardLaid
from engine.games.bong.words import BUTTONS
from engine.rules import Audience, Setup
from engine.seats import Seat
from vision.frames import Frame
from vision.layout import Homography, Layout, Zone, around

FRAME_NS = 33_333_333
_READS_AFTER_MS = (150, 350)
"""How long it takes a person to notice what the screen shows."""


class SimulatedTable(TimedTable):
    """The furniture and the people; knows the session only through its inputs and its screen."""

    def __init__(
        self, seats: Sequence[Seat], *, seed: int, dealer: Seat, style: Style = PLAIN, is_hard: bool = False
    ) -> None:
        super().__init__()
        directions = around(seats)
        self.top = random.Random(f"top {seed}").choice(sorted(HARD_TOPS)) if is_hard else "plain-top"
        """What the table is covered with."""
        self.scene = Scene(seed, style=style, top=HARD_TOPS[self.top])
        self.world = World(seats, seed)
        self.party = Party(self.world, directions, dealer=dealer, seed=seed)
        self.layout = Layout(
            (WIDTH_PX, HEIGHT_PX),
            _rows(self.scene),
            Zone(-PILE_MM / 2, -PILE_MM / 2, PILE_MM, PILE_MM),
            directions,
        )
        self.sight = Sight(self.world, self.scene)
        self.dropped = 0
        self._next = 1
        self._rng = random.Random(f"table {seed}")
        self._screen = Screen()
        self.party.start()
        self.hardships = Hardships(self.party, self.scene, random.Random(f"hard {seed}"))
        if is_hard:
            self.hardships.start()

    def step(self, session: Session) -> Frame:
        """Up to the next frame and through it; returns that frame."""
        due_ns = max(self._next * FRAME_NS, self.now_ns // FRAME_NS * FRAME_NS)
        self._wait_until(due_ns, session)
        number = self.now_ns // FRAME_NS
        for skipped in range(self._next, number + 1):
            self.sight.note(skipped * FRAME_NS)
        self.dropped += number - self._next
        self._next = number + 1
        frame = self._shoot(number)
        self.work(lambda: session.on_frame(frame))
        self._wait_until(self.now_ns, session)
        complete_ns = self.world.now_ns
        self.work(lambda: session.on_time(self.now_ns, complete_ns))
        self._show(session)
        return frame

    def listen(self, update: Update) -> None:
        """What the screen shows of an update: cards that go back."""
        for told in update.told:
            verdict = next(iter(told.rulings), None)
            if isinstance(told.event, CardLaid) and verdict is not None and verdict.is_foul:
                wait = self._rng.uniform(*_READS_AFTER_MS) * MS
                card = told.event.card
                self.world.at(self.clock_ns() + round(wait), lambda card=card: self.party.hears_foul(card))  # type: ignore[misc]

    def _wait_until(self, due_ns: int, session: Session) -> None:
        """Lets the world go on to `due_ns`, and further by what the session's work takes."""
        while True:
            self.world.advance(max(self.now_ns, min(due_ns, self.now_ns + 5 * MS)))
            self.now_ns = self.world.now_ns
            self._hand_over(session)
            if self.now_ns >= due_ns:
                return

    def _hand_over(self, session: Session) -> None:
        self.world.buttons.release(self.world.now_ns)
        for edge in self.world.buttons.edges():
            self.work(lambda edge=edge: session.on_edge(edge))  # type: ignore[misc]
        for call in self.world.calls_until(self.world.now_ns):
            self.work(lambda call=call: session.on_call(call))  # type: ignore[misc]

    def _shoot(self, number: int) -> Frame:
        t_ns = number * FRAME_NS
        arms = self.world.arms(t_ns)
        picture = self.scene.frame(self.world.shows(t_ns), arms, t_ns)
        for reach in self.world.forget_old(t_ns - 2000 * MS):
            self.scene.forget(reach)
        return Frame(picture, t_ns, FRAME_NS // 2, number)

    def _show(self, session: Session) -> None:
        """People read what the hall's screen shows, a little later."""
        screen = read_screen(session)
        if screen == self._screen:
            return
        self._screen = screen
        wait = round(self._rng.uniform(*_READS_AFTER_MS) * MS)
        self.world.at(self.now_ns + wait, lambda: self.party.reads(screen))


def read_screen(session: Session) -> Screen:
    """What the hall's scoreboard says to somebody who looks at it."""
    board = session.referee.view(Audience())
    able = [line.seat for line in board.seats if line.can]
    starter = able[0] if board.phase == "start-lay" and len(able) == 1 else None
    asked = next((line.seat for line in board.seats if line.is_last and line.can == BUTTONS["en"]["confirm"]), None)
    return Screen(board.phase, starter, asked)


def plan_for(table: SimulatedTable, players: Sequence[str], *, game: str, seed: int, dealer: Seat) -> Plan:
    """The session's plan for a party at this table."""
    setup = Setup(table.world.seats, tuple(players), dealer)
    return Plan(game=game, setup=setup, seed=seed, layout=table.layout.to_json())


def _rows(scene: Scene) -> Homography:
    rows = [tuple(float(value) for value in row) for row in scene.camera.calibration()]
    return rows[0], rows[1], rows[2]  # type: ignore[return-value]
