"""The rival of the own finder: an ultralytics pose model that finds indices, from scratch and slimmed to the job.

    python -m vision.training.train pose --pool POOL/scenes --minutes 60
    python -m vision.training.pose --from POOL/pose.pt --to FOLDER

One class, "index"; its two key points are the top of the letter and the foot of the pip, which together say where up
is. It learns from the same pictures, with the same optimiser, averaging and bfloat16 as the own finder: ultralytics'
own trainer switches mixed precision off on CPUs, so only its network and its loss are used. The second command writes
`index-pose.pt`, which ultralytics opens, and `index-pose.onnx`.
"""

import argparse
from copy import deepcopy
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from ultralytics import __version__
from ultralytics.cfg import get_cfg
from ultralytics.models.yolo.model import YOLO
from ultralytics.nn.tasks import PoseModel
from ultralytics.utils import DEFAULT_CFG_DICT

from vision.training.losses import HIT_SEEN, LEAST_PX

NAME = "index-pose"
_SIGMA = 0.08
"""How far, in index heights, a key point may lie off before its loss is half lost: a tenth of the way to "sideways"."""
_C = "C3k2"
_NETWORK = {
    "nc": 1,
    "kpt_shape": [2, 2],
    "backbone": [
        [-1, 1, "Conv", [16, 3, 2]],
        [-1, 1, "Conv", [24, 3, 2]],
        [-1, 1, _C, [32, False, 0.5]],
        [-1, 1, "Conv", [48, 3, 2]],
        [-1, 1, _C, [64, False, 0.5]],
        [-1, 1, "Conv", [80, 3, 2]],
        [-1, 1, _C, [96, True]],
        [-1, 1, "Conv", [128, 3, 2]],
        [-1, 1, _C, [128, True]],
    ],
    "head": [
        [-1, 1, "nn.Upsample", [None, 2, "nearest"]],
        [[-1, 6], 1, "Concat", [1]],
        [-1, 1, _C, [80, False]],
        [-1, 1, "nn.Upsample", [None, 2, "nearest"]],
        [[-1, 4], 1, "Concat", [1]],
        [-1, 1, _C, [64, False]],
        [-1, 1, "Conv", [64, 3, 2]],
        [[-1, 11], 1, "Concat", [1]],
        [-1, 1, _C, [80, False]],
        [[14, 17], 1, "Pose", ["nc", "kpt_shape"]],
    ],
}
"""Heads at strides 8 and 16 alone: no index is larger than 62 px where it is looked for."""


def pose_net() -> nn.Module:
    """The untrained network, ready for `pose_loss`."""
    net: Any = PoseModel(deepcopy(_NETWORK), ch=3, nc=1, verbose=False)  # type: ignore[no-untyped-call, unused-ignore]
    net.args, net.task, net.names = get_cfg(), "pose", {0: "index"}
    net.kpt_oks_sigmas = [_SIGMA, _SIGMA]
    return net  # type: ignore[no-any-return]


def pose_loss(net: Any, answer: dict[str, Tensor], truth: NDArray[np.float32], pictures: Tensor) -> Tensor:
    """Ultralytics' loss of the answers to (n, 3, h, w) pictures with rows of (x, y, height, up x, up y, seen)."""
    if getattr(net, "criterion", None) is None:
        net.criterion = net.init_criterion()
    answer = {name: value.float() if isinstance(value, Tensor) else value for name, value in answer.items()}
    losses, _ = net.criterion(answer, {"img": pictures, **pose_targets(truth, pictures.shape[-1])})
    result: Tensor = losses.sum() / len(truth)
    return result


def pose_targets(truth: NDArray[np.float32], side: int) -> dict[str, Tensor]:
    """Boxes and key points as ultralytics wants them, in shares of the picture's side."""
    wanted = (truth[:, :, 5] >= HIT_SEEN) & (truth[:, :, 2] >= LEAST_PX)
    picture, _ = np.nonzero(wanted)
    rows = torch.from_numpy(truth[wanted] / np.array([side, side, side, 1, 1, 1], np.float32))
    centre, height, up = rows[:, :2], rows[:, 2:3], rows[:, 3:5]
    ends = torch.stack([centre + up * height / 2, centre - up * height / 2], 1)
    return {
        "batch_idx": torch.from_numpy(picture).float(),
        "cls": torch.zeros(len(rows), 1),
        "bboxes": torch.cat([centre, height, height], 1),
        "keypoints": ends,
    }


def pose_spots(answer: Tensor, threshold: float) -> list[list[list[float]]]:
    """What the answers (n, 9, anchors) find, picture by picture: x, y, up x, up y, score; doubles left out."""
    return [_spots(rows.T[rows[4] > threshold]) for rows in answer.float()]


def _spots(rows: Tensor) -> list[list[float]]:
    kept: list[list[float]] = []
    for x, y, height, _, score, top_x, top_y, foot_x, foot_y in sorted(rows.tolist(), key=lambda row: -row[4]):
        if all(np.hypot(x - k[0], y - k[1]) > 0.4 * height for k in kept):
            length = max(float(np.hypot(top_x - foot_x, top_y - foot_y)), 1e-6)
            kept.append([x, y, (top_x - foot_x) / length, (top_y - foot_y) / length, score])
    return kept


def write_pose(net: Any, folder: Path) -> None:
    """Writes the network as `index-pose.pt`, as ultralytics stores it, and has ultralytics export it to ONNX."""
    net.criterion = None
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{NAME}.pt"
    stored = {"model": net.eval(), "train_args": {**DEFAULT_CFG_DICT, "task": "pose"}, "version": __version__}
    torch.save(stored, path)
    YOLO(path).export(format="onnx", dynamic=True, simplify=False, imgsz=640)


def main() -> None:
    """Command line of `python -m vision.training.pose`."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--from", dest="checkpoint", type=Path, required=True, help="checkpoint of the training")
    parser.add_argument("--to", type=Path, required=True, help="folder to write the two files into")
    args = parser.parse_args()
    net = pose_net()
    net.load_state_dict(torch.load(args.checkpoint, map_location="cpu", weights_only=True)["mean"])
    write_pose(net, args.to)


if __name__ == "__main__":
    main()
