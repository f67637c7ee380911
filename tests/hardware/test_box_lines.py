"""hardware/protocol.md: lines are framed and checked; what is damaged is dropped and never becomes a press."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.box_lines import Answer, Boot, Framing, Levels, Line, crc8, read_line, write_line

LEVELS = st.builds(
    Levels,
    is_edge=st.just(True),
    sequence=st.integers(0, 2**16 - 1),
    mask=st.integers(0, 2**16 - 1),
    tick=st.integers(0, 2**32 - 1),
    drops=st.integers(0, 255),
)
BEATS = st.builds(
    Levels,
    is_edge=st.just(False),
    sequence=st.integers(0, 2**16 - 1),
    mask=st.integers(0, 2**16 - 1),
    tick=st.integers(0, 2**32 - 1),
)
LINES: st.SearchStrategy[Line] = st.one_of(
    LEVELS,
    BEATS,
    st.builds(Boot, st.integers(0, 255), st.integers(0, 2**32 - 1)),
    st.builds(Answer, st.integers(0, 255), st.integers(0, 2**32 - 1)),
)


def read(*pieces: bytes) -> list[Line]:
    framing = Framing()
    return [line for piece in pieces for line in framing.take(piece)]


def test_the_checksum_is_that_of_the_protocol() -> None:
    assert crc8(b"123456789") == 0xF4


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (b"B010000002A*28", Boot(1, 42)),
        (b"E00070005000F424000*B4", Levels(True, 7, 5, 1_000_000, 0)),
        (b"H00070005000F9060*C3", Levels(False, 7, 5, 1_020_000)),
        (b"S80000FB770*3C", Answer(0x80, 1_030_000)),
    ],
)
def test_the_examples_of_the_protocol(text: bytes, line: Line) -> None:
    assert read_line(text) == line
    assert write_line(line) == text + b"\n"


@given(st.lists(LINES, max_size=8), st.data())
def test_pyserial_248_lines_survive_any_split(lines: list[Line], data: st.DataObject) -> None:
    stream = b"".join(write_line(line) for line in lines)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)), max_size=10)))
    pieces = [stream[a:b] for a, b in zip([0, *cuts], [*cuts, len(stream)], strict=True)]
    assert read(*pieces) == lines


@given(LINES, st.binary(max_size=60).filter(lambda garbage: b"\n" not in garbage))
def test_after_garbage_reading_goes_on_at_the_next_line(line: Line, garbage: bytes) -> None:
    framing = Framing()
    assert list(framing.take(b"?" + garbage + b"\n" + write_line(line))) == [line]
    assert framing.bad == 1


def test_a_line_that_never_ends_is_not_gathered() -> None:
    framing = Framing()
    for _ in range(1_000):
        assert list(framing.take(b"E" * 1_000)) == []
    assert len(framing._rest) <= 40
    assert list(framing.take(b"\n" + write_line(Answer(1, 2)))) == [Answer(1, 2)]


def test_a_good_line_at_the_end_of_one_too_long_does_not_count() -> None:
    assert read(b"x" * 50, write_line(Answer(1, 2)), write_line(Answer(3, 4))) == [Answer(3, 4)]


def test_the_line_ends_of_an_arduino_are_tolerated() -> None:
    assert read(write_line(Answer(1, 2)).replace(b"\n", b"\r\n")) == [Answer(1, 2)]


@given(LINES, st.integers(0, 7), st.data())
def test_one_flipped_bit_never_passes(line: Line, bit: int, data: st.DataObject) -> None:
    text = bytearray(write_line(line)[:-1])
    text[data.draw(st.integers(0, len(text) - 1))] ^= 1 << bit
    assert read_line(bytes(text)) is None


@given(st.lists(LINES, min_size=2, max_size=2), st.data())
def test_a_line_with_a_piece_missing_never_passes_for_another(lines: list[Line], data: st.DataObject) -> None:
    text = write_line(lines[0])[:-1]
    first = data.draw(st.integers(0, len(text) - 1))
    assert read_line(text[:first] + text[data.draw(st.integers(first + 1, len(text))) :]) is None


def test_a_million_bytes_of_garbage_hold_no_edge() -> None:
    noise = random.Random(7)
    framing = Framing()
    for _ in range(1_000):
        assert list(framing.take(noise.randbytes(1_000))) == []
