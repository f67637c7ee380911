"""Buttons and slaps in words: what is the matter with a button, why a verdict is unsure, what a source is called."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module

from cardtable.drills import FairnessView, SeatingView
from cardtable.page.snapshot import Snapshot
from cardtable.page.words import say
from cardtable.slaps import Race, Remark
from engine.seats import Seat
from hardware.fairness import SeatTimes
from hardware.verdict import Verdict

_KINDS = ("box", "gpio", "keyboard", "keys", "phone", "buttons")


def game_name(game: str, language: str) -> str:
    """What players call the game."""
    names: dict[str, str] = getattr(import_module(f"engine.games.{game}.words"), "NAMES", {})
    return names.get(language) or names.get("en") or game.capitalize()


def source_name(source: str, players: Mapping[Seat, str], language: str) -> str:
    """What a person calls a source of edges, e.g. `the pins`, `the phone of Anna`."""
    kind, _, which = source.partition(":")
    if kind == "phone":
        return say(language, "source-phone", player=players.get(Seat(which), which))
    name = say(language, f"source-{kind}") if kind in _KINDS else source
    return f"{name} {which}" if kind == "keys" and which else name


def remark_text(remark: Remark, language: str) -> str:
    """What stands beside a player's name."""
    return say(language, f"remark-{remark.value}")


def race_note(race: Race, players: Mapping[Seat, str], language: str) -> str:
    """Why it isn't said yet who was first, or how unsure that is; empty when it is certain."""
    if not race.presses:
        return ""
    if race.verdict is None:
        return say(language, "verdict-waits")
    return " ".join(_doubts(race.verdict, players, language))


def _doubts(verdict: Verdict, players: Mapping[Seat, str], language: str) -> list[str]:
    silent = ", ".join(source_name(source, players, language) for source in verdict.silent)
    doubted = ", ".join(source_name(source, players, language) for source in verdict.doubted)
    found = [say(language, "verdict-silent", names=silent)] if silent else []
    return found + ([say(language, "verdict-doubted", names=doubted)] if doubted else [])


def drill_text(shot: Snapshot) -> str:
    """The one thing to do now, in a drill."""
    match shot.buttons.drill:
        case SeatingView(next_seat=None):
            return say(shot.language, "all-sit")
        case SeatingView(next_seat=seat):
            return say(shot.language, "slap-yours", player=shot.player(seat))
        case FairnessView(is_cue=True):
            return say(shot.language, "fair-now")
        case FairnessView(is_over=True):
            return say(shot.language, "fair-over")
        case FairnessView():
            return say(shot.language, "fair-wait")
    return ""


def drill_lines(shot: Snapshot) -> list[str]:
    """What a drill has found up to now, a line a seat."""
    match shot.buttons.drill:
        case SeatingView(seated=seated):
            return [_sits(shot, source, button, seat) for (source, button), seat in seated]
        case FairnessView() as drill:
            count = say(shot.language, "fair-count", cue=drill.cues, of=drill.of)
            return [count, *(_fair_line(shot, times, drill.cues) for times in drill.times)]
    return []


def _sits(shot: Snapshot, source: str, button: str, seat: Seat) -> str:
    name = source_name(source, shot.players, shot.language)
    return say(shot.language, "sits", player=shot.player(seat), source=name, button=button)


def _fair_line(shot: Snapshot, times: SeatTimes, cues: int) -> str:
    return say(
        shot.language,
        "fair-seat",
        player=shot.player(times.seat),
        median=round(times.median_ns / 1e6),
        spread=round(times.spread_ns / 1e6),
        behind=round(times.behind_ns / 1e6),
        answered=times.answered,
        of=cues,
    )
