"""The laboratory: simulate, measure."""
