"""Time at a table: clocks, deadlines, the pace of bots."""
