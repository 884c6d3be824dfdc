"""Snapshot to the panel at the right of the dealer's hand: evidence, alerts, past rounds. Pure."""

from __future__ import annotations

from datetime import UTC, datetime

from station.snapshot import HoldView, RecentView, Snapshot, SuspectView
from ui.pictures import Find, no_picture
from ui.present import Values, gravest, read_kind, read_line
from ui.words import Words, face_sign, rank_sign


def side(snapshot: Snapshot, words: Words, find: Find = no_picture) -> Values:
    """The panel at the right: a hold's evidence, where a burned card goes, else what needs
    attention and past rounds. `lines` are `{text, care, long}`, `pictures` `{source, caption}`.
    """
    hold = gravest(snapshot)
    if hold is not None:
        return _evidence(snapshot, hold, words, find)
    slot = snapshot.prompt.slot
    if snapshot.prompt.kind == "card" and slot is not None and slot.to == "burn":
        return {
            "kind": "burn",
            "title": words("burn"),
            "alerts": [],
            "lines": [_text(words("burn_text"))],
            "faces": [],
            "pictures": [],
        }
    alerts = _of_check(snapshot, words)
    alerts += [words.say(banner) for banner in snapshot.banners]
    alerts += [
        words("device_state", device=d.name, text=words.say(d.text))
        for d in snapshot.devices
        if d.health != "up"
    ]
    alerts += [
        words("device_state", device=d.name, text=words.say(text))
        for d in snapshot.devices
        for text in d.advice
    ]
    if not snapshot.host.connected:
        alerts.append(words.say(snapshot.host.text))
    if snapshot.shoe.state != "in_play" and snapshot.shoe.check is None:
        alerts.append(words.say(snapshot.shoe.text))
    if snapshot.staff.call:
        alerts.append(words("call_open"))
    alerts = alerts[:3]
    recent = [_past(past, words) for past in snapshot.recent][: 5 - len(alerts)]
    return {
        "kind": "recent",
        "title": words("alerts") if alerts else words("recent"),
        "alerts": alerts,
        "lines": recent if recent or alerts else [_text(words("recent_none"))],
        "faces": [],
        "pictures": _not_read(snapshot, words, find),
    }


def _of_check(snapshot: Snapshot, words: Words) -> list[str]:
    """A shoe's check: while it runs what the last card was, then what it came to, and the set that
    is due next. How far it is stands in the prompt.
    """
    check = snapshot.shoe.check
    if check is None:
        wanted = snapshot.shoe.state in ("none", "out", "last_round")
        due = snapshot.shoe.due_text
        return [words.say(due)] if wanted and due is not None else []
    lines = [] if check.state == "running" else [check.text]
    if check.told is not None and check.state in ("running", "ended"):
        lines.append(check.told)
    return [words.say(line) for line in (*lines, *check.found)]


def _text(text: str, care: bool = False, long: bool = False) -> Values:
    return {"text": text, "care": care, "long": long}


def _past(past: RecentView, words: Words) -> Values:
    """A past round in a line; one that is to be reviewed says why."""
    text = words.say(past.text)
    if past.marked is None:
        return _text(text)
    return _text(words("recent_marked", round=text, why=words.say(past.marked)), care=True)


def _suspect(view: SuspectView, first: bool, words: Words) -> Values:
    """One of two reads that cannot both be right: the card, its place and the time of day."""
    time = words("suspect_at", time=local_time(view.at)) if view.at else ""
    place = words("suspect_order", order=view.order) if view.order else words("suspect_now")
    which = words("suspect_first" if first else "suspect_second")
    round_ = words("round", round=f"{view.round:,}")
    deck = words("suspect_deck", deck=view.deck) if view.deck else ""
    return _text(f"{which}: {face_sign(view.face)}{deck}{time}\n{round_} · {place}")


def _other(hold: HoldView, words: Words) -> Values:
    """Another hold that waits behind the one in the banner."""
    return _text(words("evidence_other", what=words.say(hold.what)), care=True)


def _pictures(hold: HoldView, find: Find) -> list[Values]:
    """Of a hold's read, or of both reads that cannot both be right."""
    if hold.suspects:
        # Beside each stands the line that says which read it is.
        shown = [{"source": find(view.evidence), "caption": ""} for view in hold.suspects]
        return shown if any(one["source"] for one in shown) else []
    face = hold.faces[0] if len(hold.faces) == 1 else ""
    source = find(hold.evidence)
    return [{"source": source, "caption": face_sign(face)}] if source else []


def _not_read(snapshot: Snapshot, words: Words, find: Find) -> list[Values]:
    """Of a last read that was no card, or one that is ignored: what the camera saw."""
    read = snapshot.last_read
    if read is None or read_kind(read.outcome) not in ("error", "ignored"):
        return []
    source = find(read.evidence)
    return [{"source": source, "caption": words("last_read")}] if source else []


def _evidence(snapshot: Snapshot, hold: HoldView, words: Words, find: Find) -> Values:
    about = [words("evidence_since", time=local_time(hold.since))] if hold.since else []
    if hold.device:
        about.append(words("evidence_device", device=hold.device))
    if hold.rule:
        about.append(words("evidence_rule", rule=hold.rule))
    lines = [" · ".join(about)] if about else []
    if snapshot.last_read is not None and not hold.suspects:
        lines.append(words("evidence_read", read=read_line(snapshot.last_read, words)))
    count = len(snapshot.exposed)
    lines.append(words("evidence_cards", count=count) if count else words("evidence_cards_none"))
    if hold.suspects:
        lines = lines[-1:]
    others = [other for other in snapshot.holds if other is not hold]
    suspects = [_suspect(view, at == 0, words) for at, view in enumerate(hold.suspects)]
    return {
        "kind": "evidence",
        "title": words("evidence"),
        "alerts": [],
        "lines": [_other(other, words) for other in others[:1]]
        + suspects
        + [_text(line) for line in lines]
        + ([_text(words.say(hold.detail), long=True)] if hold.detail is not None else []),
        "faces": [
            {"rank": rank_sign(face), "suit": face[1:]} for face in hold.faces if len(face) == 2
        ][:2],
        "pictures": _pictures(hold, find),
    }


def local_time(stamp: str) -> str:
    """An ISO 8601 stamp in the table's own time zone, to the second; as it is if unreadable."""
    try:
        moment = datetime.fromisoformat(stamp)
    except ValueError:
        return stamp
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return moment.astimezone().strftime("%H:%M:%S")
