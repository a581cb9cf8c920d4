"""The games in the interfaces of others: each module needs the package it is named after, and is loaded by nothing else."""
