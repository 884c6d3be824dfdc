"""The kinds of virtual device there are. Only what is used is imported."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import Literal

from hw_sim.faults import CODE_READERS, COMMON, TCP, Fault
from hw_sim.models.base import Model


class KindError(ValueError):
    """There is no such kind, or it has no such setting; the message says what there is."""


@dataclass(frozen=True)
class Kind:
    """`make`: module and name of what makes the model. `port`: `serial`, `records` where a
    driver reads reports, `frames` where it is a camera. `codes`: it reads the text of a code, not a
    face. `own_power`: pulling
    the plug of its adapter does not switch it off. `shoe`: cards are drawn from it; past another
    one they only come. `card_ms`: a card takes so long to come out and be told, milliseconds.
    """

    name: str
    module: str
    maker: str
    title: str
    port: Literal["serial", "records", "frames"] = "serial"
    codes: bool = True
    own_power: bool = False
    shoe: bool = True
    card_ms: int = 0


_ALL = (
    Kind("text-line", "textline", "TextLine", "barcode reader, one code a line"),
    Kind("zebra-ssi", "ssi", "Ssi", "barcode scanner, Simple Serial Interface"),
    Kind("gm65", "gm65", "Gm65", "barcode module GM65"),
    Kind("hid-pos", "hidpos", "HidPos", "barcode scanner, USB HID-POS", port="records"),
    Kind(
        "keyboard",
        "keyboard",
        "Keyboard",
        "barcode scanner that types",
        port="records",
        card_ms=250,
    ),
    Kind(
        "angel-eye",
        "angeleye",
        "AngelEye",
        "card shoe Angel Eye",
        codes=False,
        own_power=True,
        card_ms=250,
    ),
    Kind(
        "bee-tek",
        "beetek",
        "BeeTek",
        "card shoe Bee-Tek",
        codes=False,
        own_power=True,
        card_ms=450,
    ),
    Kind(
        "camera",
        "camera",
        "Camera",
        "camera in the shoe's window",
        port="frames",
        card_ms=800,
    ),
    Kind("board", "board", "Board", "table board: lamps, buttons, sensor", codes=False, shoe=False),
)
KINDS: dict[str, Kind] = {kind.name: kind for kind in _ALL}
DEFAULT = "text-line"


def kind_of(name: str) -> Kind:
    """The kind of that name. Raises KindError naming the ones there are."""
    if name not in KINDS:
        raise KindError(f"no kind {name!r}; there are {', '.join(KINDS)}")
    return KINDS[name]


def present() -> list[str]:
    """The kinds whose model is there."""
    return [name for name, kind in KINDS.items() if find_spec(f"hw_sim.models.{kind.module}")]


def make_model(name: str, options: Mapping[str, str] | None = None) -> Model:
    """A model with those settings. Raises KindError or CodeError for what cannot be."""
    kind, given = kind_of(name), options or {}
    try:
        maker = getattr(import_module(f"hw_sim.models.{kind.module}"), kind.maker)
    except ModuleNotFoundError as error:
        raise KindError(f"kind {name!r}: its model is not in this release") from error
    known = inspect.signature(maker).parameters
    for key in given:
        if key not in known:
            raise KindError(f"{name} has no option {key!r}; it has {', '.join(known) or 'none'}")
    typed = {key: _typed(name, key, value, known[key].default) for key, value in given.items()}
    model: Model = maker(**typed)
    return model


def _typed(kind: str, key: str, text: str, default: object) -> object:
    """The option as the type of its default."""
    if isinstance(default, bool):
        if text not in ("true", "false"):
            raise KindError(f"{kind}: {key} {text!r}: true or false")
        return text == "true"
    if isinstance(default, int):
        try:
            return int(text, 0)
        except ValueError:
            raise KindError(f"{kind}: {key} {text!r}: a whole number") from None
    if default is not None and not isinstance(default, str):
        raise KindError(f"{kind}: {key} cannot be set here")
    return text


def faults_of(kind: Kind, model: Model, *, tcp: bool = False) -> dict[str, Fault]:
    """Every fault a device of that kind can suffer: its own go before common ones of a name."""
    faults = dict(COMMON)
    if kind.codes:
        faults |= CODE_READERS
    if tcp:
        faults |= TCP
    if kind.port == "records":
        faults.pop("small_reads")
        faults.pop("stolen")
    if kind.port == "frames":
        # Its pieces are frames: there are no bytes of a code to cut, hold or steal.
        for name in ("small_reads", "batching", "stolen", "merged", "noise", "blocked"):
            faults.pop(name)
    return faults | model.faults
