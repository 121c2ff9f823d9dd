#!/usr/bin/python3
"""Makes each small change of a C source by itself, builds it and runs the tests.

A source with one change in it is a mutant. Each one ends as:

  killed      A test failed, crashed or took too long. That is what tests are for.
  survived    Every test passed. A test is missing, or nobody could notice the change.
  accepted    It survived, and the list of accepted mutants gives the reason why nobody could notice it.
  repeated    The compiler makes the same code of it as of the original or of another mutant.
  invalid     It does not compile.

The tree itself is never changed: each job has a copy of include, src and tests. First, every copy has to
build and to pass its tests as it is, and an #error in the source has to break the build. Code that #if
leaves out is not mutated, as libclang does not see it.

The exit status is 0 when every mutant was killed or accepted, and 130 when an interrupt came before the end, and
all was well until then. It is 1 when one survived, when none was killed, when the list names one that was killed
or does not exist, and when a copy does not work as it is.
SPDX-License-Identifier: MIT
"""
import argparse
import collections
import concurrent.futures
import dataclasses
import hashlib
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from clang.cindex import CursorKind as Kind, Diagnostic, Index, TranslationUnit

# What an operator is changed to.
BINARY = {
    "<": "<= >=", "<=": "< >", ">": ">= <=", ">=": "> <", "==": "!=", "!=": "==", "&&": "||", "||": "&&",
    "+": "-", "-": "+", "*": "/ +", "/": "*", "%": "/", "<<": ">>", ">>": "<<", "&": "|", "|": "&", "^": "|",
    "+=": "-= =", "-=": "+= =", "*=": "/= =", "/=": "*= =", "%=": "=",
    "<<=": ">>= =", ">>=": "<<= =", "&=": "|= =", "|=": "&= =", "^=": "|= =",
}
UNARY = {"++": "--", "--": "++", "!": " ", "-": " ", "~": " "}


@dataclasses.dataclass
class Mutant:
    start: int
    end: int
    old: str
    new: str
    function: str
    key: str = ""
    place: str = ""
    status: str = "not run"

    def __str__(self):
        return f"{self.place}: {self.key} {self.function}, `{one_line(self.old)}` -> `{one_line(self.new)}`"


def one_line(text):
    return " ".join(text.split())


def span(node):
    return node.extent.start.offset, node.extent.end.offset


class Source:
    """A C source and its mutants. The rule for a kind of node is the method that has the kind's name."""

    def __init__(self, path, clang_options):
        self.path, self.function, self.found = path, "", {}
        with open(path, encoding="latin-1", newline="") as file:   # libclang counts bytes
            self.text = file.read()
        literal_or_comment = r"""("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')|/\*.*?\*/|//[^\n]*"""
        # The same without comments, and each character where it was.
        self.code = re.sub(literal_or_comment, lambda m: m[1] or " " * len(m[0]), self.text, flags=re.DOTALL)
        unit = Index.create().parse(path, args=clang_options,
                                    options=TranslationUnit.PARSE_DETAILED_PROCESSING_RECORD)
        for problem in unit.diagnostics:
            if problem.severity >= Diagnostic.Error:
                sys.exit(f"mutate: libclang cannot parse {path}: {problem}")
        for node in unit.cursor.get_children():
            if node.location.file and node.location.file.name == path:
                self.function = node.spelling if node.kind == Kind.FUNCTION_DECL else ""
                self.visit(node)
        self.mutants = sorted(self.found.values(), key=lambda mutant: (mutant.start, mutant.end))
        self.give_keys()

    def visit(self, node):
        children = list(node.get_children())
        rule = getattr(self, node.kind.name.lower(), None)
        if rule:
            rule(node, children)
        if node.kind.is_statement() and node.kind != Kind.RETURN_STMT:
            for child in children[-1:] if node.kind == Kind.FOR_STMT else children:   # the head stays
                self.delete(child)
        for child in children[1:] if node.kind == Kind.CASE_STMT else children:   # the label stays
            self.visit(child)

    def add(self, start, end, new):
        old = self.text[start:end]
        if old and old != new:
            self.found.setdefault((start, end, new), Mutant(start, end, old, new, self.function))

    def replace(self, node, new):
        self.add(*span(node), new)

    def text_of(self, node):
        return self.text[slice(*span(node))]

    def binary_operator(self, node, children):
        left, right = children
        operator = re.compile(r"[^\s()]+").search(self.code, span(left)[1], span(right)[0])
        if not operator:   # it is inside of a macro
            return
        for new in BINARY.get(operator[0], "").split():
            self.add(*operator.span(), new)
        if operator[0] in ("&&", "||"):
            self.replace(node, self.text_of(left))
            self.replace(node, self.text_of(right))

    compound_assignment_operator = binary_operator

    def unary_operator(self, node, children):
        (start, end), (inner_start, inner_end) = span(node), span(children[0])
        before, after = self.code[start:inner_start].strip(), self.code[inner_end:end].strip()
        for sign, place in ((before, start), (after, end - len(after))):
            if sign in UNARY:
                self.add(place, place + len(sign), UNARY[sign])

    def macro_definition(self, node, _children):
        for number in re.compile(r"\b\d\w*").finditer(self.code, *span(node)):
            self.constant(*number.span())

    def integer_literal(self, node, _children):
        self.constant(*span(node))

    def constant(self, start, end):
        text, others = self.code[start:end], []
        number = re.fullmatch(r"(0x[0-9a-f]+|0|[1-9][0-9]*)([ul]*)", text, re.IGNORECASE)
        if number:
            value, write = int(number[1], 0), hex if "x" in number[1].lower() else str
            others = [write(other) + number[2] for other in (value + 1, value - 1, 0) if other >= 0]
        elif text in ("true", "false"):
            others = ["false" if text == "true" else "true"]
        elif re.fullmatch(r"[A-Z_][A-Z0-9_]*", text):   # a macro that is a number
            others = [f"({text} - 1)", f"({text} + 1)"]
        for other in others:
            self.add(start, end, other)

    def decl_ref_expr(self, node, _children):
        meant = node.referenced
        if meant and meant.kind == Kind.ENUM_CONSTANT_DECL and self.text_of(node) == meant.spelling:
            names = [constant.spelling for constant in meant.semantic_parent.get_children()]
            place = names.index(meant.spelling)
            self.replace(node, names[(place + 1) % len(names)])
            self.replace(node, names[place - 1])

    def conditional_operator(self, node, children):
        for arm in children[1:]:
            self.replace(node, f"({self.text_of(arm)})")

    def if_stmt(self, _node, children):
        self.condition(children[0])
        self.replace(children[0], f"((void)({self.text_of(children[0])}), 1)")
        if len(children) == 3 and children[2].kind == Kind.COMPOUND_STMT:
            self.replace(children[2], "{ }")

    def while_stmt(self, _node, children):
        self.condition(children[0])

    def do_stmt(self, _node, children):
        self.condition(children[1])

    def for_stmt(self, node, children):
        first = self.code.index(";", span(node)[0])
        second = self.code.index(";", first + 1)
        for child in children[:-1]:
            if first < span(child)[0] < second:
                self.condition(child)

    def condition(self, node):   # a loop's is not made true for ever: that would only take time
        self.replace(node, f"!({self.text_of(node)})")
        self.replace(node, f"((void)({self.text_of(node)}), 0)")

    def return_stmt(self, node, children):
        if children:
            self.add(span(node)[0], self.code.index(";", span(node)[1]) + 1, "return 0;")

    def delete(self, node):
        semicolon = re.compile(r"\s*;").match(self.code, span(node)[1])
        jump = re.match(r"(break|continue|goto\b.*|return)$", self.text_of(node))
        if semicolon and (jump or node.kind.is_expression()):
            self.add(span(node)[0], semicolon.end(), ";")

    def give_keys(self):
        """A key is made of the code around the change, so that it stays when other lines and comments come and go."""
        seen = collections.Counter()
        for mutant in self.mutants:
            before = self.code[:mutant.start].rpartition("\n")[2]
            line = (before + self.code[mutant.start:].partition("\n")[0]).strip()
            where = f"{self.path}|{mutant.function}|{line}"
            what = f"{len(before.lstrip())}|{one_line(mutant.old)}|{one_line(mutant.new)}"
            text = f"{where}|{seen[where, what]}|{what}"   # the number tells lines of the same text apart
            seen[where, what] += 1
            mutant.key = hashlib.sha1(text.encode("latin-1")).hexdigest()[:10]
            mutant.place = f"{self.path}:{self.text.count(chr(10), 0, mutant.start) + 1}:{len(before) + 1}"


class Copy:
    """A copy of the tree, in which one mutant after another is built and tested."""

    def __init__(self, folder, path):
        self.folder, self.path = folder, os.path.join(folder, path)
        for part in ("include", "src", "tests"):
            shutil.copytree(part, os.path.join(folder, part))

    def write(self, text):
        time.sleep(0.02)   # make has to see that this is later than what it has built
        with open(self.path, "w", encoding="latin-1", newline="") as file:
            file.write(text)

    def run(self, command, seconds=60):
        """The exit status, not 0 after so many seconds of a processor, and the end of what was printed."""
        shell = f"ulimit -c 0; ulimit -St {seconds}; set -o pipefail; {{ {command}\n}} 2>&1 | tail -c 4000"
        limited = ["timeout", "--signal=KILL", str(20 * seconds), "bash", "-c", shell]
        done = subprocess.run(limited, cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
        return done.returncode, done.stdout.decode(errors="replace")


class Score:
    """What becomes of each mutant of a source."""

    def __init__(self, source, options, folder):
        self.source, self.options, self.limit = source, options, 5
        with open(options.accepted, encoding="utf-8") as file:
            lines = re.findall(r"^((?:[0-9a-f]{10} )+)(\S+): ", file.read(), re.MULTILINE)
        self.accepted = {key for keys, path in lines if path == source.path for key in keys.split()}
        self.copies = [Copy(os.path.join(folder, str(number)), source.path) for number in range(options.jobs)]

    def check(self, copy):
        """A copy has to work as it is, and to build the source. Sets the time limit of the tests."""
        for command in (self.options.build, self.options.test, self.options.assembly):
            status, output = copy.run(command)
            if status != 0:
                sys.exit(f"mutate: without a change, this ends with {status}: {command}\n{output}")
        self.first_with = {output: None}   # the first mutant with this assembly; None is the original
        start = sum(os.times()[2:4])   # of a processor, by what has been run
        copy.run(self.options.test)   # there is nothing left to build now
        self.limit = max(self.limit, round(3 * (sum(os.times()[2:4]) - start)))
        copy.write("#error canary\n" + self.source.text)
        for command in (self.options.build, self.options.assembly):
            if copy.run(command)[0] == 0:
                sys.exit(f"mutate: an #error in {self.source.path} does not stop this: {command}")

    def try_all(self, mutants):
        remaining = iter(mutants)

        def take_turns(copy):
            for mutant in remaining:
                mutant.status = self.status_of(mutant, copy)
                if mutant.status == "survived":
                    print(f"survived {mutant}", flush=True)

        with concurrent.futures.ThreadPoolExecutor(len(self.copies)) as pool:
            try:
                list(pool.map(take_turns, self.copies))
            finally:
                list(remaining)   # after an interrupt, nothing is left to take

    def status_of(self, mutant, copy):
        copy.write(self.source.text[:mutant.start] + mutant.new + self.source.text[mutant.end:])
        status, code = copy.run(self.options.assembly)
        if status != 0:
            return "invalid"
        if self.first_with.setdefault(code, mutant) is not mutant:
            return "repeated"
        if copy.run(self.options.build)[0] != 0:
            return "invalid"
        if copy.run(self.options.test, self.limit)[0] != 0:
            return "killed"
        return "accepted" if mutant.key in self.accepted else "survived"

    def report(self):
        """Prints the counts, and says whether all is well as far as it has come."""
        status = {mutant.key: mutant.status for mutant in self.source.mutants}
        wrong = {key for key in self.accepted if status.get(key) in ("killed", "invalid", None)}
        for key in wrong:
            print(f"accepted, but {status.get(key, 'there is no such mutant')}: {key}")
        count = collections.Counter(status.values())
        counts = ", ".join(f"{number} {name}" for name, number in sorted(count.items()))
        print(f"{self.source.path}: {len(status)} mutants: {counts}", flush=True)
        return not wrong and not count["survived"] and count["killed"] + count["not run"] > 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("source", help="relative to a folder that has include, src and tests in it")
    parser.add_argument("--build", help="command that compiles the source")
    parser.add_argument("--test", help="command that builds the tests and runs them")
    parser.add_argument("--assembly", help="command that prints a hash of the assembly")
    parser.add_argument("--accepted", help="file with '<key>... <source>: <reason>' a line")
    parser.add_argument("--clang", default="", help="options for libclang")
    parser.add_argument("--jobs", default=1, type=int)
    parser.add_argument("--list", action="store_true", help="only list the mutants")
    options, interrupted = parser.parse_args(), False
    source = Source(options.source, options.clang.split())
    if options.list:
        print(*source.mutants, sep="\n")
        return 0
    signal.signal(signal.SIGTERM, signal.default_int_handler)   # as from the keyboard
    with tempfile.TemporaryDirectory(prefix="mutate-") as folder:
        score = Score(source, options, folder)
        try:
            for copy in score.copies:
                score.check(copy)
            score.try_all([mutant for mutant in source.mutants if mutant.key in score.accepted])
            score.try_all([mutant for mutant in source.mutants if mutant.key not in score.accepted])
        except KeyboardInterrupt:
            interrupted = True
    return 1 if not score.report() else 130 if interrupted else 0


if __name__ == "__main__":
    sys.exit(main())
