"""What nets are trained on: positions of mixed matches, and what a net decided among others."""
