"""Slap buttons: edges with their true time from whatever is wired up, debounced by a pure function.

`choose.open_buttons` opens what a person names; each source (`pins`, `gpio`, `box`, `keys`, `keyboard`, `terminal`,
`replay`) gives the `Edge`s of `records` and says by its mark how far it is complete (`sources.EdgeSource`);
`debounce.Debounce` makes presses, releases and holds of them. `verdict` says who was first or that it cannot be said,
`arming` which buttons are fit and which slaps came too early, `seating` who sits where, `fairness` whether the buttons
are alike. `lamps` answers. `text` writes edges into recordings. What a slap box says is in protocol.md; its programs,
wiring and parts are in firmware/.
"""
