"""Other finders in place of the released one: ultralytics pose models, `.pt` and exported, and files that are none."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from cardtable.simulated.cards import face
from engine.cards import DECK_52
from tests.cardtable.helpers import cardtable
from vision.reader import BadModel, Reader
from vision.reader.pose import open_detector, spots_of
from vision.reader.weights import released_models

SIDE_PX = 256
_LABEL = "0 0.223 0.203 0.09 0.2 0.223 0.109 0.223 0.297\n"
"""Class, middle and size of the upper index's box, its rank's top and its pip's foot, as shares of the picture."""


def picture(number: int) -> NDArray[np.uint8]:
    """An upright card in the middle of a grey picture."""
    shown = np.full((SIDE_PX, SIDE_PX, 3), 90, np.uint8)
    shown[16:240, 40:200] = cv2.resize(face(DECK_52[number]), (160, 224), interpolation=cv2.INTER_AREA)
    return shown


def test_key_points_become_spots_with_height_and_direction() -> None:
    points = np.array([[[100, 80], [100, 120]], [[300, 300], [301, 301]], [[50, 60], [90, 60]]], np.float32)
    spots = spots_of(points, np.array([0.6, 0.9, 0.1], np.float32), 0.25)
    assert [(s.x, s.y, s.height_px, s.up) for s in spots] == [(100, 100, 40, (0, -1))]


def test_the_projects_own_finder_can_be_given_as_detector() -> None:
    path = released_models() / "index-finder.onnx"
    own, given = Reader.load(), Reader.load(detector=path)
    assert [r.card for r in given.read(picture(7))] == [r.card for r in own.read(picture(7))] == [DECK_52[7]]


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("absent.pt", None, "there is no detector"),
        ("index.weights", b"?", "neither in .pt"),
        ("index.onnx", b"no network", "cannot be run by ONNX Runtime"),
    ],
)
def test_what_is_no_detector_is_told_in_one_sentence(
    tmp_path: Path, name: str, content: bytes | None, says: str
) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(BadModel, match=says):
        open_detector(tmp_path / name, threads=1, threshold=0.25)


def test_a_network_of_another_kind_is_refused() -> None:
    with pytest.raises(BadModel, match="two key points"):
        open_detector(released_models() / "index-reader.onnx", threads=1, threshold=0.25)


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Weights of a pose model after one epoch over four pictures: good for nothing, but the real thing."""
    os.environ.setdefault("YOLO_OFFLINE", "true")
    pytest.importorskip("ultralytics", reason="needs ultralytics (extra `train`)")
    folder = tmp_path_factory.mktemp("pose")
    for part in ("images", "labels"):
        (folder / part).mkdir()
    for number in range(4):
        cv2.imwrite(str(folder / "images" / f"{number}.png"), picture(13 * number))
        (folder / "labels" / f"{number}.txt").write_text(_LABEL)
    (folder / "data.yaml").write_text(
        f"path: {folder}\ntrain: images\nval: images\nkpt_shape: [2, 2]\nflip_idx: [0, 1]\nnames: [index]\n"
    )
    model = _yolo("yolo26n-pose.yaml")
    model.train(
        data=str(folder / "data.yaml"), epochs=1, imgsz=128, batch=2, device="cpu", workers=0, amp=False, plots=False,
        val=False, pretrained=False, project=str(folder), name="run", verbose=False,
    )  # fmt: skip
    return folder / "run" / "weights" / "best.pt"


def _yolo(source: str) -> Any:
    from ultralytics.models.yolo.model import YOLO  # noqa: PLC0415

    return YOLO(source, verbose=False)


@pytest.fixture(scope="module")
def export(trained: Path) -> Callable[..., Path]:
    def exported(name: str, **how: Any) -> Path:
        written = Path(_yolo(str(trained)).export(format="onnx", imgsz=128, simplify=False, **how))
        return written.rename(trained.with_name(name))

    return exported


@pytest.mark.train
@pytest.mark.filterwarnings("ignore")  # what ultralytics and torch warn each other of is not ours to mend
def test_an_ultralytics_model_finds_the_same_as_weights_and_exported(
    trained: Path, export: Callable[..., Path]
) -> None:
    weights = open_detector(trained, threads=1, threshold=1e-6).find(picture(5), 0.5)
    end_to_end = open_detector(export("ends.onnx", dynamic=True, nms=False), threads=1, threshold=1e-6)
    found = end_to_end.find(picture(5), 0.5)
    assert len(found) > 10
    for one, other in zip(weights[:5], found[:5], strict=True):
        assert (one.x, one.y, one.height_px) == pytest.approx((other.x, other.y, other.height_px), abs=0.5)
        assert one.score == pytest.approx(other.score, abs=1e-3)


@pytest.mark.train
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("how", [{"dynamic": True}, {"dynamic": False}], ids=["any size", "one size"])
def test_an_exported_model_reads_through_the_same_reader(export: Callable[..., Path], how: dict[str, bool]) -> None:
    path = export("plain.onnx", **how)
    assert open_detector(path, threads=1, threshold=1e-6).find(picture(5), 0.5)
    Reader.load(detector=path).read(picture(5))


@pytest.mark.train
@pytest.mark.filterwarnings("ignore")
def test_weights_read_through_the_same_reader_and_those_that_give_no_direction_are_refused(
    trained: Path, tmp_path: Path
) -> None:
    photo = tmp_path / "seven.png"
    cv2.imwrite(str(photo), picture(5))
    Reader.load(detector=trained).read(picture(5))
    plain = tmp_path / "plain.pt"
    _yolo("yolo26n.yaml").save(plain)
    result = cardtable("look", str(photo), "--detector", str(plain))
    assert result.returncode == 2
    assert "is a detect model" in result.stderr.replace("\n", " ")
    assert result.stderr.count("\n") == 1
