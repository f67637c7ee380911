"""A simulated party of Debertz: people who know their cards, and the truth kept apart from the referee."""
