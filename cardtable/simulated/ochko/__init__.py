"""A simulated party of Ochko: people who know their cards, the truth kept apart from the referee, the comparison."""
