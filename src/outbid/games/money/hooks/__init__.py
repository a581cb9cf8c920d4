"""What Money! says of itself besides its rules, each module for one hook (core/hooks)."""
