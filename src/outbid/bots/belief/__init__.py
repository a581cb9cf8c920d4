"""What a bot believes: determinizations, a particle filter, opponent types. Compiled."""
