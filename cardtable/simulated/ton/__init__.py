"""A simulated party of Ton: people who know their cards, and the truth kept apart from the referee."""
