"""Design §6: a recording plays its edges again in place of the buttons."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from hardware.replay import ScriptedSource
from hardware.sources import EdgeSource
from tests.hardware.strategies import line

EDGES = line(10, 20, 30, 40)


def test_edges_come_when_their_time_has_come_and_once() -> None:
    source: EdgeSource = (script := ScriptedSource("recording", EDGES))
    assert source.edges() == ()
    script.release(20)
    assert source.edges() == EDGES[:2]
    assert source.edges() == ()
    assert not script.is_over
    script.release(100)
    assert source.edges() == EDGES[2:]
    assert script.is_over


@given(st.integers(0, 50), st.integers(0, 50))
def test_nothing_older_than_the_mark_is_still_to_come(released_ns: int, now_ns: int) -> None:
    script = ScriptedSource("recording", EDGES)
    script.release(released_ns)
    mark_ns = script.mark_ns(now_ns)
    script.edges()
    script.release(100)
    assert mark_ns <= now_ns
    assert all(edge.t_ns >= mark_ns for edge in script.edges())


def test_a_script_can_be_continued() -> None:
    script = ScriptedSource("simulated")
    assert (script.next_ns(), script.mark_ns(5)) == (None, 5)
    script.add(*reversed(EDGES))
    assert (script.next_ns(), script.mark_ns(5), script.mark_ns(15)) == (10, 5, 10)
