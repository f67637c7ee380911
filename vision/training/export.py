"""Writes trained networks as the ONNX files that `vision.reader` runs, after checking that they answer the same.

    python -m vision.training.export --from FOLDER [--models models]

FOLDER holds `finder.pt`, `classifier.pt` and `faces.pt`. Input bytes are normalised inside the graph, batch norm is
folded into the convolutions. `labels.json` and `checksums.sha256` are written beside them.
"""

import argparse
import hashlib
import json
from pathlib import Path

import numpy as np
import onnxruntime as ort
import torch
from torch import Tensor, nn

from vision.reader.faces import HEIGHT_PX, WIDTH_PX
from vision.reader.weights import CHECKSUMS, CLASSIFIER, FACES, FINDER, SETTINGS
from vision.training.nets import Classifier, Faces, Finder
from vision.training.render import CROP_PX, CROP_SPAN

TOLERANCE = 2e-3
DEFAULTS = {"temperature": 1.0, "threshold": 0.25, "least_sure": 0.5}


class _Bytes(nn.Module):  # type: ignore[misc, unused-ignore]
    """Takes (n, h, w, 3) BGR bytes; the finder's centre logit leaves as a probability."""

    def __init__(self, net: nn.Module, *, heat: bool) -> None:
        super().__init__()
        self.net, self.heat = net, heat

    def forward(self, picture: Tensor) -> Tensor | tuple[Tensor, ...]:
        answer = self.net(picture.permute(0, 3, 1, 2).float() / 127.5 - 1.0)
        if self.heat:
            return torch.cat([torch.sigmoid(answer[:, :1]), answer[:, 1:]], 1)
        return answer if isinstance(answer, Tensor) else tuple(answer)


def averaged(net: nn.Module, checkpoint: Path) -> nn.Module:
    """The network with the averaged weights of a checkpoint, ready to judge."""
    net.load_state_dict(torch.load(checkpoint, map_location="cpu", weights_only=True)["mean"])
    return net.eval()


def export_finder(net: nn.Module, path: Path) -> float:
    """Writes the finder; returns the largest difference between its answers here and in ONNX Runtime."""
    sample = torch.randint(0, 256, (1, 96, 128, 3), dtype=torch.uint8)
    axes = {"picture": {1: "height", 2: "width"}, "maps": {2: "rows", 3: "columns"}}
    return _export(_Bytes(net, heat=True), sample, path, (["picture"], ["maps"]), axes)


def export_classifier(net: nn.Module, path: Path) -> float:
    """Writes the classifier; returns the largest difference between its answers here and in ONNX Runtime."""
    sample = torch.randint(0, 256, (3, CROP_PX, CROP_PX, 3), dtype=torch.uint8)
    answers = ["rank", "suit", "features"]
    axes = {name: {0: "count"} for name in ("crops", *answers)}
    return _export(_Bytes(net, heat=False), sample, path, (["crops"], answers), axes)


def export_faces(net: nn.Module, path: Path) -> float:
    """Writes the reader of whole cards; returns the largest difference as above."""
    sample = torch.randint(0, 256, (3, HEIGHT_PX, WIDTH_PX, 3), dtype=torch.uint8)
    axes = {name: {0: "count"} for name in ("cards", "faces")}
    return _export(_Bytes(net, heat=False), sample, path, (["cards"], ["faces"]), axes)


def _export(
    net: nn.Module, sample: Tensor, path: Path, names: tuple[list[str], list[str]], axes: dict[str, dict[int, str]]
) -> float:
    torch.onnx.export(
        net.eval(),
        (sample,),
        str(path),
        input_names=names[0],
        output_names=names[1],
        dynamic_axes=axes,
        opset_version=17,
        dynamo=False,
    )
    with torch.no_grad():
        expected = net(sample)
    found = ort.InferenceSession(str(path)).run(None, {names[0][0]: sample.numpy()})
    pairs = zip([expected] if isinstance(expected, Tensor) else expected, found, strict=True)
    return max(float(np.abs(one.numpy() - other).max()) for one, other in pairs)


def write_settings(models: Path, **changes: float) -> None:
    """Writes `labels.json`, keeping settings that aren't changed, and the checksums of all released files."""
    path = models / SETTINGS
    old = json.loads(path.read_text("utf-8")) if path.exists() else {}
    values = {
        "ranks": ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A", "none"],
        "suits": ["C", "D", "H", "S", "none"],
        **DEFAULTS,
        **{name: old[name] for name in DEFAULTS if name in old},
        "crop_span": CROP_SPAN,
        **changes,
    }
    path.write_text(json.dumps(values, indent=1) + "\n", "utf-8")
    names = [name for name in (FINDER, CLASSIFIER, FACES, SETTINGS) if (models / name).exists()]
    sums = [f"{hashlib.sha256((models / name).read_bytes()).hexdigest()}  {name}" for name in names]
    (models / CHECKSUMS).write_text("\n".join(sums) + "\n", "utf-8")


def main() -> None:
    """Command line of `python -m vision.training.export`."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--from", dest="folder", type=Path, required=True, help="folder of finder.pt and classifier.pt")
    parser.add_argument("--models", type=Path, default=Path("models"))
    args = parser.parse_args()
    args.models.mkdir(exist_ok=True)
    worst = max(
        export_finder(averaged(Finder(), args.folder / "finder.pt"), args.models / FINDER),
        export_classifier(averaged(Classifier(), args.folder / "classifier.pt"), args.models / CLASSIFIER),
        export_faces(averaged(Faces(), args.folder / "faces.pt"), args.models / FACES),
    )
    if worst > TOLERANCE:
        raise SystemExit(f"error: ONNX answers differ by {worst:.4f}, more than {TOLERANCE}; nothing may be released")
    write_settings(args.models)
    print(f"largest difference {worst:.6f}")


if __name__ == "__main__":
    main()
