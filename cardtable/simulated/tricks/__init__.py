"""What the simulated parties of all trick games share: people, their table, the comparison."""
