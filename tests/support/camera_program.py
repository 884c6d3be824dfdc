"""The camera reader's program, with a simple one who looks: he reads a QR code in two pictures.

Run as a program by the tests of the process, so that they do not depend on how well cards are read.
After `--parent PID` may stand what cannot be imported here: then the reader of cards looks itself.
Some codes make him fail: `FAULT` raises, `CHATTER` prints as a library would, `BURST` sees 10,000
cards at once.
"""

from __future__ import annotations

import os
import sys

if __name__ == "__main__":
    for _name in sys.argv[3:]:
        sys.modules[_name] = None  # type: ignore[assignment]
    from drivers.camera.__main__ import main

    if sys.argv[3:]:
        main(sys.argv[1:3])

import zxingcpp

from drivers.camera.sight import Figures, Frame, Travel
from drivers.cardcode import CardText, CutText
from drivers.kinds.camera import CameraSpec
from drivers.protocols.camera_lines import CutOut, Event, Missed, Read
from tests.support.camera_stream import BURST


class CodeSeer:
    """Reads one code at a time; the window must be empty between two."""

    def __init__(self, spec: CameraSpec) -> None:
        self._code = spec.code()
        self._text, self._seen, self._told, self._stale = "", 0, False, True
        self.figures: Figures | None = None
        self.trouble = ""
        self.travel: Travel | None = None

    @property
    def empty(self) -> bool:
        return not self._text

    def frame(self, frame: Frame) -> tuple[Event, ...]:
        grey = frame.grey
        self.figures = Figures(float(grey.mean()), float(grey.std()), 0.0)
        found = zxingcpp.read_barcodes(
            grey, formats=zxingcpp.BarcodeFormats(zxingcpp.BarcodeFormat.QRCode)
        )
        text = found[0].text if found else ""
        if not text:
            self._text, self._seen, self._told, self._stale = "", 0, False, False
            return ()
        self._seen = self._seen + 1 if text == self._text else 1
        self._text = text
        if self._seen < 2 or self._told or self._stale:
            return ()
        self._told = True
        return self._read(text, frame.at_ns)

    def keep(self, on: bool) -> None:
        """It keeps none."""

    def interrupted(self) -> tuple[Event, ...]:
        self._text, self._seen, self._stale = "", 0, True
        return ()

    def finish(self) -> tuple[Event, ...]:
        return ()

    def _read(self, text: str, at_ns: int) -> tuple[Event, ...]:
        if text == "FAULT":
            raise ZeroDivisionError("as asked")
        if text == "CHATTER":
            os.write(1, b'{"say":"read","n":1,"face":"AS","by":["index"]}\n' * 2000)
            os.write(2, b"zbar: Assertion failed\n" * 20_000)
            return ()
        found = self._code.parse("AKH35" if text == "BURST" else text)
        if isinstance(found, CutText):
            return (CutOut(set=found.set, text=text, frames=2, at_ns=at_ns),)
        if not isinstance(found, CardText):
            return (Missed(reason=found.reason, text=text, at_ns=at_ns),)
        read = Read(
            face=found.face,
            set=found.set,
            deck=found.deck,
            text=found.text,
            checked=found.checked,
            by=("barcode",),
            frames=2,
            at_ns=at_ns,
        )
        return (read,) * (BURST if text == "BURST" else 1)


if __name__ == "__main__":
    from drivers.camera.__main__ import main

    main(sys.argv[1:3], CodeSeer)
