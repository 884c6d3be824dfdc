"""The contract every protocol keeps, as a test class to subclass, and a fuzzer that leans on it.

    class TestMyShoe(ProtocolContract):
        def protocol(self) -> DeviceProtocol:
            return MyShoe("shoe")

        def clean(self, number: int) -> Clean:
            return Clean(b"...", "KH")

Nothing here knows a wire: `clean` gives the bytes of one card as the device sends it.
"""

from __future__ import annotations

import random
import sys
from collections import deque
from collections.abc import Iterable, Iterator

from msgspec import Struct

from drivers.observations import AnyObservation, CardRead, CutCard
from drivers.protocols.base import Beep, DeviceProtocol, Flush, Out, Trigger, Wanted, needs

MS = 1_000_000
# What a protocol may keep, whatever comes: a few messages, never the line.
MEMORY_LIMIT = 64 * 1024
# Noise is made of damaged messages of these first numbers; the clean ones come from those after.
NOISY = 200
PROBES = 250
_COMMANDS = (Beep("good"), Beep("bad"), Trigger(True), Trigger(False), Flush())


class Clean(Struct, frozen=True):
    """One card as the device sends it, and the face it is; "CUT" for the cut card."""

    data: bytes
    face: str


class Driven:
    """A protocol with its own clock: fed, ticked when it asks to be, and watched."""

    def __init__(self, protocol: DeviceProtocol) -> None:
        self.protocol = protocol
        self.now_ns = 1_000_000 * MS
        self.seen: list[AnyObservation] = []
        self.sent: list[bytes] = []
        self._wake: int | None = None
        self.take(protocol.start(self.now_ns))

    def feed(self, data: bytes) -> None:
        """Bytes come now."""
        self.take(self.protocol.feed(data, self.now_ns))

    def wait(self, ms: float) -> None:
        """Time passes; the protocol is woken whenever it asked to be."""
        until = self.now_ns + int(ms * MS)
        while (wake := self._wake) is not None and wake <= until:
            self.now_ns = max(self.now_ns, wake)
            self.take(self.protocol.tick(self.now_ns))
            assert self._wake != wake, "it would spin"
        self.now_ns = until

    def take(self, out: Out) -> None:
        """What came of a call."""
        self.seen += out.observations
        self.sent += out.write
        self._wake = out.wake_at_ns

    def cards(self) -> list[str]:
        """The faces read so far and not told again, "CUT" for the cut card; then forgotten."""
        seen, self.seen, self.sent = self.seen, [], []
        return [face for one in seen if (face := _face(one))]


def _face(seen: AnyObservation) -> str:
    if isinstance(seen, CutCard):
        return "CUT"
    return seen.face if isinstance(seen, CardRead) and not seen.resent else ""


def held_bytes(protocol: object) -> int:
    """How much a protocol holds, its settings and constants not counted twice."""
    total, known, todo = 0, set[int](), deque[object]([protocol])
    while todo:
        one = todo.popleft()
        if id(one) in known or isinstance(one, type) or callable(one):
            continue
        known.add(id(one))
        total += sys.getsizeof(one)
        if isinstance(one, dict):
            todo.extend(one.keys())
            todo.extend(one.values())
        elif isinstance(one, list | tuple | set | frozenset | deque):
            todo.extend(one)
        todo.extend(_fields(one))
    return total


def _fields(one: object) -> Iterator[object]:
    yield from getattr(one, "__dict__", {}).values()
    for name in getattr(one, "__struct_fields__", ()):
        yield getattr(one, name)


class ProtocolContract:
    """What a table relies on. Subclass it in a test module and say how to make one."""

    # After so long nothing of what was received before may spoil what comes.
    silence_ms = 6000
    # The size of the records the device is read in; 0: any pieces.
    record = 0
    # How a device's own repeats of a message follow it, milliseconds.
    copies_ms: tuple[int, ...] = ()

    def protocol(self) -> DeviceProtocol:
        """A fresh one."""
        raise NotImplementedError

    def clean(self, number: int) -> Clean:
        """The message of some card; messages of neighbouring numbers are of different cards."""
        raise NotImplementedError

    # --- the contract ---------------------------------------------------------------------

    def test_a_clean_card_is_read_once(self) -> None:
        """And so are all that follow, each in its place."""
        driven, faces = Driven(self.protocol()), []
        for number in range(20):
            self.give(driven, number)
            faces.append(self.clean(number).face)
            driven.wait(700)
        assert self.faces(driven) == faces

    def test_any_split_gives_the_same(self) -> None:
        """However the bytes are cut into reads."""
        for seed in range(30):
            rng = random.Random(seed)
            data = b"".join(self.clean(n).data for n in range(3)) + self.noise(rng)
            whole, parts = Driven(self.protocol()), Driven(self.protocol())
            whole.feed(data)
            for part in self.pieces(data, rng):
                parts.feed(part)
            for driven in (whole, parts):
                driven.wait(self.silence_ms)
            assert parts.seen == whole.seen, seed

    def test_noise_raises_nothing_keeps_nothing_and_the_next_clean_card_is_read(self) -> None:
        """A short run of the fuzzer."""
        report = fuzz(self, size=60_000, seed=1)
        assert report.probes >= 5
        assert report.missed == 0, report
        assert report.largest <= MEMORY_LIMIT, report

    def test_a_cut_line_is_never_joined(self) -> None:
        """The half before the cut and the half after it are no card."""
        size = self.record or 1
        for number in range(5):
            data = self.clean(number).data
            for at in range(size, len(data), size):
                driven = Driven(self.protocol())
                driven.feed(data[:at])
                driven.take(driven.protocol.reset(driven.now_ns))
                driven.take(driven.protocol.start(driven.now_ns))
                before = driven.cards()
                driven.feed(data[at:])
                driven.wait(self.silence_ms)
                assert len(before) + len(driven.cards()) <= 1, (number, at)

    def test_half_a_message_before_a_whole_one_is_told(self) -> None:
        """A card whose message stops half-way has passed: something is said of it."""
        for number in range(5):
            data = self.clean(number).data
            if self.record >= len(data):
                continue
            driven = Driven(self.protocol())
            driven.wait(self.silence_ms)
            driven.seen.clear()
            driven.feed(data[: len(data) // 2])
            self.give(driven, number + 1)
            driven.wait(self.silence_ms)
            told = [one for one in driven.seen if not isinstance(one, CardRead | CutCard)]
            assert told, number

    def test_what_it_cannot_do_is_never_pretended(self) -> None:
        """No bytes go out for a command that is not among its capabilities."""
        protocol = self.protocol()
        for command in _COMMANDS:
            if needs(command) not in protocol.capabilities:
                assert protocol.send(command, 0).write == ()

    def test_a_state_it_has_been_told_is_not_told_again(self) -> None:
        """`want` is a level: the same wish twice sends nothing the second time, once settled."""
        driven = Driven(self.protocol())
        driven.wait(5)
        for wanted in (Wanted(), Wanted("white", 3, False, True)):
            driven.take(driven.protocol.want(wanted, driven.now_ns))
            driven.take(driven.protocol.want(wanted, driven.now_ns))
        again = driven.protocol.want(Wanted("white", 3, False, True), driven.now_ns)
        assert again.write == ()

    # --- what the contract is made of ----------------------------------------------------------

    def faces(self, driven: Driven) -> list[str]:
        """What was read since it was last asked."""
        return driven.cards()

    def give(self, driven: Driven, number: int) -> None:
        """A card passes: its message, and the device's own repeats of it."""
        data = self.clean(number).data
        for part in self.pieces(data, None):
            driven.feed(part)
        waited = 0
        for at_ms in self.copies_ms:
            driven.wait(at_ms - waited)
            waited = at_ms
            driven.feed(data)

    def pieces(self, data: bytes, rng: random.Random | None) -> Iterable[bytes]:
        """The reads in which bytes come: whole records, or any pieces."""
        if self.record:
            return [data[at : at + self.record] for at in range(0, len(data), self.record)]
        if rng is None:
            return [data]
        cuts = sorted(rng.randint(0, len(data)) for _ in range(8))
        bounds = zip([0, *cuts], [*cuts, len(data)], strict=True)
        return [data[a:b] for a, b in bounds if a < b]

    def noise(self, rng: random.Random) -> bytes:
        """Bytes that a broken line may bring: anything, or a damaged message."""
        if rng.random() < 0.4:
            return rng.randbytes(self.record or rng.randint(1, 200))
        data = self.clean(rng.randrange(NOISY)).data
        if self.record:
            return _damaged_records(data, self.record, rng)
        one = bytearray(data)
        for _ in range(rng.randint(1, 3)):
            _damage(one, rng)
        return bytes(one)


def _damage(data: bytearray, rng: random.Random) -> None:
    if not data:
        data.append(rng.randrange(256))
        return
    at = rng.randrange(len(data))
    match rng.randrange(6):
        case 0:
            data[at] ^= 1 << rng.randrange(8)
        case 1:
            data[at] = rng.randrange(256)
        case 2:
            del data[at]
        case 3:
            data.insert(at, rng.randrange(256))
        case 4:
            del data[at:]
        case _:
            data[at:at] = data[at : at + rng.randint(1, 12)]


def _damaged_records(data: bytes, size: int, rng: random.Random) -> bytes:
    """A message in records of which one is lost, doubled, damaged, or replaced by anything."""
    records = [data[at : at + size] for at in range(0, len(data), size)]
    at = rng.randrange(len(records))
    match rng.randrange(4):
        case 0:
            del records[at]
        case 1:
            records.insert(at, records[at])
        case 2:
            one = bytearray(records[at])
            one[rng.randrange(size)] ^= 1 << rng.randrange(8)
            records[at] = bytes(one)
        case _:
            records[at] = rng.randbytes(size)
    return b"".join(records)


class Report(Struct):
    """What a fuzzing run met. `bytes` of noise, `probes` clean cards after silence, `missed` those
    of them that were not read exactly once, `largest` the most it ever held, `cards` read out of
    the noise, among them whole messages that were not damaged.
    """

    bytes: int = 0
    probes: int = 0
    missed: int = 0
    largest: int = 0
    cards: int = 0


def fuzz(contract: ProtocolContract, size: int, seed: int) -> Report:
    """Feed `size` bytes of noise. Whatever raises comes out as it is."""
    rng, report = random.Random(seed), Report()
    driven = Driven(contract.protocol())
    while report.bytes < size:
        for _ in range(rng.randint(1, 40)):
            data = contract.noise(rng)
            report.bytes += len(data)
            for part in contract.pieces(data, rng if rng.random() < 0.5 else None):
                driven.feed(part)
            driven.wait(rng.choice((0, 0, 0, 1, 30, 200, 3000)))
            _maybe_ask(driven, rng)
        report.largest = max(report.largest, held_bytes(driven.protocol))
        driven.wait(contract.silence_ms)
        report.cards += len(contract.faces(driven))
        # No message that stood in the noise: told again, a numbered one is rightly doubted.
        number = NOISY + report.probes % PROBES
        contract.give(driven, number)
        driven.wait(contract.silence_ms)
        report.probes += 1
        if contract.faces(driven) != [contract.clean(number).face]:
            report.missed += 1
    return report


def _maybe_ask(driven: Driven, rng: random.Random) -> None:
    """The station goes on asking things of a device that babbles."""
    roll = rng.random()
    if roll < 0.05:
        driven.take(driven.protocol.send(rng.choice(_COMMANDS), driven.now_ns))
    elif roll < 0.1:
        wanted = Wanted("white", rng.randint(0, 7), rng.random() < 0.5, rng.random() < 0.9)
        driven.take(driven.protocol.want(wanted, driven.now_ns))
    elif roll < 0.11:
        driven.take(driven.protocol.reset(driven.now_ns))
        driven.take(driven.protocol.start(driven.now_ns))
