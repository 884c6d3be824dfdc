"""What the command line asks of the camera's tools: they run in a process of their own, so that no
image code comes into the station's. `python -m drivers.camera.tool` reads one request as JSON.
"""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

from msgspec import Struct

# What frames of cards may bear when nobody says what they bear.
FORMS = ("{set}{rank}{suit}{deck}{check}", "{rank}{suit}{deck:2}{check}")

Lang = Literal["ko", "en"]
Symbology = Literal["code128", "qr", "datamatrix"]


class Asked(Struct, frozen=True, kw_only=True, tag_field="do", forbid_unknown_fields=True):
    """Base of all. `as_json`: JSON lines instead of words."""

    as_json: bool = False


class Read(Asked, frozen=True, kw_only=True, tag="read"):
    """Read pictures and films. `codes`: forms of code. `truth`: a file with what stands there, ""
    for the one beside the pictures, `-` for none. `plain`: also what plain decoders make of them.
    """

    paths: tuple[str, ...]
    codes: tuple[str, ...] = FORMS
    read: tuple[Literal["barcode", "index"], ...] = ("barcode", "index")
    alone: bool = True
    decoder: Literal["pyzbar", "zxing", "both"] = "both"
    symbologies: tuple[Literal["code128", "qr", "datamatrix"], ...] = (
        "code128",
        "qr",
        "datamatrix",
    )
    travel: Literal["auto", "right", "left", "up", "down"] = "auto"
    px_per_mm: float = 0.0
    deck: str = ""
    each: bool = False
    truth: str = ""
    plain: bool = True


class Setup(Asked, frozen=True, kw_only=True, tag="setup"):
    """Look through a camera (`spec`: the device's entry) and say what to change. `picture`: where
    the picture with its marks is written; `seconds`: how long, 0 until stopped.
    """

    spec: dict[str, Any]
    lang: Lang = "en"
    picture: str = ""
    seconds: float = 0.0


class Record(Asked, frozen=True, kw_only=True, tag="record"):
    """Keep what a camera sees in `folder`, as pictures, at most so many seconds and megabytes."""

    spec: dict[str, Any]
    folder: str
    lang: Lang = "en"
    seconds: float = 10.0
    megabytes: float = 200.0


class Enroll(Asked, frozen=True, kw_only=True, tag="enroll"):
    """Learn a deck into `file`, from a camera (`spec`) or from `paths`. `order`: the faces as they
    come in the first pass, () for a new deck's; `any_order`: in the second pass as they like.
    `seconds`: at most, 0 until it is done or stopped.
    """

    file: str
    name: str
    order: tuple[str, ...] = ()
    any_order: bool = False
    seconds: float = 0.0
    lang: Lang = "en"
    spec: dict[str, Any] | None = None
    paths: tuple[str, ...] = ()
    check_paths: tuple[str, ...] = ()
    px_per_mm: float = 0.0


AnyAsked: TypeAlias = Read | Setup | Record | Enroll
