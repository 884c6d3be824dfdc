"""`dealer-station lock`: what keeps rounds from starting at a running table, and its end."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from station.cli_common import DEFAULT_CONFIG, ConfigOption, JsonOption, fail, json_out, loaded, say
from station.cli_of_shoe_orders import PinsOption, StaffOption, signed_in

lock_app = typer.Typer(no_args_is_help=True, help="Why no round starts, and who ends it.")


@lock_app.command("list")
def lock_list(
    lang: Annotated[str, typer.Option("--lang", "--language", help="ko or en.")] = "ko",
    config: ConfigOption = DEFAULT_CONFIG,
    json: JsonOption = False,
) -> None:
    """All locks of the running table. 1: there is one."""
    from station.cli_status import StatusError, ask

    if lang not in ("ko", "en"):
        raise fail(f"--lang {lang}: ko or en", as_json=json)
    try:
        snapshot = ask(Path(loaded(config, as_json=json).link.socket))
    except StatusError as error:
        raise fail(error, as_json=json) from None
    if json:
        json_out({"locks": snapshot.locks, "tried": snapshot.tried})
    for lock in () if json else snapshot.locks:
        number = str(lock.lock) if lock.latches else "-"
        what, do, who = (getattr(text, lang) for text in (lock.what, lock.do, lock.who))
        say(f"{number:>4}  {lock.code}  {lock.since}\n      {what}\n      {do} {who}")
    if snapshot.locks:
        raise typer.Exit(1)


@lock_app.command("clear")
def lock_clear(
    lock: Annotated[int, typer.Argument(help="The lock's number, as `list` has it.")],
    staff: StaffOption,
    reason: Annotated[str, typer.Option(help="What was done about it, for the journal.")],
    pins_from_stdin: PinsOption = False,
    config: ConfigOption = DEFAULT_CONFIG,
) -> None:
    """Acknowledge a lock whose cause is gone. 1: the table refuses it."""
    from station import messages as m

    with signed_in(config, staff, "", from_stdin=pins_from_stdin) as (table, _):
        table.must(m.ClearLock(lock, reason))
        say(f"lock {lock} is acknowledged")
