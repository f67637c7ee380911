"""Slap buttons: edges with their true time from whatever is wired up, debounced by a pure function.

`choose.open_buttons` opens what a person names; each source (`gpio`, `box`, `keyboard`, `terminal`, `replay`) gives the
`Edge`s of `records` and says by its mark how far it is complete (`sources.EdgeSource`); `debounce.Debounce` makes
presses, releases and holds of them. `text` writes edges into recordings. What a slap box says is in protocol.md.
"""
