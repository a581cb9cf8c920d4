"""Routes by what they serve."""
