#!/usr/bin/python3
"""Makes one small change in a C source, builds it and runs the tests; and does so for every such change.

A source with one change in it is a mutant. Each one ends as:

  killed      A test failed or crashed. That is what tests are for.
  timed out   A test took too long. This is as good as killed.
  survived    Every test passed. A test is missing, or nobody could notice the change.
  accepted    It survived, and the list of accepted mutants gives the reason why nobody could notice it.
  equivalent  The compiler makes the same code of it as of the original or of an accepted mutant.
  duplicate   The compiler makes the same code of it as of a mutant that is tested.
  invalid     It does not compile.

The tree itself is never changed: each job has a copy of include, src and tests. First, every copy has to
build and to pass its tests as it is, and an #error in the source has to break the build. Code that #if
leaves out is not mutated, as libclang does not see it.

The exit status is 0 when every mutant was killed or accepted. It is 1 when one survived, when none was
killed, and when the list names one that was killed or does not exist. It is 2 when the options are wrong or
a copy does not work as it is. It is 130 when an interrupt came before the end, and all was well until then.
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

# What an operator is changed to, by class of mutants. The names of the classes are those of the literature.
# The others are: crp changes a constant, enm an enum constant, cnd a condition, ter puts one arm of a ?: into
# the place of the whole, rvr changes what is returned, and sdl deletes a statement.
BINARY = {
    "ror": {"<": "<= >=", "<=": "< >", ">": ">= <=", ">=": "> <", "==": "!=", "!=": "=="},
    "aor": {"+": "-", "-": "+", "*": "/ +", "/": "*", "%": "/"},
    "bor": {"<<": ">>", ">>": "<<", "&": "|", "|": "&", "^": "|"},
    "lcr": {"&&": "||", "||": "&&"},
    "asr": {"+=": "-= =", "-=": "+= =", "*=": "/= =", "/=": "*= =", "%=": "=",
            "<<=": ">>= =", ">>=": "<<= =", "&=": "|= =", "|=": "&= =", "^=": "|= ="},
}
UNARY = {"uoi": {"++": "--", "--": "++"}, "uod": {"!": " ", "-": " ", "~": " "}}
TIMED_OUT = 128 + signal.SIGXCPU   # as a shell says it


@dataclasses.dataclass
class Mutant:
    start: int
    end: int
    old: str
    new: str
    operator: str
    function: str
    key: str = ""
    place: str = ""
    status: str = "not run"

    def __str__(self):
        change = f"`{one_line(self.old)}` -> `{one_line(self.new)}`"
        return f"{self.place}: {self.key} {self.operator} {self.function or '-'}  {change}"


def one_line(text):
    return " ".join(text.split())


def span(node):
    return node.extent.start.offset, node.extent.end.offset


def fail(message):
    print(f"mutate: {message}", file=sys.stderr)
    sys.exit(2)


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
                fail(f"libclang cannot parse {path}: {problem}")
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

    def add(self, start, end, new, operator):
        old = self.text[start:end]
        if old and old != new:
            self.found.setdefault((start, end, new), Mutant(start, end, old, new, operator, self.function))

    def text_of(self, node):
        return self.text[slice(*span(node))]

    def binary_operator(self, node, children):
        left, right = children
        operator = re.compile(r"[^\s()]+").search(self.code, span(left)[1], span(right)[0])
        if not operator:   # it is inside of a macro
            return
        for name, table in BINARY.items():
            for new in table.get(operator[0], "").split():
                self.add(*operator.span(), new, name)
        if operator[0] in ("&&", "||"):
            self.add(*span(node), self.text_of(left), "lcr")
            self.add(*span(node), self.text_of(right), "lcr")

    compound_assignment_operator = binary_operator

    def unary_operator(self, node, children):
        (start, end), (inner_start, inner_end) = span(node), span(children[0])
        before, after = self.code[start:inner_start].strip(), self.code[inner_end:end].strip()
        for name, table in UNARY.items():
            for sign, place in ((before, start), (after, end - len(after))):
                if sign in table:
                    self.add(place, place + len(sign), table[sign], name)

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
            self.add(start, end, other, "crp")

    def decl_ref_expr(self, node, _children):
        meant = node.referenced
        if meant and meant.kind == Kind.ENUM_CONSTANT_DECL and self.text_of(node) == meant.spelling:
            names = [constant.spelling for constant in meant.semantic_parent.get_children()]
            place = names.index(meant.spelling)
            self.add(*span(node), names[(place + 1) % len(names)], "enm")
            self.add(*span(node), names[place - 1], "enm")

    def conditional_operator(self, node, children):
        for arm in children[1:]:
            self.add(*span(node), f"({self.text_of(arm)})", "ter")

    def if_stmt(self, _node, children):
        self.condition(children[0])
        self.add(*span(children[0]), f"((void)({self.text_of(children[0])}), 1)", "cnd")
        if len(children) == 3 and children[2].kind == Kind.COMPOUND_STMT:
            self.add(*span(children[2]), "{ }", "sdl")

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
        self.add(*span(node), f"!({self.text_of(node)})", "cnd")
        self.add(*span(node), f"((void)({self.text_of(node)}), 0)", "cnd")

    def return_stmt(self, node, children):
        if children:
            self.add(span(node)[0], self.code.index(";", span(node)[1]) + 1, "return 0;", "rvr")

    def delete(self, node):
        semicolon = re.compile(r"\s*;").match(self.code, span(node)[1])
        jump = re.match(r"(break|continue|goto\b.*|return)$", self.text_of(node))
        if semicolon and (jump or node.kind.is_expression()):
            self.add(span(node)[0], semicolon.end(), ";", "sdl")

    def give_keys(self):
        """A key is made of the code around the change, so that it stays when other lines and comments come and go."""
        seen = collections.Counter()
        for mutant in self.mutants:
            before, after = self.code[:mutant.start].rpartition("\n")[2], self.code[mutant.start:]
            line = (before + after.partition("\n")[0]).strip()
            where = f"{self.path}|{mutant.function}|{line}"
            what = f"{len(before.lstrip())}|{mutant.operator}|{one_line(mutant.old)}|{one_line(mutant.new)}"
            text = f"{where}|{seen[where, what]}|{what}"   # the number tells lines of the same text apart
            seen[where, what] += 1
            mutant.key = hashlib.sha1(text.encode("latin-1")).hexdigest()[:10]
            mutant.place = f"{self.path}:{self.text.count(chr(10), 0, mutant.start) + 1}:{len(before) + 1}"


class Copy:
    """A copy of the tree, in which one mutant after another is built and tested."""

    def __init__(self, folder, source):
        self.folder, self.source = folder, source
        for part in ("include", "src", "tests"):
            shutil.copytree(part, os.path.join(folder, part))

    def write(self, text):
        time.sleep(0.02)   # make has to see that this is later than what it has built
        with open(os.path.join(self.folder, self.source.path), "w", encoding="latin-1", newline="") as file:
            file.write(text)

    def run(self, command, seconds=60):
        """The exit status, which is TIMED_OUT after so many seconds of a processor, and the end of what was printed."""
        shell = f"ulimit -c 0; ulimit -St {seconds}; set -o pipefail; {{ {command}\n}} 2>&1 | tail -c 4000"
        limited = ["timeout", "--signal=KILL", str(20 * seconds), "bash", "-c", shell]
        done = subprocess.run(limited, cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
        return done.returncode, done.stdout.decode(errors="replace")


class Score:
    """What becomes of each mutant of a source."""

    def __init__(self, source, options, folder):
        self.source, self.options = source, options
        with open(options.accepted, encoding="utf-8") as file:
            lines = re.findall(r"^([0-9a-f]{10}) (\S+): (.+)$", file.read(), re.MULTILINE)
        self.accepted = {key: reason for key, path, reason in lines if path == source.path}
        self.copies = [Copy(os.path.join(folder, str(number)), source) for number in range(options.jobs)]

    def check_copies(self):
        """Each copy has to work as it is, and to build the source. Sets the time limit of the tests."""
        self.limit = 5
        for copy in self.copies:
            for command in (self.options.build, self.options.test, self.options.assembly):
                status, output = copy.run(command)
                if status != 0:
                    fail(f"without a change, this ends with {status}: {command}\n{output}")
            self.first_with = {output: None}   # the first mutant with this assembly; None is the original
            start = sum(os.times()[2:4])   # of a processor, by what has been run
            copy.run(self.options.test)   # there is nothing left to build now
            self.limit = max(self.limit, round(3 * (sum(os.times()[2:4]) - start)))
            copy.write("#error canary\n" + self.source.text)
            for command in (self.options.build, self.options.assembly):
                if copy.run(command)[0] == 0:
                    fail(f"an #error in {self.source.path} does not stop this: {command}")

    def try_all(self, mutants):
        remaining = iter(mutants)

        def take_turns(copy):
            for mutant in remaining:
                self.try_out(copy, mutant)

        with concurrent.futures.ThreadPoolExecutor(len(self.copies)) as pool:
            try:
                list(pool.map(take_turns, self.copies))
            finally:
                list(remaining)   # after an interrupt, nothing is left to take

    def try_out(self, copy, mutant):
        copy.write(self.source.text[:mutant.start] + mutant.new + self.source.text[mutant.end:])
        status, code = copy.run(self.options.assembly)
        same = self.first_with.setdefault(code, mutant)
        if status != 0:
            mutant.status = "invalid"
        elif same is not mutant:
            mutant.status = "duplicate" if same and same.key not in self.accepted else "equivalent"
        elif copy.run(self.options.build)[0] != 0:
            mutant.status = "invalid"
        else:
            status, _ = copy.run(self.options.test, self.limit)
            passed = "accepted" if mutant.key in self.accepted else "survived"
            mutant.status = {0: passed, TIMED_OUT: "timed out"}.get(status, "killed")
        if mutant.status == "survived":
            print(f"survived {mutant}", flush=True)

    def report(self, seconds):
        """Prints the counts, and says whether all is well as far as it has come."""
        status = {mutant.key: mutant.status for mutant in self.source.mutants}
        wrong = [key for key in self.accepted if status.get(key) in ("killed", "timed out", "invalid", None)]
        for key in wrong:
            print(f"accepted, but {status.get(key, 'there is no such mutant')}: {key} {self.accepted[key]}")
        count = collections.Counter(status.values())
        counts = ", ".join(f"{number} {name}" for name, number in sorted(count.items()))
        print(f"{self.source.path}: {len(status)} mutants: {counts}; {seconds:.0f} s", flush=True)
        return not wrong and not count["survived"] and count["killed"] + count["not run"] > 0


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("source", help="C source, relative to a folder that has include, src and tests in it")
    parser.add_argument("--build", default="false", help="command that compiles the source")
    parser.add_argument("--test", default="false", help="command that builds the tests and runs them")
    parser.add_argument("--assembly", default="false", help="command that prints a hash of the assembly")
    parser.add_argument("--accepted", default=os.devnull, help="file with '<key> <source>: <reason>' a line")
    parser.add_argument("--clang", default="", help="options for libclang")
    parser.add_argument("--jobs", default=1, type=int)
    parser.add_argument("--list", action="store_true", help="only list the mutants")
    return parser.parse_args()


def main():
    options, start, interrupted = parse_options(), time.monotonic(), False
    source = Source(options.source, options.clang.split())
    if options.list:
        print(*source.mutants, sep="\n")
        return 0
    signal.signal(signal.SIGTERM, signal.default_int_handler)   # as from the keyboard
    with tempfile.TemporaryDirectory(prefix="mutate-") as folder:
        score = Score(source, options, folder)
        try:
            score.check_copies()
            score.try_all([mutant for mutant in source.mutants if mutant.key in score.accepted])
            score.try_all([mutant for mutant in source.mutants if mutant.key not in score.accepted])
        except KeyboardInterrupt:
            interrupted = True
    fine = score.report(time.monotonic() - start)
    return 1 if not fine else 130 if interrupted else 0


if __name__ == "__main__":
    sys.exit(main())
