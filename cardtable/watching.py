"""Opens the eyes of a session with the reader it needs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardtable.eyes import Eyes
from cardtable.plan import Plan

if TYPE_CHECKING:
    from vision.frames import Picture


def open_eyes(plan: Plan, *, reference: Picture | None = None, camera: str = "") -> Eyes:
    """Eyes with the released reader; raises `BadModel` if its weights aren't there or aren't as released."""
    from vision.reader import Reader  # noqa: PLC0415  (ONNX Runtime is slow to import)

    return Eyes(plan, Reader.load(), reference=reference, camera=camera)
