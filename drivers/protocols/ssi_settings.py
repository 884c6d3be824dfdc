"""How an SSI scanner is set up: the settings, and the commands that make them so."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from drivers.protocols import ssi_frames as ssi
from drivers.protocols.courier import TRIES, Job
from drivers.protocols.judge import Symbologies

TriggerMode = Literal["presentation", "host", "auto", "as_set"]

_TRIGGER = {"presentation": 0x07, "host": 0x08, "auto": 0x09}
FRAMES = "frames"
_NO_BEEP = 0xFF


class SsiSettings(Struct, frozen=True, kw_only=True):
    """How the scanner is used. `decode_tenths`: how long it tries, in 0.1 s, 0: as it is set.
    `identity`: what its revision must contain. `led`: its green and red lamps show the table's
    light. `own_beep`: it beeps by itself at each decode, before anyone knows what it is worth.
    """

    symbologies: Symbologies = Symbologies()
    trigger_mode: TriggerMode = "presentation"
    heartbeat_s: int = 10
    reassert_s: int = 120
    decode_tenths: int = 0
    identity: str = ""
    led: bool = False
    own_beep: bool = False


def order(
    name: str,
    opcode: int,
    data: bytes = b"",
    *,
    tries: int = TRIES,
    quiet: bool = False,
    must: bool = False,
) -> Job:
    """A command; its re-sends carry the mark."""
    frame = ssi.SsiFrame(opcode, data)
    again = ssi.SsiFrame(opcode, data, status=ssi.RETRANSMITTED)
    return Job(name, frame.to_bytes(), again.to_bytes(), tries=tries, quiet=quiet, must=must)


def parameters(wish: SsiSettings) -> tuple[Job, ...]:
    """The parameters to set, in this order: a scanner that does not acknowledge answers nothing
    else, so acknowledging comes first.
    """
    jobs = [
        _parameter("acknowledge", 0x9F, 1),
        _parameter(FRAMES, 0xEE, 1),
        _parameter("no configuration barcodes", 0xEC, 0),
    ]
    if wish.trigger_mode != "as_set":
        jobs.append(_parameter("trigger mode", 0x8A, _TRIGGER[wish.trigger_mode]))
    jobs.append(_parameter("say when nothing was read", 0x5E, 1, must=False))
    jobs.append(_parameter("beep of its own", 0x38, int(wish.own_beep), must=False))
    if wish.decode_tenths:
        jobs.append(_parameter("decode time", 0x88, wish.decode_tenths, must=False))
    return tuple(jobs)


def _parameter(name: str, number: int, value: int, *, must: bool = True) -> Job:
    plain = order(name, ssi.PARAM_SEND, bytes((_NO_BEEP, number, value)))
    return replace(plain, setting=True, must=must)
