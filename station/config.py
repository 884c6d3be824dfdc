"""A table's file (TOML) → typed settings. An unknown key is an error that names its path."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from station.config_words import explained
from station.game.check import CardSet, ShoeRules
from station.game.rules import TableRules
from station.hosts.chairs import nominal_unit


class ConfigError(Exception):
    """The file cannot be used; the message names file, key and what to do."""


class TableSection(Struct, frozen=True, forbid_unknown_fields=True):
    """`kind`: a live journal refuses a test configuration and the reverse. `currency` and
    `minor_digits` are for showing amounts only. `host`: `link`, a game host connects; `chairs`, the
    players sit at the table and the dealer keys what they do.
    """

    id: Annotated[str, Meta(min_length=1, max_length=16, pattern=r"^[A-Za-z0-9_-]+$")]
    kind: Literal["live", "test"] = "live"
    currency: Annotated[str, Meta(max_length=8)] = "KRW"
    minor_digits: Annotated[int, Meta(ge=0, le=3)] = 0
    host: Literal["link", "chairs"] = "link"


class ChairsSection(Struct, frozen=True, forbid_unknown_fields=True):
    """`nominal`: what a bet keyed without an amount counts, in minor units; 0: `main_min`."""

    nominal: Annotated[int, Meta(ge=0, le=10**12)] = 0


class ClockSection(Struct, frozen=True, forbid_unknown_fields=True):
    """`scale`: a test table's windows run that many times faster."""

    scale: Annotated[float, Meta(ge=0.001, le=1000)] = 1.0


class JournalSection(Struct, frozen=True, forbid_unknown_fields=True):
    path: str = "journal.db"


class LinkSection(Struct, frozen=True, forbid_unknown_fields=True):
    """The Unix socket consoles, pit, hosts and staff connect to; mode 0600."""

    socket: str = "table.sock"


class StaffSection(Struct, frozen=True, forbid_unknown_fields=True):
    file: str = "staff.json"


class CardsSection(Struct, frozen=True, forbid_unknown_fields=True):
    """`allow_unchecked_codes`: take card codes without a check character, with a banner."""

    allow_unchecked_codes: bool = False


class EvidenceSection(Struct, frozen=True, forbid_unknown_fields=True):
    """Pictures of what was read, in a folder beside the journal. `days`: how long each is kept.
    `megabytes`: of all together; beyond that the oldest go.
    """

    days: Annotated[int, Meta(ge=1, le=3650)] = 30
    megabytes: Annotated[int, Meta(ge=10, le=10_000_000)] = 2000


class ShoeSection(Struct, frozen=True, forbid_unknown_fields=True):
    """How shoes are put in. `check`: `required`, only with a fresh check; `off`. `two_people`: a
    second person proves himself for a check and a load. `by_kind`: both hold at a live table, and
    not at a test table. `sets`: those in rotation, by letter and colour of the backs. `hours`: how
    long a shoe may be dealt from, 0 for no limit; then no round opens before another one is in.
    """

    check: Literal["by_kind", "required", "off"] = "by_kind"
    two_people: bool | Literal["by_kind"] = "by_kind"
    sets: tuple[CardSet, ...] = ()
    hours: Annotated[int, Meta(ge=0, le=168)] = 24

    def rules(self, kind: Literal["live", "test"]) -> ShoeRules:
        """As they hold at a table of that kind. Raises ValueError for what a live table may not."""
        if kind == "live" and self.check == "off":
            raise ValueError(
                'check: "off" is for a test table; a live one deals from checked shoes alone'
            )
        if kind == "live" and self.two_people is False:
            raise ValueError("two_people: false is for a test table; at a live one two put it in")
        for number, one in enumerate(self.sets):
            if not re.fullmatch("[A-Z]", one.letter):
                raise ValueError(f"sets: letter {one.letter!r}: one letter, A to Z")
            if one.letter in [other.letter for other in self.sets[:number]]:
                raise ValueError(f"sets: letter {one.letter} stands there twice")
        live = kind == "live"
        checked = live if self.check == "by_kind" else self.check == "required"
        two = live if self.two_people == "by_kind" else self.two_people
        return ShoeRules("required" if checked else "off", two, self.sets)


class LocksSection(Struct, frozen=True, forbid_unknown_fields=True):
    """What keeps the next round from starting. `auto`: on a live table, not on a test table.

    `disk_megabytes`, `evidence_megabytes`: what has to be free on the disk of the journal and on
    that of the pictures, 0 (test tables only, for the first): any. `clock_seconds`: by how much UTC
    may be set, and how unsure a kept clock may be. `clock_source`: `kernel`, as its time server
    tells it; `none`, nobody is asked. `self_check`: of the installed program, at the start and each
    `self_check_hours`, against `self_check_manifest` ("": the record of the installation).
    """

    disk_megabytes: Annotated[int, Meta(ge=0, le=10_000_000)] = 200
    evidence_megabytes: Annotated[int, Meta(ge=0, le=10_000_000)] = 100
    clock_seconds: Annotated[float, Meta(ge=0.1, le=3600)] = 2.0
    clock_source: Literal["auto", "kernel", "none"] = "auto"
    self_check: Literal["auto", "on", "off"] = "auto"
    self_check_hours: Annotated[int, Meta(ge=1, le=24)] = 24
    self_check_manifest: str = ""


# On a live table no less has to be free, megabytes.
LEAST_MB = 50


class Config(Struct, frozen=True, forbid_unknown_fields=True):
    """A whole table. `devices` are checked by the drivers; paths are relative to the file."""

    table: TableSection
    clock: ClockSection = ClockSection()
    journal: JournalSection = JournalSection()
    link: LinkSection = LinkSection()
    staff: StaffSection = StaffSection()
    cards: CardsSection = CardsSection()
    chairs: ChairsSection = ChairsSection()
    evidence: EvidenceSection = EvidenceSection()
    shoe: ShoeSection = ShoeSection()
    locks: LocksSection = LocksSection()
    rules: TableRules = TableRules()
    devices: tuple[dict[str, Any], ...] = ()


def load_config(path: Path) -> Config:
    """Read and check a table's file. Raises ConfigError naming the file, the key and the fault."""
    try:
        text = path.read_bytes()
    except FileNotFoundError:
        raise ConfigError(
            f"{path}: no such file; copy table.example.toml, or give --config"
        ) from None
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror or error}") from error
    try:
        config = msgspec.toml.decode(text, type=Config)
    except msgspec.ValidationError as error:
        raise ConfigError(f"{path}: {explained(str(error), Config)}") from error
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: not TOML: {error}") from error
    if config.table.kind == "live" and config.clock.scale != 1.0:
        raise ConfigError(f"{path}: $.clock.scale: a live table's clock is not scaled; remove it")
    try:
        config.shoe.rules(config.table.kind)
    except ValueError as error:
        raise ConfigError(f"{path}: $.shoe.{error}") from None
    if config.table.kind == "live":
        _live(path, config.locks)
    unit = nominal_unit(config.chairs.nominal, config.rules)
    if isinstance(unit, str):
        raise ConfigError(f"{path}: $.chairs.nominal: {unit}")
    base = path.resolve().parent
    return replace(
        config,
        chairs=ChairsSection(unit),
        journal=JournalSection(str(base / config.journal.path)),
        link=LinkSection(str(base / config.link.socket)),
        locks=_manifest(config.locks, base),
        staff=StaffSection(str(base / config.staff.file)),
        devices=tuple(_port(device, base) for device in config.devices),
    )


def _manifest(locks: LocksSection, base: Path) -> LocksSection:
    name = locks.self_check_manifest
    return replace(locks, self_check_manifest=str(base / name)) if name else locks


def _live(path: Path, locks: LocksSection) -> None:
    """What a live table may not do without. Raises ConfigError."""
    if locks.self_check == "off":
        raise ConfigError(f"{path}: $.locks.self_check: a live table checks itself; remove it")
    if locks.disk_megabytes < LEAST_MB:
        raise ConfigError(
            f"{path}: $.locks.disk_megabytes: a live table needs room; write {LEAST_MB} at least"
        )


def _port(device: dict[str, Any], base: Path) -> dict[str, Any]:
    """A relative port is meant beside the file; tcp:, usb: and virtual: name no file beside it."""
    port = device.get("port")
    if isinstance(port, str) and port and ":" not in port.partition("/")[0]:
        return {**device, "port": str(base / port)}
    return device
