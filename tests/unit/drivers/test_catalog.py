"""Device settings: what is taken, and what is refused by name."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from drivers.catalog import make_device, spec_of
from drivers.kinds.textline import TextLineSpec
from drivers.protocols.base import Beep


def read(toml: str) -> TextLineSpec:
    head = 'name = "shoe"\nport = "/dev/table/shoe"\n'
    spec = spec_of(msgspec.toml.decode(head + toml))
    assert isinstance(spec, TextLineSpec)
    return spec


def test_two_lines_are_a_device() -> None:
    spec = read("")
    assert (spec.kind, spec.role, spec.baud, spec.suffix) == ("text-line", "shoe", 9600, "any")
    assert spec.code().has_check
    assert spec.code().has_deck


def test_every_setting_is_taken() -> None:
    spec = read(
        """
        role = "scanner"
        usb = "0403:6001:A5XK3RJT"
        baud = 4800
        bytesize = 7
        parity = "even"
        stopbits = 2
        dtr = false
        suffix = "none"
        aim = ["C", "d1"]
        aim_required = true
        idle_ms = 1500
        gap_ms = 30
        good_beep = "16 07 0D"
        card = "{rank}{suit}{deck:2}"
        cut_card = "CUT"
        sets = "AB"
        decks = 6
        """
    )
    assert spec.aim == ("C", "d1")
    assert not spec.code().has_check
    device = make_device(spec, lambda observation: None)
    assert device.name == "shoe"
    assert device.health == "waiting"
    assert not device.send(Beep("good"))
    device.stop()


@pytest.mark.parametrize(
    ("toml", "problem"),
    [
        ("buad = 9600", "unknown field `buad`"),
        ("baud = 9601", "$.baud"),
        ('kind = "angel-ear"', "kind 'angel-ear': the kinds are text-line"),
        ("kind = 7", "kind 7: a text"),
        ('usb = "FTDI"', "usb 'FTDI': write vid:pid or vid:pid:serial"),
        ('aim = "C0"', "$.aim"),
        ("aim = []", "aim ()"),
        ('aim = ["]C0"]', "aim (']C0',)"),
        ('aim = "off"\naim_required = true', "aim_required"),
        ("idle_ms = 0", "$.idle_ms"),
        ('suffix = "none"\ngap_ms = 2000', "gap_ms 2000: it must be shorter"),
        ('good_beep = "bell"', "good_beep 'bell': bytes in hex"),
        ('card = "{rank}"', "card code template '{rank}': a card's code needs {suit}"),
        ('sets = "a"', "set letters are A-Z"),
    ],
)
def test_a_bad_setting_is_refused_by_name(toml: str, problem: str) -> None:
    with pytest.raises(ValueError, match=r".") as refusal:
        read(toml)
    assert problem in str(refusal.value)


@pytest.mark.parametrize(
    "bad", [{"name": "The Shoe"}, {"port": "ttyUSB0"}, {"port": "tcp://moxa"}, {"port": "usb:1"}]
)
def test_a_name_or_port_that_is_none_is_refused(bad: dict[str, Any]) -> None:
    with pytest.raises(msgspec.ValidationError):
        spec_of({"name": "shoe", "port": "/dev/table/shoe"} | bad)
