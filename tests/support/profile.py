"""Which of the tests run, as `make` says: those of `make test`, of `make slow`, or of `make deep`."""

import os

from hypothesis import HealthCheck, settings

PROFILE = os.environ.get("OUTBID_PROFILE", "default")
DEEP, SLOW = PROFILE == "deep", PROFILE == "slow"

for profile, number in (("default", 12), ("deep", 120)):
    settings.register_profile(
        profile, max_examples=number, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck)
    )
settings.load_profile("deep" if DEEP else "default")


def examples(number: int) -> settings:
    """Of a test that takes longer than most, Hypothesis tries so many examples in `make deep`, a third of them before."""
    return settings(max_examples=number if DEEP else max(4, number // 3))
