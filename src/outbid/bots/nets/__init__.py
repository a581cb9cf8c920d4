"""Nets of bots: value and policy, their weights, training data."""

NAME = "net"  # the bot that does as a policy net likes
