"""Nets of bots: value and policy, their weights, training data."""
