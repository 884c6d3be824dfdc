"""`dealer-station devices`: what is plugged in, who may open it, what it may be, and the entry of a
table's file to paste for it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from drivers.catalog import DEFAULT_KIND, kind_of, kinds, spec_of
from drivers.specs import DeviceSpec
from drivers.transports.names import DEV, SYS, Plugged, plugged
from station.cli_rights import Rights, rights
from station.hardware import is_for

HID_POS, KEYBOARD, SSI, CAMERA = "hid-pos", "keyboard", "zebra-ssi", "camera"
# A HID device whose top collection is a barcode scanner (HID Point of Sale Usage Tables, page 8C).
POS_SCANNER = "8c:02"
# Chips that turn USB into a serial line: the line's other end is not theirs to tell.
ADAPTERS = {
    "0403": "FTDI",
    "067b": "Prolific",
    "10c4": "Silicon Labs",
    "1a86": "WCH (CH340)",
    "110a": "Moxa",
}
SCANNERS = {"05e0": "Zebra (Symbol)", "0c2e": "Honeywell (Metrologic)"}
# Zebra's faces that send no bytes a station reads, by product number (MS4407 Integration Guide).
_ZEBRA_FACES = {
    "1300": "IBM hand-held",
    "1400": "IBM table-top",
    "1900": "SNAPI",
}
_NOT_A_NAME = re.compile(r"[^a-z0-9]+")


class Guess(Struct, frozen=True):
    """`kind`: "" when it cannot be told from the hardware. `says`: why, for a person."""

    kind: str
    says: str


class Found(Struct, frozen=True):
    """One node. `names`: the stable ones, the best first. `used_as`: its name in the table's file,
    "" when it is not there.
    """

    device: Plugged
    names: tuple[str, ...]
    rights: Rights | None
    guess: Guess
    used_as: str = ""
    fragment: str = ""


def survey(
    specs: Iterable[DeviceSpec] = (), sys_root: Path = SYS, dev_root: Path = DEV
) -> list[Found]:
    """Everything that is plugged in, beside the devices of a table's file."""
    known, taken = tuple(specs), {spec.name for spec in specs}
    found = []
    devices = plugged(sys_root, dev_root)
    for device in devices:
        names = stable_names(device, devices)
        used = next((s.name for s in known if is_for(s, device)), "")
        guess = guess_of(device)
        text = ""
        if not used and names:
            name = _fresh_name(device, taken)
            taken.add(name)
            text = fragment(name, names[0], device, guess)
        one = Found(device, names, rights(Path(device.node)), guess, used, text)
        found.append(one)
    return found


def stable_names(device: Plugged, all_devices: Iterable[Plugged]) -> tuple[str, ...]:
    """Its names that outlive a replug, the best first. Hardware that cannot be told from another
    one plugged in is named by its socket.
    """
    twins = [one for one in all_devices if _twin(one, device)]
    alone = len(twins) == 1
    usb = f"usb:{device.usb}" if device.usb and alone else ""
    by_id = device.by_id if alone else ""
    names = tuple(filter(None, (by_id, usb, device.by_path)))
    if not device.serial:
        # Another device of this model would answer to the first two: its socket's name is better.
        names = tuple(filter(None, (device.by_path, by_id, usb)))
    return names or (() if device.vid else (device.node,))


def _twin(one: Plugged, other: Plugged) -> bool:
    """Whether both answer to one usb: name."""
    return (one.subsystem, one.usb) == (other.subsystem, other.usb) and bool(other.usb)


def _kind(name: str) -> str:
    """The kind of that name; "" when this release does not have it."""
    return name if name in kinds() else ""


def guess_of(device: Plugged) -> Guess:
    """What it is, where the hardware says so for sure."""
    maker = SCANNERS.get(device.vid, "")
    match device.subsystem:
        case "hidraw":
            return _hidraw(device, maker)
        case "input":
            if maker:
                return Guess(_kind(KEYBOARD), f"{maker} scanner that types as a keyboard")
            return Guess("", "a keyboard, or a scanner that types as one")
        case "video4linux":
            return Guess(_kind(CAMERA), "a camera; put it into the shoe's window")
        case _:
            return _serial(device, maker)


def _hidraw(device: Plugged, maker: str) -> Guess:
    if POS_SCANNER in device.usages:
        return Guess(_kind(HID_POS), f"{maker or 'a'} scanner in HID-POS mode".strip())
    face = _ZEBRA_FACES.get(device.pid, "") if device.vid == "05e0" else ""
    if face:
        return Guess(
            "", f"{maker} scanner as {face}; set it to CDC (a serial port) or to HID keyboard"
        )
    return Guess("", "a HID device that is no barcode scanner in HID-POS mode")


def _serial(device: Plugged, maker: str) -> Guess:
    if device.vid in ADAPTERS:
        return Guess(
            "",
            f"a serial adapter ({ADAPTERS[device.vid]}): it does not say what is behind it; "
            "read the label of the reader",
        )
    if maker:
        packets = _kind(SSI) if device.vid == "05e0" else ""
        extra = f", or {packets} if it is set to packets" if packets else ""
        return Guess("text-line", f"{maker} scanner as a serial port{extra}")
    if not device.vid:
        return Guess("", "a serial port of this machine; it does not say what is behind it")
    return Guess("", "a serial port; it does not say what is behind it")


# --- the entry to paste -----------------------------------------------------------------------


def fragment(name: str, port: str, device: Plugged, guess: Guess) -> str:
    """A `[[devices]]` entry that loads as it is; "" when there is no kind for it."""
    kind = guess.kind or (DEFAULT_KIND if device.subsystem == "tty" else "")
    if not kind:
        return ""
    entry = {"name": name, "kind": kind, "port": port}
    if port == device.by_path and device.usb:
        # A socket's name says nothing of what is plugged into it.
        entry["usb"] = device.usb
    try:
        spec_of(dict(entry))
    except ValueError:
        return ""
    lines = ["[[devices]]"]
    if not guess.kind:
        others = ", ".join(other for other in kinds() if kind_of(other).subsystem == "tty")
        lines.append(f"# What it is cannot be told from here. kind: {others}")
    lines += [f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in entry.items()]
    return "\n".join(lines)


def _fresh_name(device: Plugged, taken: set[str]) -> str:
    base = _NOT_A_NAME.sub("-", device.product.lower()).strip("-")[:24] or "reader"
    if device.vid in ADAPTERS or not device.vid:
        base = "shoe"
    name, number = base, 2
    while name in taken:
        name, number = f"{base}-{number}", number + 1
    return name


# --- telling ----------------------------------------------------------------------------------


def document(found: Iterable[Found], missing: Iterable[DeviceSpec]) -> dict[str, Any]:
    """For `--json`."""
    listed = []
    for one in found:
        listed.append(
            {
                **msgspec.to_builtins(one.device),
                "usb": one.device.usb,
                "names": one.names,
                "rights": msgspec.to_builtins(one.rights),
                "guess": msgspec.to_builtins(one.guess),
                "used_as": one.used_as,
                "fragment": one.fragment,
            }
        )
    absent = [{"name": spec.name, "port": spec.port} for spec in missing]
    return {"ok": True, "devices": listed, "not_there": absent}


def not_there(specs: Iterable[DeviceSpec], found: Iterable[Found]) -> list[DeviceSpec]:
    """The configured devices that are on this machine's own ports and not plugged in."""
    here = {one.used_as for one in found}
    return [
        spec
        for spec in specs
        if spec.name not in here
        and (
            spec.port.startswith("usb:")
            or (spec.port.startswith("/") and not Path(spec.port).exists())
        )
    ]


def lines(found: list[Found], missing: list[DeviceSpec]) -> Iterator[str]:
    """For people."""
    if not found:
        yield "Nothing is plugged in: no serial port, no HID device, no keyboard that could be one."
        yield "Check that the cable sits at both ends, that the reader has power and shows a light,"
        yield "and that `lsusb` lists it. In a virtual machine or container the USB device must be"
        yield "passed through. A reader behind a serial server needs no entry here: write its port"
        yield "as tcp://host:4001."
    for one in found:
        yield from _one(one)
    for spec in missing:
        yield f"NOT THERE  {spec.name}: nothing is plugged in at {spec.port}"
    fragments = [one.fragment for one in found if one.fragment]
    if fragments:
        yield "For the table's file:"
        for text in fragments:
            yield ""
            yield text


def _one(one: Found) -> Iterator[str]:
    device = one.device
    yield f"{device.node}  {device.says}"
    for name in one.names:
        yield f"  name     {name}"
    if not one.names:
        yield "  name     none that outlives a replug; see packaging/README.md for a rule of yours"
    if one.rights is None:
        yield "  rights   the node went away, or udev has not made it yet"
    elif one.rights.mine:
        owner = f"{one.rights.owner}:{one.rights.group} {one.rights.mode}"
        yield f"  rights   you may open it ({owner})"
    else:
        yield f"  rights   you may NOT open it: {one.rights.advice}"
    yield f"  kind     {one.guess.kind or 'unknown'}: {one.guess.says}"
    yield f"  table    {f'it is {one.used_as!r}' if one.used_as else 'not in the file'}"
    yield ""
