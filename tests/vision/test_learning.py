"""The training learns, resumes, exports, and the reader runs what it exported."""

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch", reason="needs torch (extra `train`)")
pytest.importorskip("onnx", reason="needs onnx (extra `train`)")
from vision.reader import Reader
from vision.reader.pose import open_detector
from vision.training import train
from vision.training.export import averaged, export_classifier, export_finder, write_settings
from vision.training.nets import Classifier, Finder
from vision.training.pool import Pool
from vision.training.render import CROP_PX, MOST_INDICES, SCENE_PX


def fill(folder: Path, kind: str, side: int, truth: tuple[int, ...]) -> None:
    """Two small pools of noise, of which every picture has one index at 100, 90 or one card."""
    rng = np.random.default_rng(1)
    for name in (kind, f"{kind}-held"):
        pool = Pool(folder / name, kind, 24)
        for number in range(24):
            answer = np.zeros(truth, np.float32)
            answer.flat[: min(6, answer.size)] = [100, 90, 20, 0, -1, 1] if answer.size > 1 else [number]
            pool.add(rng.integers(0, 256, (side, side, 3), np.uint8), answer)


@pytest.mark.train
# The exporter that needs no further package is on its way out in torch; its warnings are not ours to mend.
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_both_networks_learn_resume_export_and_read(tmp_path: Path) -> None:

    fill(tmp_path, "crops", CROP_PX, (1,))
    fill(tmp_path, "scenes", SCENE_PX, (MOST_INDICES, 6))
    for what, kind in (("classifier", "crops"), ("finder", "scenes")):
        for minutes in (0.01, 0.02):
            plan = train.Plan(what, tmp_path / kind, tmp_path / f"{kind}-held", minutes, tmp_path / f"{what}.pt", 1e-3)
            training = train.Training(plan)
            assert (training.spent_s > 0) == (minutes == 0.02)
            training.run(least=24)

    assert export_finder(averaged(Finder(), tmp_path / "finder.pt"), tmp_path / "index-finder.onnx") < 2e-3
    assert export_classifier(averaged(Classifier(), tmp_path / "classifier.pt"), tmp_path / "index-reader.onnx") < 2e-3
    write_settings(tmp_path)
    Reader.load(tmp_path).read(np.random.default_rng(1).integers(0, 256, (200, 300, 3), np.uint8))


@pytest.mark.train
@pytest.mark.filterwarnings("ignore")  # ultralytics and the exporter that it calls warn of their own affairs
def test_the_rival_learns_and_is_read_through_the_same_interface(tmp_path: Path) -> None:

    pytest.importorskip("ultralytics", reason="needs ultralytics (extra `train`)")
    from vision.training import pose  # noqa: PLC0415  (imports ultralytics)

    fill(tmp_path, "scenes", SCENE_PX, (MOST_INDICES, 6))
    plan = train.Plan("pose", tmp_path / "scenes", tmp_path / "scenes-held", 0.02, tmp_path / "pose.pt", 1e-3)
    training = train.Training(plan)
    training.run(least=24)
    truth = np.zeros((1, MOST_INDICES, 6), np.float32)
    truth[0, 0] = [100, 90, 20, 0, -1, 1]
    assert pose.pose_targets(truth, SCENE_PX)["keypoints"][0].tolist() == [
        [100 / 256, 80 / 256],
        [100 / 256, 100 / 256],
    ]

    pose.write_pose(training.mean, tmp_path)
    for name in ("index-pose.pt", "index-pose.onnx"):
        finder = open_detector(tmp_path / name, threads=1, threshold=0.0)
        assert all(spot.height_px > 0 for spot in finder.find(np.zeros((200, 300, 3), np.uint8), 1.0))


@pytest.mark.train
def test_some_crops_are_stretched_and_the_others_left_alone() -> None:

    import torch  # noqa: PLC0415  (optional)

    torch.manual_seed(3)
    bars = torch.arange(float(CROP_PX))[None, None, None, :].expand(40, 3, CROP_PX, CROP_PX)
    moved = (train.stretched(bars) - bars).abs().amax((1, 2, 3))
    assert 5 < int((moved > 0.5).sum()) < 35
    assert int((moved < 1e-3).sum()) > 5
