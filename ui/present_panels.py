"""Snapshot to the keys at the bottom and the panels beside the dealer's hand. Pure."""

from __future__ import annotations

from station.snapshot import HoldView, PersonView, Snapshot
from ui import present_chairs as chairs
from ui.present import Values, due, gravest, why
from ui.words import Words

KEYS = ("cleared", "wait", "resume", "report_error", "emergency_stop", "call_supervisor")
# Holds, and what was reported, that do not say why a round would be void.
_UNNAMED = ("wait", "emergency", "void_asked", "other")
SENIOR = ("supervisor", "shift_manager")


def keys(snapshot: Snapshot, words: Words, unseen: bool = False) -> Values:
    """For each key `{enabled, why, target}`: what `actions` says, and nothing else; only CLEARED
    stays shut while payments are `unseen`.
    """
    shown = {name: action(snapshot, name, words) for name in KEYS}
    shown["call_supervisor"]["called"] = bool(snapshot.staff.call)
    cleared = shown["cleared"]
    cleared["unseen"] = unseen and cleared["enabled"]
    if cleared["unseen"]:
        cleared |= {"enabled": False, "why": words("pay_unseen")}
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
    playing = _playing(snapshot, words)
    if playing is not None:
        return playing
    if person is not None and snapshot.phase in ("closed", "paused", "idle", "void", "result"):
        return _supervisor_panel(snapshot, person, words)
    if snapshot.staff.dealer is None and person is None:
        return _info("login", words("staff_no_dealer"), words("login_dealer"))
    if due(snapshot):
        return _info("pay", "", "")
    if snapshot.phase == "void":
        return _info("void", words("void_headline"), words("void_collect"))
    return _now(snapshot, words)


def _playing(snapshot: Snapshot, words: Words) -> Values | None:
    """What a player is asked or said; at a table with players in the chairs, its keys."""
    if chairs.keyed(snapshot):
        window = snapshot.window
        if window is not None and window.kind == "insurance":
            return _info("now", words("insure_keys"), words("insure_default"), words("insure_who"))
        if window is not None:
            return _info("asks", "", "")
        decision = snapshot.decision
        if decision is not None and not decision.chosen:
            where = _asked_hand(snapshot, decision.seat, decision.hand, words)
            values = _info("decide", "", "", where)
            return values | {
                "items": chairs.decide_items(snapshot, words),
                "guard": str(decision.decision),
            }
        if _between(snapshot, words):
            return _info("chairs", "", "") | {"items": chairs.round_items(snapshot, words)}
    if _chosen(snapshot) or snapshot.decision is not None:
        return _decision_panel(snapshot, words)
    return None


def _between(snapshot: Snapshot, words: Words) -> bool:
    """Whether the dealer opens or closes betting now; else the supervisor's keys come first."""
    ready = snapshot.prompt.code in ("no_round", "betting_open")
    return ready and action(snapshot, "open_round", words)["served"]


def _asked_hand(snapshot: Snapshot, seat: int, hand: int, words: Words) -> str:
    """`Seat 4 · Total 13`, with the hand of a split."""
    hands = next((s.hands for s in snapshot.seats if s.seat == seat), [])
    where = words("seat", seat=seat)
    if len(hands) > 1:
        where = words("seat_hand", seat=seat, hand=hand)
    view = next((h for h in hands if h.hand == hand), None)
    if view is None:
        return where
    return f"{where} · {words('soft_total' if view.soft else 'total', total=view.total)}"


def _now(snapshot: Snapshot, words: Words) -> Values:
    """The phase, and the key that changes the table's life where it can be pressed."""
    values = _info("now", words.say(snapshot.phase_text), "", words("now"))
    if snapshot.phase == "closed":
        values["text"] = words("closed_text")
        values["sign_in"] = True
    for command in ("open_table", "pause_table"):
        entry = action(snapshot, command, words)
        if entry["served"] and entry["enabled"]:
            item = _item(command, words(f"key_{command}"), True, "")
            return values | {"items": [item], "sign_in": False}
    return values


def _info(kind: str, big: str, text: str, title: str = "") -> Values:
    return {"kind": kind, "title": title, "big": big, "text": text, "items": []}


def _chosen(snapshot: Snapshot) -> tuple[int, int, str] | None:
    """Seat, hand and action a player has said, until its cards have come; else None."""
    decision, window, slot = snapshot.decision, snapshot.window, snapshot.prompt.slot
    if window is not None and window.kind != "insurance":
        # A double is followed on the hand it is on, a split to the second hand.
        return window.seat, window.hand if window.kind == "double" else 0, window.kind
    if decision is not None and decision.chosen:
        return decision.seat, decision.hand, decision.chosen
    if slot is not None and snapshot.prompt.action == "split":
        return slot.seat, 0, "split"
    return None


def _decision_panel(snapshot: Snapshot, words: Words) -> Values:
    """What was chosen, large; or, while it is asked, the five actions with the legal ones lit."""
    chosen = _chosen(snapshot)
    if chosen is not None:
        seat, hand, name = chosen
        values = _info("chosen", words.known(f"action_{name}", name), "", words("decision_title"))
        hands = next((len(s.hands) for s in snapshot.seats if s.seat == seat), 1)
        where = words("seat", seat=seat)
        if hands > 1 and hand:
            where = words("seat_hand", seat=seat, hand=hand)
        return values | {"text": where}
    decision = snapshot.decision
    assert decision is not None
    where = _asked_hand(snapshot, decision.seat, decision.hand, words)
    values = _info("decision", words("decision_waiting"), where, words("decision_title"))
    values["legal"] = [
        {"label": words(f"action_{name}"), "legal": name in decision.legal}
        for name in chairs.ACTIONS
    ]
    return values


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
        "wait": chairs.wait_name(command, target),
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
    # What it holds for says no reason for a void: he chooses one from the list.
    unnamed = hold.code in _UNNAMED or hold.params.get("what") in _UNNAMED
    values["round"] = str(snapshot.round)
    values["items"] = [
        _item(
            "void_round" if ruling.ruling == "void" and unnamed else f"rule:{ruling.ruling}",
            words.say(ruling.text),
            ruling.refusal is None,
            why(ruling.refusal, words) if ruling.refusal else "",
            str(snapshot.round if ruling.ruling == "void" and unnamed else hold.hold),
            ruling.ruling == "void" and not unnamed,
        )
        for ruling in hold.rulings
    ]
    return values


def _supervisor_panel(snapshot: Snapshot, person: PersonView, words: Words) -> Values:
    """A signed-in supervisor without a hold: the shoe, a call, an open round."""
    values = _info("supervisor", "", "", words("supervisor_title", name=person.name))
    values["round"] = str(snapshot.round)
    if snapshot.phase == "void":
        values["title"] = words("void_headline")
    labels = {
        "answer_call": words("answer_call"),
        "release_shoe": words("shoe_release", shoe=snapshot.shoe.id),
        "load_shoe": words("shoe_load"),
        "void_round": words("void_round"),
        "open_table": words("key_open_table"),
        "close_table": words("key_close_table"),
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
    for command in ("pause_table", "open_table", "close_table"):
        life = action(snapshot, command, words)
        if life["served"] and life["enabled"]:
            items.append(_item(command, words(f"key_{command}"), True, ""))
    return {"items": items, "dealer": snapshot.staff.dealer is not None}


def last_refusal(snapshot: Snapshot, words: Words) -> str:
    """The station's last refusal, "" when none."""
    return why(snapshot.last_refusal, words) if snapshot.last_refusal else ""
