"""Small changes to a source text, each of which some test should notice.

A mutant is one edit at one place: another comparison, connective, sum, number or word; a statement
or a return left out; a case of a `match` left out, narrowed or swapped with its neighbour; a fact
left out of what is returned, a field of what a `replace` changes. What is no behaviour is left
alone: annotations (but for their limits), docstrings, texts of errors, bases of classes.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

COMPARED: dict[type[ast.cmpop], tuple[str, tuple[str, ...]]] = {
    ast.Lt: (r"<", ("<=", ">=")),
    ast.LtE: (r"<=", ("<", ">")),
    ast.Gt: (r">", (">=", "<=")),
    ast.GtE: (r">=", (">", "<")),
    ast.Eq: (r"==", ("!=",)),
    ast.NotEq: (r"!=", ("==",)),
    ast.Is: (r"is", ("is not",)),
    ast.IsNot: (r"is\s+not", ("is",)),
    ast.In: (r"in", ("not in",)),
    ast.NotIn: (r"not\s+in", ("in",)),
}
COMPUTED: dict[type[ast.operator], tuple[str, str]] = {
    ast.Add: (r"\+", "-"),
    ast.Sub: (r"-", "+"),
    ast.Mult: (r"\*", "+"),
    ast.FloorDiv: (r"//", "*"),
    ast.Mod: (r"%", "//"),
}
CALLED = {
    "any": "all",
    "all": "any",
    "min": "max",
    "max": "min",
    "sorted": "list",
    "reversed": "iter",
}
PARTNERS = (
    ("hit", "stand"),
    ("double", "split"),
    ("main", "behind"),
    ("pair", "behind_pair"),
    ("win", "lose"),
    ("bust", "push"),
    ("always", "until_decided"),
    ("all", "original"),
    ("strict", "house"),
    ("settled", "cleared"),
    ("countdown", "answered"),
    ("player", "station"),
    ("loaded", "in_play"),
    ("release", "aligned"),
    ("burn", "use"),
    ("no_cards_out", "cards_out"),
)
SWAPPED = {one: two for pair in PARTNERS for one, two in (pair, pair[::-1])}


@dataclass(frozen=True)
class Edit:
    """`new` in place of the bytes from `start` to `end`; `what` names the kind of change."""

    start: int
    end: int
    new: str
    what: str

    def applied(self, source: bytes) -> bytes:
        return source[: self.start] + self.new.encode() + source[self.end :]


class Source:
    """A source text, its syntax tree, and where a node of it stands, in bytes."""

    def __init__(self, text: bytes) -> None:
        self.text = text
        self.tree = ast.parse(text)
        self.lines = [0]
        for line in text.splitlines(keepends=True):
            self.lines.append(self.lines[-1] + len(line))

    def start(self, node: ast.expr | ast.stmt | ast.pattern | ast.keyword) -> int:
        return self.lines[node.lineno - 1] + node.col_offset

    def end(self, node: ast.expr | ast.stmt | ast.pattern | ast.keyword) -> int:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return self.lines[node.end_lineno - 1] + node.end_col_offset

    def of(self, node: ast.expr | ast.stmt | ast.pattern) -> str:
        """The node's own text."""
        return self.text[self.start(node) : self.end(node)].decode()

    def line(self, offset: int) -> int:
        return self.text.count(b"\n", 0, offset) + 1

    def whole(self, node: ast.expr | ast.stmt | ast.pattern, new: str, what: str) -> Edit:
        return Edit(self.start(node), self.end(node), new, what)

    def between(self, start: int, end: int, token: str, new: str, what: str) -> Iterator[Edit]:
        """The first `token` (a regular expression) between two places, as `new`."""
        found = re.search(token.encode(), self.text[start:end])
        if found:
            yield Edit(start + found.start(), start + found.end(), new, what)


def edits(text: bytes) -> list[Edit]:
    """Every edit of a source text, in its order; not all are sound: see `sound`."""
    source = Source(text)
    found = [edit for node in _nodes(source.tree) for edit in _of(source, node)]
    return sorted(set(found), key=lambda edit: (edit.start, edit.end, edit.new))


def sound(text: bytes, edit: Edit) -> bool:
    """Whether the edited text compiles and says something else than before."""
    try:
        changed = ast.parse(edit.applied(text))
        compile(changed, "<mutant>", "exec")
    except SyntaxError:
        return False
    return ast.dump(changed) != ast.dump(ast.parse(text))


def _nodes(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes whose text is behaviour."""
    yield node
    if isinstance(node, (ast.Raise, ast.JoinedStr)) or _is_literal(node):
        return
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns"):
            yield from (n for n in ast.walk(value or ast.Pass()) if _is_limit(n))
        elif isinstance(node, ast.ClassDef) and name in ("bases", "keywords"):
            continue
        else:
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST) and not _is_docstring(child):
                    yield from _nodes(child)


def _is_literal(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Subscript)
        and isinstance(node.value, ast.Name)
        and node.value.id == "Literal"
    )


def _is_limit(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and type(node.value) is int


def _is_docstring(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def _of(source: Source, node: ast.AST) -> Iterator[Edit]:
    match node:
        case ast.Compare():
            yield from _compared(source, node)
        case ast.BoolOp():
            yield from _connected(source, node)
        case ast.BinOp():
            yield from _computed(source, node)
        case ast.UnaryOp():
            yield from _without_not(source, node)
        case ast.If() | ast.IfExp():
            yield from _negated(source, node.test)
        case ast.comprehension():
            yield from _filtered(source, node)
        case ast.Constant():
            yield from _constant(source, node)
        case ast.Call():
            yield from _called(source, node)
        case ast.Tuple():
            yield from _shorter(source, node)
        case ast.Match():
            yield from _cases(source, node)
        case ast.FunctionDef():
            yield from _left_out(source, node)


def _compared(source: Source, node: ast.Compare) -> Iterator[Edit]:
    left = node.left
    for op, right in zip(node.ops, node.comparators, strict=True):
        token, others = COMPARED[type(op)]
        for other in others:
            yield from source.between(
                source.end(left), source.start(right), token, other, "comparison"
            )
        left = right


def _connected(source: Source, node: ast.BoolOp) -> Iterator[Edit]:
    token, other = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
    for left, right in pairwise(node.values):
        yield from source.between(source.end(left), source.start(right), token, other, "connective")


def _computed(source: Source, node: ast.BinOp) -> Iterator[Edit]:
    if type(node.op) in COMPUTED:
        token, other = COMPUTED[type(node.op)]
        yield from source.between(
            source.end(node.left), source.start(node.right), token, other, "arithmetic"
        )


def _without_not(source: Source, node: ast.UnaryOp) -> Iterator[Edit]:
    if isinstance(node.op, ast.Not):
        yield from source.between(source.start(node), source.end(node), r"not\s+", "", "not")


def _negated(source: Source, test: ast.expr) -> Iterator[Edit]:
    """A condition the other way round, where no change of its operator says the same."""
    if not isinstance(test, (ast.Compare, ast.UnaryOp)):
        yield source.whole(test, f"(not ({source.of(test)}))", "condition")


def _filtered(source: Source, node: ast.comprehension) -> Iterator[Edit]:
    for test in node.ifs:
        yield source.whole(test, "True", "filter")


def _constant(source: Source, node: ast.Constant) -> Iterator[Edit]:
    value = node.value
    if isinstance(value, bool):
        yield source.whole(node, str(not value), "constant")
    elif isinstance(value, int):
        yield source.whole(node, str(value + 1), "constant")
        yield source.whole(node, str(value - 1), "constant")
    elif isinstance(value, str) and re.fullmatch(r"\w*", value):
        other = SWAPPED.get(value, f"{value}x")
        yield source.whole(node, f'"{other}"', "word")


def _called(source: Source, node: ast.Call) -> Iterator[Edit]:
    if not isinstance(node.func, ast.Name):
        return
    name = node.func.id
    if name in CALLED and not (name == "sorted" and node.keywords):
        yield source.whole(node.func, CALLED[name], "function")
    if name == "replace":
        before = source.end(node.args[0])
        for keyword in node.keywords:
            if keyword.arg is not None:
                yield Edit(before, source.end(keyword), "", "field")
            before = source.end(keyword)


def _shorter(source: Source, node: ast.Tuple, returned: bool = False) -> Iterator[Edit]:
    """A list of facts, bets or cards with one of them left out."""
    if returned or any(isinstance(element, ast.Starred) for element in node.elts):
        for left_out in node.elts:
            rest = "".join(f"{source.of(e)}, " for e in node.elts if e is not left_out)
            yield source.whole(node, f"({rest})", "item")


def _cases(source: Source, node: ast.Match) -> Iterator[Edit]:
    """A case left out, narrowed, or in its neighbour's place."""
    for case in node.cases:
        pattern = case.pattern
        if case.guard is not None:
            yield from _negated(source, case.guard)
            yield source.whole(case.guard, "False", "case")
        elif not (isinstance(pattern, ast.MatchAs) and pattern.pattern is None):
            end, body = source.end(pattern), source.start(case.body[0])
            yield from source.between(end, body, r"\s*:", " if False:", "case")
        if isinstance(pattern, ast.MatchOr):
            for left_out in pattern.patterns:
                rest = [source.of(p) for p in pattern.patterns if p is not left_out]
                yield source.whole(pattern, " | ".join(rest), "alternative")
    for one, two in pairwise(case.pattern for case in node.cases):
        if isinstance(one, ast.MatchValue) and isinstance(two, ast.MatchValue):
            middle = source.text[source.end(one) : source.start(two)].decode()
            swapped = f"{source.of(two)}{middle}{source.of(one)}"
            yield Edit(source.start(one), source.end(two), swapped, "case")


def _left_out(source: Source, node: ast.FunctionDef) -> Iterator[Edit]:
    """What the function can be without: raised, called, added, set again, returned early."""
    inner = list(_statements(node.body))
    names = Counter(
        ast.dump(target) for n in inner if isinstance(n, ast.Assign) for target in n.targets
    )
    last = set(_last(node.body))
    for n in inner:
        if isinstance(n, ast.Return):
            yield source.whole(n, "return None" if n in last else "pass", "return")
            if isinstance(n.value, ast.Tuple):
                yield from _shorter(source, n.value, returned=True)
        elif (
            (isinstance(n, ast.Expr) and not _is_docstring(n))
            or isinstance(n, (ast.Raise, ast.AugAssign))
            or (isinstance(n, ast.Assign) and names[ast.dump(n.targets[0])] > 1)
        ):
            yield source.whole(n, "pass", "statement")


def _statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """All statements of a function, but not those of functions within it."""
    for statement in body:
        yield statement
        if not isinstance(statement, ast.FunctionDef):
            for block in _blocks(statement):
                yield from _statements(block)


def _last(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements after which the function ends anyway."""
    yield body[-1]
    for block in _blocks(body[-1]):
        yield from _last(block)


def _blocks(statement: ast.stmt) -> Iterator[list[ast.stmt]]:
    match statement:
        case ast.If() | ast.For() | ast.While():
            yield statement.body
            if statement.orelse:
                yield statement.orelse
        case ast.With():
            yield statement.body
        case ast.Match():
            yield from (case.body for case in statement.cases)
