"""How codes on cards are misread, and what of it is left: `python -m tests.bench.codes`.

Draws cards with a code, each in a few frames as it slides by, with the stress of one kind near the
limit of what can be read: blur, noise, small modules, tilt, clipping, glare, darkness, compression.
Counts frames by what the reader saw (`right`, `nothing`, `wrong` text, of which some have a card's
form and some even a right check) and cards by what the judge makes of them; beside it the same by
each decoder alone, and what both decoders say as they come (`plain`).

Exit code 1 when a card was told that is not the one printed.
"""

from __future__ import annotations

import argparse
import contextlib
import random
import statistics
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from drivers.camera.codes.judge import CodeJudge
from drivers.camera.codes.plain import plain
from drivers.camera.codes.reader import CodeReader, Which
from drivers.camera.sight import CodeLook, Symbology
from drivers.cardcode import RANKS, SUITS, CardCode, Reject
from tests.support.symbols import Shot, card_region, shoot

CODE = CardCode.from_template("{rank}{suit}{deck:2}{check}", decks=99)
SYMBOLOGIES: tuple[Symbology, ...] = ("code128", "qr", "datamatrix")
STRESSES = (
    "easy",
    "motion",
    "defocus",
    "noise",
    "small",
    "tilt",
    "clip",
    "glare",
    "dark",
    "all",
    "limit",
)
READERS: tuple[Which, ...] = ("both", "zxing", "pyzbar")
FRAMES_A_CARD = 4


@dataclass
class Count:
    """What became of frames and cards under one stress, one symbology and one reader."""

    frames: Counter[str] = field(default_factory=Counter)
    cards: Counter[str] = field(default_factory=Counter)
    ms: list[float] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)


# By symbology, stress and who reads.
Counts: TypeAlias = dict[tuple[str, str, str], Count]


def main() -> int:
    """Run it and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--frames", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--budget-ms", type=float, default=1000.0)
    parser.add_argument("--stresses", nargs="+", choices=STRESSES, default=list(STRESSES))
    parser.add_argument("--symbologies", nargs="+", choices=SYMBOLOGIES, default=list(SYMBOLOGIES))
    parser.add_argument("--readers", nargs="+", choices=READERS, default=list(READERS))
    parser.add_argument("--no-plain", action="store_true", help="leave the yardstick out")
    arguments = parser.parse_args()
    counts: Counts = defaultdict(Count)
    cards = max(1, arguments.frames // FRAMES_A_CARD)
    number = 0
    with contextlib.suppress(KeyboardInterrupt):
        for number in range(cards):
            _numbered(number, arguments, counts)
    _print(counts, (number + 1) * FRAMES_A_CARD)
    return 1 if any(count.cards["WRONG"] for count in counts.values()) else 0


def _numbered(number: int, arguments: argparse.Namespace, counts: Counts) -> None:
    """One card, which its number and the seed alone decide."""
    chance = random.Random(f"{arguments.seed}/{number}")
    kinds, stresses = arguments.symbologies, arguments.stresses
    symbology = kinds[number % len(kinds)]
    stress = stresses[number // len(kinds) % len(stresses)]
    _card(chance, symbology, stress, arguments, counts)


def _card(
    chance: random.Random,
    symbology: Symbology,
    stress: str,
    arguments: argparse.Namespace,
    counts: Counts,
) -> None:
    face = chance.choice(RANKS) + chance.choice(SUITS)
    text = CODE.format(face, deck=chance.randint(1, 99))
    shots = list(_shots(chance, symbology, stress))
    frames = [shoot(text, symbology, shot, number) for number, shot in enumerate(shots)]
    for which in arguments.readers:
        if which == "pyzbar" and symbology == "datamatrix":
            continue
        count = counts[symbology, stress, which]
        reader = CodeReader(which, (symbology,), budget_ms=arguments.budget_ms)
        judge = CodeJudge(CODE)
        for frame, shot in zip(frames, shots, strict=True):
            begun = time.process_time()
            looks = reader.look(frame, card_region(shot))
            count.ms.append((time.process_time() - begun) * 1000)
            judge.add(frame.number, looks)
            _frame(count, looks, text)
        reader.close()
        verdict = judge.verdict()
        told = "" if verdict.card is None else verdict.card.text
        count.cards["right" if told == text else "WRONG" if told else verdict.why] += 1
    if not arguments.no_plain:
        for frame in frames:
            for decoder, texts in plain(frame.image).items():
                count = counts[symbology, stress, f"plain {decoder}"]
                _texts(count, texts, text)


def _frame(count: Count, looks: tuple[CodeLook, ...], printed: str) -> None:
    _texts(count, [look.text or look.raw.hex() for look in looks], printed)
    agreed = [look for look in looks if len(look.decoders) > 1]
    count.frames["agreed"] += any(look.text == printed for look in agreed)
    count.frames["agreed wrong"] += any(look.text != printed for look in agreed)


def _texts(count: Count, texts: list[str], printed: str) -> None:
    wrong = [text for text in texts if text != printed]
    count.frames["right"] += printed in texts
    count.frames["nothing"] += not texts
    count.frames["wrong"] += bool(wrong)
    for text in wrong:
        parsed = CODE.parse(text)
        form = not isinstance(parsed, Reject) or parsed.reason == "bad_check"
        count.frames["of form"] += form
        count.frames["valid"] += not isinstance(parsed, Reject)
        count.wrong.append(f"{printed} as {text}")


def _shots(chance: random.Random, symbology: Symbology, stress: str) -> Iterator[Shot]:
    """The frames of one card: the same card and light, another place and other noise."""
    px_per_mm = chance.uniform(5.5, 7.5)
    module_mm = chance.uniform(0.36, 0.45) if symbology == "code128" else chance.uniform(0.5, 0.7)
    base = Shot(
        size=(400, 400),
        px_per_mm=px_per_mm,
        module_mm=module_mm,
        height_mm=chance.uniform(4.5, 8.0),
        turn=chance.choice((0.0, 90.0, 180.0, 270.0)),
        angle=chance.uniform(-8, 8),
        tilt=(chance.uniform(-4, 4), chance.uniform(-4, 4)),
        defocus_px=chance.uniform(0.4, 0.8),
        noise=chance.uniform(1, 5),
        jpeg=chance.choice((0, 75, 85, 95)),
    )
    base = _stressed(chance, base, stress, px_per_mm * module_mm)
    for _ in range(FRAMES_A_CARD):
        place = base.at if stress == "clip" else (0.5, 0.5)
        at = (place[0] + chance.uniform(-0.06, 0.06), place[1] + chance.uniform(-0.06, 0.06))
        motion = base.motion_px * chance.uniform(0.85, 1.15)
        yield replace(base, at=at, motion_px=motion, seed=chance.randrange(1 << 30))


def _stressed(chance: random.Random, shot: Shot, stress: str, module_px: float) -> Shot:
    kinds = STRESSES[1:-2] if stress == "all" else (stress,)
    weight = 0.55 if stress == "all" else 1.0
    for kind in kinds:
        if stress == "all" and chance.random() < 0.5:
            continue
        shot = _one_stress(chance, shot, kind, module_px, weight)
    return shot


def _one_stress(
    chance: random.Random, shot: Shot, kind: str, module_px: float, weight: float
) -> Shot:
    strong = chance.uniform(0.5, 1.0) * weight
    match kind:
        case "motion":
            angle = shot.angle + shot.turn + chance.choice((0.0, 0.0, 45.0, 90.0))
            return replace(shot, motion_px=2.0 * module_px * strong, motion_angle=angle)
        case "defocus":
            return replace(shot, defocus_px=1.0 * module_px * strong)
        case "noise":
            return replace(shot, noise=60 * strong)
        case "small":
            return replace(shot, px_per_mm=shot.px_per_mm * (1 - 0.6 * strong))
        case "tilt":
            way = chance.choice((-1, 1))
            tilt = (25 * strong * chance.uniform(-1, 1), 25 * strong * chance.uniform(-1, 1))
            return replace(shot, angle=25 * strong * way, tilt=tilt)
        case "clip":
            at = chance.choice(((0.08, 0.5), (0.92, 0.5), (0.5, 0.08), (0.5, 0.92)))
            return replace(shot, at=at)
        case "glare":
            return replace(shot, glare=0.22 * strong)
        case "limit":
            # Two pixels a module, noise and blur at once: where texts begin to be misread.
            fine = replace(shot, px_per_mm=2.1 / shot.module_mm, noise=chance.uniform(15, 45))
            return replace(fine, defocus_px=chance.uniform(0.4, 1.3), light=chance.uniform(0.5, 1))
        case "dark":
            return replace(shot, light=0.35 * (1.15 - strong), noise=6 * strong)
    return shot


def _print(counts: Counts, frames: int) -> None:
    out = sys.stdout
    out.write(f"{frames} frames, {FRAMES_A_CARD} a card\n")
    who = (*READERS, "plain pyzbar", "plain zxing")
    for symbology in SYMBOLOGIES:
        out.write(
            f"\n{symbology:<12}{'frames':>8}{'right':>8}{'both':>8}{'nothing':>9}{'wrong':>7}"
        )
        out.write(f"{'form':>6}{'valid':>7}{'agreed wrong':>14}{'ms p50/p95':>14}   cards\n")
        for name in who:
            total = _sum(counts, symbology, name)
            if total is not None:
                out.write(_line(name, total))
        for stress in STRESSES:
            count = counts.get((symbology, stress, "both"))
            if count is not None:
                out.write(_line(f"  {stress}", count))
    wrong = {
        f"{name} {symbology} {stress}: {text}"
        for (symbology, stress, name), count in counts.items()
        for text in count.wrong
        if not name.startswith("plain")
    }
    out.write("\nwrong texts\n" + "".join(f"  {line}\n" for line in sorted(wrong)))


def _sum(counts: Counts, symbology: str, name: str) -> Count | None:
    total = Count()
    for (kind, _, who), count in counts.items():
        if (kind, who) == (symbology, name):
            total.frames += count.frames
            total.cards += count.cards
            total.ms += count.ms
    return total if total.frames else None


def _line(name: str, count: Count) -> str:
    seen = count.frames
    frames = seen["right"] + seen["nothing"] + seen["wrong"]
    ms = sorted(count.ms)
    times = f"{statistics.median(ms):.1f}/{ms[int(0.95 * len(ms))]:.1f}" if ms else ""
    cards = ", ".join(f"{what} {number}" for what, number in sorted(count.cards.items()))
    return (
        f"{name:<12}{frames:>8}{seen['right']:>8}{seen['agreed']:>8}{seen['nothing']:>9}"
        f"{seen['wrong']:>7}{seen['of form']:>6}{seen['valid']:>7}{seen['agreed wrong']:>14}"
        f"{times:>14}   {cards}\n"
    )


if __name__ == "__main__":
    sys.exit(main())
