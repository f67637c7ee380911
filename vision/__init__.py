"""Seeing: frames, reading cards (`vision.reader`), following what is laid and taken (`vision.table`)."""
