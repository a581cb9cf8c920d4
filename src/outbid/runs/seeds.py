"""Which seeds are for what: what was chosen on some deals is reported on others.

A purpose has a range of seeds; `seed_of("report", 3)` is the fourth of those from which nothing has ever been chosen.
Whatever is tuned, trained or compared on the way uses the others.
"""

from outbid.core.errors import BadSetup

RANGES = {
    "training": range(1 << 40),  # what is learned from
    "selection": range(1 << 40, 1 << 41),  # what is looked at while something is being made
    "report": range(1 << 41, 1 << 42),  # what stands in the documents
}


def seed_of(purpose: str, number: int) -> int:
    """The number-th seed of a purpose. Raises BadSetup."""
    if purpose not in RANGES:
        raise BadSetup(f"There are no seeds for {purpose!r}; there are some for {', '.join(RANGES)}.")
    if not 0 <= number < len(RANGES[purpose]):
        raise BadSetup(f"The seed is {number}; those for {purpose} are 0 to {len(RANGES[purpose]) - 1}.")
    return RANGES[purpose][number]


def place_of(seed: int) -> dict[str, str | int]:
    """What a seed is for, and its number there; seeds beyond all ranges are for nothing in particular: `other`."""
    for purpose, seeds in RANGES.items():
        if seed in seeds:
            return {"seeds": purpose, "seed": seed - seeds.start}
    return {"seeds": "other", "seed": seed}
