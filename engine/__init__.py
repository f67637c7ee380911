"""The rules engine: cards, events, rulings, the append-only log and its fold. Pure: standard library only, no clock, no chance.

Games stand in `engine.games`, one file each; `engine.race` says whose lay was whose; `engine.referee` folds the log.
"""
