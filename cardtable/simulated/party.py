"""How a party goes: who does what when, from the deal to the loser, and which mistakes are made.

People act on what they see: the cards in the middle as they lie, and what the referee's screen asks for. So a wrong
ruling does not steer the game; it only shows in the comparison.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import partial

from cardtable.simulated.book import Phase
from cardtable.simulated.mistakes import Mistakes
from cardtable.simulated.placing import toward
from cardtable.simulated.players import Player
from cardtable.simulated.reach import Reach
from cardtable.simulated.world import MS, Screen, TrueLay, World
from engine.cards import DECK_52, Card, Rank
from engine.seats import Seat, clockwise

PATIENCE_MS = 4000
"""After this long nobody waits any more for a foul card to be taken back."""
SEEN_COMING_MS = 50
"""An arm that has been on its way for this long keeps most others from starting."""


class Party:
    """A game of Bong among simulated people."""

    def __init__(self, world: World, directions: Sequence[tuple[Seat, float]], *, dealer: Seat, seed: int) -> None:
        self.world, self.dealer = world, dealer
        self.rng = random.Random(f"party {seed}")
        self.players = {seat: Player(world, seat, direction, seed) for seat, direction in directions}
        self.mistakes = Mistakes(self, random.Random(f"mistakes {seed}"))
        self.over_ns: int | None = None
        self._valid = -1
        self._phase = Phase.DEAL
        self._impatient: dict[int, set[Seat]] = {}
        world.changed.append(self.look)

    def start(self) -> None:
        """Everybody sits down and the dealer begins to deal."""
        order = tuple(clockwise(self.world.seats, self.dealer))
        self.world.after(self.rng.uniform(800, 1500), partial(self._dealt, order))

    def reads(self, screen: Screen) -> None:
        """The screen shows something new; people have read it."""
        world = self.world
        world.screen = screen
        if screen.starter is not None and world.book.phase is Phase.CLAIM:
            world.book.begin(screen.starter)
            self.look()
        if screen.asked is not None and world.book.phase is Phase.ASKED:
            player = self.players[screen.asked]
            player.think_of(player.human_ms(1100), partial(self._answer, player))

    def hears_foul(self, card: Card) -> None:
        """The screen sends a card back; its owner, who knows that it is his, does so if he sees that it was wrong."""
        for player in self.players.values():
            for foul in player.fouls:
                if foul.card == card:
                    player.hears_foul(foul)

    def stop(self) -> None:
        """Nobody lays another card; what goes back still does."""
        if self.over_ns is None:
            self.over_ns = self.world.now_ns
            for player in self.players.values():
                player.is_done = True

    def look(self) -> None:
        """Something changed on the table: everybody thinks anew."""
        book = self.world.book
        if book.phase is not self._phase:
            self._phase = book.phase
            self._enter(book.phase)
        if book.phase is Phase.RACE and len(book.pile) != self._valid:
            self._valid = len(book.pile)
            self._race()
        elif book.phase is Phase.RACE:
            for player in self.active():
                self.reconsider(player)

    def active(self) -> list[Player]:
        """Those still in who did not lay the top card."""
        book = self.world.book
        return [self.players[seat] for seat in book.active if seat != book.last]

    # phases

    def _enter(self, phase: Phase) -> None:
        match phase:
            case Phase.START:
                assert self.world.book.starter is not None
                starter = self.players[self.world.book.starter]
                starter.think_of(starter.human_ms(900), partial(self._lay_two, starter))
            case Phase.RACE:
                self._valid = -1
            case Phase.GATHER:
                self.world.after(self.rng.uniform(900, 1500), self._gather)
            case Phase.OVER:
                self.stop()

    def _dealt(self, order: Sequence[Seat]) -> None:
        cards = list(DECK_52)
        self.rng.shuffle(cards)
        hands = {seat: set(cards[i :: len(order)]) for i, seat in enumerate(order)}
        self.world.book.deal(hands)
        self.world.say("dealt")
        self._valid = -1
        self.look()
        claimants = [p for p in self.players.values() if any(c.rank == Rank.TWO for c in p.hand)]
        if len(claimants) > 1:
            claimants = self.mistakes.forget_claim(claimants)
        for player in claimants:
            self.world.after(min(2400, player.human_ms(900)), partial(self._claim, player))

    def _claim(self, player: Player) -> None:
        at_ns = player.tap()
        self.world.at(at_ns, partial(self.world.book.claim, player.seat))

    def _lay_two(self, starter: Player) -> None:
        if self.world.book.phase is Phase.START and not starter.lay(starter.cards_to_lay()[:1]):
            starter.think_of(200, partial(self._lay_two, starter))

    def _gather(self) -> None:
        """Whoever laid last takes up the pile; then he gets the hands, shuffles and deals."""
        world, book = self.world, self.world.book
        assert book.last is not None
        player, now = self.players[book.last], world.now_ns
        if player.busy_ns > now or any(reach.is_on(now) for _, reach in world.reaches):
            world.after(150, self._gather)
            return
        dx, dy = toward(player.turn, 20)
        leave = now + 900 * MS
        reach = Reach(
            arm=player.arm,
            turn=player.turn,
            tip=(dx, dy),
            start_ns=now,
            touch_ns=now + 500 * MS,
            leave_ns=leave,
            end_ns=leave + 600 * MS,
            pose="flat",
            fetches=tuple(world.lies(now)),
        )
        player.busy_ns = reach.end_ns
        world.fetch(player.seat, reach, lambda _: None)
        for one in self.players.values():
            one.fouls.clear()
        world.after(self.rng.uniform(4500, 6500), partial(self._dealt, tuple(book.redeal_order())))

    # racing

    def _race(self) -> None:
        """A valid card lies: the next rank is wanted."""
        for player in self.players.values():
            player.forget()
        self.mistakes.plan()
        for player in self.active():
            self._consider(player)

    def reconsider(self, player: Player) -> None:
        """Whoever intends nothing thinks anew."""
        book = self.world.book
        if book.phase is Phase.RACE and player.seat != book.last and not player.is_thinking:
            self._consider(player)

    def _consider(self, player: Player) -> None:
        """Without the card, one waits and then says so; with it, one reaches."""
        if player.seat in self.mistakes.busy:
            return
        if player.cards_to_lay():
            player.think_of(player.human_ms(850, 0.4), partial(self.try_lay, player))
        else:
            player.think_of(player.human_ms(3000, 0.2), partial(self._say_no_card, player))

    def try_lay(self, player: Player) -> None:
        """Lays the needed card if it is still needed and the way is free, else looks again."""
        cards, book = player.cards_to_lay(), self.world.book
        if book.phase not in (Phase.RACE, Phase.ASKED) or player.seat == book.last or not cards:
            return
        if self.waits(player) or not player.lay(cards[:1]):
            player.think_of(self.rng.uniform(120, 260), partial(self.try_lay, player))

    def waits(self, player: Player) -> bool:
        """Whether this person holds back: an arm is well on its way, or a foul card should go first."""
        now = self.world.now_ns
        if any(lay.slap_ns is None and now - lay.touch_ns < 400 * MS for lay in self.world.lays[-3:]):
            return self.rng.random() < 0.95
        if any(seat != player.seat and reach.is_odd for seat, reach in self.world.in_flight()):
            return self.rng.random() < 0.95
        coming = [r for s, r in self.world.in_flight() if s != player.seat and now - r.start_ns > SEEN_COMING_MS * MS]
        if coming and self.rng.random() < 0.95:
            return True
        top = self.world.top()
        if top is not None and not top.is_face_up:
            return True
        foul = self._foul_on_top()
        if foul is None or now - foul.touch_ns > PATIENCE_MS * MS:
            return False
        if foul.key not in self._impatient:
            self._impatient[foul.key] = {s for s in self.players if self.rng.random() < 0.2}
        return player.seat not in self._impatient[foul.key]

    def _foul_on_top(self) -> TrueLay | None:
        top = self.world.top()
        if top is None or top.card not in self.world.book.owed:
            return None
        return next((lay for lay in reversed(self.world.lays) if lay.key == top.key), None)

    # no card

    def _say_no_card(self, player: Player) -> None:
        book = self.world.book
        if book.phase is not Phase.RACE or player.seat in (book.last, *book.nocard) or player.seat not in book.active:
            return
        if player.cards_to_lay() or player.fouls or self.world.button_free_ns(player.seat) > self.world.now_ns:
            player.think_of(400, partial(self.reconsider, player))
            return
        self.say_no_card(player)

    def say_no_card(self, player: Player) -> None:
        """Holds the button."""
        self.world.at(player.hold(), partial(self._held, player))

    def _held(self, player: Player) -> None:
        book = self.world.book
        refused = len(book.refused)
        book.say_no_card(player.seat)
        self.look()
        if len(book.refused) > refused:
            self.world.after(700, self._race)

    def _answer(self, player: Player) -> None:
        """Whoever laid last says whether he holds all that is missing."""
        world, book = self.world, self.world.book
        if book.phase is not Phase.ASKED or player.seat != book.last:
            return
        if book.missing() <= player.hand:
            world.at(player.hold(), partial(self._held, player))
        else:
            world.at(player.tap(), partial(self._refuses, player))

    def _refuses(self, player: Player) -> None:
        self.world.book.say_no(player.seat)
        self.look()
        self.world.after(700, self._race)
