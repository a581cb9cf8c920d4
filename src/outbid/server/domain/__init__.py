"""Tables and all that belongs to them, without HTTP."""
