"""Seeing: frames, reading cards (`vision.reader`), following what is laid and taken (`vision.table`)."""

import os

# ONNX Runtime from 1.32 on keeps a device number and a journal of its use for its maker: no table reports to anybody.
os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")
