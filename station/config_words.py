"""What msgspec says about a table's file, in words that also name what could be written."""

from __future__ import annotations

import re
from typing import Any, Literal, get_args, get_origin, get_type_hints

import msgspec

_STEP = re.compile(r"\.(\w+)|\[[^\]]*\]")
_UNKNOWN = "Object contains unknown field"
_VALUE = "Invalid enum value"
# Wrong in a way that a person makes, and what to write.
_PLAIN = (
    (".name", "Expected `str` matching", "; write small letters, digits, - and _, such as shoe-2"),
    (".devices", "Expected `array`, got `object`", "; write [[devices]], in two pairs of brackets"),
    ("", "Expected `int`, got `str`", "; write the number without quotation marks"),
    ("", "Expected `bool`, got `str`", "; write true or false without quotation marks"),
)


def explained(message: str, root: Any) -> str:
    """`$.rules.bet_step: ...`: the place first, and the values or keys there are.

    `message` is that of a msgspec.ValidationError for a `root`.
    """
    what, _, place = message.rpartition(" - at ")
    if not what:
        return message + known(message, "$", root)
    place = place.strip("`")
    return f"{place}: {what}{known(what, place, root)}"


def known(what: str, place: str, root: Any) -> str:
    """The end of a message: which values or keys are known at that place; "" for other faults."""
    found = _type_at(root, place)
    if what.startswith(_VALUE):
        values = [str(value) for value in _literals(found)]
        return f"; write {', '.join(values)}" if values else ""
    if what.startswith(_UNKNOWN) and _is_struct(found):
        return f"; known are {', '.join(found.__struct_fields__)}"
    for end, begin, hint in _PLAIN:
        if place.endswith(end) and what.startswith(begin):
            return hint
    return ""


def _type_at(root: Any, place: str) -> Any:
    found = root
    for step in _STEP.finditer(place):
        name = step.group(1)
        if name is None:
            found = next((part for part in get_args(found) if part is not Ellipsis), None)
        elif _is_struct(found):
            found = get_type_hints(found).get(name)
        else:
            return None
    return found


def _literals(found: Any) -> tuple[Any, ...]:
    """The values of a Literal, also of one in a union."""
    if get_origin(found) is Literal:
        return get_args(found)
    return tuple(value for part in get_args(found) for value in _literals(part))


def _is_struct(found: Any) -> bool:
    return isinstance(found, type) and issubclass(found, msgspec.Struct)
