"""The devices of a table's file as the drivers understand them, or why there cannot be one."""

from __future__ import annotations

import posixpath
import re
from typing import Any

from drivers.catalog import DEFAULT_KIND, kind_of, spec_of
from drivers.specs import DeviceSpec
from station.config import Config, ConfigError
from station.config_words import in_words

_NUMBERED = re.compile(r"/dev/(tty[A-Z0-9]*(USB|ACM)|rfcomm|hidraw|input/event|video)\d+")


def device_specs(config: Config) -> tuple[DeviceSpec, ...]:
    """The devices as the drivers understand them.

    Raises ConfigError naming the entry and the field, or for codes that need a permission.
    """
    specs: list[DeviceSpec] = []
    for number, raw in enumerate(config.devices):
        try:
            specs.append(_device_spec(config, f"$.devices[{number}]", raw, specs))
        except ConfigError as error:
            name = raw.get("name")
            whose = f" (device {name!r})" if isinstance(name, str) and name else ""
            raise ConfigError(f"{error}{whose}") from error
    return tuple(specs)


def _device_spec(
    config: Config, where: str, raw: dict[str, Any], specs: list[DeviceSpec]
) -> DeviceSpec:
    """One entry, after those before it."""
    try:
        spec = spec_of(raw)
    except ValueError as error:
        what, at, path = str(error).rpartition(" - at `$")
        if not at:
            what, path = str(error), ""
        path = path.strip("`")
        value = raw.get(path.removeprefix("."))
        words = in_words(what, f"${path}", _settings(raw), value)
        raise ConfigError(f"{where}{path}: {words}") from error
    if "evidence_dir" in raw:
        # Nobody would look after pictures anywhere else.
        raise ConfigError(
            f"{where}.evidence_dir: its pictures go into the folder beside the journal; leave it "
            'out, or write evidence = "off"'
        )
    if config.table.kind == "live" and (fault := unfit_for_live(spec)):
        raise ConfigError(f"{where}.port: {fault}")
    if any(other.name == spec.name for other in specs):
        raise ConfigError(f"{where}.name: {spec.name!r} is used twice")
    if any(_plain(other.port) == _plain(spec.port) for other in specs):
        raise ConfigError(f"{where}.port: {spec.port} is used twice")
    if spec.apart == "time" and not config.cards.allow_unchecked_codes:
        raise ConfigError(
            f"{where}: its codes do not tell two cards of one face apart, only the time "
            "between two reads can; print the deck's number in the code ({deck}), or set "
            "[cards] allow_unchecked_codes = true"
        )
    if not spec.checked and not config.cards.allow_unchecked_codes:
        raise ConfigError(
            f"{where}: its codes have no check: a misread would be taken for another card; "
            "add {check} to them, or set [cards] allow_unchecked_codes = true"
        )
    return spec


def _settings(raw: dict[str, Any]) -> type[DeviceSpec]:
    """The settings there are for an entry."""
    try:
        return kind_of(str(raw.get("kind", DEFAULT_KIND))).spec
    except ValueError:
        return DeviceSpec


def unfit_for_live(spec: DeviceSpec) -> str:
    """Why a port's name may lead to another device than is meant, or ""."""
    if spec.virtual:
        return f"{spec.port} is played by a simulator: only a test table takes it"
    if _NUMBERED.fullmatch(_plain(spec.port)) and not spec.usb:
        return (
            f"{spec.port} is given to whatever is plugged in next: write its name under "
            "/dev/serial/by-id or by-path (a camera's: /dev/v4l/by-id), or usb:VID:PID:SERIAL "
            "(`dealer-station devices` lists them)"
        )
    return ""


def _plain(port: str) -> str:
    """A path as it is without its detours: /dev//ttyUSB0 and /dev/serial/../ttyUSB0 are one."""
    return posixpath.normpath("/" + port.lstrip("/")) if port.startswith("/") else port
