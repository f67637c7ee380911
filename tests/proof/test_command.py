"""`cardtable proof` cuts a ruling out of a recording; here the photographed kind, which needs no camera."""

from __future__ import annotations

import shutil
from pathlib import Path

import av
import pytest

from tests.cardtable.helpers import cardtable, write_party

PARTY = Path(__file__).parents[3] / "shared/real/party"


@pytest.mark.skipif(not PARTY.is_dir(), reason="needs the photographed party beside the repository")
def test_a_ruling_of_a_recording_becomes_a_video(tmp_path: Path) -> None:
    party = beginning_of(PARTY, tmp_path / "party")
    listed = cardtable("proof", str(party))
    assert listed.returncode == 0, listed.stderr
    number, sentence = listed.stdout.splitlines()[0].split(maxsplit=1)
    made = cardtable("proof", str(party), number, "--out", str(tmp_path / "proof.mp4"))
    assert made.returncode == 0, made.stderr
    assert sentence in made.stdout
    with av.open(str(tmp_path / "proof.mp4")) as file:
        assert any(True for _ in file.decode(video=0))


def beginning_of(party: Path, folder: Path, frames: int = 2) -> Path:
    """The first pictures of a party: to read them all takes long."""
    (folder / "frames").mkdir(parents=True)
    for path in (party / "party.json", party / "presses.jsonl", *sorted((party / "frames").iterdir())[:frames]):
        shutil.copy(path, folder / path.relative_to(party))
    return folder


@pytest.mark.parametrize(
    ("number", "sentence"), [("999", "999"), ("no", "NUMBER")], ids=["no such ruling", "no number at all"]
)
def test_bad_input_is_one_sentence(tmp_path: Path, number: str, sentence: str) -> None:
    answer = cardtable("proof", str(write_party(tmp_path / "party")), number)
    assert answer.returncode == 2
    assert sentence in answer.stderr
    assert "Traceback" not in answer.stderr


def test_what_is_no_recording_is_named(tmp_path: Path) -> None:
    answer = cardtable("proof", str(tmp_path))
    assert (answer.returncode, answer.stderr.count("\n")) == (2, 1)
    assert str(tmp_path) in answer.stderr
