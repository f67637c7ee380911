"""The rules engine: cards, events, rulings, the append-only log and its fold. Pure: no clock, no chance, no input.

Games stand in `engine.games`, one folder each; `engine.race` says whose lay was whose; `engine.tricks` proves revokes;
`engine.pots` keeps stakes; `engine.referee` folds the log.
"""
