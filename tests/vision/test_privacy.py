"""Nothing that reads cards reports on the reader."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path


def test_onnx_runtime_keeps_no_journal_of_its_use(tmp_path: Path) -> None:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("ORT_", "XDG_"))}
    code = "import vision.reader, onnxruntime"
    subprocess.run([sys.executable, "-c", code], env=kept | {"HOME": str(tmp_path)}, check=True)
    assert not [path for path in tmp_path.rglob("*") if "onnxruntime" in path.name]
