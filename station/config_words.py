"""What msgspec says about a table's file, in words for who wrote it: what is wrong, and what to
write. A misspelt setting names the nearest there is.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from typing import Any, Literal, get_args, get_origin, get_type_hints

import msgspec

_STEP = re.compile(r"\.(\w+)|\[[^\]]*\]")
_UNKNOWN = re.compile(r"Object contains unknown field `(?P<name>.*)`")
_MISSING = re.compile(r"Object missing required field `(?P<name>.*)`")
_VALUE = re.compile(r"Invalid enum value (?P<value>.*)")
_KIND = re.compile(r"Expected `(?P<wanted>[^`]*)`, got `(?P<given>[^`]*)`")
_LENGTH = re.compile(
    r"Expected `(?P<kind>array|str)` of length (?P<bound>[<>]=)? ?(?P<count>\d+)"
    r"(, got (?P<got>\d+))?"
)
_BOUND = re.compile(r"Expected `(?:int|float)` (?P<bound>[<>]=?) (?P<limit>\S+)")
_PATTERN = re.compile(r"Expected `str` matching regex (?P<regex>.*)", re.DOTALL)
# Settings that the station fills in itself: nobody is told to write them.
_INTERNAL = frozenset({"evidence_dir"})
_NAMES = {
    "str": "a text",
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "array": "a list",
    "object": "a section",
}
# What a pattern takes, said for a person.
_LETTERS = {
    "^[a-z0-9][a-z0-9_-]{0,31}$": "small letters, digits, - and _, such as shoe-2",
    "^[A-Za-z0-9_-]+$": "letters, digits, - and _, such as T01",
}
# What to write for a list whose default says nothing.
_LISTS = {"window": "[x, y, width, height]"}


def explained(message: str, root: Any, value: object = None) -> str:
    """`$.rules.bet_step: ...`: the place first, then what is wrong and what to write.

    `message` is that of a msgspec.ValidationError for a `root`; `value`: what was written there, if
    it is known.
    """
    what, _, place = message.rpartition(" - at ")
    if not what:
        return in_words(message, "$", root, value)
    place = place.strip("`")
    return f"{place}: {in_words(what, place, root, value)}"


def in_words(what: str, place: str, root: Any, value: object = None) -> str:
    """What is wrong at that place, and what to write; a text of our own stays as it is."""
    name = place.rpartition(".")[2].partition("[")[0]
    found = _type_at(root, place)
    if match := _UNKNOWN.fullmatch(what):
        return _unknown(match["name"], found)
    if match := _MISSING.fullmatch(what):
        return f"{match['name']} is missing; write it"
    if match := _VALUE.fullmatch(what):
        values = ", ".join(str(one) or '""' for one in _literals(found))
        return f"{match['value']} is none of its values; write {values}"
    if match := _KIND.fullmatch(what):
        wanted, given = match["wanted"], match["given"]
        had = "a fraction" if (wanted, given) == ("int", "float") else _NAMES.get(given, given)
        words = " or ".join(_NAMES.get(one, one) for one in wanted.split(" | "))
        said = f"{words} is wanted, not {had}"
        return said + _instead(wanted, given, name, found, _default(root, place), value)
    if match := _LENGTH.fullmatch(what):
        return _length(match, name, _default(root, place))
    if match := _BOUND.fullmatch(what):
        return _bound(match["bound"], match["limit"])
    if match := _PATTERN.fullmatch(what):
        regex = match["regex"].strip("'")
        return f"something in it cannot stand there; write {_LETTERS.get(regex, regex)}"
    return what


def _unknown(name: str, section: Any) -> str:
    if not _is_struct(section):
        return f"there is no setting {name}; take it out"
    known = [one for one in section.__struct_fields__ if one not in _INTERNAL]
    near = difflib.get_close_matches(name, known, n=1, cutoff=0.6)
    nearest = f", the nearest is {near[0]}" if near else ""
    return f"there is no setting {name}{nearest}; known are {', '.join(known)}"


def _instead(wanted: str, given: str, name: str, found: Any, default: object, value: object) -> str:
    """What to write in its place."""
    if wanted == "array":
        if given == "object":
            return f"; write [[{name}]], in two pairs of brackets"
        return f"; write {name} = {_list(name, found, default, value)}"
    if wanted == "object":
        return f"; write a section of its own, which begins with [{name}]"
    if wanted == "bool":
        quoted = " without quotation marks" if given == "str" else ""
        return f"; write true or false{quoted}"
    if wanted == "str":
        return f'; write it in quotation marks, {name} = "..."'
    if given == "str":
        return "; write the number without quotation marks"
    if given == "float":
        return "; write it without a fraction"
    return f"; write a number, such as {name} = {default}" if _number(default) else ""


def _list(name: str, found: Any, default: object, value: object) -> str:
    """The list that was meant, as far as it can be told from what was written in its place."""
    if isinstance(value, str) and value in [
        one for part in get_args(found) for one in _literals(part)
    ]:
        return _toml([value])
    if isinstance(default, tuple) and default:
        digits = re.findall(r"\d+", value) if isinstance(value, str) else []
        if len(digits) == len(default) and all(map(_number, default)):
            return f"[{', '.join(digits)}]"
        if any(default):
            return _toml(default)
    return _LISTS.get(name, "[...]")


def _length(match: re.Match[str], name: str, default: object) -> str:
    if match["kind"] == "str":
        least = "least" if match["bound"] == ">=" else "most"
        return f"the text has to be of at {least} {match['count']} characters"
    example = _toml(default) if isinstance(default, tuple) and any(default) else ""
    return (
        f"a list of {match['count']} is wanted, not of {match['got']}; write {name} = "
        f"{example or _LISTS.get(name, '[...]')}"
    )


def _bound(bound: str, limit: str) -> str:
    number = limit.removesuffix(".0")
    match bound:
        case "<=":
            return f"too large; write {number} at most"
        case ">=":
            return f"too small; write {number} at least"
        case "<":
            return f"too large; write less than {number}"
    return f"too small; write more than {number}"


def _toml(values: Any) -> str:
    shown = (f'"{one}"' if isinstance(one, str) else str(one) for one in values)
    return f"[{', '.join(shown)}]"


def _number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


# --- the settings there are -----------------------------------------------------------------


def _type_at(root: Any, place: str) -> Any:
    found = root
    for name in _steps(place):
        if name is None:
            found = next((part for part in get_args(found) if part is not Ellipsis), None)
        elif _is_struct(found):
            found = _plain(get_type_hints(found).get(name))
        else:
            return None
    return found


def _steps(place: str) -> Iterator[str | None]:
    """The names on the way there; None for an element of a list."""
    return (step.group(1) for step in _STEP.finditer(place))


def _plain(found: Any) -> Any:
    """The type without what is noted of it."""
    return get_args(found)[0] if hasattr(found, "__metadata__") else found


def _default(root: Any, place: str) -> object:
    """What the setting at that place is if nobody writes it; None where that is not known."""
    above, _, name = place.rpartition(".")
    section = _type_at(root, above or "$")
    if not _is_struct(section):
        return None
    fields = {one.name: one.default for one in msgspec.structs.fields(section)}
    default = fields.get(name.partition("[")[0])
    return None if default is msgspec.NODEFAULT else default


def _literals(found: Any) -> tuple[Any, ...]:
    """The values of a Literal, also of one in a union."""
    if get_origin(found) is Literal:
        return get_args(found)
    return tuple(value for part in get_args(found) for value in _literals(part))


def _is_struct(found: Any) -> bool:
    return isinstance(found, type) and issubclass(found, msgspec.Struct)
