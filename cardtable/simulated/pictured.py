"""A simulated table with places: people's hands lay, turn and take cards under a camera, and press buttons that bounce.

Time is simulated, as at `cardtable.simulated.table`: a frame is due 30 times a second, and what the session's thread
computes passes at the table too. The session gets pictures, edges and words, and nothing else.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from cardtable.plan import Plan
from cardtable.session import Session, Update
from cardtable.simulated.camera import HEIGHT_PX, WIDTH_PX
from cardtable.simulated.felt import Felt
from cardtable.simulated.fingers import SOURCE, Fingers
from cardtable.simulated.reach import Piece, Reach
from cardtable.simulated.scene import Scene
from cardtable.simulated.spots import Spots
from cardtable.simulated.timed import TimedTable
from cardtable.simulated.truth import Difference
from cardtable.simulated.world import MS
from cardtable.watching import open_eyes
from cardtable.zones import kinds_of
from engine.cards import Card
from engine.events import Call, CardLaid, Shown
from engine.log import Correct, Void
from engine.referee import Told
from engine.rules import Setup
from engine.seats import Seat
from hardware.records import Edge, Kind
from hardware.replay import ScriptedSource
from vision.finding.fit import fit_points
from vision.finding.zones import arrange
from vision.frames import Frame
from vision.layout import Layout, Zone, around

WHO = "host"
FRAME_NS = 33_333_333
TABLE_MM = (1170.0, 650.0)
_PRESSED_MS = 50
_ANSWER_MS = 2_500
_MISSED_MS = 5_000
"""A card that the camera has not told by then is missed."""
_STEP_NS = 10 * MS


@dataclass(frozen=True, slots=True)
class Heard:
    """What the referee told of a card that was laid."""

    lay: int
    told_ns: int


def lay_out(scene: Scene, game: str, seats: Sequence[Seat]) -> Layout:
    """The table as a calibration with a mat finds it, laid out for `game`."""
    width, height = TABLE_MM
    table = Zone(-width / 2, -height / 2, width, height)
    grid = np.array([(x, y) for x in np.linspace(-560, 560, 9) for y in np.linspace(-310, 310, 7)])
    fit = fit_points(grid, scene.camera.project(grid), (WIDTH_PX, HEIGHT_PX))
    zones = arrange(table, kinds_of(game), seats)
    pile = zones.pop("pile")
    return Layout(
        (WIDTH_PX, HEIGHT_PX),
        fit.px_from_mm,
        pile,
        around(seats),
        lens=fit.lens,
        table=table,
        zones=tuple(zones.items()),
        residual_mm=fit.residual_mm,
    )


def open_table(game: str, setup: Setup, *, seed: int) -> tuple[PicturedTable, Session]:
    """A simulated table laid out for `game`, and a session with its own eyes that referees there."""
    scene = Scene(seed)
    layout = lay_out(scene, game, setup.seats)
    plan = Plan(game=game, setup=setup, seed=seed, layout=layout.to_json())
    session = Session(plan, tracker=open_eyes(plan))
    table = PicturedTable(scene, layout, setup.seats, random.Random(f"table {game} {seed}"))
    table.serve(session)
    return table, session


class PicturedTable(TimedTable, Fingers):
    """Where simulated people lay cards, press buttons and speak; the present moment is `now_ns`."""

    def __init__(self, scene: Scene, layout: Layout, seats: Sequence[Seat], rng: random.Random) -> None:
        TimedTable.__init__(self)
        Fingers.__init__(self, rng)
        self.waits_ms: list[float] = []
        """From each card's touching the table until it was told."""
        self.questions = 0
        self.differences: list[Difference] = []
        """What the camera told otherwise than it was, put right by the host at once."""
        self.dropped = 0
        self.spots = Spots(layout, rng)
        self.felt = Felt(self.spots, seats, rng)
        self._scene = scene
        self._session: Session | None = None
        self._buttons = ScriptedSource(SOURCE)
        self._next = 1
        self._news: list[Told] = []
        """Cards that were told and that nobody has waited for yet."""
        self._heard: dict[int, int] = {}
        """When each card, by its number, was first told."""
        self._truth: dict[int, Card] = {}
        self.on_frame: Callable[[Frame], None] = lambda _: None
        """Called after every picture."""

    @property
    def session(self) -> Session:
        """Who is at work here."""
        assert self._session is not None
        return self._session

    def serve(self, session: Session) -> None:
        """From now on this session referees here."""
        self._session = session
        session.subscribe(self._listen)

    # time

    def wait(self, ms: float) -> None:
        """So much time passes."""
        until_ns = self.now_ns + round(ms * MS)
        while (due_ns := self._next * FRAME_NS) <= until_ns:
            self._pass_to(due_ns)
            self._shoot()
        self._pass_to(until_ns)

    def _pass_to(self, due_ns: int) -> None:
        while self.now_ns < due_ns:
            self.now_ns = min(due_ns, self.now_ns + _STEP_NS)
            self._buttons.release(self.now_ns)
            for edge in self._buttons.edges():
                self.work(lambda edge=edge: self.session.on_edge(edge))  # type: ignore[misc]

    def _shoot(self) -> None:
        """Takes the frame that is due now and lets the session look at it."""
        number = max(self._next, self.now_ns // FRAME_NS)
        self.dropped += number - self._next
        self._next = number + 1
        t_ns = number * FRAME_NS
        picture = self._scene.frame(self.felt.lies(t_ns), self.felt.arms(t_ns), t_ns)
        for reach in self.felt.forget_old(t_ns - 1000 * MS):
            self._scene.forget(reach)
        frame = Frame(picture, t_ns, FRAME_NS // 2, number)
        self.work(lambda: self.session.on_frame(frame))
        self._pass_to(self.now_ns)
        self.work(lambda: self.session.on_time(self.now_ns))
        self.on_frame(frame)

    # buttons and words

    def say(self, word: str, seat: Seat | None = None, *, count: int | None = None) -> None:
        """Somebody says so, and the host enters it."""
        self.call(Call(t_ns=self.now_ns, word=word, who=WHO, seat=seat, count=count))

    def call(self, event: Call) -> None:
        """Somebody's words."""
        self.work(lambda: self.session.on_call(event))

    def _press(self, seat: Seat, ms: int) -> None:
        down_ns = self.now_ns + MS
        self._bounce(seat, Kind.DOWN, Kind.UP, down_ns)
        self._bounce(seat, Kind.UP, Kind.DOWN, down_ns + ms * MS)
        self.wait(ms + _PRESSED_MS)

    def _give(self, edge: Edge) -> None:
        self._buttons.add(edge)

    # cards

    def put(self, seat: Seat, pieces: Sequence[Piece]) -> None:
        """A hand lays cards that the referee need not be told of."""
        self._finish(self.felt.lay(seat, pieces, self.now_ns))

    def take(self, seat: Seat, pieces: Sequence[Piece]) -> None:
        """A hand takes cards away."""
        if pieces:
            self._finish(self.felt.take(seat, pieces, self.now_ns))

    def lay(self, seat: Seat, piece: Piece) -> Heard | None:
        """A hand lays a card; what was told of it, None where the camera has missed it and the host told it."""
        return self._hear(self.felt.lay(seat, [piece], self.now_ns), piece, seat)

    def enter(self, card: Card, seats: frozenset[Seat] = frozenset(), *, zone: str = "") -> None:
        """The host enters a card that the camera has missed."""
        before = len(self._news)
        self.work(lambda: self.session.lay(card, seats=seats, zone=zone))
        del self._news[before:]

    def turn(self, seat: Seat, old: Piece, new: Piece) -> Heard | None:
        """A hand turns a card over; what was told of it."""
        return self._hear(self.felt.turn(seat, old, new, self.now_ns), new, seat)

    def show(self, seat: Seat, pieces: Sequence[Piece]) -> tuple[Card, ...]:
        """A hand shows cards, all at once; which of them were told."""
        before = len(self.session.referee.log.entries)
        reach = self.felt.lay(seat, pieces, self.now_ns)
        self._await(reach, lambda: self._shown_since(before))
        told = self._shown_since(before)
        return told.cards if told is not None else ()

    def _shown_since(self, before: int) -> Shown | None:
        told = [one.event for one in self.session.referee.history() if one.number > before]
        return next((event for event in reversed(told) if isinstance(event, Shown)), None)

    def _finish(self, reach: Reach) -> None:
        self.wait((reach.end_ns - self.now_ns) / MS + 300)

    def _await(self, reach: Reach, told: Callable[[], object]) -> None:
        """Until it is told, or has surely been missed, and the arm is away."""
        until_ns = reach.touch_ns + _MISSED_MS * MS
        while not told() and self.now_ns < until_ns:
            self.wait(FRAME_NS / MS)
        self.wait(max(0.0, (reach.end_ns - self.now_ns) / MS))

    def _hear(self, reach: Reach, piece: Piece, seat: Seat) -> Heard | None:
        self.note_phantoms()
        self._await(reach, lambda: self._news)
        if not self._news:
            self.miss(f"{piece.card} {seat} at {reach.touch_ns / 1e6:.0f} ms")
            return None
        event = self._news.pop(0).event
        assert isinstance(event, CardLaid)
        self._truth[event.lay] = piece.card
        heard = Heard(event.lay, self._heard[event.lay])
        self.waits_ms.append((heard.told_ns - reach.touch_ns) / 1e6)
        self._check(event, piece)
        return heard

    # what was told

    def _listen(self, update: Update) -> None:
        for told in update.told:
            if isinstance(told.event, CardLaid) and told.event.lay not in self._heard and told.event.number:
                self._heard[told.event.lay] = self.clock_ns()
                self._news.append(told)

    def miss(self, what: str) -> None:
        """Notes what the camera has not told."""
        self.differences.append(Difference("missed", what, ""))

    def note_phantoms(self) -> None:
        """Cards that were told and that nobody has laid: the host strikes them out."""
        for told in self._news:
            self.differences.append(Difference("wrong", "no such lay", str(told.event)))
            strike = Void(target=told.number, who=WHO, why="no such card was laid")
            self.work(lambda strike=strike: self.session.edit(strike))  # type: ignore[misc]
        self._news.clear()

    def _check(self, event: CardLaid, piece: Piece) -> None:
        """The host answers what the table asks, a little later, and puts right what was told wrongly."""
        for question in self.session.referee.questions():
            if question.about == event.number or self._lay_of(question.about) == event.lay:
                self.questions += 1
                self.wait(_ANSWER_MS)
                self.work(lambda q=question: self.session.answer(q, card=piece.card, who=WHO))  # type: ignore[misc]
                return
        now = self.session.referee.event(event.number).event
        if isinstance(now, CardLaid) and now.card is not piece.card:
            self.differences.append(Difference("wrong", str(piece.card), f"{now.card} {now.zone}"))
            right = Correct(target=event.number, event=replace(now, card=piece.card), who=WHO, why="that card")
            self.work(lambda: self.session.edit(right))

    def _lay_of(self, number: int) -> int | None:
        event = self.session.referee.event(number).event
        return event.lay if isinstance(event, CardLaid) else None
