"""A simulated party of Debertz: people who know their cards, the truth kept apart from the referee, the comparison."""
