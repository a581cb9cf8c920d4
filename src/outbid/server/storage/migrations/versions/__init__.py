"""Revisions, in order."""
