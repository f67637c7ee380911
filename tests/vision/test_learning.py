"""The training learns, resumes, exports, and the reader runs what it exported."""

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch", reason="needs torch (extra `train`)")
pytest.importorskip("onnx", reason="needs onnx (extra `train`)")
from vision.reader import Reader
from vision.training import train
from vision.training.export import averaged, export_classifier, export_finder, write_settings
from vision.training.nets import Classifier, Finder
from vision.training.pool import Pool


@pytest.mark.train
# The exporter that needs no further package is on its way out in torch; its warnings are not ours to mend.
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_both_networks_learn_resume_export_and_read(tmp_path: Path) -> None:

    rng = np.random.default_rng(1)
    for kind, side, truth in (("crops", 64, (1,)), ("scenes", 256, (32, 6))):
        for folder in (tmp_path / kind, tmp_path / f"{kind}-held"):
            pool = Pool(folder, kind, 24)
            for number in range(24):
                answer = np.zeros(truth, np.float32)
                answer.flat[: min(6, answer.size)] = [number, 90, 20, 0, -1, 1][: answer.size]
                pool.add(rng.integers(0, 256, (side, side, 3), np.uint8), answer)
    for what, kind in train.KIND.items():
        for minutes in (0.01, 0.02):
            plan = train.Plan(what, tmp_path / kind, tmp_path / f"{kind}-held", minutes, tmp_path / f"{what}.pt", 1e-3)
            training = train.Training(plan)
            assert (training.spent_s > 0) == (minutes == 0.02)
            training.run(least=24)

    assert export_finder(averaged(Finder(), tmp_path / "finder.pt"), tmp_path / "index-finder.onnx") < 2e-3
    assert export_classifier(averaged(Classifier(), tmp_path / "classifier.pt"), tmp_path / "index-reader.onnx") < 2e-3
    write_settings(tmp_path)
    Reader.load(tmp_path).read(rng.integers(0, 256, (200, 300, 3), np.uint8))
