"""Results that are kept: the store, what is not finished yet, and what they depend on."""
