"""What all tests share: no display, and a hypothesis profile that does not read the wall clock."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

os.environ["QT_QPA_PLATFORM"] = "offscreen"

settings.register_profile(
    "station", deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True
)
settings.load_profile("station")
