"""How fast the parts are; speed is measured here and never asserted in a test."""
