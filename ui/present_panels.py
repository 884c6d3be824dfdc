"""Snapshot to the keys at the bottom and the panels beside the dealer's hand. Pure."""

from __future__ import annotations

from datetime import UTC, datetime

from station.messages import HoldView, PersonView, RefusalView, Snapshot
from ui.present import Values, gravest, read_line
from ui.words import Words, rank_sign

KEYS = ("cleared", "wait", "resume", "report_error", "emergency_stop", "call_supervisor")
SENIOR = ("supervisor", "shift_manager")


def why(refusal: RefusalView, words: Words) -> str:
    """A refusal as a dealer reads it, with its rule's number."""
    text = words.say(refusal.text)
    return f"{text} ({refusal.rule})" if refusal.rule else text


def keys(snapshot: Snapshot, words: Words) -> Values:
    """For each key `{enabled, why, target}`: what `actions` says, and nothing else."""
    shown = {name: action(snapshot, name, words) for name in KEYS}
    shown["call_supervisor"]["called"] = bool(snapshot.staff.call)
    return shown


def action(snapshot: Snapshot, command: str, words: Words) -> Values:
    """The entry of one command; one that is not served is not this console's to give."""
    view = next((a for a in snapshot.actions if a.command == command), None)
    if view is None:
        return {"served": False, "enabled": False, "why": words("not_yours"), "target": ""}
    reason = why(view.refusal, words) if view.refusal else ""
    return {
        "served": True,
        "enabled": view.refusal is None,
        "why": reason,
        "target": view.target,
    }


def senior(snapshot: Snapshot) -> PersonView | None:
    """Who of higher rank is signed in at this console."""
    return next((p for p in snapshot.staff.signed_in if p.role in SENIOR), None)


def panel(snapshot: Snapshot, words: Words) -> Values:
    """The panel at the left: what the moment asks for, in the order of its weight."""
    person = senior(snapshot)
    hold = gravest(snapshot)
    if hold is not None:
        return _hold_panel(snapshot, hold, person, words)
    if person is not None and snapshot.phase in ("closed", "idle", "void", "result"):
        return _supervisor_panel(snapshot, person, words)
    if snapshot.staff.dealer is None and person is None:
        return _info("login", words("staff_no_dealer"), words("login_dealer"))
    if snapshot.phase == "void":
        return _info("void", words("void_headline"), words("void_collect"))
    decision = snapshot.decision
    if decision is not None:
        return _decision_panel(snapshot, words)
    return _info("now", words.say(snapshot.phase_text), "", words("now"))


def _info(kind: str, big: str, text: str, title: str = "") -> Values:
    return {"kind": kind, "title": title, "big": big, "text": text, "items": []}


def _decision_panel(snapshot: Snapshot, words: Words) -> Values:
    decision = snapshot.decision
    assert decision is not None
    where = words("seat", seat=decision.seat)
    if decision.chosen:
        said = words.known(f"action_{decision.chosen}", decision.chosen)
        return _info("decision", f"{where} · {said}", "", words("decision_title"))
    legal = " / ".join(words.known(f"action_{name}", name) for name in decision.legal)
    return _info(
        "decision",
        f"{where} · {words('decision_waiting')}",
        words("decision_legal", legal=legal) if legal else "",
        words("decision_title"),
    )


def _item(
    command: str, label: str, enabled: bool, reason: str, target: str = "", hold: bool = False
) -> Values:
    return {
        "command": command,
        "label": label,
        "enabled": enabled,
        "why": reason,
        "target": target,
        "hold": hold,
    }


def _hold_panel(
    snapshot: Snapshot, hold: HoldView, person: PersonView | None, words: Words
) -> Values:
    own = hold.code == "wait"
    if person is None or (own and not hold.rulings):
        big = words("dealer_resumes") if own else words("supervisor_needed")
        more = "" if own else words("supervisor_needed_more")
        values = _info("held", big, more)
        values["sign_in"] = not own
        return values
    values = _info("rulings", "", "", words("rulings_title", name=person.name))
    values["hold"] = hold.hold
    values["items"] = [
        _item(
            f"rule:{ruling.ruling}",
            words.say(ruling.text),
            ruling.refusal is None,
            why(ruling.refusal, words) if ruling.refusal else "",
            str(hold.hold),
            ruling.ruling == "void",
        )
        for ruling in hold.rulings
    ]
    return values


def _supervisor_panel(snapshot: Snapshot, person: PersonView, words: Words) -> Values:
    """A signed-in supervisor without a hold: the shoe, a call, an open round."""
    values = _info("supervisor", "", "", words("supervisor_title", name=person.name))
    if snapshot.phase == "void":
        values["title"] = words("void_headline")
    labels = {
        "answer_call": words("answer_call"),
        "release_shoe": words("shoe_release", shoe=snapshot.shoe.id),
        "load_shoe": words("shoe_load"),
        "void_round": words("void_round"),
    }
    for command, label in labels.items():
        entry = action(snapshot, command, words)
        needed = entry["enabled"] or command in ("load_shoe", "release_shoe")
        if command == "release_shoe":
            needed = snapshot.shoe.state == "loaded"
        if entry["served"] and needed:
            values["items"].append(
                _item(
                    command,
                    label,
                    entry["enabled"],
                    entry["why"],
                    entry["target"],
                    command == "void_round",
                )
            )
    return values


def staff(snapshot: Snapshot, words: Words) -> Values:
    """Who is on duty, and who may sign out."""
    people = [snapshot.staff.dealer] if snapshot.staff.dealer else []
    people += [p for p in snapshot.staff.signed_in if p not in people]
    items = []
    for person in people:
        entry = next(
            (
                a
                for a in snapshot.actions
                if a.command == "log_out" and a.target in ("", person.staff)
            ),
            None,
        )
        reason = words("not_now")
        if entry is not None:
            reason = why(entry.refusal, words) if entry.refusal else ""
        role = words.known(f"role_{person.role}", person.role)
        label = words("staff_sign_out", name=f"{role} {person.name}")
        items.append(_item("log_out", label, not reason, reason, person.staff))
    call = action(snapshot, "answer_call", words)
    if senior(snapshot) is not None and call["enabled"]:
        items.append(_item("answer_call", words("answer_call"), True, ""))
    return {"items": items, "dealer": snapshot.staff.dealer is not None}


def side(snapshot: Snapshot, words: Words) -> Values:
    """The panel at the right: a hold's evidence, else what needs attention and past rounds."""
    hold = gravest(snapshot)
    if hold is not None:
        return _evidence(snapshot, hold, words)
    alerts = [words.say(banner) for banner in snapshot.banners]
    alerts += [
        words("device_state", device=d.name, text=words.say(d.text))
        for d in snapshot.devices
        if d.health != "up"
    ]
    if not snapshot.host.connected:
        alerts.append(words.say(snapshot.host.text))
    if snapshot.shoe.state != "in_play":
        alerts.append(words.say(snapshot.shoe.text))
    if snapshot.staff.call:
        alerts.append(words("call_open"))
    alerts = alerts[:3]
    recent = [words.say(past.text) for past in snapshot.recent][: 5 - len(alerts)]
    return {
        "kind": "recent",
        "title": words("alerts") if alerts else words("recent"),
        "alerts": alerts,
        "lines": recent if recent or alerts else [words("recent_none")],
        "faces": [],
    }


def _evidence(snapshot: Snapshot, hold: HoldView, words: Words) -> Values:
    lines = [words("evidence_since", time=local_time(hold.since))] if hold.since else []
    if hold.device:
        lines.append(words("evidence_device", device=hold.device))
    if snapshot.last_read is not None:
        lines.append(words("evidence_read", read=read_line(snapshot.last_read, words)))
    count = len(snapshot.exposed)
    lines.append(words("evidence_exposed", count=count) if count else words("evidence_none"))
    return {
        "kind": "evidence",
        "title": words("evidence"),
        "alerts": [],
        "lines": lines,
        "faces": [
            {"rank": rank_sign(face), "suit": face[1:]} for face in hold.faces if len(face) == 2
        ][:2],
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


def last_refusal(snapshot: Snapshot, words: Words) -> str:
    """The station's last refusal, "" when none."""
    return why(snapshot.last_refusal, words) if snapshot.last_refusal else ""
