"""The simulated table: rendered pictures, players who know their hands, scripted buttons, and the truth about it all.

It stands in for the furniture only. What reads, times and judges is the same as at a real table, and never sees the
truth.
"""
