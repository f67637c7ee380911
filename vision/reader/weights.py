"""Loads released weights, refusing any that are not as released."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import onnxruntime as ort

from vision.reader.errors import BadModel

FINDER, CLASSIFIER, FACES = "index-finder.onnx", "index-reader.onnx", "face-reader.onnx"
SETTINGS, CHECKSUMS = "labels.json", "checksums.sha256"


@dataclass(frozen=True, slots=True)
class Settings:
    """What `labels.json` says about how the weights are to be used."""

    crop_span: float
    """A crop's side in index heights."""
    temperature: float
    """Divides the classifier's logits, so that its probabilities are honest."""
    threshold: float
    """Finder score from which a spot is looked at."""
    least_sure: float
    """Probability from which a card is reported."""


@dataclass(frozen=True, slots=True)
class Weights:
    """The networks, ready to run, and their settings."""

    finder: ort.InferenceSession
    classifier: ort.InferenceSession
    settings: Settings
    identity: str = ""
    """SHA-256 of the classifier."""
    faces: ort.InferenceSession | None = None
    """Reads whole cards; weights of a folder without it read by the index alone."""


def released_models() -> Path:
    """The folder of released models beside the package."""
    return Path(__file__).resolve().parents[2] / "models"


def load_weights(folder: Path, *, threads: int = 2) -> Weights:
    """Loads the networks from `folder`; raises `BadModel` when a file is missing or its SHA-256 differs."""
    sums = _read_checksums(folder / CHECKSUMS)
    finder, classifier, settings = (_checked(folder / name, sums) for name in (FINDER, CLASSIFIER, SETTINGS))
    faces = open_session(_checked(folder / FACES, sums), threads) if FACES in sums else None
    return Weights(
        open_session(finder, threads),
        open_session(classifier, threads),
        _read_settings(settings),
        sums[CLASSIFIER],
        faces,
    )


def _read_checksums(path: Path) -> dict[str, str]:
    try:
        lines = path.read_text("utf-8").splitlines()
    except OSError as error:
        raise BadModel(f"no checksums at {path}; install cardtable again or give the folder of its models") from error
    return {parts[1].lstrip("*"): parts[0] for line in lines if len(parts := line.split()) == 2}


def _checked(path: Path, sums: Mapping[str, str]) -> Path:
    try:
        found = hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError as error:
        raise BadModel(
            f"model file {path} is missing; install cardtable again or give the folder of its models"
        ) from error
    if found != sums.get(path.name):
        raise BadModel(
            f"model file {path} is damaged (its SHA-256 isn't the one in {CHECKSUMS}); install cardtable again"
        )
    return path


def open_session(path: Path, threads: int) -> ort.InferenceSession:
    """A network ready to run; raises `BadModel` when ONNX Runtime cannot."""
    options = ort.SessionOptions()
    options.intra_op_num_threads = threads
    # An arena keeps for ever what the largest picture took: 222 MB in all where 197 do, for 3 % of the time.
    options.enable_cpu_mem_arena = False
    # Spinning threads would take the cores that frames, buttons and page need between two pictures.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    try:
        return ort.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except Exception as error:  # onnxruntime raises many kinds, none of them public
        raise BadModel(f"model file {path} cannot be run by ONNX Runtime {ort.__version__}: {error}") from error


def _read_settings(path: Path) -> Settings:
    values = json.loads(path.read_text("utf-8"))
    return Settings(values["crop_span"], values["temperature"], values["threshold"], values["least_sure"])
