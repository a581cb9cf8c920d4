"""Observations of PettingZoo as its own tests expect them."""

import warnings
from contextlib import contextmanager


@contextmanager
def dict_observations():
    """PettingZoo's test warns of every observation with a mask in it, but for a list of its own environments."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Observation is not a NumPy array", UserWarning)
        warnings.filterwarnings("ignore", "Observation space for each agent probably should be", UserWarning)
        yield
