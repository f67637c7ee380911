"""A bare YOLO26n to compare the finder with: the network alone, with random weights, exported by ultralytics.

python -m cardtable.bench.rival FILE
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

ABSENT = "not measured: it is built by ultralytics (pip install 'cardtable[train]')"


def rival_network() -> Path | None:
    """The network as ONNX in the user's cache, made there by another process if need be; None without ultralytics."""
    from platformdirs import user_cache_path  # noqa: PLC0415

    path = user_cache_path("cardtable", appauthor=False) / "yolo26n.onnx"
    if not path.exists():
        if find_spec("ultralytics") is None or find_spec("onnx") is None:
            return None
        path.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run([sys.executable, "-m", __name__, str(path)], check=True, stdout=subprocess.DEVNULL)
    return path


def export_rival(path: Path) -> None:
    """Builds YOLO26n from ultralytics' own description and writes it for pictures of any size."""
    os.environ.setdefault("YOLO_OFFLINE", "true")
    from ultralytics.models.yolo.model import YOLO  # noqa: PLC0415  (optional, and slow to import)

    with tempfile.TemporaryDirectory() as folder:
        weights = Path(folder) / "yolo26n.pt"
        YOLO("yolo26n.yaml").save(weights)
        Path(YOLO(weights).export(format="onnx", dynamic=True, nms=False, simplify=False)).replace(path)


if __name__ == "__main__":
    export_rival(Path(sys.argv[1]))
