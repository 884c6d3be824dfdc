"""A table board in MicroPython (Raspberry Pi Pico): docs/board-protocol.md, version 1.

Save it as main.py. Buttons and sensor pull their pin to ground; a badge reader writes one badge a
line to UART 1, 9600 baud. Without power the brake holds: a high level lets go.
"""

import select
import sys
import time

import micropython
from machine import PWM, UART, Pin

WHO = "table-py 1.0 - light lamps=7 brake help cut_card card_out badge"
INPUTS = {"help": 2, "cut_card": 3, "card_out": 6}
BRAKE, LAMPS, RGB = 7, (8, 9, 10, 11, 12, 13, 14), (16, 17, 18)
COLOURS = {
    "green": (0, 255, 0),
    "white": (255, 255, 255),
    "amber": (255, 90, 0),
    "blue": (0, 0, 255),
    "red": (255, 0, 0),
    "off": (0, 0, 0),
}
ROOM = 8


def check(body):
    crc = 0
    for byte in body:
        crc ^= byte << 8
        for _ in range(8):
            crc = (crc << 1) ^ 0x11021 if crc & 0x8000 else crc << 1
    return b"%04X" % crc


def say(*words):
    body = " ".join(str(word) for word in words).encode()
    sys.stdout.buffer.write(b"$" + body + b"*" + check(body) + b"\n")


class Input:
    """A button or the sensor: down once it is the same for 20 ms."""

    def __init__(self, pin):
        self.pin = Pin(pin, Pin.IN, Pin.PULL_UP)
        self.raw = self.down = not self.pin.value()
        self.since = 0

    def pressed(self, now):
        is_down = not self.pin.value()
        if is_down != self.raw:
            self.raw, self.since = is_down, now
        elif is_down != self.down and time.ticks_diff(now, self.since) >= 20:
            self.down = is_down
            return is_down
        return False


class Board:
    def __init__(self):
        self.inputs = {what: Input(pin) for what, pin in INPUTS.items()}
        self.brake_pin = Pin(BRAKE, Pin.OUT)
        self.lamps = [Pin(pin, Pin.OUT) for pin in LAMPS]
        self.light = [PWM(Pin(pin)) for pin in RGB]
        for led in self.light:
            led.freq(1000)
        self.badges, self.badge = UART(1, baudrate=9600), b""
        self.line = None  # Between `$` and LF; None before a `$`.
        self.session = self.last = self.missed = 0
        self.events = []  # [number, when, what], the oldest first; it alone is sent.
        self.sent = self.heard = time.ticks_ms()
        self.fall_back()
        say("hello", 1, 0, WHO)

    def fall_back(self):
        self.safe = True
        self.colour, self.lamp, self.brake = "amber", 0, True

    # --- what is heard ----------------------------------------------------------------------

    def hear(self, byte, now):
        if byte == b"$":
            self.line = b""
        elif self.line is not None and byte == b"\n":
            line, self.line = self.line, None
            self.judge(line, now)
        elif self.line is not None and len(self.line) <= 30:
            self.line += byte

    def judge(self, line, now):
        if len(line) > 30:
            say("no", 0, "long")
            return
        body, _, given = line.rstrip(b"\r").partition(b"*")
        if given != check(body):
            say("no", 0, "check")
            return
        self.heard = now
        try:
            self.act(body.decode().split(" "), now)
        except ValueError:  # What should be a number is none.
            say("no", 0, "unknown")

    def act(self, words, now):
        if words[0] == "open" and len(words) >= 5:
            if words[1] == "1":
                self.open(int(words[2]), int(words[3]), int(words[4]))
            say("hello", 1, self.session, WHO)
            self.tell(now)
        elif words[0] == "ping":
            say("pong", self.session, *(["safe"] if self.safe else []))
        elif words[0] == "set" and len(words) >= 4:
            say(*self.set(*words[1:4]))
        elif words[0] == "ack" and len(words) >= 2:
            if self.session and self.events and words[1] == str(self.events[0][0]):
                self.events.pop(0)
                self.tell(now)
        else:
            say("no", 0, "unknown")

    def open(self, wanted, old, taken):
        if not wanted:
            self.session = 0
            self.fall_back()
        elif wanted != self.session:
            same = self.session and old == self.session
            if same and self.events and self.events[0][0] == taken:
                self.events.pop(0)
            before = self.events[0][0] - 1 if self.events else self.last
            for event in self.events:
                event[0] = (event[0] - before - 1) % 65535 + 1
            self.last = (self.last - before) % 65535
            self.session = wanted

    def set(self, number, key, value):
        if not self.session:
            return "no", number, "closed"
        if key == "light" and value in COLOURS:
            self.colour = value
        elif key == "lamp" and value in ("0", "1", "2", "3", "4", "5", "6", "7"):
            self.lamp = int(value)
        elif key == "brake" and value in ("on", "off"):
            self.brake = value == "on"
        else:
            return "no", number, "value" if key in ("light", "lamp", "brake") else "unknown"
        self.safe = False
        return "ok", number

    # --- what happens -----------------------------------------------------------------------

    def happened(self, what, now):
        if len(self.events) == ROOM:
            self.missed += 1  # The gap in the numbers tells of it.
            return
        self.last = (self.last + self.missed) % 65535 + 1
        self.missed = 0
        self.events.append([self.last, now, what])
        if len(self.events) == 1:
            self.tell(now)

    def tell(self, now):
        if self.session and self.events:
            number, when, what = self.events[0]
            self.sent = now
            say("event", number, min(time.ticks_diff(now, when), 99999), what)

    def read_badge(self, now):
        for code in (self.badges.read() if self.badges.any() else None) or b"":
            if code in (13, 10):
                if self.badge:
                    self.happened("badge " + self.badge.decode(), now)
                self.badge = b""
            elif 0x21 <= code <= 0x7E and code not in (0x24, 0x2A) and len(self.badge) < 32:
                self.badge += bytes([code])

    def show(self, now):
        lit = not self.safe or now // 250 % 2
        for i, part in enumerate(COLOURS[self.colour if lit else "off"]):
            self.light[i].duty_u16(part * 257)
        for seat, lamp in enumerate(self.lamps, 1):
            lamp.value(self.lamp == seat)
        self.brake_pin.value(not self.brake)

    def run(self):
        poller = select.poll()
        poller.register(sys.stdin, select.POLLIN)
        while True:
            now = time.ticks_ms()
            for _ in range(64):
                if not poller.poll(0):
                    break
                self.hear(sys.stdin.buffer.read(1) or b"", now)
            for what, button in self.inputs.items():
                if button.pressed(now):
                    self.happened(what, button.since)
            self.read_badge(now)
            if not self.safe and time.ticks_diff(now, self.heard) >= 3000:
                self.fall_back()
            if time.ticks_diff(now, self.sent) >= 300:
                self.tell(now)
            self.show(now)
            time.sleep_ms(1)


micropython.kbd_intr(-1)  # A byte 03 on the line must not stop it.
Board().run()
