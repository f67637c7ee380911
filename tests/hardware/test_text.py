"""Design §6: a recording holds edges with kind, `t_ns`, `within_ns`, source and sequence number."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import BadLog, TableError
from engine.seats import Seat
from hardware.records import Edge, Kind
from hardware.text import read_edge, write_edge

SEATED = st.sampled_from([Kind.DOWN, Kind.UP, Kind.LEVEL])
EDGES = st.builds(
    Edge,
    seat=st.sampled_from("ABCZ").map(Seat),
    source=st.text(),
    kind=SEATED,
    t_ns=st.integers(),
    within_ns=st.integers(min_value=0),
    number=st.integers(min_value=0),
)


@given(EDGES)
def test_written_edges_read_back_the_same(edge: Edge) -> None:
    assert read_edge(json.loads(json.dumps(write_edge(edge)))) == edge


def test_a_level_keeps_what_it_saw() -> None:
    level = Edge(seat=Seat("B"), source="gpio", kind=Kind.LEVEL, t_ns=1, within_ns=2, number=3, is_down=True)
    assert read_edge(json.loads(json.dumps(write_edge(level)))) == level


@pytest.mark.parametrize("kind", [Kind.LOST, Kind.GONE, Kind.BACK])
def test_what_concerns_a_whole_source_has_no_seat(kind: Kind) -> None:
    edge = Edge(seat=None, source="box", kind=kind, t_ns=1, within_ns=0, number=1)
    assert read_edge(json.loads(json.dumps(write_edge(edge)))) == edge


GOOD = {"seat": "A", "source": "gpio", "kind": "down", "t_ns": 5, "within_ns": 1, "number": 1}


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"kind": "slap"}, "'slap'"),
        ({"kind": ["down"]}, "['down']"),
        ({"t_ns": "5"}, "t_ns = '5'"),
        ({"t_ns": True}, "t_ns = True"),
        ({"t_ns": 5.5}, "t_ns = 5.5"),
        ({"within_ns": -1}, "-1 ns"),
        ({"seat": None}, "seat = None"),
        ({"seat": "a"}, "seat = 'a'"),
        ({"source": 7}, "source = 7"),
        ({"kind": "level"}, "lacks 'is_down'"),
        ({"kind": "level", "is_down": 1}, "is_down = 1"),
    ],
)
def test_nonsense_is_named_in_a_sentence(wrong: dict[str, Any], said: str) -> None:
    with pytest.raises(BadLog) as caught:
        read_edge({**GOOD, **wrong})
    assert said in str(caught.value)
    assert isinstance(caught.value, TableError)


@pytest.mark.parametrize("name", GOOD)
def test_a_missing_field_is_named(name: str) -> None:
    with pytest.raises(BadLog, match=f"lacks '{name}'"):
        read_edge({key: value for key, value in GOOD.items() if key != name})
