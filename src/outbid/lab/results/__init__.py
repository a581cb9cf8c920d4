"""Results that are kept: the ledger, what is not finished yet, and what they depend on."""
