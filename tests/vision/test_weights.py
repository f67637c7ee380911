"""Weights that aren't as released are refused with a sentence that says which file and what to do."""

import shutil
from pathlib import Path

import pytest

from engine.errors import TableError
from vision.reader import BadModel, Reader
from vision.reader.weights import released_models


@pytest.fixture
def models(tmp_path: Path) -> Path:
    for path in released_models().iterdir():
        if path.is_file():
            shutil.copy(path, tmp_path / path.name)
    return tmp_path


def test_the_released_weights_load(models: Path) -> None:
    Reader.load(models)


def test_a_missing_file_is_named(models: Path) -> None:
    (models / "index-finder.onnx").unlink()
    with pytest.raises(BadModel, match=r"index-finder\.onnx is missing; install"):
        Reader.load(models)


def test_one_changed_byte_is_noticed(models: Path) -> None:
    path = models / "index-reader.onnx"
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(bytes(data))
    with pytest.raises(BadModel, match=r"index-reader\.onnx is damaged"):
        Reader.load(models)


def test_a_folder_without_models_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TableError, match="no checksums at"):
        Reader.load(tmp_path / "nowhere")
