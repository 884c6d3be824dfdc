"""Choices out of a string of bytes, so that a failing play can be made shorter byte by byte."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")
# How many times longer the plays by chance are than in every run.
LONG = int(os.environ.get("DEALER_STATION_TEST_LONG", "1"))


class Dice:
    """Choices, until the bytes are used up; then always the first."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0

    def __bool__(self) -> bool:
        return self.at < len(self.data)

    def roll(self) -> int:
        self.at += 1
        return self.data[self.at - 1] if self.at <= len(self.data) else 0

    def pick(self, choices: Sequence[T]) -> T:
        return choices[self.roll() % len(choices)]

    def once_in(self, times: int) -> bool:
        return self.roll() % times == times - 1
