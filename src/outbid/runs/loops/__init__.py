"""Whole matches among bots in one compiled loop, with and without look-ahead."""
