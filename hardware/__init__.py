"""Slap buttons: edges with their true time from whatever is wired up, debounced by a pure function."""
