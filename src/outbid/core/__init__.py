"""The engine: state fields, two backends, batches, matches, records. It imports nothing of ours and knows no game."""
